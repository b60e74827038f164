"""A link whose text is a file's name, as on GitHub, says on the site the title of the page."""

import posixpath
import re

from docutils import nodes
from sphinx.application import Sphinx

FILE = re.compile(r"[\w./-]+\.md")


def say_titles(app: Sphinx) -> None:
    """Have links say titles."""
    app.connect("doctree-resolved", _on_page)


def _on_page(app: Sphinx, page: nodes.document, name: str) -> None:
    for link in page.findall(nodes.reference):
        if link.get("refuri") and FILE.fullmatch(link.astext()):
            target = posixpath.join(posixpath.dirname(name), link["refuri"].partition("#")[0])
            title = app.env.titles.get(posixpath.normpath(target).removesuffix(".html"))
            if title is not None:
                link.children = [nodes.emphasis("", title.astext())]
