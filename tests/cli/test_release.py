"""`softmark release`: pages under names that nobody guesses, with nothing of others', and what changed."""

import csv
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.marks import Mark
from graders.classroom.run_marks import save_class
from graders.cli.main import main
from graders.results.result import Definition, Outcome
from graders.results.store import write_result
from reports.release import Release, find_foreign
from tests.reports import sample

STUDENTS = {"ada": "Ada Lovelace", "ben": "Ben Okri"}
FOLDER = "{name}_{number}_assignsubmission_file_"


def hand_in(out: Path, who: str, *findings, **changes) -> None:
    write_result(out, sample.result(sample.exercise(*findings, **changes), id=who))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    for who in STUDENTS:
        hand_in(folder, who, sample.finding(Outcome.FAILED))
    students = tuple(Student(f"id-{who}", name, f"{who}@example.org") for who, name in STUDENTS.items())
    hand_ins = tuple(
        HandIn(who, FOLDER.format(name=name, number=n), students=(f"id-{who}",))
        for n, (who, name) in enumerate(STUDENTS.items(), 41)
    )
    save_class(folder, ClassRecord("attention", 1, students=students, hand_ins=hand_ins))
    return folder


def release(out: Path, to: Path, *arguments: str) -> Result:
    asked = ["release", str(out), "--to", str(to), *arguments, "--lang", "en"]
    return CliRunner().invoke(main, asked, catch_exceptions=False)


def rows(out: Path) -> list[dict[str, str]]:
    with (out / "release.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_each_student_gets_a_row_and_a_page_of_their_own(out: Path, tmp_path: Path) -> None:
    assert release(out, tmp_path / "www").exit_code == 0
    table = rows(out)
    assert [(row["id"], row["email"]) for row in table] == [
        ("id-ada", "ada@example.org"),
        ("id-ben", "ben@example.org"),
    ]
    for row, name in zip(table, STUDENTS.values(), strict=True):
        page = (tmp_path / "www" / row["page"]).read_text(encoding="utf-8")
        assert name in page
        assert not any(other in row["page"] for other in STUDENTS)
    assert len({row["page"] for row in table}) == 2


def test_the_same_release_again_changes_no_name_and_tells_only_what_is_new(out: Path, tmp_path: Path) -> None:
    assert "for the first time: ada, ben" in release(out, tmp_path / "www").output
    before = rows(out)
    assert "first time" not in release(out, tmp_path / "www").output
    (out / "overrides.csv").write_text("id,exercise,points,comment\nid-ben,,1,right\n")
    told = release(out, tmp_path / "www").output
    assert "with other points than before: ben" in told
    assert "ada" not in told
    assert [row["page"] for row in rows(out)] == [row["page"] for row in before]


def test_marks_alone_write_no_page(out: Path, tmp_path: Path) -> None:
    assert release(out, tmp_path / "www", "--what", "marks").exit_code == 0
    assert not (tmp_path / "www").exists()
    assert [row["page"] for row in rows(out)] == ["", ""]


def test_moodle_gets_each_page_in_the_folder_of_its_own_download(out: Path, tmp_path: Path) -> None:
    assert release(out, tmp_path / "feedback.zip").exit_code == 0
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        assert archive.namelist() == [
            "Ada Lovelace_41_assignsubmission_file_/index.html",
            "Ben Okri_42_assignsubmission_file_/index.html",
        ]
    first = (tmp_path / "feedback.zip").read_bytes()
    release(out, tmp_path / "feedback.zip")
    assert (tmp_path / "feedback.zip").read_bytes() == first


def test_undecided_points_are_held_back_until_somebody_decides(out: Path, tmp_path: Path) -> None:
    hand_in(out, "ben", sample.finding(Outcome.SKIPPED), undecided_points=1)
    told = release(out, tmp_path / "www")
    assert told.exit_code == 1
    assert "ben is held back" in told.output
    assert [row["id"] for row in rows(out)] == ["id-ada"]
    assert release(out, tmp_path / "www", "--with-undecided").exit_code == 0


def test_a_page_with_what_belongs_to_somebody_else_stays_here(out: Path, tmp_path: Path) -> None:
    finding = sample.finding(Outcome.FAILED, message="see the mail of ben@example.org")
    hand_in(out, "ada", finding)
    told = release(out, tmp_path / "www")
    assert "ada is held back: a page holds what belongs to somebody else: ben@example.org" in told.output
    assert len(list((tmp_path / "www").iterdir())) == 1


def test_what_a_student_wrote_themselves_holds_no_page_back(out: Path, tmp_path: Path) -> None:
    code = "# with the help of ben@example.org\ndef concat_heads(x): return x"
    hand_in(out, "ada", sample.finding(Outcome.FAILED), definitions=(Definition("tp.py", None, 1, code),))
    assert release(out, tmp_path / "www").exit_code == 0


def test_a_damaged_record_is_told_and_no_page_gets_another_name(out: Path, tmp_path: Path) -> None:
    release(out, tmp_path / "www")
    (out / "release.json").write_text(json.dumps({"secret": "zz"}))
    told = release(out, tmp_path / "www")
    assert told.exit_code == 3
    assert "is damaged" in told.output


IDS = st.text("abcdefgh0123456789", min_size=5, max_size=9)


@settings(max_examples=60)
@given(ids=st.lists(IDS, min_size=2, max_size=5, unique=True), told=st.data())
def test_no_release_has_the_id_of_another_student(ids: list[str], told: st.DataObject) -> None:
    marks = [Mark(who, Student(who), None, 1, 1, 1) for who in ids]
    said = told.draw(st.sampled_from(ids))
    result = sample.result(sample.exercise(sample.finding()), id=ids[0])
    why = find_foreign(Release(marks[0], {"index.html": f"<p>of {said}.</p>".encode()}), result, marks)
    assert (why is None) == (said == ids[0])
