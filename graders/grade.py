"""The line, top to bottom: submission -> source -> candidate -> checks -> findings -> result.

The first file to read. Each step has a file of its own name.
"""

import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from graders.candidate.remote_candidate import Boxed
from graders.course.exercise import Assignment, Exercise
from graders.extraction.extract import Missing, Program, Source, extract, study
from graders.judging import score
from graders.judging.draws import Deck
from graders.judging.judge import WRONG, Judge
from graders.language import tr
from graders.results.result import ExerciseResult, Outcome, Remark, Result, SubmissionInfo, Timing
from graders.sandbox.box import Box, BoxBroken
from graders.sandbox.process_lost import Lost
from graders.sandbox.session import Turn
from graders.submission.read import Submission, Unreadable, read
from graders.submission.resource_bounds import bounded
from graders.timing.stopwatch import Stopwatch
from graders.trained.held_out import yardstick
from graders.trained.judge_model import judged


@dataclass(frozen=True)
class Handed:
    """The code of an exercise's symbol, and of those that may come with it."""

    source: Source | Missing
    beside: Mapping[str, Source | Missing]


@dataclass(frozen=True)
class Grader:
    """Grades submissions to one assignment: the same draws and the same box for any number of them.

    With a `stopwatch`, what passes its checks and is of an exercise that is timed is timed.
    """

    assignment: Assignment
    deck: Deck
    box: Box
    stopwatch: Stopwatch | None = None

    def only(self, exercises: tuple[str, ...]) -> "Grader":
        """The same for these exercises alone."""
        return replace(self, assignment=self.assignment.only(exercises))

    def grade(self, path: Path, name: str, wrong: frozenset[str] = frozenset()) -> Result:
        """Grade what lies at `path`. Whatever that is, a result comes back.

        Args:
            path: a notebook, a module, a folder or a zip.
            name: whose it is.
            wrong: the symbols of exercises that were found wrong in it before, and are not graded now.
        """
        info = SubmissionInfo(name, (path.name,), "")
        try:
            with bounded():
                submission = read(path, name)
                program = study(submission)
                handed = [_handed(program, e) for e in self.assignment.exercises]
            return self._graded(submission, handed, [*submission.remarks, *program.remarks], wrong)
        except Unreadable as problem:
            return self._unreadable(info, str(problem))
        except Exception:  # a fault of ours on one submission must not cost the others anything
            staff = traceback.format_exc(limit=-6)
            return score.broken(self.assignment, info, staff, self._run)

    def _graded(
        self, submission: Submission, handed: list[Handed], remarks: list[Remark], wrong: frozenset[str]
    ) -> Result:
        pairs = list(zip(self.assignment.exercises, handed, strict=True))
        prepare(self.deck, (exercise for exercise, each in pairs if isinstance(each.source, Source)))
        with Turn(self.box) as turn:
            exercises: list[ExerciseResult] = []
            for exercise, each in pairs:
                if exercise.rule is None:
                    before = wrong | self._wrong(exercises)
                    found = self._exercise(exercise, each.source, turn, remarks, before)
                else:
                    turn.close()  # one process at a time
                    found = self._trained(exercise, each, submission, remarks)
                exercises.append(found)
        names = tuple(file.name for file in (*submission.files, submission.checkpoint) if file)
        info = SubmissionInfo(submission.id, names, submission.sha256)
        return self._total(info, exercises, remarks)

    def _exercise(
        self,
        exercise: Exercise,
        source: Source | Missing,
        turn: Turn,
        remarks: list[Remark],
        wrong: frozenset[str],
    ) -> ExerciseResult:
        remarks += source.remarks
        if isinstance(source, Missing):
            return score.unjudged(exercise, source.outcome, source.says, source.definitions)
        candidate = Boxed(turn, source, partial(self.deck.proofs, exercise), self.deck.dtype)
        try:
            remarks += candidate.load()
        except Lost as lost:
            says = candidate.account.explained(lost)
            return score.unjudged(exercise, lost.outcome, says, source.definitions)
        except BoxBroken as broken:
            return score.unjudged(exercise, Outcome.BROKEN, tr(score.OURS), source.definitions, str(broken))
        if candidate.problem:
            return score.unjudged(exercise, Outcome.RAISED, candidate.problem, source.definitions)
        judge = Judge(exercise, self.deck, turn, candidate)
        findings = [judge.finding(check) for check in exercise.checks]
        findings = judge.reasoned(findings, wrong)
        if candidate.naming.says:
            remarks.append(Remark(f"{exercise.symbol}: {candidate.naming.says}"))
        result = score.judged(exercise, findings, source.definitions)
        return score.timed(exercise, result, self._timing(exercise, source, turn, result.outcome))

    def _timing(self, exercise: Exercise, source: Source, turn: Turn, outcome: Outcome) -> Timing | None:
        if self.stopwatch is None or exercise.timed is None or outcome is not Outcome.PASSED:
            return None
        turn.close()  # it must not run beside what is timed
        return self.stopwatch.time(exercise, source)

    def _trained(
        self, exercise: Exercise, handed: Handed, submission: Submission, remarks: list[Remark]
    ) -> ExerciseResult:
        model = handed.source
        remarks += model.remarks
        if isinstance(model, Missing):
            return score.unjudged(exercise, model.outcome, model.says, model.definitions)
        return judged(exercise, submission, model, handed.beside, self.box, self.deck.seed)

    def _wrong(self, results: list[ExerciseResult]) -> frozenset[str]:
        """The symbols of exercises that were attempted and found wrong."""
        pairs = zip(self.assignment.exercises, results, strict=False)
        return frozenset(exercise.symbol for exercise, result in pairs if result.outcome in WRONG)

    def _unreadable(self, info: SubmissionInfo, says: str) -> Result:
        exercises = [score.unjudged(e, Outcome.NOT_ATTEMPTED, says) for e in self.assignment.exercises]
        return self._total(info, exercises, [Remark(says)])

    @property
    def _run(self) -> score.Run:
        return score.Run(self.deck.seed, self.box.rung, self.box.device)

    def _total(self, info: SubmissionInfo, exercises: list[ExerciseResult], remarks: list[Remark]) -> Result:
        return score.total(self.assignment, info, exercises, remarks, self._run)


def prepare(deck: Deck, exercises: Iterable[Exercise]) -> None:
    """Make now what all submissions share: the draws of these exercises and the texts to measure models on.

    Processes that are forked later share them, and no submission waits for them.
    """
    chosen = list(exercises)
    for exercise in chosen:
        if exercise.rule is not None:
            yardstick(exercise.rule, deck.seed)
    deck.prepare(chosen)


def _handed(program: Program, exercise: Exercise) -> Handed:
    beside = {name: extract(program, name, exercise.handed_out) for name in exercise.beside}
    return Handed(extract(program, exercise.symbol, exercise.handed_out), beside)
