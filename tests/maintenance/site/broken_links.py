"""Find links of a site that lead nowhere: to no page, or to no place on it."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r"<(?:a|img|link|script|iframe)\b[^>]*?\b(?:href|src)=\"([^\"]*)\"")
PLACE = re.compile(r"\b(?:id|name)=\"([^\"]*)\"")
OUTSIDE = re.compile(r"^[a-z]+:|^//")
MADE_BY_SCRIPT = re.compile(r"^search\.html|\?")


def find_broken_links(site: Path) -> Iterator[str]:
    """Each link that leads nowhere, with its page: `fr/index.html: nowhere.html`.

    Args:
        site: the folder of the site, with all its pages.
    """

    @cache
    def places(page: Path) -> frozenset[str]:
        return frozenset(PLACE.findall(page.read_text(encoding="utf-8")))

    @cache
    def leads_to(folder: Path, path: str) -> Path | None:
        target = (folder / path).resolve()
        target = target / "index.html" if target.is_dir() else target
        return target if target.exists() else None

    for page in sorted(site.rglob("*.html")):
        for link in sorted(set(LINK.findall(page.read_text(encoding="utf-8")))):
            if OUTSIDE.search(link) or MADE_BY_SCRIPT.search(link) or link in ("", "#"):
                continue
            path, _, place = unquote(link).replace("&amp;", "&").partition("#")
            target = leads_to(page.parent, path or page.name)
            if target is None or (place and target.suffix == ".html" and place not in places(target)):
                yield f"{page.relative_to(site)}: {link}"
