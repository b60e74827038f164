"""`softmark release`: pages under names that nobody guesses, with nothing of others', and what changed."""

import csv
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.classroom.class_record import ClassRecord, HandIn, Student, from_json
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


CANVAS = {"ada": "lovelaceada_LATE_41_901_tp_2.py", "ben": "anon_Zz9_902_a.ipynb"}
GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,TP 1 (555),Attention (777)\n"
    "    Points Possible,,,,,10,1\n"
    '"Lovelace, Ada",41,id-ada,ada,A,3,\n'
    '"Okri, Ben",42,id-ben,ben,A,4,0.25\n'
)
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (grade),Feedback comments\n"
    "Participant 41,Ada Lovelace,ada@example.org,Submitted,,1.00,Yes,-,\n"
    "Participant 42,Ben Okri,ben@example.org,Submitted,,1.00,Yes,-,\n"
)


@pytest.fixture
def in_canvas(out: Path) -> Path:
    record = from_json((out / "class.json").read_text(encoding="utf-8"))
    hand_ins = tuple(replace(hand_in, source=CANVAS[hand_in.id]) for hand_in in record.hand_ins)
    save_class(out, replace(record, layout="canvas", hand_ins=hand_ins))
    return out


def test_canvas_gets_each_page_under_the_name_of_a_file_of_its_own_download(
    in_canvas: Path, tmp_path: Path
) -> None:
    told = release(in_canvas, tmp_path / "feedback.zip")
    assert told.exit_code == 0, told.output
    with zipfile.ZipFile(tmp_path / "feedback.zip") as archive:
        names = archive.namelist()
        assert "Ada Lovelace" in archive.read(names[0]).decode()
    assert names == ["lovelaceada_LATE_41_901_index.html", "anon_Zz9_902_index.html"]
    # What Canvas itself reads of such a name: the first two parts that are numbers, without LATE.
    parts = [part for part in names[0].split("_") if part != "LATE"]
    assert [part for part in parts if part.isdecimal()][:2] == ["41", "901"]
    assert [row["page"] for row in rows(in_canvas)] == names


def test_whoever_typed_their_text_in_canvas_has_no_place_in_the_zip(in_canvas: Path, tmp_path: Path) -> None:
    record = from_json((in_canvas / "class.json").read_text(encoding="utf-8"))
    typed = (replace(record.hand_ins[0], source="lovelaceada_41_text.html"), record.hand_ins[1])
    save_class(in_canvas, replace(record, hand_ins=typed))
    told = release(in_canvas, tmp_path / "feedback.zip")
    assert told.exit_code == 1
    assert "not in the zip" in told.output
    assert json.loads((in_canvas / "release.json").read_text())["given"].keys() == {"ben"}


@pytest.mark.parametrize(
    ("template", "column"), [(GRADEBOOK, "-1"), (WORKSHEET, "4")], ids=["canvas", "moodle"]
)
def test_a_platforms_table_gets_the_marks_that_are_released_and_no_others(
    out: Path, tmp_path: Path, template: str, column: str
) -> None:
    (tmp_path / "t.csv").write_text(template)
    (out / "overrides.csv").write_text("id,exercise,points,comment,hold\nid-ben,,1,right,hold\n")
    told = release(out, tmp_path / "filled.csv", "--template", str(tmp_path / "t.csv"), "--column", "777")
    if template is WORKSHEET:
        told = release(out, tmp_path / "filled.csv", "--template", str(tmp_path / "t.csv"))
    assert "ben is held back" in told.output
    assert "1 grade: " in told.output
    assert told.exit_code == 1
    filled = (tmp_path / "filled.csv").read_text()
    before, after = (list(csv.reader(text.splitlines())) for text in (template, filled))
    assert after[-2][int(column)] == "0"
    assert after[-1][int(column)] == before[-1][int(column)]
    assert not (out / "release.csv").exists()
    assert json.loads((out / "release.json").read_text())["given"].keys() == {"ada"}


def test_the_worksheet_says_for_each_exercise_what_is_lost_and_why(out: Path, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(WORKSHEET)
    release(out, tmp_path / "filled.csv", "--template", str(tmp_path / "t.csv"))
    [said] = [
        row[-1]
        for row in csv.reader((tmp_path / "filled.csv").read_text().splitlines())
        if "Ada Lovelace" in row
    ]
    assert "✗ " in said
    assert sample.MISTAKE.hint in said


def test_words_beside_a_mark_with_what_is_anothers_stay_here(out: Path, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(WORKSHEET)
    (out / "overrides.csv").write_text("id,exercise,points,comment\nid-ada,,1,agreed with ben@example.org\n")
    told = release(out, tmp_path / "filled.csv", "--template", str(tmp_path / "t.csv"))
    assert "ada is held back: a page holds what belongs to somebody else: ben@example.org" in told.output
    assert "agreed" not in (tmp_path / "filled.csv").read_text()


def test_letters_have_the_link_of_each_page_where_the_address_is_known(out: Path, tmp_path: Path) -> None:
    release(out, tmp_path / "www")
    places = [row["page"] for row in rows(out)]
    release(out, tmp_path / "www", "--link", "https://uni.example/tp1/")
    assert [row["page"] for row in rows(out)] == [f"https://uni.example/tp1/{place}" for place in places]
    assert [row["name"] for row in rows(out)] == list(STUDENTS.values())


@pytest.mark.parametrize("options", [["filled.csv"], ["www", "--template", "t.csv"]])
def test_a_table_needs_a_template_and_nothing_else_takes_one(
    out: Path, tmp_path: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(WORKSHEET)
    told = release(out, Path(options[0]), *options[1:])
    assert told.exit_code == 2
    assert "belong together" in told.output


def test_a_zip_without_pages_is_refused_and_none_is_written(out: Path, tmp_path: Path) -> None:
    told = release(out, tmp_path / "feedback.zip", "--what", "marks")
    assert told.exit_code == 2
    assert "a zip holds pages" in told.output
    assert not (tmp_path / "feedback.zip").exists()


IDS = st.text("abcdefgh0123456789", min_size=5, max_size=9)


@settings(max_examples=60)
@given(ids=st.lists(IDS, min_size=2, max_size=5, unique=True), told=st.data())
def test_no_release_has_the_id_of_another_student(ids: list[str], told: st.DataObject) -> None:
    marks = [Mark(who, Student(who), None, 1, 1, 1) for who in ids]
    said = told.draw(st.sampled_from(ids))
    result = sample.result(sample.exercise(sample.finding()), id=ids[0])
    why = find_foreign(Release(marks[0], {"index.html": f"<p>of {said}.</p>".encode()}), result, marks)
    assert (why is None) == (said == ids[0])
