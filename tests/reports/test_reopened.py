"""A notebook that is opened again, where a viewer has removed styles and pictures, still reads as text."""

import pytest

from graders.results.case import Case, Reach
from graders.results.result import Finding, Outcome, Result
from reports.pages import notebook_cell_output
from reports.pages.sanitize_html import sanitize
from tests.reports import reopened, sample

VIEWERS = {"GitHub": reopened.on_github, "nbconvert": reopened.in_nbconvert, "our page": sanitize}
TABLE = ["0 | 0.10 | 1.00 | 0.20", "1 | 0.30 | 0.40 | 0.50", "0 | 0.10 | 0.67 | 0.20"]


def wrong(**changes) -> Finding:
    return sample.finding(Outcome.FAILED, **changes)


def result() -> Result:
    large = Case("x", (), sample.tensor([0.5] * 144, 12, 12), sample.tensor([0.25] * 144, 12, 12), (3, 4))
    far = Case("y", reach=Reach(1, (1, 3, 5), 9))
    findings = (
        wrong(),
        wrong(case=large, mistake=None, message="m"),
        wrong(case=far, mistake=None, message="n"),
    )
    return sample.result(sample.exercise(sample.finding(), *findings))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_each_number_stands_apart_and_each_row_on_its_line(viewer: str) -> None:
    html = VIEWERS[viewer](notebook_cell_output.render(result(), "n").html)
    lines = reopened.read(html).split("\n")
    rows = [line.strip("| ") for line in lines]
    assert [row for row in TABLE if row not in rows] == []
    assert any("they differ most at [0, 1]: expected 1, yours 0.67" in line for line in lines)
    assert not any(part.isdigit() and len(part) > 4 for line in lines for part in line.split())


@pytest.mark.parametrize("viewer", ["GitHub", "our page"])
def test_without_styles_there_is_structure_and_no_rubble(viewer: str) -> None:
    html = VIEWERS[viewer](notebook_cell_output.render(result(), "n").html)
    text = reopened.read(html)
    assert "style" not in html.replace("style=", "") and "{" not in text and "var(" not in text
    for kept in ("<li", "<table", "<pre", "<details", "<summary"):
        assert kept in html
    assert "✗ putting the heads back together" in text and "✗putting" not in text
    assert "Smallest case x (2, 3) float32" in text


def test_a_picture_that_is_removed_leaves_its_description() -> None:
    text = reopened.read(reopened.on_github(notebook_cell_output.render(result(), "n").html))
    assert "heat map, expected: 12 rows and 12 columns" in text
    assert "who sees whom, with a window of 1 on each side" in text


def test_of_another_drawing_in_a_notebook_its_label_stays_and_no_digits() -> None:
    drawn = '<svg aria-label="a &lt;curve&gt;" class="x"><text>1</text><text>2</text></svg>'
    assert sanitize(f"<style>p {{}}</style>{drawn}<script>x</script>") == "<p>a &lt;curve&gt;</p>"
    assert sanitize("<svg><text>1</text><text>2</text></svg>a") == "a"


def test_the_plain_text_is_the_terminals() -> None:
    text = notebook_cell_output.render(result(), "n").text
    assert "✗  putting the heads back together" in text and "hint: reshape alone" in text
    assert "<" not in text.replace("<class", "")
