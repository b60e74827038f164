"""Grading for pytest: one warm box and one set of draws for all that a process has to check."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Finding, Remark
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import NoIsolation, best, wanted
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits


@dataclass(frozen=True)
class Graded:
    """An exercise as it was graded: `files` are the submission's, `sandbox` is the rung in force."""

    result: ExerciseResult
    files: tuple[str, ...]
    remarks: tuple[Remark, ...]
    sandbox: str

    def finding(self, check: str) -> Finding | None:
        """What the check found; None where no check of the exercise could be tried."""
        if not self.result.findings:
            return None
        return next(finding for finding in self.result.findings if finding.check == check)

    def points(self, check: str) -> float:
        """The points that the check brought."""
        finding = self.finding(check)
        return finding.points if finding else 0.0

    def undecided(self, check: str, most: float) -> float:
        """Those of its points, at most so many, that are neither given nor lost."""
        finding = self.finding(check)
        return most if (finding or self.result).outcome.undecided else 0.0


class Run:
    """What one process of pytest grades. Each exercise is graded once."""

    def __init__(self, draws: Draws, start: Callable[[], Box]) -> None:
        self._draws = draws
        self._start = start
        self._box: Box | None = None
        self._no_box: str | None = None
        self._assignments: dict[str, Assignment] = {}
        self._known: dict[tuple[Path, str, str], Graded] = {}

    def graded(self, path: Path, assignment: str, exercise: str) -> Graded:
        """The exercise, as it is graded when all of the submission is.

        What fails by a part alone counts where the part is. So where something is wrong, the exercises before
        are graded too, whether or not their checks were selected.
        """
        key = (path, assignment, exercise)
        if key in self._known:
            return self._known[key]
        if assignment not in self._assignments:
            self._assignments[assignment] = load_assignment(assignment)
        names = [each.name for each in self._assignments[assignment].exercises]
        at = names.index(exercise)
        graded = self._graded(key, at)
        if any(f.outcome.failed_or_raised for f in graded.result.findings):
            new = [name for name in names[:at] if (path, assignment, name) not in self._known]
            outcomes = [self.graded(path, assignment, name).result.outcome for name in new]
            if any(outcome.failed_or_raised for outcome in outcomes):
                graded = self._graded(key, at)
        self._known[key] = graded
        return graded

    def close(self) -> None:
        """End the box."""
        if self._box:
            self._box.close()

    def _graded(self, key: tuple[Path, str, str], before: int) -> Graded:
        path, assignment, exercise = key
        asked = self._assignments[assignment]
        known = [(e.symbol, self._known.get((path, assignment, e.name))) for e in asked.exercises[:before]]
        wrong = frozenset(
            symbol for symbol, found in known if found and found.result.outcome.failed_or_raised
        )
        grader = Grader(asked.only([exercise]), self._draws, self._warm())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is an error in the project's tests is none in grading
            result = grader.grade(path, path.name, wrong)
        return Graded(result.exercises[0], result.submission.files, result.remarks, str(result.sandbox))

    def _warm(self) -> Box:
        if self._box is None and self._no_box is None:
            try:
                self._box = self._start()
            except NoIsolation as error:
                self._no_box = str(error)
        if self._box is None:
            pytest.fail(f"softmark: {self._no_box}", pytrace=False)
        return self._box


_RUN = pytest.StashKey[Run]()


def running(config: pytest.Config) -> Run:
    """The run of this process, which ends with it."""
    if _RUN not in config.stash:
        level = config.getoption("softmark_sandbox")

        def start() -> Box:
            return wanted(IsolationLevel(level), Limits()) if level else best(Limits())[0]

        config.stash[_RUN] = run = Run(Draws(config.getoption("softmark_seed")), start)
        config.add_cleanup(run.close)
    return config.stash[_RUN]
