"""What the theme's pages lack for screen readers, keyboards and French, added to them once they are built."""

import re
from pathlib import Path

from graders.language import Language
from tests.maintenance.site.theme_in_french import say_in_french

NAMES: dict[Language, tuple[str, str, str]] = {
    "en": ("Pages of the site", "On this page", "Search"),
    "fr": ("Pages du site", "Sur cette page", "Recherche"),
}
EMPTY_CORNER = re.compile(r'<th class="head[^"]*">(<p></p>)?</th>')  # it heads no column


def make_accessible(page: str, language: Language) -> str:
    """The text of a page with levels of captions, names of sidebars, and what a key can scroll."""
    pages, places, search = NAMES[language]
    page = page.replace('role="heading"', 'role="heading" aria-level="2"')
    drawer = '<aside class="sidebar-drawer"'
    page = page.replace(drawer, f'{drawer} aria-label="{pages}"')
    page = re.sub(r'<aside class="toc-drawer[^"]*"', rf'\g<0> aria-label="{places}"', page)
    page = EMPTY_CORNER.sub("<td></td>", page)
    page = page.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
    page = page.replace('<div id="search-results"', f'<h1>{search}</h1>\n<div id="search-results"')
    return page.replace("<pre>", '<pre tabindex="0">')


def mend_pages(folder: Path, language: Language) -> None:
    """The same for all pages of a folder."""
    for path in folder.rglob("*.html"):
        page = make_accessible(path.read_text(encoding="utf-8"), language)
        path.write_text(say_in_french(page) if language == "fr" else page, encoding="utf-8")
