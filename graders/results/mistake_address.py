"""The addresses of the pages of known mistakes, to which hints on a student's page lead.

They are on the site that `make site` builds of a course, whose address is `https://.../`: below it lie
`en/exercises/<exercise>.html` and the same in `fr/`, with a section for each mistake.
"""

import re
from urllib.parse import quote

from graders.language import Language

OFF = "off"  # in the place of an address: hints have no links
_ADDRESS = re.compile(r"https?://[^\s/]+\S*")


def is_site(text: str) -> bool:
    """Whether a text is the address of a site, or `off`: no other may become a link on a page."""
    return text == OFF or _ADDRESS.fullmatch(text) is not None


def section_name(exercise: str, mistake: str) -> str:
    """The name of a mistake's section on the page of its exercise."""
    return f"{exercise}--{mistake.partition('__')[2] or mistake}"


def section_id(exercise: str, mistake: str) -> str:
    """The id that Sphinx makes of this name."""
    return re.sub("[^a-z0-9]+", "-", section_name(exercise, mistake).lower()).strip("-")


def mistake_address(site: str, exercise: str, mistake: str, language: Language) -> str | None:
    """The address of a mistake's page in a language; None without a site.

    Args:
        site: its address; empty or `off` for none.
        exercise: the one whose mistake it is.
        mistake: its name, such as `concat_heads__interleaved`.
        language: the reader's.
    """
    if not site or site == OFF or not is_site(site):
        return None
    page = f"{language}/exercises/{quote(exercise)}.html#{section_id(exercise, mistake)}"
    return f"{site.rstrip('/')}/{page}"
