"""Every kind of page as a browser lays it out and as axe-core sees it: light and dark, wide and narrow."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from graders.classroom.class_record import Before, ClassRecord, ExerciseBefore
from graders.classroom.comments import Comment
from graders.classroom.extensions import Extension
from graders.classroom.marks import Hold, compute_marks
from graders.classroom.questions import with_questions
from graders.classroom.rubric import Question
from graders.results.case import Reach
from graders.results.code_questions import Asks, CodeQuestion, StudentQuestions
from graders.results.heads import Heads
from graders.results.result import Outcome, Text
from reports import audit
from reports.pages import (
    answers_page,
    class_page,
    code_questions_page,
    notebook_cell_output,
    notebook_page,
    student_page,
    table_pages,
)
from tests.conftest import NIGHTLY
from tests.reports import audited_course, class_of_many, class_of_twelve, sample, test_heads
from tests.reports.test_french import COSTS, TIMED
from tests.reports.test_notebook import as_bytes, code, markdown
from tests.reports.test_trained import MODEL, result_of
from tests.support.devtools import CHROMIUM, Tab

AXE = Path(__file__).parents[2] / "build/axe-core/axe.min.js"
WIDTHS = (1440, 390)
SCHEMES = ("light", "dark")
EVERYTHING, COLOURS, ALL_BUT_COLOURS = (
    "{}",
    '{ runOnly: ["color-contrast"] }',
    '{ rules: { "color-contrast": { enabled: false } } }',
)
# Colours depend on the scheme, the layout on the width: all is asked of all four in the night alone.
SHOWN = (
    [(*shown, EVERYTHING) for shown in product(WIDTHS, SCHEMES)]
    if NIGHTLY
    else [
        (WIDTHS[0], "light", EVERYTHING),
        (WIDTHS[0], "dark", COLOURS),
        (WIDTHS[1], "light", ALL_BUT_COLOURS),
    ]
)
# Pages made of the same elements as another kind: at each push they are seen once.
LIKE_ANOTHER = (
    set() if NIGHTLY else {"heads", "large class", "search", "table page", "commented", "answers", "own code"}
)
# The others share style sheets: at each push one is seen dark and narrow too, the others in one of both ways.
LEFT_OUT = {} if NIGHTLY else {"class": 2, "notebook": 1, "cell": 2, "audit": 1}
# axe leaves to us the contrast in pictures, which have words beside them, of single characters and marks,
# and of what is scrolled out of sight on a narrow screen, which it has seen on the wide one.
ASK = """
axe.run(document, { resultTypes: ["violations", "incomplete"], ...%s }).then((found) => {
  const checks = (node) => node.any.concat(node.all, node.none);
  const told = (rule) => rule.nodes.map((node) =>
    `${rule.id}: ${node.target.join(" ")}: ${checks(node).map((check) => check.message).join("; ")}`);
  const left = ["shortTextContent", "nonBmp", innerWidth < 1_000 && "elmPartiallyObscured"];
  const open = (rule) => rule.nodes.filter((node) => {
    const known = checks(node).every((check) => left.includes(check.data?.messageKey));
    const picture = document.querySelector(node.target[0]).closest("svg");
    return rule.id !== "color-contrast" || !(known || picture);
  });
  const incomplete = found.incomplete.map((rule) => ({ ...rule, nodes: open(rule) }));
  return [found.violations.flatMap(told), incomplete.flatMap(told)];
})
"""

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here"),
]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One page of each kind, with all that may stand on it."""
    folder = tmp_path_factory.mktemp("pages")
    for name, text in _render().items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


def _render() -> dict[str, str]:
    timed = sample.exercise(sample.finding(costs=COSTS), name="timed", timing=TIMED)
    reach = replace(sample.case(), reach=Reach(1, (1, 3, 5), 9))
    several = sample.exercise(
        sample.finding(Outcome.FAILED, case=reach, check="reach"),
        *(sample.finding(Outcome.FAILED, check=str(i)) for i in range(3)),
        sample.finding(),
        name="several",
    )
    result = sample.result(
        *sample.every_outcome(), several, timed, *result_of(MODEL).exercises, sandbox="open"
    )
    results = class_of_many.results(4)
    marks = class_of_many.marks(results)
    more_time = Extension("a", datetime(2026, 11, 25, 23, 59, tzinfo=UTC), "an operation")
    marks[0] = replace(marks[0], extension=more_time, held=Hold("a", "to be talked over"))
    cell = notebook_cell_output.render(result, "cell-1").html
    plot = {"output_type": "stream", "name": "stdout", "text": "\x1b[31mred\x1b[0m " + "x" * 300}
    cells = [markdown("# Title\n\nSome `code`"), code("def f(x):\n    return x  # a comment", plot)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_pages, "MAX_ROWS", 3)
        patch.setattr(class_page, "MAX_ROWS", 3)
        patch.setattr(table_pages, "ROWS", 3)
        large = class_of_many.pages(results, ["a note"])
    return {
        "large class": large["index.html"],
        "search": large["submissions.html"],
        "table page": large["submissions-002.html"],
        "student": student_page.render(result, "notebook.html"),
        "heads": student_page.render(sample.result(several), heads=_heads()),
        "class": class_page.render(results, ["a note"], marks),
        "notebook": notebook_page.render(as_bytes(*cells), "A title"),
        "cell": _in_a_notebook(cell),
        **_of_people(),
        "audit": audit.render([audited_course.exercise(), audited_course.with_gaps()]),
    }


def _of_people() -> dict[str, str]:
    """What people say of code and of answers, and what is asked about code."""
    question = Question("why", "Why?", 2, "Question 1")
    text = Text("rendu.ipynb", 2, "# Question 1\n\nSince **it** grows.")
    result = with_questions(
        sample.result(sample.exercise(sample.finding(Outcome.FAILED)), texts=(text,)), (question,)
    )
    said = (
        Comment("alice", "concat_heads", 5, "the axes", -0.5),
        Comment("alice", "concat_heads", 99, "beyond"),
        Comment("alice", None, None, "signed?"),
    )
    before = Before("alice", result.submission.sha256, (ExerciseBefore("concat_heads", 1, 1),))
    record = ClassRecord("attention", 3, before=(before,), never_lower=True)
    [mark] = compute_marks([result], record, [], None, comments=said)
    definition = result.exercises[0].definitions[0]
    edit = CodeQuestion(
        asks=Asks.EDIT,
        exercise="concat_heads",
        title="Joining",
        symbol="concat_heads",
        case=sample.case(),
        definition=definition,
        line=5,
        before="B, H, S, D = x.shape",
        after="B, S, H, D = x.shape",
        answer="shape",
    )
    asked = StudentQuestions(
        "alice", "Alice", (edit, replace(edit, asks=Asks.SHAPE, name="x", answer="(1,)"))
    )
    return {
        "commented": student_page.render(result, mark=mark),
        "answers": answers_page.render([(result, mark)], [question]),
        "own code": code_questions_page.render("TP", [asked, replace(asked, id="b")], with_answers=True),
    }


def _heads() -> Heads:
    """Drawings of every kind: both ways, several layers, a problem."""
    one = test_heads.drawn(notes=("a note",)).drawings[0]
    two = replace(one, exercise="minigpt", layers=tuple(replace(one.layers[0], layer=n) for n in (1, 2)))
    drawings = (
        one,
        replace(one, causal=True),
        two,
        replace(one, exercise="x", layers=(), problem="it hangs"),
    )
    return replace(test_heads.drawn(), drawings=drawings)


def _in_a_notebook(cell: str) -> str:
    """The output of a cell where a notebook shows it, whose theme is the notebook's own."""
    theme = """<script>
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      document.documentElement.dataset.theme = dark ? "dark" : "light";
      document.body.style = dark ? "background: #111; color: #eee" : "background: #fff; color: #111";
    </script>"""
    start = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A notebook</title></head>'
    return f"{start}<body><main><h1>A notebook</h1><h2>A cell</h2>{cell}</main>{theme}</body></html>"


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `sh .ci/axe` fetches it with npm")
@pytest.mark.parametrize(
    "kind",
    [
        *("student", "heads", "class", "large class", "search", "table page", "notebook", "cell", "audit"),
        *("commented", "answers", "own code"),
    ],
)
def test_axe_finds_nothing(kind: str, tab: Tab, pages: Path) -> None:
    shown = [each for number, each in enumerate(SHOWN) if number != LEFT_OUT.get(kind)]
    for width, scheme, rules in shown[:1] if kind in LIKE_ANOTHER else shown:
        tab.show(pages / f"{kind}.html", width, scheme)
        tab.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
        tab.evaluate(AXE.read_text(encoding="utf-8"))
        violations, incomplete = tab.evaluate(ASK % rules)
        assert violations == [], (width, scheme)
        assert incomplete == [], (width, scheme)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not here: `sh .ci/axe` fetches it with npm")
def test_axe_finds_nothing_in_the_bar_over_a_submission(tab: Tab, pages: Path) -> None:
    for scheme in SCHEMES if NIGHTLY else SCHEMES[:1]:  # the colours are those of the pages
        tab.show(pages / "class.html", WIDTHS[1], scheme)
        tab.evaluate(AXE.read_text(encoding="utf-8"))
        tab.evaluate('document.querySelector("table.class tbody a").click()')
        tab.evaluate('document.querySelector("dialog iframe").remove()')  # a page of its own, tried above
        assert tab.evaluate(ASK % EVERYTHING) == [[], []], scheme


@pytest.mark.parametrize(("student", "most"), [("agathe.moreau", 1_500), ("camille-roux", 4_000)])
def test_a_page_is_as_long_as_what_is_wrong(student: str, most: int, tab: Tab, tmp_path: Path) -> None:
    result = next(r for r in class_of_twelve.results() if r.submission.id == student)
    (tmp_path / "page.html").write_text(student_page.render(result), encoding="utf-8")
    tab.show(tmp_path / "page.html", WIDTHS[0], "light")
    assert 500 < tab.evaluate("document.documentElement.offsetHeight") <= most


def test_every_exercise_of_a_class_is_in_sight_on_a_wide_screen(tab: Tab, pages: Path) -> None:
    tab.show(pages / "class.html", WIDTHS[0], "light")
    last = 'Array.from(document.querySelectorAll("table.class thead th")).at(-2).getBoundingClientRect()'
    shown = 'document.querySelector(".roster .scroll").getBoundingClientRect()'
    assert tab.evaluate(f"{last}.right <= {shown}.right")
    assert tab.evaluate('document.querySelectorAll("table.class thead th").length') >= 12
