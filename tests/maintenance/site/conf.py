"""Sphinx's settings; `build_site.py` gives the language and the folders."""

import os

project = "softmark"
author = "softmark"
language = os.environ.get("SITE_LANGUAGE", "en")
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
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
