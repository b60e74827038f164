import json

import pytest

from reports.pages import notebook_page
from tests.reports.markup import Page, assert_nothing_fetched, assert_nothing_runs

EVIL = (
    "<script>alert(1)</script><img src=x onerror=alert(1)><img src='http://e/x.png'><iframe src=//e></iframe>"
    "<a href='javascript:alert(1)'>x</a><style>*{display:none}</style><svg onload=alert(1)></svg>"
    "</div></section></main><p id='cell-1' class='banner vh' style='background:url(http://e)'>hello</p>"
    "<form action=http://e><input autofocus onfocus=alert(1)></form><base href=http://e><link rel=x href=//e>"
)


def test_markdown_is_rendered_below_the_pages_own_title() -> None:
    read = _read(markdown("# A title\n\nSome *words*, `code` and $x < y$"))
    assert [tag for tag, _ in read.tags if tag in ("h1", "h2", "em", "code")] == ["h1", "h2", "em", "code"]


def test_anchors_count_all_cells_from_one() -> None:
    read = _read(markdown("a"), code("b = 1"), {"cell_type": "raw", "source": "c"}, 7, code("d"))
    assert [i for i in read.values("id") if i.startswith("cell-")] == [f"cell-{n}" for n in range(1, 6)]


def test_code_is_highlighted() -> None:
    assert {"class": "k"} in _read(code("def f(): pass")).named("span")


@pytest.mark.parametrize(
    "cell",
    [
        {"cell_type": "markdown", "source": EVIL},
        {"cell_type": "raw", "source": EVIL, "metadata": {"raw_mimetype": ""}},
        {"cell_type": "code", "source": EVIL, "execution_count": EVIL, "metadata": {"tags": [EVIL]}},
        {"cell_type": EVIL, "source": EVIL},
    ],
)
def test_hostile_cells_are_harmless(cell) -> None:
    _harmless(_read(cell | {"id": EVIL}))


@pytest.mark.parametrize("kind", ["text/html", "text/markdown", "image/svg+xml", "text/plain", "text/latex"])
def test_hostile_outputs_are_harmless(kind: str) -> None:
    metadata = {kind: {"isolated": True}}
    _harmless(_read(code("x", {"output_type": "display_data", "data": {kind: EVIL}, "metadata": metadata})))


def test_hostile_images_and_scripts_are_removed() -> None:
    png = {"image/png": "iVBORw0KGgo=", "application/javascript": "alert(1)"}
    sized = {"image/png": {"width": "1 onload=alert(1)", "height": EVIL}, "alt": EVIL}
    read = _read(
        code("x", {"output_type": "execute_result", "data": png, "metadata": sized, "execution_count": EVIL}),
        code("x", {"output_type": "display_data", "data": {"image/png": '"><script>alert(1)</script>'}}),
        code("x", {"output_type": "stream", "name": EVIL, "text": EVIL}),
        code("x", {"output_type": "error", "ename": EVIL, "evalue": EVIL, "traceback": [EVIL, 7]}),
    )
    _harmless(read)
    assert [image["src"] for image in read.named("img")] == ["data:image/png;base64,iVBORw0KGgo="]


def test_a_title_is_escaped() -> None:
    assert_nothing_runs(Page(notebook_page.render(as_bytes(), EVIL)))


def test_long_outputs_are_dropped_with_a_note() -> None:
    long = {"output_type": "stream", "name": "stdout", "text": "x" * 30_000}
    short = {"output_type": "stream", "name": "stdout", "text": "short"}
    text = notebook_page.render(as_bytes(code("x", long, short, long)), "t")
    assert "2 outputs of this cell not shown." in text
    assert ">short<" in text.replace("\n", "") and "x" * 1_000 not in text


def test_long_markdown_is_shown_unparsed() -> None:
    text = notebook_page.render(as_bytes(markdown("[" * 12_000), markdown("**bold**")), "t")
    assert "<pre>[[[" in text and "<strong>bold</strong>" in text


def test_a_notebook_of_many_long_texts_is_parsed_only_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook_page, "MAX_PARSED_PAGE", 5_000)
    read = _read(*[markdown("*a* " * 500)] * 4)
    assert len(read.named("em")) == 500 * 2


def test_many_long_outputs_of_one_cell_are_not_parsed_together() -> None:
    html = {"output_type": "display_data", "data": {"text/html": "<dl><dt>" * 1_200}}
    assert len(_read(code("x", *[html] * 5)).named("dt")) == 6_000
    assert not _read(code("x", *[html] * 6)).named("dt")


def test_long_code_is_shown_unparsed() -> None:
    text = notebook_page.render(as_bytes(code("a." * 6_000 + "b"), code("def f(): pass")), "t")
    assert "<pre>a.a.a" in text and '<span class="k">def</span>' in text


def test_cells_after_the_time_limit_are_shown_unparsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook_page, "MAX_SECONDS", -1)
    assert "<pre>**bold** &lt;script&gt;</pre>" in notebook_page.render(
        as_bytes(markdown("**bold** <script>")), "t"
    )


def test_cells_beyond_the_limit_are_not_read() -> None:
    text = notebook_page.render(b'{"cells": [' + b"0," * 1_000_000 + b"0]}", "t")
    assert f"{1_000_001 - notebook_page.MAX_CELLS:,}" in text


def test_terminal_colours_in_outputs_become_classes() -> None:
    stream = {"output_type": "stream", "name": "stdout", "text": ["\x1b[31mred\x1b[0m"]}
    assert {"class": "ansi-red-fg"} in _read(code("x", stream)).named("span")


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"cells": 3}', b"\xff\xfe", b"[" * 200_000, b'"cells"'])
def test_a_file_that_is_not_a_notebook_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        notebook_page.render(data, "t")


def test_the_same_notebook_gives_the_same_bytes() -> None:
    data = as_bytes(markdown("# a\n\n![x](y)"), code("print(1)"))
    assert notebook_page.render(data, "t") == notebook_page.render(data, "t")


def markdown(source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "source": source}


def code(source: str, *outputs: dict[str, object]) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def as_bytes(*cells: object) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def _read(*cells: object) -> Page:
    return Page(notebook_page.render(as_bytes(*cells), "t"))


def _harmless(read: Page) -> None:
    assert_nothing_runs(read)
    assert_nothing_fetched(read)
    ids = read.values("id")
    assert len(ids) == len(set(ids))
    assert not read.named("style")[1:] and not read.named("input")
    assert all("url" not in style for style in read.values("style"))
    assert not any({"banner", "vh"} & set(value.split()) for value in read.values("class"))
