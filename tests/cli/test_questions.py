"""`softmark questions`: sheets, answers and a quiz for Moodle, made of the results of a class."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.run_marks import save_class
from graders.cli.main import main
from graders.grade import Grader
from graders.judging.code_questions.make_questions import make_questions
from graders.results.result import Definition
from graders.results.store import write_result
from tests.reports import sample
from tests.support.open_box import OpenBox

CODE = "def concat_heads(x):\n    B, H, S, D = x.shape\n    return x.transpose(1, 2).reshape(B, S, H * D)\n"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Ada's code runs, and Ben's names something that is not there."""
    for name, code in (("ada", CODE), ("ben", CODE.replace("B, H", "B, G"))):
        definition = Definition("rendu.ipynb", 9, 3, code)
        done = sample.exercise(sample.finding(), symbol="concat_heads", definitions=(definition,))
        write_result(tmp_path / "out", sample.result(done, id=name, assignment="attention"))
    students = (Student("a1", "Ada Lovelace"), Student("b1", "Ben"))
    hand_ins = tuple(HandIn(name, name, students=(f"{name[0]}1",)) for name in ("ada", "ben"))
    save_class(tmp_path / "out", ClassRecord("attention", 2, students=students, hand_ins=hand_ins))
    return tmp_path / "out"


def ask(out: Path, *more: str) -> Result:
    arguments = ["questions", str(out), "--to", str(out.parent / "asked"), *more]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


@pytest.fixture
def in_open_box(open_box: OpenBox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of these tests is ours: it needs no wall."""

    def open_grader(whole: Any, chosen: Any, *, draws: Any, **_: Any) -> Any:
        return nullcontext(Grader(chosen, draws, open_box))

    here = "graders.cli.actions.questions"
    monkeypatch.setattr(f"{here}.open_walled", lambda options: (open_box, []))
    monkeypatch.setattr(f"{here}.open_grader", open_grader)


@pytest.mark.usefixtures("in_open_box")
@pytest.mark.parametrize(("language", "word"), [("en", "Answer"), ("fr", "Réponse")])
def test_each_student_has_a_sheet_and_who_has_none_is_named(out: Path, language: str, word: str) -> None:
    said = ask(out, "--lang", language)
    assert said.exit_code == 0, said.output
    assert said.output.splitlines()[-1].split()[-1] == "ben"
    asked = out.parent / "asked"
    sheet, answers = (
        (asked / name).read_text(encoding="utf-8") for name in ("questions.html", "questions-staff.html")
    )
    assert "Ada Lovelace" in sheet
    assert "Ben" not in sheet
    assert f">{word}<" in answers or "☒" in answers
    assert "<quiz>" in (asked / "questions.xml").read_text(encoding="utf-8")


@pytest.mark.usefixtures("in_open_box")
def test_a_fault_of_ours_on_one_student_leaves_the_others_their_sheets(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_on_ben(result: Any, *more: Any) -> Any:
        if result.submission.id == "ben":
            raise ZeroDivisionError("of ours")
        return make_questions(result, *more)

    monkeypatch.setattr("graders.cli.actions.questions.make_questions", fail_on_ben)
    said = ask(out, "--lang", "en")
    assert "softmark itself failed on the code of ben (of ours)" in said.output
    assert "Ada Lovelace" in (out.parent / "asked" / "questions.html").read_text(encoding="utf-8")


def test_code_of_students_needs_a_wall(out: Path) -> None:
    said = ask(out, "--sandbox", "open", "--lang", "en")
    assert said.exit_code == 2
    assert "code of students is not run" in " ".join(said.output.split())


def test_an_id_that_nobody_has_is_refused(out: Path) -> None:
    said = ask(out, "--only", "zoe")
    assert said.exit_code == 2
    assert "has the id zoe" in " ".join(said.output.split())
