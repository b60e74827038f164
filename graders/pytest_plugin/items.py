"""The nodes that pytest collects: submissions, in each the exercises, in each the checks.

Other modules of softmark are imported only when there is a submission to read.
"""

import os
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from graders.course.outline import CheckOutline, ExerciseOutline
    from graders.extraction.extract import Missing, Program, Source
    from graders.language import Language
    from graders.pytest_plugin.grading import GradedExercise
    from graders.results.result import Finding, Outcome


def language_of(config: pytest.Config) -> "Language":
    """The language of the option, of SOFTMARK_LANG or of the locale, in this order."""
    from graders.language import LANGUAGES, default_language

    name = config.getoption("softmark_lang") or os.environ.get("SOFTMARK_LANG")
    return next((language for language in LANGUAGES if language == name), default_language())


def speaking_of(config: pytest.Config) -> AbstractContextManager[None]:
    """A context in which softmark uses that language; other plugins of the process may use another."""
    from graders.language import speaking

    return speaking(language_of(config))


class _HandedIn(pytest.Collector):
    """A submission. A file that is not `sure` to be one is ignored if it has no exercises."""

    def __init__(self, assignment: str | None, sure: bool, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.assignment = assignment
        self.sure = sure

    def __repr__(self) -> str:
        return f"<Submission {self.name}>"

    def collect(self) -> list["ExerciseNode"]:
        """The exercises of its assignment.

        Raises:
            CollectError: it cannot be read, asks for no assignment's symbols, or the course is wrong.
        """
        self._settle_course()
        with speaking_of(self.config):
            program = self._program()
            name = None if program is None else self._assignment_of(program)
            if program is None or name is None:
                return []
            return [
                ExerciseNode.from_parent(self, name=o.name, assignment=name, outline=o, program=program)
                for o in self._outlines(name)
            ]

    def _settle_course(self) -> None:
        from graders.course.course_table import BadCourse
        from graders.pytest_plugin.settle_course import settle_course

        try:
            settle_course(self.config)
        except BadCourse as error:
            raise self.CollectError(str(error)) from error

    def _program(self) -> "Program | None":
        from graders.extraction.extract import study
        from graders.submission.read import Unreadable, read
        from graders.submission.resource_bounds import bound_resources

        try:
            with bound_resources():
                return study(read(self.path))
        except Unreadable as problem:
            if self.sure:
                raise self.CollectError(str(problem)) from problem
            return None

    def _assignment_of(self, program: "Program") -> str | None:
        from graders.course.outline import assignment_names, recognise, symbols_of
        from graders.language import tr

        assignment = recognise(program.symbols) if self.assignment is None else self.assignment
        if assignment is not None and (self.sure or symbols_of(assignment) & program.symbols):
            return assignment
        if not self.sure:
            return None
        message = tr(
            "{name} defines nothing that an assignment asks for; --softmark names one ({known})",
            name=self.path.name,
            known=", ".join(assignment_names()),
        )
        raise self.CollectError(message)

    def _outlines(self, name: str) -> tuple["ExerciseOutline", ...]:
        from graders.course.outline import UnknownName, choose

        try:
            return choose(name, self.config.getoption("softmark_exercise"))
        except UnknownName as error:
            raise self.CollectError(str(error)) from error


class HandedInFile(_HandedIn, pytest.File):
    """A notebook, a module or a zip."""


class HandedInFolder(_HandedIn, pytest.Directory):
    """A folder with the files of one submission."""


class ExerciseNode(pytest.Collector):
    """An exercise of a submission, which is graded when the first of its checks runs."""

    def __init__(
        self, assignment: str, outline: "ExerciseOutline", program: "Program", **arguments: Any
    ) -> None:
        super().__init__(**arguments)
        self.assignment = assignment
        self.outline = outline
        self._program = program
        self._shown: list[Finding] = []

    @cached_property
    def source(self) -> "Source | Missing":
        """The submission's code for the exercise, extracted only for grading: a list of checks needs none."""
        from graders.extraction.extract import Missing
        from graders.extraction.other_names import extract_by_names
        from graders.results.result import Outcome
        from graders.submission.read import Unreadable
        from graders.submission.resource_bounds import bound_resources

        try:
            with bound_resources(), speaking_of(self.config):
                names = self.outline.symbol, self.outline.other_names
                return extract_by_names(self._program, *names, self.outline.handed_out)
        except Unreadable as problem:
            return Missing(self.outline.symbol, Outcome.UNREADABLE, str(problem), (), ())

    def __repr__(self) -> str:
        return f"<Exercise {self.name}: {self.outline.title}>"

    def collect(self) -> list[pytest.Item]:
        """The exercise's checks, in their order; where one of its files is broken, what says so."""
        if self.outline.fault is not None:
            return [BrokenFile.from_parent(self, name="files", fault=self.outline.fault)]
        with speaking_of(self.config):
            return [CheckItem.from_parent(self, name=c.name, check=c) for c in self.outline.checks]

    def absent(self) -> "Missing | None":
        """What says that there is nothing to grade, where that is known without running anything."""
        from graders.extraction.extract import Missing

        return self.source if isinstance(self.source, Missing) and self.source.outcome.unwritten else None

    def is_first(self, check: str) -> bool:
        """Whether it is the exercise's first check: the one that fails where the code is unfinished."""
        return check == self.outline.checks[0].name

    def shown_before(self, finding: "Finding") -> "Finding | None":
        """A finding of the same cause that was shown in this process; else this one is shown now."""
        from reports.causes import have_one_cause

        if not finding.outcome.wrong:
            return None
        earlier = next((each for each in self._shown if have_one_cause(each, finding)), None)
        if earlier is None:
            self._shown.append(finding)
        return None if earlier is finding else earlier

    def grade(self) -> "GradedExercise":
        """The graded exercise. The first call in a process starts the box; an exercise is graded once."""
        from graders.pytest_plugin.grading import run_of

        return run_of(self.config).grade(self.path, self.assignment, self.name)


class BrokenFile(pytest.Item):
    """Says that a file of an exercise is broken: its checks are not known, and the others go on."""

    def __init__(self, fault: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._fault = fault

    def reportinfo(self) -> tuple[Path, None, str]:
        """What was handed in, and the exercise."""
        return self.path, None, f"{self.parent.name if self.parent else ''}: {self.name}"

    def runtest(self) -> None:
        """Fail."""
        pytest.fail(self._fault, pytrace=False)


class CheckItem(pytest.Item):
    """A check of an exercise of a submission. Its failure is the finding, as `softmark check` shows it."""

    parent: ExerciseNode

    def __init__(self, check: "CheckOutline", **arguments: Any) -> None:
        super().__init__(**arguments)
        self.says = check.says
        self._most = check.points
        self._set_properties(0.0, 0.0)
        self._graded: GradedExercise | None = None
        self._finding: Finding | None = None
        self._unfinished: str | None = None

    def __repr__(self) -> str:
        return f"<Check {self.name}: {self.says}>"

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file, the line of a module, and exercise and check with the place in a notebook."""
        label = f"{self.parent.name}: {self.name}"
        place = next(iter(self.parent.source.definitions), None)
        if place is None:
            return self.path, 0, label
        file = self.path / place.file if self.path.is_dir() else self.path
        if place.cell is None:
            return file, place.line - 1, label
        # A cell's line is not a line of the file: an editor would jump to the wrong place.
        return file, 0, f"{label} (cell {place.cell}, line {place.line})"

    def setup(self) -> None:
        """Grade the exercise, if it is not graded yet. A failure here is softmark's own, not the check's."""
        if absent := self.parent.absent():
            self._add_ending(absent.outcome, begun=absent.place is not None)
            self._fail_or_skip(absent.outcome, absent.says)
            return
        from graders.pytest_plugin import failure_text
        from graders.results.result import Outcome

        with speaking_of(self.config):
            self._graded = self.parent.grade()
            self._finding = self._graded.finding(self.name)
            self._set_properties(
                self._graded.points(self.name), self._graded.undecided(self.name, self._most)
            )
            exercise = self._graded.result
            self._add_ending(exercise.outcome, begun=exercise.place is not None)
            self.user_properties += [("sandbox", self._graded.sandbox)]
            self.user_properties += [("fix_first", symbol) for symbol in exercise.fix_first]
            self.user_properties += [("parts_replaced", symbol) for symbol in exercise.parts_replaced]
            self.user_properties += [("not_counted", exercise.not_counted)]
            self.user_properties += [("remark", sentence) for sentence in failure_text.remarks(self._graded)]
            outcome = self._finding.outcome if self._finding else self._graded.result.outcome
            broken = outcome is Outcome.BROKEN and failure_text.why_broken(self._graded, self._finding)
        if outcome is Outcome.UNFINISHED:
            self._fail_or_skip(outcome, failure_text.why_skipped(self._graded, self._finding) or "")
        if broken:
            pytest.fail(broken, pytrace=False)

    def runtest(self) -> None:
        """Pass, skip or fail as the finding says."""
        if self._unfinished:
            pytest.fail(self._unfinished, pytrace=False)
        from graders.pytest_plugin import failure_text

        assert self._graded is not None
        with speaking_of(self.config):
            skipped = failure_text.why_skipped(self._graded, self._finding)
            earlier = self.parent.shown_before(self._finding) if self._finding else None
            failed = None if skipped else failure_text.why_failed(self._graded, self._finding, earlier)
        if skipped:
            pytest.skip(skipped)
        if failed:
            pytest.fail(failed, pytrace=False)

    def _fail_or_skip(self, outcome: "Outcome", reason: str) -> None:
        """Skip the check of code that is not there; of code that is begun, the first check fails."""
        if outcome == "unfinished" and self.parent.is_first(self.name):
            self._unfinished = reason  # failing here would be an error of softmark's
        else:
            pytest.skip(reason)

    def _add_ending(self, outcome: "Outcome", *, begun: bool) -> None:
        """Add how the exercise ended, and whether its own code is begun, where it is unfinished."""
        self.user_properties += [("outcome", str(outcome)), ("begun", begun)]

    def _set_properties(self, points: float, undecided: float) -> None:
        """Set the properties of the check's report; under xdist, the summary sees nothing else."""
        exercise = self.parent
        properties: list[tuple[str, object]] = [
            ("softmark", exercise.assignment),
            ("exercise", exercise.name),
            ("points", points),
            ("max_points", self._most),
            ("undecided_points", undecided),
            ("defined", bool(exercise.source.definitions)),
        ]
        self.user_properties[:] = properties
