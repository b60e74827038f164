"""Exporting marks with the real command: each platform's file, and a note for each mark that is not in it."""

import csv
import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from click.testing import Result as Done
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom import run_marks
from graders.classroom.class_record import ClassRecord
from graders.classroom.csv_table import parse
from graders.classroom.intake.take import take
from graders.classroom.marks import Mark, compute_marks
from graders.cli.main import main
from graders.course.late_policy import LatePolicy
from graders.results.result import Finding, Outcome, Result
from graders.results.store import write_result
from reports.gradebook import junit, moodle
from reports.pages import student_page
from tests.reports import sample
from tests.reports.markup import assert_sound
from tests.support.downloads import CANVAS, CODE, FEUILLE, GRADEBOOK, MOODLE, WORKSHEET, packed, table

PARIS = timezone(timedelta(hours=1))
DUE = LatePolicy(datetime(2026, 11, 20, 23, 59, tzinfo=PARIS), per_day=0.1)


@pytest.fixture
def rule(monkeypatch) -> LatePolicy:
    monkeypatch.setattr(run_marks, "late_policy", lambda name: DUE)
    return DUE


def run(*arguments: str | Path) -> Done:
    return CliRunner().invoke(main, ["export", *map(str, arguments)], catch_exceptions=False)


def graded(tmp_path: Path, files: dict[str, str], roster: str | None = None, points: float = 12.345) -> Path:
    """Make the folder of a run in which each submission got `points` of 20."""
    out, path = tmp_path / "out", None
    if roster is not None:
        path = tmp_path / "roster.csv"
        path.write_bytes(roster.encode())
    with take(packed(tmp_path / "in.zip", files), "attention", 20, out, path, PARIS) as intake:
        run_marks.save_class(out, intake.class_record)
        for entry in intake.entries:
            exercise = sample.exercise(
                sample.finding(Outcome.FAILED, points=points, max_points=20), title="Joining <b>"
            )
            write_result(out, sample.result(exercise, id=entry.id, title="Attention"))
    return out


def outside(data: bytes, columns: set[int]) -> list[str]:
    """The rows of a table without the cells of some columns."""
    read = parse(data)
    spans = [(c.start, c.end) for row in read.rows[1:] for i, c in enumerate(row) if i in columns]
    edges = [0, *(edge for span in spans for edge in span), len(read.text)]
    return [read.text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


@pytest.mark.parametrize(
    ("sheet", "grade"), [(WORKSHEET, "12.35"), (FEUILLE, "12,35")], ids=["english", "french"]
)
@pytest.mark.parametrize("rostered", [True, False], ids=["roster", "no roster"])
def test_moodles_worksheet_is_filled_and_otherwise_unchanged(
    tmp_path: Path, sheet: str, grade: str, rostered: bool
):
    out = graded(tmp_path, MOODLE, sheet if rostered else None, 12.346)
    template = tmp_path / "sheet.csv"
    template.write_bytes(sheet.encode())
    done = run(out, "moodle", "--template", template)
    assert done.exit_code == 0, done.output
    assert "3 of 3 grades filled in" in done.output
    data = (out / "moodle.csv").read_bytes()
    delimiter = parse(data).delimiter
    rows = list(csv.reader(table(data), delimiter=delimiter))
    assert [row[4] for row in rows[1:]] == [grade, grade, grade, ""]
    assert rows[1][-1].startswith("softmark: 12.35 / 20; Joining &lt;b&gt; 12.35 / 20, failed")
    assert rows[3][-1] in ("earlier, kept", 'déjà "là"')
    assert "These have feedback already, which was kept: Élise d_Été-Noël_13" in done.output
    assert outside(data, {4, 9}) == outside(sheet.encode(), {4, 9})
    assert data[:3] == sheet.encode()[:3]
    again = run(out, "moodle", "--template", out / "moodle.csv")
    assert again.exit_code == 0
    assert (out / "moodle.csv").read_bytes() == data


def test_overrides_and_lateness_are_in_the_worksheet(tmp_path: Path, rule: LatePolicy):
    out = graded(tmp_path, MOODLE, WORKSHEET, 10)
    (out / "overrides.csv").write_text(
        "id,exercise,points,comment\nbob@uni.example,concat_heads,15,oral\nzoe@uni.example,,8,ill\n",
        encoding="utf-8",
    )
    (tmp_path / "sheet.csv").write_bytes(WORKSHEET.encode())
    done = run(out, "moodle", "--template", tmp_path / "sheet.csv")
    rows = list(csv.reader(table((out / "moodle.csv").read_bytes())))
    assert [row[4] for row in rows[1:]] == ["10", "11", "10", "8"], done.output
    assert "15 / 20 set by your instructor (oral)" in rows[2][-1]
    assert "handed in 2 days late: minus 20% of the maximum, 4 points less" in rows[2][-1]
    assert rows[4][-1] == "softmark: 8 / 20; set by your instructor (ill)"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("Participant 12,Bob Roy", "Participant 77,Robert Le Roi"),
            "Bob Roy_12: nobody in sheet.csv is Bob Roy",
        ),
        (("20.00", "100.00"), "Moodle counts up to 100, the assignment up to 20"),
        (("20.00", "10.00"), "More points than Moodle takes (10)"),
        ((",20.00,Yes,", ",20.00,No,"), "so they were left as they are"),
        ((",Feedback comments", ",Something"), "no column for feedback comments"),
        (("Participant 13,Élise d'Été-Noël", "Participant 11,Alice Martin"), "Alice Martin_11: "),
    ],
    ids=["nobody", "other maximum", "too much", "locked", "no feedback", "twice"],
)
def test_a_mark_that_is_not_in_the_file_is_reported(tmp_path: Path, change: tuple[str, str], message: str):
    out = graded(tmp_path, MOODLE)
    (tmp_path / "sheet.csv").write_bytes(WORKSHEET.replace(*change).encode())
    done = run(out, "moodle", "--template", tmp_path / "sheet.csv")
    assert done.exit_code == 0
    assert message in done.output
    rows = list(csv.reader(table((out / "moodle.csv").read_bytes())))
    assert len(rows) == 5


def test_a_worksheet_in_another_language_needs_the_columns_name(tmp_path: Path):
    out = graded(tmp_path, MOODLE)
    sheet = WORKSHEET.replace(",Grade,Maximum Grade", ",Bewertung,Bestwertung")
    (tmp_path / "sheet.csv").write_bytes(sheet.encode())
    refused = run(out, "moodle", "--template", tmp_path / "sheet.csv")
    assert refused.exit_code == 2
    assert "--column" in refused.output
    done = run(out, "moodle", "--template", tmp_path / "sheet.csv", "--column", "Bewertung")
    assert "3 grades" in done.output
    german = sheet.replace("Last modified (grade)", "Zuletzt geändert (Bewertung)")
    german = german.replace("Feedback comments", "Feedback als Kommentar")
    (tmp_path / "sheet.csv").write_bytes(german.encode())
    run(out, "moodle", "--template", tmp_path / "sheet.csv", "--column", "Bewertung")
    rows = list(csv.reader(table((out / "moodle.csv").read_bytes())))
    assert rows[1][-1].startswith("softmark: ")


def test_each_member_of_a_team_counts_as_a_grade(tmp_path: Path):
    files = {"Blue_5_assignsubmission_file_/a.py": CODE}
    sheet = "Identifier,Full name,Group,Grade,Maximum Grade\n" + "".join(
        f"Participant {n},{name},Blue,,20.00\n" for n, name in ((11, "Alice Martin"), (12, "Bob Roy"))
    )
    out = graded(tmp_path, files, sheet)
    (tmp_path / "sheet.csv").write_text(sheet, encoding="utf-8")
    assert "2 of 2 grades filled in" in run(out, "moodle", "--template", tmp_path / "sheet.csv").output


@pytest.mark.parametrize("format_", ["moodle", "canvas"])
def test_without_the_platforms_table_it_is_wrong_usage(tmp_path: Path, format_: str):
    done = run(graded(tmp_path, MOODLE), format_)
    assert done.exit_code == 2
    assert "--template" in done.output


def test_canvass_gradebook_has_what_an_import_needs_and_no_more(tmp_path: Path):
    out = graded(tmp_path, CANVAS)
    (tmp_path / "g.csv").write_bytes(GRADEBOOK.encode())
    done = run(out, "canvas", "--template", tmp_path / "g.csv")
    assert done.exit_code == 0, done.output
    assert "typedtom_104: nobody in g.csv is typedtom" in done.output
    assert (out / "canvas.csv").read_text(encoding="utf-8").splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Attention (777)",
        "    Points Possible,,,,,20",
        '"Martin, Alice",101,s101,amartin,A,12.35',
        '"Roy, Bob",102,s102,broy,A,12.35',
        '"Été-Noël, Élise",103,s103,eete,B,12.35',
        '"Absente, Zoé",105,s105,zabs,B,',
        '"Student, Test",999,,x,A,',
    ]


@pytest.mark.parametrize("column", ["TP 1", "555", "TP 1 (555)"])
def test_canvass_column_is_chosen_by_title_or_id(tmp_path: Path, column: str):
    out = graded(tmp_path, CANVAS)
    (tmp_path / "g.csv").write_bytes(GRADEBOOK.encode())
    run(out, "canvas", "--template", tmp_path / "g.csv", "--column", column, "--to", tmp_path / "new.csv")
    rows = list(csv.reader(table((tmp_path / "new.csv").read_bytes())))
    assert [row[5] for row in rows] == ["TP 1 (555)", "10", "12.35", "12.35", "12.35", "", ""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            GRADEBOOK.replace("Attention (777)", "Other (777)"),
            "no column is called 'Attention' or 'a made",
        ),
        (GRADEBOOK.replace("TP 1 (555)", "Attention (555)"), "several columns are called"),
        (GRADEBOOK.replace(",Section", ",Part"), "no column Section"),
    ],
    ids=["none", "several", "no gradebook"],
)
def test_no_new_column_is_made_in_canvas(tmp_path: Path, text: str, message: str):
    out = graded(tmp_path, CANVAS)
    (tmp_path / "g.csv").write_bytes(text.encode())
    done = run(out, "canvas", "--template", tmp_path / "g.csv")
    assert done.exit_code == 2
    assert message in done.output
    assert not (out / "canvas.csv").exists()


def test_excused_students_stay_excused_in_canvas(tmp_path: Path):
    out = graded(tmp_path, CANVAS)
    (tmp_path / "g.csv").write_bytes(GRADEBOOK.replace("12.5", "EX").encode())
    done = run(out, "canvas", "--template", tmp_path / "g.csv")
    assert '"Roy, Bob",102,s102,broy,A,EX' in (out / "canvas.csv").read_text(encoding="utf-8")
    assert "Excused in Canvas, and left so: roybob_102" in done.output


def test_gradescopes_results_have_a_test_for_each_check(tmp_path: Path):
    out = graded(tmp_path, MOODLE)
    done = run(out, "gradescope", "--to", tmp_path / "gs")
    assert done.exit_code == 0
    assert len(list((tmp_path / "gs").iterdir())) == 3
    run(out, "gradescope", "--only", "Bob Roy_12", "--to", tmp_path / "results.json")
    data = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert data == json.loads((tmp_path / "gs" / "Bob Roy_12.json").read_text(encoding="utf-8"))
    assert data["score"] == 12.35
    assert data["test_output_format"] == data["output_format"] == data["test_name_format"] == "text"
    [test] = data["tests"]
    assert (test["number"], test["score"], test["max_score"], test["status"]) == ("1.1", 12.35, 20, "failed")
    assert "1 of 6 values of the output differ" in test["output"]


@pytest.mark.programs
@pytest.mark.parametrize("platform", ["junit", "gradescope"])
def test_several_processes_export_what_one_exports_and_name_what_they_cannot_read(
    tmp_path: Path, monkeypatch, platform: str
):
    out = graded(tmp_path, {f"s{n:02}.py": "x = 1\n" for n in range(11)})
    (out / "s07" / "result.json").write_text("{", encoding="utf-8")
    exported = []
    for few in (100, 3):
        monkeypatch.setattr("graders.batch.spread_blocks.FEW", few)
        to = tmp_path / str(few)
        done = run(out, platform, "--to", to)
        assert (done.exit_code, "s07: the result could not be read" in done.output) == (0, True)
        files = sorted(to.iterdir()) if to.is_dir() else [to]
        exported.append({file.relative_to(to): file.read_bytes() for file in files})
    assert exported[0] == exported[1]
    assert len(exported[0]) == (10 if platform == "gradescope" else 1)


def test_one_submission_that_cannot_be_read_is_wrong_usage(tmp_path: Path):
    out = graded(tmp_path, MOODLE)
    (out / "Bob Roy_12" / "result.json").write_text("{", encoding="utf-8")
    done = run(out, "junit", "--only", "Bob Roy_12")
    assert done.exit_code == 2
    assert "could not be read" in done.output
    assert not (out / "junit.xml").exists()


def test_a_submission_that_is_not_there_is_wrong_usage(tmp_path: Path):
    done = run(graded(tmp_path, MOODLE), "junit", "--only", "nobody")
    assert done.exit_code == 2


def test_junit_has_a_suite_for_each_exercise_and_counts_its_cases() -> None:
    result = sample.result()
    root = ElementTree.fromstring(junit.junit_xml([(result, mark(result))]))
    assert len(root) == len(result.exercises)
    assert {suite.get("name") for suite in root} == {f"alice: {e.title}" for e in result.exercises}
    tags = {child.tag for case in root.iter("testcase") for child in case}
    assert tags == {"failure", "error", "skipped", "system-out"}
    cases = list(root.iter("testcase"))
    assert root.get("tests") == str(len(cases))
    failures = [case.find("failure") for case in cases if case.find("failure") is not None]
    assert root.get("failures") == str(len(failures))
    assert "1 of 6 values of the output differ" in [f.get("message") for f in failures]
    assert any("1 of 6 values of the output differ" in (f.text or "") for f in failures)


def mark(result: Result) -> Mark:
    return compute_marks([result], ClassRecord("attention", 20), [], None)[0]


@given(st.text(st.characters()))
def test_whatever_a_student_prints_is_xml(text: str):
    wrong = Finding("c", Outcome.FAILED, 0, 1, text, message=text, output=text)
    result = sample.result(sample.exercise(wrong, title=text), id=text)
    root = ElementTree.fromstring(junit.junit_xml([(result, mark(result))]).encode("utf-8"))
    assert len(list(root.iter("testcase"))) == 1


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_odd_names_in_a_worksheet_change_no_row(name: str):
    quoted = name.replace('"', '""')
    sheet = (
        f'Identifier,Full name,Grade,Maximum Grade\r\nParticipant 1,"{quoted}",,20\r\nParticipant 2,B,,20\r\n'
    )
    table = parse(sheet.encode())
    result = sample.result()
    filled = moodle.fill(table, {2: (mark(result), result)})
    assert filled.count == 1
    assert outside(filled.data, {2}) == outside(sheet.encode(), {2})


def test_a_page_says_who_changed_the_points_and_why(tmp_path: Path, rule: LatePolicy):
    out = graded(tmp_path, MOODLE, WORKSHEET, 10)
    (out / "overrides.csv").write_text(
        'id;exercise;points;comment\nbob@uni.example;concat_heads;15,5;"=oral <b>exam</b>"\n',
        encoding="utf-8",
    )
    marker, _ = run_marks.make_marker(out)
    result = sample.result(
        sample.exercise(sample.finding(Outcome.FAILED, points=10, max_points=20)), id="Bob Roy_12"
    )
    read = assert_sound(student_page.render(result, mark=marker.mark(result)))
    for text in (
        "softmark found 10 of 20 points.",
        "Set by your instructor: 15.5 / 20. =oral <b>exam</b>",
        "Yours was handed in 2 days late: minus 20% of the maximum, 4 points less.",
        "Late by 2 days−4",
        "Total11.5 / 20",
    ):
        assert text in " ".join(read.words.split()), read.words


def test_a_mark_of_one_submission_is_that_of_the_class(tmp_path: Path, rule: LatePolicy):
    out = graded(tmp_path, MOODLE, WORKSHEET, 10)
    lines = [
        "id,exercise,points,comment",
        "alice@uni.example,,1,",
        "Bob Roy_12,concat_heads,2,",
        "x,,3,",
        ",,4,",
        "a,,b,",
    ]
    (out / "overrides.csv").write_text("\n".join(lines), encoding="utf-8")
    results = [
        sample.result(sample.exercise(sample.finding()), id=p.parent.name) for p in out.glob("*/result.json")
    ]
    run = run_marks.compute_run_marks(out, results)
    marks, notes = run.marks, run.notes
    by_id = {mark.id: mark for mark in marks}
    marker, _ = run_marks.make_marker(out)
    assert len(results) == 3
    assert all(marker.mark(result) == by_id[result.submission.id] for result in results)
    graded_ids = {result.submission.id for result in results}
    assert list(marker.mark_others(graded_ids)) == [mark for mark in marks if mark.id not in graded_ids]
    assert [n for n in notes if "overrides.csv" in n] == [
        "overrides.csv, row 5 is left out: it needs an id.",
        "overrides.csv, row 6 is left out: it needs points from 0 on, not 'b'.",
        "overrides.csv, 'Bob Roy_12', concat_heads: 2 points are more than the 1 there are; they count.",
        "overrides.csv, 'x': nobody has this id.",
    ]


def test_a_broken_class_file_loses_only_names(tmp_path: Path):
    out = graded(tmp_path, MOODLE, WORKSHEET)
    (out / "class.json").write_text('{"schema": "softmark/class/1"', encoding="utf-8")
    result = sample.result(id="Bob Roy_12")
    run = run_marks.compute_run_marks(out, [result])
    [note] = run.notes
    assert (run.marks[0].points, run.marks[0].student) == (result.points, None)
    assert "class.json cannot be read" in note
