"""The line, top to bottom: submission -> source -> candidate -> checks -> findings -> result.

The first file to read. Each step has a file of its own name.
"""

import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from graders.candidate.remote_candidate import RemoteCandidate
from graders.course.exercise import Assignment, Exercise
from graders.extraction.extract import Missing, Program, Source, extract, study
from graders.judging import score
from graders.judging.draws import Draws
from graders.judging.judge import WRONG, Judge
from graders.language import tr
from graders.results.measurements import Timing
from graders.results.result import ExerciseResult, Outcome, Remark, Result, SubmissionInfo
from graders.sandbox.box import Box, BoxBroken
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.submission.read import Submission, Unreadable, read
from graders.submission.resource_bounds import bound_resources
from graders.timing.stopwatch import Stopwatch
from graders.trained.held_out import evaluation_set
from graders.trained.judge_model import judge_model


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
    deck: Draws
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
            with bound_resources():
                submission = read(path, name)
                program = study(submission)
                handed = [_handed(program, e) for e in self.assignment.exercises]
            return self._graded(submission, handed, [*submission.remarks, *program.remarks], wrong)
        except Unreadable as problem:
            return self._unreadable(info, str(problem))
        except Exception:  # a fault of ours on one submission must not cost the others anything
            staff = traceback.format_exc(limit=-6)
            return score.broken_result(self.assignment, info, staff, self._run)

    def _graded(
        self, submission: Submission, handed: list[Handed], remarks: list[Remark], wrong: frozenset[str]
    ) -> Result:
        pairs = list(zip(self.assignment.exercises, handed, strict=True))
        prepare(self.deck, (exercise for exercise, each in pairs if isinstance(each.source, Source)))
        with BoxSession(self.box) as turn:
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
        turn: BoxSession,
        remarks: list[Remark],
        wrong: frozenset[str],
    ) -> ExerciseResult:
        remarks += source.remarks
        if isinstance(source, Missing):
            return score.unjudged_result(exercise, source.outcome, source.says, source.definitions)
        candidate = RemoteCandidate(turn, source, partial(self.deck.mapping_draws, exercise), self.deck.dtype)
        try:
            remarks += candidate.load()
        except ProcessLost as lost:
            says = candidate.errors.with_place(lost)
            return score.unjudged_result(exercise, lost.outcome, says, source.definitions)
        except BoxBroken as broken:
            return score.unjudged_result(
                exercise, Outcome.BROKEN, tr(score.OURS), source.definitions, str(broken)
            )
        if candidate.problem:
            return score.unjudged_result(exercise, Outcome.RAISED, candidate.problem, source.definitions)
        judge = Judge(exercise, self.deck, turn, candidate)
        findings = [judge.finding(check) for check in exercise.checks]
        findings = judge.reasoned(findings, wrong)
        if candidate.mapper.says:
            remarks.append(Remark(f"{exercise.symbol}: {candidate.mapper.says}"))
        result = score.exercise_result(exercise, findings, source.definitions)
        return score.with_timing(exercise, result, self._timing(exercise, source, turn, result.outcome))

    def _timing(
        self, exercise: Exercise, source: Source, turn: BoxSession, outcome: Outcome
    ) -> Timing | None:
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
            return score.unjudged_result(exercise, model.outcome, model.says, model.definitions)
        return judge_model(exercise, submission, model, handed.beside, self.box, self.deck.seed)

    def _wrong(self, results: list[ExerciseResult]) -> frozenset[str]:
        """The symbols of exercises that were attempted and found wrong."""
        pairs = zip(self.assignment.exercises, results, strict=False)
        return frozenset(exercise.symbol for exercise, result in pairs if result.outcome in WRONG)

    def _unreadable(self, info: SubmissionInfo, says: str) -> Result:
        exercises = [score.unjudged_result(e, Outcome.NOT_ATTEMPTED, says) for e in self.assignment.exercises]
        return self._total(info, exercises, [Remark(says)])

    @property
    def _run(self) -> score.Run:
        return score.Run(self.deck.seed, self.box.level, self.box.device)

    def _total(self, info: SubmissionInfo, exercises: list[ExerciseResult], remarks: list[Remark]) -> Result:
        return score.submission_result(self.assignment, info, exercises, remarks, self._run)


def prepare(deck: Draws, exercises: Iterable[Exercise]) -> None:
    """Make now what all submissions share: the draws of these exercises and the texts to measure models on.

    Processes that are forked later share them, and no submission waits for them.
    """
    chosen = list(exercises)
    for exercise in chosen:
        if exercise.rule is not None:
            evaluation_set(exercise.rule, deck.seed)
    deck.prepare(chosen)


def _handed(program: Program, exercise: Exercise) -> Handed:
    beside = {name: extract(program, name, exercise.handed_out) for name in exercise.beside}
    return Handed(extract(program, exercise.symbol, exercise.handed_out), beside)
