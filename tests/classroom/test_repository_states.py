"""Of a repository with late commits the last state in time counts, or the late one where that gives more."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graders.batch.grade_states import grade_states
from graders.classroom.class_record import HandIn, from_json, to_json
from graders.classroom.intake.download import Entry
from graders.classroom.intake.repository_states import NoRepositories, StateRules
from graders.classroom.intake.take import Intake, take
from graders.classroom.marks import compute_marks
from graders.course.late_policy import LatePolicy
from graders.results.result import Outcome, Result
from graders.submission.read import read
from tests.reports import sample
from tests.support.downloads import CODE, checkout, commit

pytestmark = pytest.mark.programs

RULE = LatePolicy(datetime(2026, 11, 20, 22, 59, tzinfo=UTC), per_day=0.1, most=0.5)
IN_TIME, LATE = "2026-11-20T20:00:00+0000", "2026-11-23T08:00:00+0000"


def take_in(folder: Path, states: StateRules, look: Callable[[Intake], object], roster: str = "") -> object:
    path = folder.parent / "roster.csv"
    if roster:
        path.write_text(roster)
    out, table = folder.parent / "out", path if roster else None
    with take(folder, "attention", 20, out, table, UTC, states=states) as intake:
        return look(intake)


def seen(intake: Intake) -> tuple[HandIn, str, str]:
    """The hand-in, what is graded of it, and what may count in its place."""
    [hand_in], [entry] = intake.class_record.hand_ins, intake.entries
    earlier = entry.in_time and read(entry.in_time.path).files[0].cells[0].source
    return hand_in, read(entry.path).files[0].cells[0].source, earlier or ""


def repository(tmp_path: Path, late: dict[str, str]) -> Path:
    commit(checkout(tmp_path / "in" / "tp-attention-zoe", IN_TIME), LATE, late)
    return tmp_path / "in"


def test_a_late_commit_that_changes_nothing_that_is_graded_costs_nothing(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"README.md": "a typo less", "plot.png": ""})
    hand_in, _, earlier = take_in(folder, StateRules(late=RULE), seen)
    assert hand_in.at == datetime(2026, 11, 20, 20, tzinfo=UTC)
    assert not earlier


def test_of_a_repository_with_late_work_both_states_are_graded(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"answers.py": "x = 2\n"})
    hand_in, now, earlier = take_in(folder, StateRules(late=RULE), seen)
    assert (now, earlier) == ("x = 2\n", CODE)
    assert hand_in.at == datetime(2026, 11, 23, 8, tzinfo=UTC)
    assert hand_in.of_files(hand_in.in_time).at == datetime(2026, 11, 20, 20, tzinfo=UTC)
    record = take_in(folder, StateRules(late=RULE), lambda intake: intake.class_record)
    assert from_json(to_json(record)) == record
    assert take_in(folder, StateRules(), seen)[2] == ""  # nothing says what is late


def test_where_the_course_says_so_the_last_state_in_time_alone_is_graded(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"answers.py": "x = 2\n"})
    hand_in, now, earlier = take_in(folder, StateRules(late=RULE, only_in_time=True), seen)
    assert (hand_in.at, now, earlier) == (datetime(2026, 11, 20, 20, tzinfo=UTC), CODE, "")


def test_a_time_of_the_roster_is_the_platforms_word(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"answers.py": "x = 2\n"})
    roster = "username,submitted_at\nzoe,2026-11-21 10:00\n"
    hand_in, now, earlier = take_in(folder, StateRules(late=RULE), seen, roster)
    assert (hand_in.clock, now, earlier) == ("roster", "x = 2\n", "")


def test_repositories_are_taken_as_they_were_at_a_time(tmp_path: Path) -> None:
    folder = repository(tmp_path, {"answers.py": "x = 2\n"})
    checkout(folder / "tp-attention-yan", LATE)
    at = StateRules(at=datetime(2026, 11, 21, tzinfo=UTC))
    hand_in, now, _ = take_in(folder, at, seen)
    assert (hand_in.at, now) == (datetime(2026, 11, 20, 20, tzinfo=UTC), CODE)
    assert "tp-attention-zoe@" in hand_in.source
    [absent] = take_in(folder, at, lambda intake: intake.class_record.unmatched)
    assert absent.what == "tp-attention-yan"
    (folder / "extra.py").write_text(CODE)
    (folder / "extra").mkdir()
    with pytest.raises(NoRepositories, match="extra is no git repository"):
        take_in(folder, at, seen)


@pytest.mark.parametrize(
    ("late", "counts", "mark"), [(20, 20, 14), (17.9, 12, 12), (18, 12, 12), (18.2, 18.2, 12.2)]
)
def test_the_late_state_counts_only_where_it_gives_more_after_lateness(
    tmp_path: Path, late: float, counts: float, mark: float
) -> None:
    folder = repository(tmp_path, {"answers.py": "x = 2\n"})

    def look(intake: Intake) -> tuple[Result, float | None]:
        points = {"x = 2\n": late, CODE: 12.0}

        def grade(path: Path, name: str) -> Result:
            submission = read(path, name)
            info = sample.SubmissionInfo(name, ("answers.py",), submission.sha256)
            reached = points[submission.files[0].cells[0].source]
            found = sample.finding(Outcome.FAILED, points=reached, max_points=20.0)
            result = sample.result(sample.exercise(found), submission=info)
            return replace(result, points=reached, max_points=20.0, undecided_points=0)

        [entry] = intake.entries
        chosen, result = grade_states(grade, entry)
        assert isinstance(chosen, Entry) and read(chosen.path).sha256 == result.submission.sha256
        [computed] = compute_marks([result], intake.class_record, (), RULE)
        return result, computed.points

    result, points = take_in(folder, StateRules(late=RULE), look)
    assert (result.points, points) == (counts, pytest.approx(mark))
    assert "after what lateness costs" in result.remarks[0].says
