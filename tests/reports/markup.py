"""A page read by a strict parser: what is open, what is linked, what has a name."""

import base64
import hashlib
from html.parser import HTMLParser

from reports.pages import templating

VOID = {"meta", "link", "br", "hr", "img", "input", "wbr", "rect", "path", "image", "use"}
SCRIPTS = (["page.js"], ["class.js", "walk.js"], ["find.js"])
OUR_SCRIPTS = {templating.read_script(*names).text for names in SCRIPTS}
OPTIONAL_SLASH = {"rect", "path", "image", "use", "g"}


class Page(HTMLParser):
    """Elements, headings and ids of a page. Raises AssertionError where tags are not balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[int] = []
        self.words = ""
        self.scripts: list[str] = []
        self.pieces: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {tag} {attrs}"
        self.tags.append((tag, dict(attrs)))
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(tag[1]))
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if "script" in self.open:
            self.scripts[-1] += data
        elif "style" not in self.open:
            self.words += data
            self.pieces += data.split()

    def values(self, name: str) -> list[str]:
        """All values of an attribute."""
        return [
            value or "" for _, attributes in self.tags for key, value in attributes.items() if key == name
        ]

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a kind."""
        return [attributes for name, attributes in self.tags if name == tag]


def assert_sound(text: str) -> Page:
    """A page that is balanced, self-contained, in order, and can be read without eyes."""
    page = Page(text)
    assert_nothing_fetched(page)
    assert_nothing_runs(page)
    ids = page.values("id")
    assert len(ids) == len(set(ids)), "an id twice"
    inside = [href[1:] for href in page.values("href") if href.startswith("#")]
    assert set(inside) <= set(ids), f"leads nowhere: {set(inside) - set(ids)}"
    assert set(page.values("aria-labelledby")) <= set(ids)
    assert_in_order(page)
    for kind in ("svg", "img"):
        assert all(a.get("aria-label") or a.get("alt") for a in page.named(kind)), f"{kind} without words"
    assert len(page.named("table")) == len(page.named("caption"))
    assert all("scope" in th for th in page.named("th"))
    return page


def assert_nothing_fetched(page: Page) -> None:
    """No element asks for anything: not a script, a style sheet, a font or an image from elsewhere."""
    assert not page.named("link") and not page.named("base")
    linked = page.values("xlink:href")
    inside = {f"#{name}" for name in page.values("id")}  # a mark that a picture shows again
    assert all(source.startswith("data:image/") for source in page.values("src"))
    assert all(source.startswith("data:image/") or source in inside for source in linked)
    policies = [meta["content"] for meta in page.named("meta") if meta.get("http-equiv")]
    assert [str(policy).split(";")[0] for policy in policies] == ["default-src 'none'"]


def assert_nothing_runs(page: Page) -> None:
    """No script but one of ours, whose hash the policy has; no frame, no handler, no address that is code."""
    assert page.named("script") in ([], [{}])
    assert {*page.scripts} <= OUR_SCRIPTS
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in page.scripts]
    policy = next(str(meta["content"]) for meta in page.named("meta") if meta.get("http-equiv"))
    allowed = [rule.split()[1:] for rule in policy.split(";") if "script-src" in rule]
    assert allowed == [[f"'sha256-{digest}'"] for digest in digests]
    for kind in ("iframe", "object", "embed", "form"):
        assert not page.named(kind), kind
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    schemes = {href.partition(":")[0].strip().lower() for href in page.values("href") if ":" in href}
    assert schemes <= {"http", "https", "mailto"}


def assert_in_order(page: Page) -> None:
    """One h1, and no level skipped on the way down."""
    assert page.headings.count(1) == 1 and page.headings[0] == 1, page.headings
    steps = zip(page.headings, page.headings[1:], strict=False)
    assert all(after <= before + 1 for before, after in steps), page.headings
