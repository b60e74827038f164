"""The list of all pages beside each page: made once, and given to each page with the page's own place in it.

The theme makes the whole list again for every page, which takes two thirds of the time of a build. It differs
from page to page only in where its links start from, and in which of its entries are open.
"""

import re
from functools import cache
from typing import Any

from furo.navigation import get_navigation_tree
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment.adapters.toctree import global_toctree_for_doc

BEFORE_THE_THEME, AFTER_THE_THEME = 400, 600
LINK = 'a class="reference internal" href="'
ENTRY = re.compile(rf'<li class="([^"]*)"><{LINK}([^"]*)"|</li>')
WITH_PAGES_BELOW = re.compile(r'( current[^"]*"><a [^>]*>(?:(?!</?a\b).)*</a><input )', re.DOTALL)


class Navigation:
    """The list, and where in it each page stands.

    Args:
        tree: HTML of the list, with links from the root of the site.
    """

    def __init__(self, tree: str) -> None:
        self._tree = tree
        self._places: dict[str, list[int]] = {}  # of a page: the classes of its entry and of those above it
        above: list[int] = []
        for found in ENTRY.finditer(tree):
            if found[0] == "</li>":
                above.pop()
            else:
                above.append(found.end(1))
                self._places[found[2]] = list(above)

    def on_page(self, name: str) -> str:
        """The list as the page of this name has it."""
        text, places = self._tree, self._places.get(f"{name}.html", [])
        for place in reversed(places):
            mark = " current current-page" if place == places[-1] else " current"
            text = text[:place] + mark + text[place:]
        text = WITH_PAGES_BELOW.sub(r'\1checked="" ', text)
        return text.replace(LINK, LINK + "../" * name.count("/"))


def make_once(app: Sphinx) -> None:
    """Have Sphinx make the list once in a build."""

    @cache
    def navigation() -> Navigation:
        return Navigation(_tree(app))

    def without_tree(_app: Sphinx, _name: str, _template: str, context: dict[str, Any], _page: Any) -> None:
        context["toctree"] = lambda **_options: ""

    def with_tree(_app: Sphinx, name: str, _template: str, context: dict[str, Any], _page: Any) -> None:
        context["furo_navigation_tree"] = navigation().on_page(name)

    app.connect("html-page-context", without_tree, BEFORE_THE_THEME)
    app.connect("html-page-context", with_tree, AFTER_THE_THEME)


def _tree(app: Sphinx) -> str:
    builder, root = app.builder, app.config.root_doc
    assert isinstance(builder, StandaloneHTMLBuilder)
    tree = global_toctree_for_doc(app.env, root, builder, tags=app.tags, maxdepth=-1, titles_only=True)
    return str(get_navigation_tree(builder.render_partial(tree)["fragment"]))
