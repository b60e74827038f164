"""Questions about one's own code: each answer is what the student's code gives when it is run anew, here."""

import ast
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
import torch
from torch import Tensor

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.code_questions.make_questions import ask_about, make_questions
from graders.judging.code_questions.rebuild_code import write_code
from graders.judging.draws import Draws
from graders.language import speaking
from graders.results.case import Case
from graders.results.code_questions import Asks, CodeQuestion, Effect, StudentQuestions
from graders.results.result import Definition, ExerciseResult, Outcome
from reports.gradebook import moodle_quiz
from reports.pages import code_questions_page
from tests.reports import sample
from tests.support.open_box import OpenBox

SPLIT = """def split_heads(x, num_heads):
    B, S, E = x.shape
    D = E // num_heads
    split = x.view(B, S, num_heads, D)
    return split.transpose(1, 2)
"""
ATTENTION = """def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1)
    scores = scores / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    output = weights @ V
    return output, weights
"""
COUNT = """def count_parameters(embed_dim, num_heads, ff_dim):
    attention = 4 * (embed_dim * embed_dim + embed_dim)
    return attention + 2 * embed_dim * ff_dim + ff_dim + 5 * embed_dim
"""
MASK = "def causal_mask(seq_len):\n    return torch.triu(torch.ones(seq_len, seq_len), diagonal=1).bool()\n"
CODES = {
    "split_heads": SPLIT,
    "scaled_dot_product_attention": ATTENTION,
    "count_parameters": COUNT,
    "causal_mask": MASK,
}
LINE = 7  # of the definition in its cell
SALTS = range(4)


def written(name: str, code: str = "") -> ExerciseResult:
    definition = Definition("rendu.ipynb", 9, LINE, code or CODES[name])
    return ExerciseResult(name, name, Outcome.PASSED, 1, 1, definitions=(definition,), symbol=name)


@pytest.fixture(scope="module")
def open_judge(assignment: Assignment, draws: Draws, open_box: OpenBox) -> Any:
    grader = Grader(assignment, draws, open_box)
    return lambda name, path: grader.only((name,)).judge_at(path)


@pytest.fixture(scope="module")
def asked(open_judge: Any) -> list[CodeQuestion]:
    return [
        question
        for name in CODES
        for salt in SALTS
        for question in ask_about(written(name), open_judge, f"student {salt}")
    ]


def inputs_of(case: Case) -> dict[str, Any]:
    """The arguments of the call, as a reader of the question has them."""
    return {
        given.name: torch.tensor(given.tensor.values, dtype=getattr(torch, given.tensor.dtype)).reshape(
            given.tensor.shape
        )
        if given.tensor
        else ast.literal_eval(given.expression or "None")
        for given in case.inputs
    }


def run(code: str, question: CodeQuestion) -> Any:
    space: dict[str, Any] = {"torch": torch, "math": __import__("math"), "F": torch.nn.functional}
    exec(code, space)
    given = inputs_of(question.case)
    return space[question.symbol](**given)


def value_after(question: CodeQuestion) -> Tensor:
    """The variable after the line, or what it returns: the function is cut there."""
    lines = question.definition.code.split("\n")[: question.line - LINE + 1]
    if question.name:
        indent = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip())]
        lines.append(f"{indent}return {question.name}")
    value: Tensor = run("\n".join(lines), question)
    return value


def of(asked: list[CodeQuestion], asks: Asks) -> list[CodeQuestion]:
    found = [question for question in asked if question.asks is asks]
    assert found
    return found


def test_a_shape_is_that_of_the_variable_after_the_line(asked: list[CodeQuestion]) -> None:
    for question in of(asked, Asks.SHAPE):
        assert question.answer == str(tuple(value_after(question).shape))


def test_a_value_is_that_of_the_entry(asked: list[CodeQuestion]) -> None:
    for question in of(asked, Asks.VALUE):
        assert float(question.answer) == pytest.approx(float(value_after(question)[question.index]))


def test_a_line_is_the_first_after_which_a_variable_has_the_shape(asked: list[CodeQuestion]) -> None:
    for question in of(asked, Asks.LINE):
        lines = question.definition.code.split("\n")
        line = int(question.answer)
        name = lines[line - LINE].split("=")[0].strip()
        here = value_after(CodeQuestion(**{**vars(question), "line": line, "name": name}))
        assert tuple(here.shape) == question.shape
        assert question.shape not in {
            tuple(each.shape) for each in inputs_of(question.case).values() if isinstance(each, Tensor)
        }


def test_what_is_returned_is_a_number_or_a_count_of_true(asked: list[CodeQuestion]) -> None:
    for question in of(asked, Asks.RETURNED):
        assert float(question.answer) == run(question.definition.code, question)
    for question in of(asked, Asks.TRUE):
        assert int(question.answer) == int(run(question.definition.code, question).sum())


def effect_of(before: str, after: str, question: CodeQuestion) -> Effect:
    whole = run(before, question)
    try:
        other = run(after, question)
    except Exception:
        return Effect.ERROR
    pairs = list(zip(*(each if isinstance(each, tuple) else (each,) for each in (whole, other)), strict=True))
    if any(getattr(a, "shape", None) != getattr(b, "shape", None) for a, b in pairs):
        return Effect.SHAPE
    same = all(
        torch.allclose(torch.as_tensor(a).double(), torch.as_tensor(b).double(), equal_nan=True)
        for a, b in pairs
    )
    return Effect.NOTHING if same else Effect.VALUES


def test_an_edit_does_what_the_answer_says(asked: list[CodeQuestion]) -> None:
    effects = set()
    for question in of(asked, Asks.EDIT):
        lines = question.definition.code.split("\n")
        at = question.line - LINE
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        assert ast.dump(ast.parse(question.before)) == ast.dump(ast.parse(lines[at].strip()))
        lines[at] = indent + question.after
        effect = effect_of(question.definition.code, "\n".join(lines), question)
        assert effect == question.answer, (question.before, question.after)
        effects.add(effect)
    assert len(effects) > 1


def test_the_same_student_gets_the_same_questions_and_others_get_others(open_judge: Any) -> None:
    result = sample.result(*map(written, CODES), id="ada")
    ask = partial(make_questions, exercises=CODES, open_judge=open_judge)
    first = ask(result)
    assert first == ask(result)
    assert len({question.exercise for question in first}) == len(first) == 3
    assert len({question.asks for question in first}) == 3
    others = [ask(sample.result(*map(written, CODES), id=name)) for name in ("ben", "cem")]
    assert any(other != first for other in others)


@pytest.mark.parametrize(
    "code",
    [
        "def split_heads(x, num_heads):\n    raise ValueError(x)\n",
        "def split_heads(x, num_heads):\n    return unknown(x)\n",
        "def split_heads(x, num_heads:\n",
        "def split_heads(x, num_heads):\n    return torch.rand(3)\n",
    ],
)
def test_code_that_gives_no_answer_or_another_each_time_leaves_no_question(
    open_judge: Any, code: str
) -> None:
    assert ask_about(written("split_heads", code), open_judge, "ada") == []


def test_each_line_has_its_number_in_the_rebuilt_code(tmp_path: Path) -> None:
    parts = [
        Definition("a.ipynb", 4, 9, "def g():\n    pass\n"),
        Definition("a.ipynb", 4, 3, "def f():\n    pass\n"),
    ]
    kept = write_code(tmp_path / "code.ipynb", [*parts, Definition("b.py", None, 1, "x = 1\n")])
    assert [(d.file, d.line) for d in kept] == [("a.ipynb", 3), ("a.ipynb", 9), ("b.py", 1)]
    text = (tmp_path / "code.ipynb").read_text(encoding="utf-8")
    assert r'"\n\ndef f():\n    pass\n\n\n\n\ndef g():\n    pass"' in text


HOSTILE = '''def split_heads(x, num_heads):
    """</pre></text><script>alert(1)</script>]]>&amp;"""
    return x.view(*x.shape[:2], num_heads, -1).transpose(1, 2)
'''


@pytest.fixture
def students(open_judge: Any) -> list[StudentQuestions]:
    asked = [q for name in CODES for q in ask_about(written(name), open_judge, "ada")]
    hostile = ask_about(written("split_heads", HOSTILE), open_judge, "ben")
    return [
        StudentQuestions("ada/1", "Ada <b>", tuple(asked)),
        StudentQuestions("ben", "Ben", tuple(hostile)),
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_moodle_gets_questions_of_its_kinds_with_their_answers(
    students: list[StudentQuestions], language: Any
) -> None:
    with speaking(language):
        quiz = Xml.fromstring(moodle_quiz.render("TP 1/2", students))
    categories = [each.findtext("category/text") for each in quiz if each.get("type") == "category"]
    assert categories == ["$course$/top/softmark/TP 1//2/ada//1", "$course$/top/softmark/TP 1//2/ben"]
    asked = [each for each in quiz if each.get("type") != "category"]
    assert len(asked) == sum(len(student.questions) for student in students)
    for question in asked:
        answers = {each.findtext("text"): each for each in question.findall("answer")}
        right = [each for each in answers.values() if each.get("fraction") == "100"]
        assert question.findtext("name/text")
        assert "<script>" not in (question.findtext("questiontext/text") or "")
        if question.get("type") == "multichoice":
            assert (len(right), len(answers), question.findtext("single")) == (1, 4, "true")
        elif question.get("type") == "numerical":
            [answer] = right
            assert float(answer.findtext("text") or "") is not None
            assert float(answer.findtext("tolerance") or "") >= 0
        else:
            assert question.get("type") == "shortanswer"
            assert all("*" not in text for text in answers if text)


def test_the_students_sheet_has_no_answer_and_the_staffs_has_all(students: list[StudentQuestions]) -> None:
    sheet = code_questions_page.render("TP 1", students, with_answers=False)
    staff = code_questions_page.render("TP 1", students, with_answers=True)
    assert "☒" in staff
    assert "☒" not in sheet
    assert ">Answer<" in staff
    assert ">Answer<" not in sheet
    for page in (sheet, staff):
        assert "<script>alert" not in page
        assert "Ada &lt;b&gt;" in page
