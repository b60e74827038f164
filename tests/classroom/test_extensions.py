"""Extensions: the later of a student's own date and the common one counts, wherever lateness is decided."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.class_record import Attempt, ClassRecord, HandIn, Student
from graders.classroom.count_attempts import AttemptRules, Candidate, choose
from graders.classroom.due_dates import check_extensions, due_dates_of
from graders.classroom.extensions import Extension, read
from graders.classroom.intake.repository_states import StateRules
from graders.classroom.intake.take import take
from graders.classroom.mark_holders import mark_holders
from graders.classroom.marks import Mark, Marker, compute_marks
from graders.classroom.run_marks import MarkRules, compute_run_marks, save_class
from graders.course.late_policy import LatePolicy, extend
from graders.results.store import write_result
from reports.publish import publish_class, publish_one
from tests.reports import sample
from tests.support.downloads import CODE, checkout, commit

PARIS = ZoneInfo("Europe/Paris")
DUE = datetime(2026, 10, 23, 23, 59, tzinfo=PARIS)  # clocks change on the 25th
RULE = LatePolicy(DUE, per_day=0.1)
ANN, BEN, CLEO = (Student(f"{name[0]}1", name.capitalize()) for name in ("ann", "ben", "cleo"))
REASON = "her mother is in hospital"


def extensions_of(folder: Path, *lines: str, header: str = "id,assignment,due,note") -> list[Extension]:
    (folder / "extensions.csv").write_text("\n".join([header, *lines]), encoding="utf-8")
    return read(folder, "attention", RULE, ["attention", "bert"])[0]


def notes_of(folder: Path, *lines: str, rule: LatePolicy | None = RULE) -> list[str]:
    extensions_of(folder, *lines)
    return read(folder, "attention", rule, ["attention", "bert"])[1]


@pytest.mark.parametrize(
    ("said", "due"),
    [
        ("+3", (2026, 10, 26, 23, 59)),
        ("+ 3 jours", (2026, 10, 26, 23, 59)),
        ("2026-10-26", (2026, 10, 26, 23, 59)),
        ("26/10/2026", (2026, 10, 26, 23, 59)),
        ("2026-10-26T12:00", (2026, 10, 26, 12, 0)),
        ("26 octobre 2026 12:00", (2026, 10, 26, 12, 0)),
    ],
)
def test_a_date_or_days_are_read_in_the_zone_of_the_due_date(tmp_path: Path, said: str, due: tuple[int, ...]):
    assert extensions_of(tmp_path, f"a1,attention,{said},") == [Extension("a1", datetime(*due, tzinfo=PARIS))]


def test_titles_may_be_french_and_a_line_may_be_for_every_assignment(tmp_path: Path):
    header = "identifiant;devoir;échéance;motif"
    given = extensions_of(tmp_path, "a1;*;+2;malade", "b1;bert;+9;", "c1;attention;+1;", header=header)
    assert [(one.id, one.due.day, one.staff_note) for one in given] == [("a1", 25, "malade"), ("c1", 24, "")]


def test_a_file_beside_the_results_serves_all_assignments(tmp_path: Path):
    out = tmp_path / "results"
    out.mkdir()
    extensions_of(tmp_path, "a1,*,+2,")
    assert [one.id for one in read(out, "attention", RULE, ["attention"])[0]] == ["a1"]
    tmp_path.chmod(0o777)  # there, the line could be anybody's
    assert read(out, "attention", RULE, ["attention"])[0] == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a1,atention,+3,", "there is no assignment atention"),
        ("a1,attention,soon,", "'soon' is no time"),
        ("a1,attention,05/06/2026,", "'05/06/2026' is no time"),
        ("a1,attention,2025-10-26,", "is not after the common date"),
        (",attention,+3,", "needs an id"),
    ],
)
def test_a_line_that_gives_nothing_is_told(tmp_path: Path, line: str, told: str):
    [note] = notes_of(tmp_path, line)
    assert told in note


def test_without_a_late_rule_an_extension_is_told_to_have_no_effect(tmp_path: Path):
    assert "has no late rule" in notes_of(tmp_path, "a1,attention,+3,", rule=None)[0]
    assert notes_of(tmp_path, "a1,*,+3,", rule=None) == []


def test_an_extension_of_nobody_is_told():
    holders = mark_holders({}, class_of(alone("a1")))
    assert "'z9': nobody has this id" in check_extensions([Extension("z9", DUE)], holders)[0]


def test_what_closes_closes_as_much_later():
    rule = replace(RULE, closes=datetime(2026, 10, 24, 12, 0, tzinfo=PARIS))
    own = extend(rule, datetime(2026, 10, 26, 23, 59, tzinfo=PARIS))
    assert own.closes == datetime(2026, 10, 27, 12, 0, tzinfo=PARIS)
    assert extend(rule, DUE - timedelta(days=1)) is rule


def alone(student: str, late_by: timedelta = timedelta(0)) -> HandIn:
    return HandIn(f"folder {student}", f"{student}.py", DUE + late_by, students=(student,))


def class_of(*hand_ins: HandIn) -> ClassRecord:
    return ClassRecord("attention", 20, students=(ANN, BEN, CLEO), hand_ins=hand_ins)


def marks_of(record: ClassRecord, extensions: Sequence[Extension]) -> list[Mark]:
    results = [result(hand_in.id) for hand_in in record.hand_ins]
    marks = compute_marks(results, record, [], RULE, extensions=extensions)
    marker = Marker(record, rule=RULE, extensions=tuple(extensions))
    assert [marker.mark(one) for one in results] == [mark for mark in marks if mark.machine is not None]
    return marks


def points_of(marks: Sequence[Mark]) -> dict[str, float | None]:
    return {mark.student.id: mark.points for mark in marks if mark.student}


def result(id: str, points: float = 20):  # noqa: A002
    return replace(sample.result(sample.exercise(), id=id), points=points, max_points=20, undecided_points=0)


def test_lateness_counts_from_the_students_own_date():
    record = class_of(alone("a1", timedelta(days=2)), alone("b1", timedelta(days=2)))
    given = [Extension("a1", DUE + timedelta(days=1), REASON)]
    assert points_of(marks_of(record, given)) == {"a1": 18, "b1": 16, "c1": None}
    assert REASON not in str([mark.late for mark in marks_of(record, given)])


def test_more_time_for_one_member_is_not_for_the_others_and_more_time_for_the_team_is():
    team = HandIn("blue", "blue.py", DUE + timedelta(days=2), students=("a1", "b1"))
    [mark, _] = marks_of(class_of(team), [Extension("a1", DUE + timedelta(days=2))])
    assert (mark.points, mark.of(ANN).points, mark.of(BEN).points) == (16, 20, 16)
    [mark, _] = marks_of(class_of(team), [Extension("blue", DUE + timedelta(days=2))])
    assert (mark.points, mark.of(ANN).points, mark.of(BEN).points) == (20, 20, 20)


DAYS = st.integers(-3, 6)
GIVEN = st.lists(st.tuples(st.sampled_from(["a1", "b1", "folder a1", "nobody"]), DAYS), max_size=6)


@given(GIVEN, st.integers(0, 8), st.randoms(use_true_random=False))
def test_marks_do_not_depend_on_the_order_of_lines_and_more_time_never_costs(given_days, late, chance):
    lines = [Extension(name, DUE + timedelta(days=days)) for name, days in given_days]
    record = class_of(alone("a1", timedelta(days=late)), alone("b1", timedelta(days=late)))
    marks = marks_of(record, lines)
    assert marks_of(record, chance.sample(lines, len(lines))) == marks
    without = marks_of(record, [])
    assert all((a.points or 0) >= (b.points or 0) for a, b in zip(marks, without, strict=True))
    own = max([0, *(days for name, days in given_days if name in ("a1", "folder a1"))])
    assert points_of(marks)["a1"] == pytest.approx(20 - 2 * min(10, max(0, late - own)))


def test_which_hand_in_counts_follows_the_students_own_date():
    record = class_of(alone("a1"))
    given = [Extension("a1", DUE + timedelta(days=2))]
    early, late = (
        Candidate(
            result("folder a1", points),
            Attempt("folder a1", letter * 64, DUE + days),
            letter == "b",
        )
        for letter, points, days in (("a", 18, timedelta(0)), ("b", 19, timedelta(days=2)))
    )
    for policy, extended, common in (("best", late, early), ("last_in_time", late, early)):
        for extensions, chosen in ((given, extended), ([], common)):
            rules = AttemptRules(policy, due_dates_of(record, RULE, extensions))
            assert choose([early, late], rules) is chosen


@pytest.mark.programs
def test_of_a_repository_the_last_state_within_the_students_own_date_counts(tmp_path: Path):
    for name in ("ann", "ben"):
        folder = tmp_path / "in" / f"tp-attention-{name}"
        commit(
            checkout(folder, "2026-10-22T10:00:00+0200"),
            "2026-10-25T10:00:00+0100",
            {"answers.py": "x = 2\n"},
        )
    states = StateRules(late=RULE, only_in_time=True, extensions=[Extension("ann", DUE + timedelta(days=2))])
    with take(tmp_path / "in", "attention", 20, tmp_path / "out", None, UTC, states=states) as intake:
        graded = {entry.id: (entry.path / "answers.py").read_text("utf-8") for entry in intake.entries}
    assert graded == {"ann": "x = 2\n", "ben": CODE}


def test_the_reason_is_shown_to_the_staff_alone(tmp_path: Path):
    record = class_of(alone("a1", timedelta(days=3)))
    save_class(tmp_path, record)
    write_result(tmp_path, result("folder a1"))
    (tmp_path / "extensions.csv").write_text(f"id,assignment,due,note\na1,*,+1,{REASON}\n", encoding="utf-8")
    run = compute_run_marks(tmp_path, [result("folder a1")], MarkRules(late=RULE))
    publish_one(tmp_path, run.results[0], next(mark for mark in run.marks if mark.machine is not None))
    publish_class(tmp_path, run.results, run.marks, run.notes)
    page = (tmp_path / "folder a1/index.html").read_text("utf-8")
    assert "handed in 2 days late" in page
    assert REASON in (tmp_path / "index.html").read_text("utf-8")
    others = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "extensions.csv"]
    holding = [path for path in others if REASON.encode() in path.read_bytes()]
    assert holding == [tmp_path / "index.html"]
    assert not any(REASON in note for note in run.notes)
