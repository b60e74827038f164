"""The tables of `softmark results` hold all that is in the results, the same in both formats."""

import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.run_marks import save_class
from graders.cli.main import main
from graders.results.store import write_result
from reports.tables.rows import TABLES
from tests.reports import class_of_many, class_of_twelve

DOCUMENT = Path(__file__).parents[2] / "docs/analysis.md"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder of twelve results, with a roster of one more, and points that the instructor set."""
    folder = tmp_path / "out"
    results = class_of_twelve.results()
    for result in results:
        write_result(folder, result)
    ids = [result.submission.id for result in results]
    students = (Student(ids[0], "Agathe", group="A"), Student("absent", "Zoe"))
    hand_ins = tuple(HandIn(name, name, students=(name,) if name == ids[0] else ()) for name in ids)
    save_class(folder, ClassRecord("attention", 20, students=students, hand_ins=hand_ins))
    exercise = results[0].exercises[0].name
    text = f"id,exercise,points,comment\n{ids[0]},{exercise},1.5,seen\n"
    (folder / "overrides.csv").write_text(text, encoding="utf-8")
    return folder


def write(out: Path, name: str) -> Result:
    return CliRunner().invoke(
        main, ["results", str(out), "--to", str(out / name), "--jobs", "1"], catch_exceptions=False
    )


def ask(path: Path, question: str) -> list[tuple]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(question).fetchall()


def test_there_is_a_row_for_each_exercise_and_each_check_and_each_student_without_a_submission(out: Path):
    done = write(out, "results.sqlite")
    assert done.exit_code == 0
    assert "12 submissions: " in done.output
    results = class_of_twelve.results()
    exercises = [(r.submission.id, e.name, e.outcome, e.points) for r in results for e in r.exercises]
    checks = [
        (r.submission.id, e.name, f.check, f.outcome, f.mistake and f.mistake.name, f.message)
        for r in results
        for e in r.exercises
        for f in e.findings
    ]
    path = out / "results.sqlite"
    found = ask(path, "SELECT id, exercise, outcome, points FROM exercises WHERE exercise NOT NULL")
    assert sorted(found) == sorted(exercises)
    found = ask(path, "SELECT id, exercise, check_name, outcome, mistake, message FROM checks")
    assert sorted(map(repr, found)) == sorted(repr((*row[:3], str(row[3]), *row[4:])) for row in checks)
    absent = ask(path, "SELECT id, student_name, submission_points FROM exercises WHERE exercise IS NULL")
    assert absent == [("absent", "Zoe", None)]


def test_points_that_the_instructor_set_stand_beside_those_of_the_machine(out: Path):
    write(out, "results.sqlite")
    first = class_of_twelve.results()[0]
    question = "SELECT points, set_points, student_group FROM exercises WHERE set_points NOT NULL"
    assert ask(out / "results.sqlite", question) == [(first.exercises[0].points, 1.5, "A")]


def test_both_formats_hold_the_same(out: Path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write(out, "results.sqlite")
    done = write(out, "results.parquet")
    assert f"{out / 'results.parquet'}, {out / 'results.checks.parquet'}" in done.output
    for table, name in zip(TABLES, ("results.parquet", "results.checks.parquet"), strict=True):
        rows = ask(out / "results.sqlite", f"SELECT * FROM {table.name}")
        columns = parquet.read_table(out / name).to_pydict()
        assert list(columns) == [column for column, _ in table.columns]
        assert list(zip(*columns.values(), strict=True)) == rows
    assert not list(out.glob(".*"))


def test_without_pyarrow_it_says_what_to_install(out: Path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = write(out, "results.parquet")
    assert done.exit_code == 2
    said = " ".join(done.output.split())
    assert "pip install 'softmark[parquet]'. Or write a file that ends with .sqlite" in said
    assert not (out / "results.parquet").exists()


def test_another_kind_of_file_is_refused(out: Path):
    done = write(out, "results.xlsx")
    assert done.exit_code == 2
    assert "ends with .parquet or .sqlite" in " ".join(done.output.split())


def test_a_result_that_cannot_be_read_is_named_and_the_others_are_written(out: Path):
    name = class_of_twelve.results()[3].submission.id
    (out / name / "result.json").write_text("{", encoding="utf-8")
    done = write(out, "results.sqlite")
    assert done.exit_code == 3
    assert f"{name}: the result could not be read" in done.output
    assert len(ask(out / "results.sqlite", "SELECT DISTINCT id FROM exercises WHERE exercise NOT NULL")) == 11


@pytest.mark.programs
def test_several_processes_write_the_rows_of_one(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("graders.batch.spread_blocks.FEW", 3)
    monkeypatch.setattr("graders.cli.commands.results.WRITTEN", 4)
    for result in class_of_many.results(10):
        write_result(tmp_path, result)
    for jobs in ("1", "2"):
        command = ["results", str(tmp_path), "--to", str(tmp_path / f"{jobs}.sqlite"), "--jobs", jobs]
        CliRunner().invoke(main, command, catch_exceptions=False)
    for table in TABLES:
        one, two = (ask(tmp_path / f"{jobs}.sqlite", f"SELECT * FROM {table.name}") for jobs in (1, 2))
        assert sorted(map(repr, one)) == sorted(map(repr, two))
        assert one


def test_the_questions_of_the_document_can_be_asked(out: Path):
    write(out, "results.sqlite")
    [questions] = re.findall(r"```sql\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    first, second = questions.split("\n\n")
    rows = ask(out / "results.sqlite", first)
    assert len(rows) == 10
    assert rows[0][2] > 0
    known = {row[0] for row in ask(out / "results.sqlite", "SELECT DISTINCT mistake FROM checks")} - {None}
    name = next(iter(known))
    assert ask(out / "results.sqlite", second.replace("concat_heads__without_transpose", name))


def test_every_column_is_described():
    text = DOCUMENT.read_text(encoding="utf-8")
    for table in TABLES:
        part = text.split(f"## {table.name}")[1].split("\n## ")[0]
        assert re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) == [name for name, _ in table.columns]
