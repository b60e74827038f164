"""`softmark why`: who asked for their points gets each lost check, and how the mark is made of them."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.run_marks import save_class
from graders.cli.main import main
from graders.results.result import Outcome
from graders.results.store import write_result
from tests.reports import sample

ADA = Student("a1", "Ada Lovelace", "ada@example.org", "ada")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Ada lost a check of the second exercise; Ben handed nothing in."""
    lost = sample.exercise(sample.finding(Outcome.FAILED), name="split_heads", title="Splitting")
    held = sample.exercise(sample.finding(), name="concat_heads", title="Joining")
    write_result(tmp_path / "out", sample.result(held, lost, id="tp-1"))
    students = (ADA, Student("b1", "Ben"))
    record = ClassRecord(
        "attention", 2, students=students, hand_ins=(HandIn("tp-1", "tp-1", students=("a1",)),)
    )
    save_class(tmp_path / "out", record)
    return tmp_path / "out"


def ask(out: Path, *arguments: str, lang: str = "en") -> Result:
    return CliRunner().invoke(main, ["why", str(out), *arguments, "--lang", lang], catch_exceptions=False)


@pytest.mark.parametrize("who", ["tp-1", "a1", "ADA@example.org", "Ada Lovelace"])
def test_a_student_is_found_by_whatever_names_them(out: Path, who: str) -> None:
    said = ask(out, who)
    assert said.exit_code == 0
    assert "Splitting" in said.output
    assert "Joining" not in said.output  # nothing is lost there


def test_an_override_is_part_of_the_answer(out: Path) -> None:
    (out / "overrides.csv").write_text("id,exercise,points,comment\na1,split_heads,0.5,the idea is right\n")
    said = ask(out, "a1").output
    assert "split_heads: your instructor set 0.5 (the idea is right)" in said
    assert "the mark: 1.5 / 2" in said


def test_one_exercise_is_shown_with_every_check(out: Path) -> None:
    said = ask(out, "a1", "concat_heads").output
    assert "Joining" in said
    assert "Splitting" not in said


def test_who_handed_nothing_in_gets_an_answer(out: Path) -> None:
    assert "nothing was handed in" in ask(out, "b1").output


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("lovelace",), "similar ones: tp-1"),
        (("zoe",), "nobody in"),
        (("a1", "split"), "there is no exercise 'split'"),
    ],
)
def test_what_does_not_exist_is_told_with_what_does(out: Path, asked: tuple[str, ...], said: str) -> None:
    answer = ask(out, *asked)
    assert answer.exit_code == 2
    assert said in " ".join(answer.output.split())


def test_a_member_of_a_team_is_told_the_points_that_were_set_for_them_alone(out: Path) -> None:
    students = (ADA, Student("b1", "Ben"))
    hand_in = HandIn("tp-1", "tp-1", students=("a1", "b1"))
    save_class(out, ClassRecord("attention", 2, students=students, hand_ins=(hand_in,)))
    (out / "overrides.csv").write_text("id,exercise,points,comment\na1,,0.5,was away\n")
    assert "the mark: 0.5 / 2" in ask(out, "a1").output
    assert "the mark: 1 / 2" in ask(out, "b1").output
    assert "the mark: 1 / 2" in ask(out, "tp-1").output
