"""A narrow screen breaks no word and is not scrolled sideways; paper has the overview and what is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from graders.language import speaking
from graders.results.result import Outcome, Result
from reports.pages import class_page, notebook_cell_output, student_page
from tests.reports import class_of_many, sample
from tests.reports.test_trained import MODEL, result_of
from tests.support.devtools import CHROMIUM, Tab

NARROW = 390  # pixels: a phone's screen
NOTEBOOKS = (700, 760)  # the widths of outputs in VS Code and JupyterLab
# The words that stand on two lines, without those of code, and how far the page is wider than its window.
ASK = r"""(() => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  const broken = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("pre, code, style, script, svg, .vh, .given")) continue;
    for (const found of node.data.matchAll(/\p{L}{2,}/gu)) {
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const tops = new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top)));
      if (tops.size > 1) broken.push(found[0]);
    }
  }
  const root = document.documentElement;
  return [broken, root.scrollWidth - root.clientWidth];
})()"""

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here"),
]


def every_outcome() -> Result:
    """In French, each outcome, a model, and a whole whose part is wrong."""
    waits = sample.exercise(
        sample.finding(Outcome.FAILED),
        sample.finding(Outcome.SKIPPED),
        name="whole",
        title="Le bloc Transformer, de l'encodeur au décodeur",
        fix_first=("scaled_dot_product_attention", "multi_head_attention"),
    )
    so_far = sample.exercise(
        sample.finding(),
        sample.finding(Outcome.SKIPPED),
        name="so_far",
        title="Les têtes",
        undecided_points=1,
    )
    return sample.result(*sample.every_outcome(), waits, so_far, *result_of(MODEL).exercises, language="fr")


@pytest.mark.parametrize("kind", ["student", "class", "cell"])
def test_no_word_of_a_french_page_is_broken_and_nothing_is_wider_than_the_screen(
    kind: str, tab: Tab, tmp_path: Path
) -> None:
    results = [replace(result, language="fr") for result in class_of_many.results(4)]
    with speaking("fr"):
        text = {
            "student": lambda: student_page.render(every_outcome()),
            "class": lambda: class_page.render(results, [], class_of_many.marks(results)),
            "cell": lambda: _in_a_notebook(notebook_cell_output.render(every_outcome(), "n").html),
        }[kind]()
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    for width in (NARROW, *NOTEBOOKS):
        tab.show(tmp_path / "page.html", width, "light")
        assert tab.evaluate(ASK) == [[], 0], width


def _in_a_notebook(cell: str) -> str:
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>n</title>'
    return f'<!DOCTYPE html><html lang="fr"><head>{head}</head><body>{cell}</body></html>'


def test_a_page_with_one_mistake_is_printed_on_two_sheets(tab: Tab, tmp_path: Path) -> None:
    wrong = [sample.finding(Outcome.FAILED, check=str(n)) for n in range(4)]
    right = [
        sample.exercise(
            *[sample.finding(check=str(n)) for n in range(12)], name=f"e{n}", title=f"Exercise {n}"
        )
        for n in range(7)
    ]
    text = student_page.render(sample.result(*right, sample.exercise(*wrong, sample.finding())))
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    tab.show(tmp_path / "page.html", 1440, "light")
    assert 1 <= tab.count_sheets() <= 2


def test_all_causes_of_what_is_wrong_are_printed(tab: Tab, tmp_path: Path) -> None:
    wrong = [
        sample.finding(Outcome.FAILED, check=str(n), message=f"cause {n}", mistake=None) for n in range(3)
    ]
    text = student_page.render(sample.result(sample.exercise(sample.finding(message="it holds"), *wrong)))
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    tab.show(tmp_path / "page.html", 1440, "light")
    find = '[...document.querySelectorAll(".message")].find((each) => each.textContent == text)'
    seen = f"(text) => {find}.checkVisibility({{ contentVisibilityAuto: true }})"
    shown = [f'({seen})("{text}")' for text in ("cause 0", "cause 2", "it holds")]
    assert tab.evaluate(f"[{', '.join(shown)}]") == [True, False, False]
    tab.show_as_printed()
    assert tab.evaluate(f"[{', '.join(shown)}]") == [True, True, False]
