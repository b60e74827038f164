"""Lines of overrides.csv that hold a mark back, and notes that only the staff reads."""

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.overrides import read
from graders.classroom.run_marks import save_class
from graders.cli.main import main
from graders.results.store import write_result
from tests.reports import sample

NOTE = "asks for a second reading"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    students = tuple(Student(f"id-{who}", who.capitalize()) for who in ("ada", "ben", "cleo"))
    for who in ("ada", "team"):
        write_result(folder, sample.result(sample.exercise(), id=who))
    hand_ins = (
        HandIn("ada", "ada.py", students=("id-ada",)),
        HandIn("team", "team.py", students=("id-ben", "id-cleo")),
    )
    save_class(folder, ClassRecord("attention", 1, students=students, hand_ins=hand_ins))
    return folder


def give(out: Path, *lines: str, header: str = "id,exercise,points,comment,hold,staff_note") -> None:
    (out / "overrides.csv").write_text("\n".join([header, *lines, ""]), encoding="utf-8")


def run(command: str, out: Path, *arguments: str | Path) -> Result:
    asked = [command, str(out), *map(str, arguments), "--lang", "en"]
    return CliRunner().invoke(main, asked, catch_exceptions=False)


def ids(path: Path, column: str) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [row[column] for row in csv.DictReader(file)]


@pytest.mark.parametrize(
    ("said", "holds"), [("x", True), ("oui", True), ("no", False), ("", False), ("0", False)]
)
def test_a_line_holds_if_its_cell_does_not_say_no(out: Path, said: str, holds: bool):
    give(out, f"ada,,3,,{said},")
    given = read(out / "overrides.csv")
    assert ([hold.id for hold in given.holds], len(given.overrides)) == (["ada"] if holds else [], 1)
    give(out, f"ada;{said}", header="identifiant;retenir")
    given = read(out / "overrides.csv")
    assert ([hold.id for hold in given.holds], len(given.notes)) == ((["ada"], 0) if holds else ([], 1))


def test_a_held_mark_is_in_no_export_and_no_release_and_the_staff_is_told(out: Path, tmp_path: Path):
    first = run("release", out, "--to", tmp_path / "www")
    assert first.exit_code == 0 and len(list((tmp_path / "www").glob("*/index.html"))) == 2
    give(out, f"id-ada,,,,x,{NOTE}")
    told = run("release", out, "--to", tmp_path / "www").output
    assert "ada is held back: overrides.csv says so" in told
    assert "pages of an earlier release were removed: ada" in told
    assert len(list((tmp_path / "www").glob("*/index.html"))) == 1
    assert ids(out / "release.csv", "id") == ["id-ben", "id-cleo"]
    for format_, to in (("excel", "e.csv"), ("junit", "j.xml"), ("gradescope", "g")):
        done = run("export", out, format_, "--to", tmp_path / to)
        assert "not exported: ada" in done.output
    assert ids(tmp_path / "e.csv", "student_id") == ["id-ben", "id-cleo"]
    assert "ada" not in (tmp_path / "j.xml").read_text("utf-8")
    assert [path.name for path in (tmp_path / "g").iterdir()] == ["team.json"]
    run("report", out)
    page = (out / "index.html").read_text("utf-8")
    assert NOTE in page and "held back" in page
    assert ids(out / "grades.csv", "held") == ["held", "", ""]


def test_one_member_of_a_team_can_be_held_back_alone(out: Path, tmp_path: Path):
    give(out, "id-ben,,,,x,")
    told = run("release", out, "--to", tmp_path / "www").output
    assert "id-ben is held back" in told and "the page of the team is given" in " ".join(told.split())
    assert ids(out / "release.csv", "id") == ["id-ada", "id-cleo"]
    template = tmp_path / "sheet.csv"
    template.write_text("Identifier,Full name,Grade,Feedback comments\nP 1,Ada,,\nP 2,Ben,,\nP 3,Cleo,,\n")
    run("export", out, "moodle", "--template", template, "--to", tmp_path / "m.csv")
    assert [bool(grade) for grade in ids(tmp_path / "m.csv", "Grade")] == [True, False, True]


def test_a_note_for_the_staff_stands_on_the_class_page_alone(out: Path):
    give(out, f"id-ada,,0.5,well argued,,{NOTE}")
    run("report", out)
    pages = {path: path.read_text("utf-8") for path in out.rglob("*.*") if path.name != "overrides.csv"}
    assert [path for path, text in pages.items() if NOTE in text] == [out / "index.html"]
    assert "well argued" in pages[out / "ada/index.html"]


def test_a_hold_of_nobody_is_told(out: Path):
    give(out, "zoe,,,,x,")
    assert "nobody is held back" in " ".join(run("report", out).output.split())
