"""Sphinx's settings; `build_site.py` gives the language and the folders."""

import os

from sphinx.application import Sphinx

from tests.maintenance.site.navigation import make_once
from tests.maintenance.site.search_words import remember_stems
from tests.maintenance.site.titles_of_links import say_titles

project = "softmark"
author = "softmark"
language = os.environ.get("SITE_LANGUAGE", "en")
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
highlight_language = "none"  # a block without a language is what a program prints
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
html_theme = "furo"
html_title = "softmark"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_permalinks_icon = "#"
templates_path = ["templates"]
locale_dirs = [os.environ.get("SITE_LOCALES", "locale")]
gettext_compact = "docs"
html_context = {"other_language": "fr" if language == "en" else "en"}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "language.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def setup(app: Sphinx) -> None:
    """What Sphinx calls first."""
    make_once(app)
    remember_stems(app)
    say_titles(app)
