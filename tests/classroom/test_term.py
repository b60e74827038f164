"""A term of 63 students on six platforms: each complaint in `tests/handed_in/term/` has its due mark."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import mean
from types import MappingProxyType
from typing import Any

import pytest
from click.testing import CliRunner

from graders.batch.earlier_grading import read_earlier
from graders.batch.grade_states import grade_states
from graders.batch.in_course import in_course
from graders.batch.take_class import take_class
from graders.classroom.marks import Mark
from graders.classroom.run_marks import RunMarks, compute_run_marks, settle_class
from graders.cli.main import main
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.attempts import keep_attempt
from graders.results.result import Result
from graders.results.store import write_result
from graders.submission.read import Unreadable, read
from tests.support import term
from tests.support.open_box import OpenBox

pytest.importorskip("openpyxl")
pytestmark = pytest.mark.programs

TERM = term.read_term()
PEOPLE = term.people()
COMPLAINTS: list[dict[str, Any]] = TERM["complaints"]


STAFF_WRITES = {
    "overrides": "id,exercise,points,comment,hold",
    "extensions": "id,assignment,due,note",
    "comments": "id,exercise,line,text,points",
}


@dataclass(frozen=True)
class Graded:
    """What came of a download: the folder of results, each student's mark and result, and strangers."""

    out: Path
    run: RunMarks
    marks: Mapping[str, Mark]
    results: Mapping[str, Result]
    strangers: str

    def told(self, who: str) -> str:
        """What the staff is told of the class, and a student on their page."""
        result = self.results.get(self.marks[who].id)
        page = [remark.says for remark in result.remarks] + [result.unreadable or ""] if result else []
        return "\n".join([*self.run.notes, *page])


class GradesOnce:
    """Grades what was not handed in before: most of the class has the same answer."""

    def __init__(self) -> None:
        self.grader = Grader(load_assignment("heads"), Draws(1), OpenBox())  # type: ignore[arg-type]
        self.known: dict[object, Result] = {}

    def __call__(self, path: Path, name: str) -> Result:
        try:
            submission = read(path, name)
        except Unreadable:
            return self.grader.grade(path, name)
        key = (submission.sha256, tuple(file.written for file in submission.files))
        if key not in self.known:
            self.known[key] = self.grader.grade(path, name)
        result = self.known[key]
        return replace(result, submission=replace(result.submission, id=name))


@cache
def grade_once() -> GradesOnce:
    return GradesOnce()


@pytest.fixture(autouse=True)
def in_the_course() -> Iterator[None]:
    with in_course(term.FOLDER / "course.toml", "en"):
        yield


@pytest.fixture(scope="module")
def grade_all(tmp_path_factory) -> Callable[[str], Graded]:
    done = dict[str, Graded]()

    def once(tp: str) -> Graded:
        if tp not in done:
            done[tp] = grade_term(tp, tmp_path_factory.mktemp(tp))
        return done[tp]

    return once


def grade_term(tp: str, folder: Path, order: int = 1) -> Graded:
    """Grade what the class hands in, and again where somebody hands in again or a check became stricter."""
    out, mine = folder / "results", [complaint for complaint in COMPLAINTS if complaint["tp"] == tp]
    out.mkdir()
    for name, header in STAFF_WRITES.items():
        lines = [line for complaint in mine for line in complaint.get(name, ())]
        (out / f"{name}.csv").write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    stricter = {complaint["who"]: complaint["regraded"] for complaint in mine if "regraded" in complaint}
    results, strangers = take_and_grade(tp, mine, out, order)
    if stricter or any("again" in complaint for complaint in mine):
        results, strangers = take_and_grade(tp, mine, out, order, again=True, stricter=stricter)
    run = compute_run_marks(out, results)
    marks = dict[str, Mark]()
    for mark in run.marks:
        marks |= {student.id: mark.of(student) for student in mark.team or (mark.student,) if student}
    return Graded(out, run, marks, {result.submission.id: result for result in results}, strangers)


def take_and_grade(
    tp: str,
    complaints: list[dict[str, Any]],
    out: Path,
    order: int,
    *,
    again: bool = False,
    stricter: Mapping[str, float] = MappingProxyType({}),
) -> tuple[list[Result], str]:
    """Take in a download and grade it; also returns what belongs to nobody."""
    options, grade, results = TERM["tps"][tp], grade_once(), list[Result]()
    against = replace(read_earlier(out), never_lower=True) if stricter else None
    handed = term.Handed(term.handed_in(complaints, PEOPLE, again=again)[::order], PEOPLE[::order], options)
    what, roster = term.MAKE[options["platform"]](out.parent, handed)
    columns = options.get("columns", {})
    with take_class(
        what, load_assignment("heads"), out, roster=roster, columns=columns, against=against
    ) as intake:
        whose = {hand_in.id: hand_in.students for hand_in in intake.class_record.hand_ins}
        for entry in intake.entries:
            _, result = grade_states(grade, entry)
            for who in stricter.keys() & set(whose[entry.id]):
                exercise = replace(result.exercises[0], points=stricter[who])
                result = replace(result, exercises=(exercise,), points=stricter[who])
            keep_attempt(out, result)
            write_result(out, result)
            results.append(result)
    settle_class(out, results)
    return results, "\n".join(f"{u.what}: {u.why}" for u in intake.class_record.unmatched)


@pytest.mark.parametrize("number", range(len(COMPLAINTS)), ids=lambda n: f"{n + 1}-{COMPLAINTS[n]['about']}")
def test_each_complaint_has_its_due_mark(grade_all: Callable[[str], Graded], number: int) -> None:
    complaint = COMPLAINTS[number]
    graded, who = grade_all(complaint["tp"]), complaint["who"]
    points, due = graded.marks[who].points, complaint.get("due")
    assert points == (due if due is None else pytest.approx(due)), complaint["says"]
    for other, due in complaint.get("others", {}).items():
        assert graded.marks[other].points == pytest.approx(due)
    assert complaint.get("told", "") in graded.told(who)
    assert bool(graded.marks[who].held) == complaint.get("held", False)


def test_what_is_given_back_has_nothing_of_anybody_else(
    grade_all: Callable[[str], Graded], tmp_path: Path
) -> None:
    asked = ["release", str(grade_all("tp1").out), "--to", str(tmp_path / "www"), "--lang", "en"]
    told = CliRunner().invoke(main, asked, catch_exceptions=False).output
    refused = [complaint["refused"] for complaint in COMPLAINTS if "refused" in complaint]
    assert all(f"holds what belongs to somebody else: {who}" in told for who in refused)
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "www").glob("*/index.html")]
    assert len(pages) == 60  # of 63, without one who handed in nothing, one that is held, one that is refused
    for page in pages:
        assert len({person.id for person in PEOPLE if person.id in page}) <= 1


@pytest.mark.parametrize("tp", TERM["tps"])
def test_nobody_else_loses_anything(grade_all: Callable[[str], Graded], tp: str) -> None:
    graded = grade_all(tp)
    mine = [complaint for complaint in COMPLAINTS if complaint["tp"] == tp]
    named = {who for complaint in mine for who in (complaint["who"], *complaint.get("others", ()))}
    assert set(graded.marks) == {person.id for person in PEOPLE}
    for person in PEOPLE[: term.IN_GIT] if tp == "tp5" else PEOPLE:
        assert person.id in named or graded.marks[person.id].points == 20, person
    assert "nobody in the roster" not in graded.strangers


def test_the_mean_is_that_of_those_who_handed_in(grade_all: Callable[[str], Graded]) -> None:
    marks = [mark.points for mark in grade_all("tp1").run.marks if mark.points is not None]
    assert len(marks) == 62
    assert mean(marks) == pytest.approx((59 * 20 + 19 + 5 + 0) / 62)


@pytest.mark.parametrize("tp", ["tp1", "tp2", "tp6"])
def test_no_mark_depends_on_the_order_of_files_and_rows(
    grade_all: Callable[[str], Graded], tp: str, tmp_path: Path
) -> None:
    turned = grade_term(tp, tmp_path, order=-1)
    assert {who: mark.points for who, mark in turned.marks.items()} == {
        who: mark.points for who, mark in grade_all(tp).marks.items()
    }
