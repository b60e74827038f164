"""A class and a submission are graded by one call: no words, no terminal, clear errors."""

import os
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graders.batch import events, prepare_run
from graders.batch.class_options import ClassOptions
from graders.batch.class_results import ClassResults
from graders.batch.errors import CannotGrade, FolderChanged, NoWall, RunStopped
from graders.batch.grade_class import grade_class
from graders.batch.grade_submission import grade_submission
from graders.batch.save_results import ResultWriter
from graders.classroom.marks import Override
from graders.course.course_file import own_file
from graders.course.late_policy import LatePolicy
from graders.language import current_language
from graders.locations import SHIPPED
from graders.sandbox.box import Box
from graders.sandbox.box_options import BoxOptions
from graders.sandbox.isolation.level import IsolationLevel
from tests.batch.test_resume import hand_in

pytestmark = [pytest.mark.programs, pytest.mark.slow]  # each run forks processes
DOCUMENT = Path(__file__).parents[2] / "docs/library.md"
ANYWHERE = ClassOptions(jobs=1, box=BoxOptions(unsafe=True))


def grade(root: Path, seen: list[events.Event] | None = None, **choices: object) -> ClassResults:
    options = replace(ANYWHERE, out=root / "out", **choices)
    return grade_class(root / "in", "attention", options, on_event=(seen or []).append)


def points(done: ClassResults) -> dict[str, float]:
    return {result.submission.id: result.points for result in done.results}


def test_what_happens_is_told_as_data_and_nothing_is_printed(tmp_path: Path, quick, capfd):
    hand_in(tmp_path / "in", alice="right", bob="wrong", carol="ours")
    seen: list[events.Event] = [events.ClassDone(notes=())]
    done = grade(tmp_path, seen)
    assert (points(done), done.graded, done.reused) == (
        {"alice": 2, "bob": 0, "carol": 0},
        ("alice", "bob", "carol"),
        (),
    )
    assert [type(event).__name__ for event in seen[1:]] == [
        "UnwalledBox",
        "ClassTaken",
        *["SubmissionToGrade"] * 3,
        "GradingBegan",
        *["SubmissionGraded", "SubmissionGraded", "SubmissionBroken"],
        "ClassDone",
    ]
    again = grade(tmp_path, seen)
    assert (again.graded, again.reused) == (("carol",), ("alice", "bob"))
    assert events.SubmissionReused in {type(event) for event in seen}
    assert (done.softmark_failed, done.have_passed) == (True, False)
    assert capfd.readouterr() == ("", "")


def test_without_a_folder_the_whole_results_are_returned_and_nothing_is_left(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="right", bob="hangs")
    before = sorted(tmp_path.rglob("*"))
    done = grade_class(str(tmp_path / "in"), "attention", ANYWHERE)
    assert done.read("bob").exercises[0].message == "so it is"
    with pytest.raises(KeyError):
        done.read("carol")
    assert sorted(tmp_path.rglob("*")) == before
    assert done.out is None


def test_marks_have_the_lateness_and_the_overrides_that_are_given(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="right", bob="wrong")
    (tmp_path / "roster.csv").write_text(
        "id,name,submitted_at\nalice,Alice,2026-01-02T12:00:00+00:00\nbob,Bob,2026-01-01T00:00:00+00:00\n"
    )
    late = LatePolicy(due=datetime(2026, 1, 1, 12, tzinfo=UTC), per_day=0.5)
    given = [Override("bob", "concat_heads", 1.5, "by word of mouth")]
    done = grade(tmp_path, roster=tmp_path / "roster.csv", late=late, overrides=given)
    assert {mark.id: mark.points for mark in done.marks} == {"alice": 1, "bob": 1.5}
    page = (tmp_path / "out/alice/index.html").read_text("utf-8")
    assert "1 day late" in page
    assert "\nalice,1,2," in (tmp_path / "out/grades.csv").read_text("utf-8")


def test_a_late_hand_in_does_not_replace_a_better_one_where_the_best_counts(tmp_path: Path, quick):
    late = LatePolicy(due=datetime(2026, 1, 1, 12, tzinfo=UTC), per_day=0.5)
    for word, day in (("right", "01"), ("wrong", "02")):
        hand_in(tmp_path / "in", alice=word)
        roster = f"id,submitted_at\nalice,2026-01-{day}T12:00:00+00:00\n"
        (tmp_path / "roster.csv").write_text(roster)
        done = grade(tmp_path, roster=tmp_path / "roster.csv", late=late, attempt="best")
        assert ([mark.points for mark in done.marks], points(done)) == ([2], {"alice": 2})
        assert "\nalice,2,2," in (tmp_path / "out/grades.csv").read_text("utf-8")
    assert "count here, and not those that came last" in (tmp_path / "out/alice/index.html").read_text(
        "utf-8"
    )
    assert done.read("alice").points == 2
    assert grade(tmp_path, roster=tmp_path / "roster.csv", late=late).marks[0].points == 0
    assert len(list((tmp_path / "out/alice/attempts").iterdir())) == 1


def test_the_callers_course_and_language_are_as_before(tmp_path: Path, quick):
    hand_in(tmp_path / "in", alice="wrong")
    course = tmp_path / "course.toml"
    course.write_bytes((SHIPPED.assignments / "course.toml").read_bytes())
    done = grade(tmp_path, course=course, language="fr")
    assert done.results[0].language == "fr"
    assert (tmp_path / "out/course.toml").read_bytes() == course.read_bytes()
    assert (own_file(), current_language()) == (None, "en")


@pytest.mark.parametrize(
    ("names", "assignment", "choices", "says"),
    [
        (["alice"], "atention", {}, "attention"),
        ([], "attention", {}, "there is no submission"),
        (["alice"], "attention", {"only": ["bob"]}, "there are alice"),
        (["alice"], "attention", {"box": BoxOptions()}, "asked for (unsafe)"),
        (["alice"], "attention", {"roster": "nowhere.csv"}, "nowhere.csv"),
        (["alice"], "attention", {"course": "nowhere.toml"}, "nowhere.toml"),
        (["alice"], "attention", {"language": "de"}, "there is no language de: there are en, fr"),
        (["alice"], "attention", {"out": "in/results"}, "lies in the folder of the submissions"),
    ],
    ids=["name", "empty", "id", "no wall", "roster", "course", "language", "out"],
)
def test_what_cannot_be_graded_is_refused_before_anything_is(
    names: list[str], assignment: str, choices: dict, says: str, tmp_path: Path, quick, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    hand_in(tmp_path / "in", **dict.fromkeys(names, "right"))
    with pytest.raises(CannotGrade, match=says.replace("(", r"\(").replace(")", r"\)")) as refused:
        grade_class("in", assignment, replace(ANYWHERE, **choices))
    assert isinstance(refused.value, NoWall) == ("unsafe" in says)


def test_a_run_that_stops_says_how_far_it_came(tmp_path: Path, quick, monkeypatch):
    hand_in(tmp_path / "in", alice="right", bob="right", carol="right")
    honest = ResultWriter.__call__

    def full(self: ResultWriter, entry, result) -> str:
        if entry.id == "carol":
            raise OSError(os.strerror(28))
        return honest(self, entry, result)

    with monkeypatch.context() as patched:
        patched.setattr(ResultWriter, "__call__", full)
        with pytest.raises(RunStopped, match="No space left") as stopped:
            grade(tmp_path)
    assert (stopped.value.done, stopped.value.total) == (2, 3)
    assert not isinstance(stopped.value, FolderChanged)
    assert grade(tmp_path).graded == ("carol",)


def test_a_page_that_cannot_be_made_is_told_and_costs_nothing(tmp_path: Path, quick, monkeypatch, capfd):
    hand_in(tmp_path / "in", alice="right")
    monkeypatch.setattr("graders.batch.publish_page.publish.publish_one", lambda *_, **__: 1 / 0)
    seen: list[events.Event] = [events.ClassDone(notes=())]
    assert points(grade(tmp_path, seen)) == {"alice": 2}
    [failed] = [event for event in seen if isinstance(event, events.PageFailed)]
    assert (failed.id, failed.reason) == ("alice", "ZeroDivisionError('division by zero')")
    assert capfd.readouterr() == ("", "")


def test_one_submission_is_a_call_too(tmp_path: Path, box, capfd):
    (tmp_path / "alice.py").write_text("def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n")
    result = grade_submission(tmp_path / "alice.py", "attention", exercises=["concat_heads"], language="fr")
    assert (result.submission.id, result.points, result.language) == ("alice", 2, "fr")
    assert capfd.readouterr() == ("", "")
    for path, exercise in (("alice.py", "concat_head"), ("bob.py", "concat_heads")):
        with pytest.raises(CannotGrade):
            grade_submission(tmp_path / path, "attention", exercises=[exercise])


def test_the_examples_of_the_document_run_as_they_stand(tmp_path: Path, quick, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(prepare_run, "best", lambda limits, *_: (Box(IsolationLevel.NESTED, limits), []))
    hand_in(tmp_path / "handed_in", alice="right", bob="wrong")
    examples = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert len(examples) == 4
    for example in examples:
        exec(example, {})
    printed = capsys.readouterr().out
    assert "alice 2.0 of 2.0\nbob 0 of 2.0\n{'alice': 2.0, 'bob': 0.0}\n" in printed
    assert '{"passed": false, "softmark failed": false}' in printed
    assert '{"event": "SubmissionGraded", "id": "bob", "points": 0}' in printed
