"""All styles, by family: a family is a file, and a new style stands in the tuple of its family."""

from graders.audit.styles import dress, names, sizes
from graders.audit.styles.style import Style

STYLES: tuple[Style, ...] = (*names.STYLES, *dress.STYLES, *sizes.STYLES)
