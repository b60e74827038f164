"""One file has one verdict: checked whole, exercise by exercise, in a notebook, by pytest.

Tried on every exercise whose reference calls those of others, with wrong parts, and wrong itself.
"""

import linecache
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from graders.answer_key.answer_key import AnswerKey
from graders.course.exercise import Assignment, assignment_names, load_assignment
from graders.grade import Grader
from graders.handout.make_key import make_key
from graders.judging.draws import Draws
from graders.notebook.check_live import NotebookChecker
from graders.notebook.restore_state import restore_state
from graders.notebook.source_places import Places
from graders.pytest_plugin import grading
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from tests.support.at_night import at_night
from tests.support.mixed_work import cells_of, parts_of, usable_mistakes

Wrong = Mapping[str, str]  # known mistakes by the names of exercises


@cache
def needed_for(name: str, whole: str) -> Assignment:
    """A whole of an assignment, and the exercises that it is built of, at any depth."""
    assignment = load_assignment(name)
    parts = parts_of(assignment)
    needed, waiting = {whole}, [whole]
    while waiting:
        new = {*parts.get(waiting.pop(), ())} - needed
        needed |= new
        waiting += new
    return assignment.only([e.name for e in assignment.exercises if e.name in needed])


def cases(name: str, whole: str) -> Iterator[Wrong]:
    """For each part of a whole: it is wrong; and it and the whole are, by other mistakes."""
    assignment = needed_for(name, whole)
    *parts, itself = assignment.exercises
    own = usable_mistakes(assignment, itself)
    for part in parts:
        mistakes = usable_mistakes(assignment, part)
        yield {part.name: mistakes[0]}
        yield {part.name: mistakes[-1], whole: own[0]}


def plain(result: ExerciseResult, assignment: Assignment) -> Any:
    """A verdict without sentences, and without what code costs: a notebook leaves that to the command."""
    [exercise] = assignment.only([result.name]).exercises
    answers = {check.name for check in exercise.value_checks}
    findings = [
        (f.check, f.outcome.value, f.points, [[m.name for m in each] for each in f.mistakes])
        for f in result.findings
        if f.check in answers
    ]
    return result.parts_replaced, result.fix_first, findings


class File:
    """A submission, checked in each way."""

    def __init__(self, folder: Path, assignment: Assignment, wrong: Wrong, draws: Draws, box: Box) -> None:
        self.cells = cells_of(assignment, wrong)
        self.path = folder / "work.py"
        self.path.write_text("\n\n\n".join(self.cells.values()), encoding="utf-8")
        self.assignment, self.draws, self.box = assignment, draws, box

    def whole(self) -> dict[str, Any]:
        """By `softmark check`, and by `grade`, which calls the same."""
        return self._plain(Grader(self.assignment, self.draws, self.box).grade(self.path, "work").exercises)

    def alone(self) -> dict[str, Any]:
        """By `softmark check --exercise`, for each exercise."""
        grader = Grader(self.assignment, self.draws, self.box)
        return self._plain(
            grader.only((e.name,)).grade(self.path, "work").exercises[0] for e in self.assignment.exercises
        )

    def by_pytest(self) -> dict[str, Any]:
        """By pytest, the wholes before their parts."""
        run = grading.Run(lambda folder: self.draws, lambda: self.box)
        run._assignments[self.assignment.name] = self.assignment
        names = [e.name for e in reversed(self.assignment.exercises)]
        return self._plain(run.grade(self.path, self.assignment.name, name).result for name in names)

    def live(self, *, together: bool) -> dict[str, Any]:
        """By `%check`, for all exercises in one line, or for each alone, the wholes before their parts."""
        names: dict[str, Any] = {"__name__": "__main__"}
        for number, text in enumerate(self.cells.values()):
            file = f"<cell {number}>"
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            exec(compile(text, file, "exec"), names)
        checker = NotebookChecker(Places(lambda file: ("Cell", file) if file.startswith("<cell") else None))
        checker._draws = self.draws
        checker._assignment = lambda _: self.assignment  # type: ignore[method-assign]
        with restore_state(names):
            targets = [
                checker.find_by_name(e.name, names, self.assignment.name)
                for e in reversed(self.assignment.exercises)
            ]
            lines = [targets[::-1]] if together else [[target] for target in targets]
            return self._plain(one for line in lines for one in checker.check(line)[0].exercises)

    def _plain(self, results: Any) -> dict[str, Any]:
        return {result.name: plain(result, self.assignment) for result in results}


def require_one_verdict(name: str, whole: str, wrong: Wrong, draws: Draws, box: Box, folder: Path) -> None:
    """Require that a file is judged alike in each way, and that a part of it is wrong."""
    file = File(folder, needed_for(name, whole), wrong, draws, box)
    due = file.whole()
    assert file.alone() == due, wrong
    assert file.live(together=False) == due, wrong
    assert file.live(together=True) == due, wrong
    assert file.by_pytest() == due, wrong
    [part, *_] = wrong
    assert any(outcome == Outcome.FAILED for _, outcome, _, _ in due[part][2]), wrong


@pytest.mark.parametrize(
    ("name", "whole", "wrong"),
    [
        ("attention", "multi_head_attention", {"concat_heads": "concat_heads__without_transpose"}),
        # At each push tests/diagnosis/test_blame.py and tests/notebook/test_parts_live.py judge wrong wholes
        # of wrong parts, each in its way.
        at_night(
            "foundations",
            "strongest_head",
            {"head_scores": "head_scores__two_before", "strongest_head": "strongest__head_before_layer"},
        ),
    ],
)
def test_a_file_has_one_verdict(name: str, whole: str, wrong: Wrong, draws: Draws, box: Box, tmp_path: Path):
    require_one_verdict(name, whole, wrong, draws, box, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("name", assignment_names())
def test_every_whole_has_one_verdict_around_each_wrong_part(
    name: str, draws: Draws, box: Box, tmp_path: Path
):
    for whole in parts_of(load_assignment(name)):
        for wrong in cases(name, whole):
            require_one_verdict(name, whole, wrong, draws, box, tmp_path)


@pytest.mark.nightly
def test_a_student_with_a_key_has_one_verdict(box: Box, tmp_path: Path):
    assignment = needed_for("attention", "multi_head_attention")
    keyed = Draws(1, key=AnswerKey(make_key(assignment, 1)))
    for wrong in cases("attention", "multi_head_attention"):
        require_one_verdict("attention", "multi_head_attention", wrong, keyed, box, tmp_path)
