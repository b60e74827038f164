"""Grading for pytest: for each process one warm box, and one set of draws for each set of answer keys."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from graders.answer_key.find_keys import find_keys, folders_of
from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Finding, Remark
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import NoIsolation, best, wanted
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits


@dataclass(frozen=True)
class GradedExercise:
    """An exercise's result, with its submission's files and remarks and the isolation level of the box."""

    result: ExerciseResult
    files: tuple[str, ...]
    remarks: tuple[Remark, ...]
    sandbox: str

    def finding(self, check: str) -> Finding | None:
        """The finding of a check; None where no check of the exercise could be tried."""
        if not self.result.findings:
            return None
        return next(finding for finding in self.result.findings if finding.check == check)

    def points(self, check: str) -> float:
        """The points given for a check."""
        finding = self.finding(check)
        return finding.points if finding else 0.0

    def undecided(self, check: str, most: float) -> float:
        """How many of a check's `most` points are neither given nor lost."""
        finding = self.finding(check)
        return most if (finding or self.result).outcome.undecided else 0.0


class Run:
    """Grades exercises in one process of pytest, each exercise once."""

    def __init__(self, draws_for: Callable[[Path], Draws], start_box: Callable[[], Box]) -> None:
        self._draws_for = draws_for
        self._start_box = start_box
        self._box: Box | None = None
        self._no_box: str | None = None
        self._assignments: dict[str, Assignment] = {}
        self._graded_exercises: dict[tuple[Path, str, str], GradedExercise] = {}
        # By submission: which of its exercises are wrong, by their symbols, as far as that was found out.
        self._known: dict[tuple[Path, str], dict[str, bool]] = {}

    def grade(self, path: Path, assignment: str, exercise: str) -> GradedExercise:
        """Grade an exercise as it is graded with the whole submission, whichever checks were selected."""
        key = (path, assignment, exercise)
        if key not in self._graded_exercises:
            if assignment not in self._assignments:
                self._assignments[assignment] = load_assignment(assignment)
            self._graded_exercises[key] = self._grade(key, self._assignments[assignment])
        return self._graded_exercises[key]

    def close(self) -> None:
        """End the box."""
        if self._box:
            self._box.close()

    def _grade(self, key: tuple[Path, str, str], whole: Assignment) -> GradedExercise:
        path, assignment, exercise = key
        grader = Grader(whole, self._draws_for(path), self._warm_box(), finds_places=True).only((exercise,))
        known = self._known.setdefault((path, assignment), {})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings, which the project's settings may turn into errors
            result = grader.grade(path, path.name, known)
        return GradedExercise(
            result.exercises[0], result.submission.files, result.remarks, str(result.sandbox)
        )

    def _warm_box(self) -> Box:
        if self._box is None and self._no_box is None:
            try:
                self._box = self._start_box()
            except NoIsolation as error:
                self._no_box = str(error)
        if self._box is None:
            pytest.fail(f"softmark: {self._no_box}", pytrace=False)
        return self._box


class DrawsByKeys:
    """The draws for a submission; those that the same answer keys decide share them."""

    def __init__(self, seed: int, root: Path) -> None:
        self._seed = seed
        self._root = root
        self._made: dict[tuple[Path, ...], Draws] = {}

    def __call__(self, path: Path) -> Draws:
        """The draws, decided by the keys that lie with the submission or in pytest's root."""
        keys = find_keys(self._seed, [*folders_of(path), self._root])
        files = tuple(found.path for found in keys.found) if keys else ()
        if files not in self._made:
            self._made[files] = Draws(self._seed, key=keys)
        return self._made[files]


_RUN = pytest.StashKey[Run]()


def run_of(config: pytest.Config) -> Run:
    """The run of this process of pytest; it is closed at the end."""
    if _RUN not in config.stash:
        level = config.getoption("softmark_sandbox")

        def start_box() -> Box:
            return wanted(IsolationLevel(level), Limits()) if level else best(Limits())[0]

        seed = config.getoption("softmark_seed")
        config.stash[_RUN] = run = Run(DrawsByKeys(seed, config.rootpath), start_box)
        config.add_cleanup(run.close)
    return config.stash[_RUN]
