"""All styles, by family: a family is a file, and a new style stands in the tuple of its family."""

from graders.audit.styles import (
    answers,
    arguments,
    configuration,
    corners,
    dress,
    form,
    names,
    numerics,
    parts,
    sizes,
)
from graders.audit.styles.style import Style

STYLES: tuple[Style, ...] = (
    *answers.STYLES,
    *arguments.STYLES,
    *configuration.STYLES,
    *corners.STYLES,
    *dress.STYLES,
    *form.STYLES,
    *names.STYLES,
    *numerics.STYLES,
    *parts.STYLES,
    *sizes.STYLES,
)
