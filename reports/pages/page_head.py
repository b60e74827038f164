"""Whether a page that was made elsewhere is harmless: its policy is ours, so no script runs but our own."""

import functools
import re

from graders.language import Language, current_language
from reports.pages.templating import fill, read_script

# These could lead elsewhere or change the policy; in a student's text, `<` is always escaped. Classes of
# letters search a page in a third of the time that the three words take in any case; what matches besides
# ("<mink>") is in no page of ours.
_META_LINK_OR_BASE = re.compile(rb"<[mlbMLB][eiaEIA][tnsTNS][akeAKE][\s/>]")
_MADE_FROM = "0" * 64


def is_harmless(page: bytes) -> bool:
    """Whether a student's page begins as ours do, up to its title, and has nothing of a head after that.

    The head has the policy by which a browser runs no script but `page.js`, and fetches nothing.
    """
    head, found, rest = page.partition(b"<title>")
    plain = re.sub(rb'(?<=made-from" content=")[0-9a-f]{64}(?=">)', _MADE_FROM.encode(), head, count=1)
    return bool(found) and plain in _heads(current_language()) and not _META_LINK_OR_BASE.search(rest)


@functools.cache
def _heads(language: Language) -> set[bytes]:  # noqa: ARG001 - the templates are filled in the current one
    """The heads of students' pages, with a script and without."""
    pages = [
        fill("base.html.j2", made_from=_MADE_FROM, script=script) for script in (None, read_script("page.js"))
    ]
    return {page.partition("<title>")[0].encode() for page in pages}
