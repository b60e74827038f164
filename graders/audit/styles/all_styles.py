"""All styles, by family: a family is a file, and a new style stands in the tuple of its family."""

from graders.audit.styles import configuration, dress, form, names, sizes
from graders.audit.styles.style import Style

STYLES: tuple[Style, ...] = (*form.STYLES, *configuration.STYLES, *names.STYLES, *dress.STYLES, *sizes.STYLES)
