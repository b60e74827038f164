"""Run the checks of one exercise on one candidate: replay their draws and turn the results into findings."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.check_api.mask_sense import MaskNotTaken
from graders.course.exercise import Exercise
from graders.diagnosis.right_parts import RightParts
from graders.judging import score
from graders.judging.another_answer import AnotherAnswer, TryAlone, is_wrong
from graders.judging.case_view import case_of
from graders.judging.draws import Draws
from graders.judging.explain_in_time import explain_safely, in_time
from graders.judging.global_sizes import tell_global_sizes
from graders.judging.growth_finding import Measure, add_growth_findings
from graders.judging.judge_around import candidate_around, judge_under_both_readings
from graders.judging.kept_draws import Example
from graders.judging.load_candidate import load_candidate
from graders.judging.mask_reading import judge_as_read
from graders.judging.name_mistakes import name_mistakes, places
from graders.judging.parts_to_fix import parts_to_fix
from graders.judging.show_smallest import finding_on, show_on_smallest
from graders.judging.smallest_failure import Failure, find_smallest
from graders.judging.undecidable import decide_where_wrong, undecidable_checks
from graders.judging.usual_sizes import failed_for_sizes_not_taken, tell_sizes
from graders.language import tr
from graders.results.case import Case
from graders.results.limit import Limit
from graders.results.measurements import Timing
from graders.results.result import ExerciseResult, Finding, Outcome, Place
from graders.safe_text import safe_text
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import Session

MOST_LATE = 2  # checks of an exercise that run out of time: the others are not tried


def judge_exercise(
    exercise: Exercise,
    draws: Draws,
    session: Session,
    candidate: RemoteCandidate,
    wrong: frozenset[str] = frozenset(),
    *,
    names_mistakes: bool = True,
    time: Callable[[], Timing | None] | None = None,
    grows: Measure | None = None,
    interrupted: Callable[[Check, KeyboardInterrupt], Finding] | None = None,
) -> ExerciseResult:
    """Load a candidate, run all checks of its exercise, explain failures, time the code if it passes.

    Args:
        exercise: the one whose checks run.
        draws: those of the run.
        session: the one that the candidate uses.
        candidate: not loaded yet; afterwards its `remarks` are complete.
        wrong: the symbols of the submission's exercises that were found wrong.
        names_mistakes: whether failed checks get the known mistakes that explain them.
        time: times the code, once it has passed all checks.
        grows: measures how the cost of the code grows, for checks of that; None where it cannot be done.
        interrupted: gives the finding of the check that the person interrupted, which is the last then.
    """
    definitions = candidate.source.definitions
    if (unjudged := load_candidate(exercise, candidate)) is not None:
        return unjudged
    judge = Judge(exercise, draws, session, candidate, names_mistakes)
    check, findings = exercise.value_checks[0], []
    try:
        judge, about_sizes = judge.at_usual_sizes()
        judge = replace(judge, failures={})
        for check in judge.exercise.value_checks:
            findings.append(about_sizes.get(check.name) or judge.try_check(check))
    except KeyboardInterrupt as interruption:
        if interrupted is None:
            raise
        findings.append(interrupted(check, interruption))
    else:
        if candidate.unbound:
            return score.unjudged_result(exercise, Outcome.RAISED, candidate.unbound, definitions)
        try_again = partial(judge.try_check, wrong=True)
        findings = decide_where_wrong(judge.exercise, draws, findings, try_again)
        time = None if any(f.outcome.failed_or_raised for f in findings) else time
        try:
            others = judge.with_masks_as_read([f for f in findings if f.check not in about_sizes])
            explained = {f.check: f for f in judge.explain(others, wrong)}
            findings = tell_global_sizes(candidate, [explained.get(f.check, f) for f in findings])
        except KeyboardInterrupt as interruption:
            if interrupted is None:
                raise
            interrupted(check, interruption)  # what was found stays, without its explanation
        findings = add_growth_findings(exercise, findings, grows, draws.known_mistakes)
    result = score.exercise_result(exercise, findings, definitions)
    if result.outcome.wrong:
        result = replace(result, fix_first=parts_to_fix(definitions, wrong, judge.replaceable(wrong)))
    # Where only the reference is missing, what is not wrong can be timed against PyTorch's own.
    timeable = not result.outcome.wrong and not undecidable_checks(exercise, draws, findings)
    return score.with_timing(exercise, result, time() if time and timeable else None)


@dataclass(frozen=True)
class Judge:
    """Judges the checks of one exercise for one submission."""

    exercise: Exercise
    draws: Draws
    session: Session
    candidate: RemoteCandidate
    names_mistakes: bool = True
    late: list[str] = field(default_factory=list)  # the names of the checks that ran out of time
    # By check: the failures that `explain` shows on the smallest draw; None where that is done at once.
    failures: dict[str, Failure] | None = None

    @property
    def gives_up(self) -> bool:
        """Whether so many checks ran out of time that no further one is tried."""
        return len(self.late) >= MOST_LATE

    def try_check(self, check: Check, wrong: bool = False) -> Finding:
        """The check's finding. Never raises: our own errors give the outcome `broken`.

        Where the module is known to be wrong, a draw that cannot be decided does not count beside others.
        """
        self.session.printed = ""
        try:
            if not self.draws.decidable(self.exercise, check):
                return self.finding(check, Outcome.SKIPPED, tr("decided at hand-in: it needs the reference"))
            if self.gives_up:
                not_tried = tr("not tried: {n} checks before it ran out of time", n=MOST_LATE)
                return self.finding(check, Outcome.TIMED_OUT, not_tried, limit=Limit.TIME)
            remark, undecided, holds = None, None, False
            examples = self.draws.for_check(self.exercise, check, self.candidate.source.constants)
            for example, result in zip(examples, self._try_together(check, examples), strict=True):
                if isinstance(result, Exception):
                    result = self._try_alone(check, example, result)
                if isinstance(result, Undecidable):
                    undecided = result  # a draw on which it is wrong decides
                elif isinstance(result, Exception):
                    return self._finding_of_failure(check, example, result)
                else:
                    remark, holds = remark or result, True
            if undecided and not (wrong and holds):
                return self.finding(
                    check, Outcome.SKIPPED, tr("your instructor decides: {why}", why=undecided)
                )
        except Exception:  # no check may cost the others their points
            return self.finding(check, Outcome.BROKEN, tr(score.OURS), staff=traceback.format_exc(limit=-6))
        return self.finding(check, Outcome.PASSED, remark)

    def try_named(self, name: str) -> Finding:
        """The finding of a check by its name."""
        return self.try_check(next(check for check in self.exercise.checks if check.name == name))

    def at_usual_sizes(self) -> tuple["Judge", dict[str, Finding]]:
        """The judge at the usual values of sizes not taken, and the findings of the checks about these."""
        free = failed_for_sizes_not_taken(self.exercise, self.candidate, self.draws, self.try_named)
        if not free:
            return self, {}
        exercise, draws = self.exercise.at_usual_sizes([*free]), self.draws.at_usual_sizes([*free])
        self.candidate.use_mapping_draws(partial(draws.mapping_draws, exercise))
        judge = replace(self, exercise=exercise, draws=draws)
        return judge, tell_sizes(free, self.candidate, judge.try_named)

    def with_masks_as_read(self, findings: list[Finding]) -> list[Finding]:
        """The findings; where masks are read in another way, the other checks are judged with such masks."""
        failed = any(f.outcome.failed_or_raised for f in findings)
        known_mistakes = self.draws.known_mistakes(self.exercise) if failed and self.exercise.mask else None
        if self.exercise.mask is None or known_mistakes is None or self.gives_up:
            return findings
        judge = partial(
            judge_as_read,
            self.exercise.mask,
            self.candidate,
            draws=partial(self.draws.diagnostic_draws, self.exercise),
            identify=partial(known_mistakes.identify, self.candidate),
            try_again=lambda finding: self.try_named(finding.check),
        )
        return explain_safely(in_time(self.session, judge), findings)

    def explain(self, findings: list[Finding], wrong: frozenset[str]) -> list[Finding]:
        """The findings: passed ones where they hold with right parts, else with the known mistakes.

        Never raises: if the diagnosis itself fails, the findings stay, with its traceback for the instructor.

        Args:
            findings: of all checks of the exercise.
            wrong: the symbols of the submission's exercises that were found wrong.
        """
        if not any(f.outcome.failed_or_raised for f in findings):
            return findings  # what an answer key knows of mistakes is not even read
        parts = self.draws.right_parts(self.exercise, wrong)
        if parts is not None:
            findings = explain_safely(partial(self._judge_around, parts=parts), findings)
        show = partial(show_on_smallest, self, self.failures or {})
        findings = [show(f) if f.outcome.failed_or_raised else f for f in findings]
        known_mistakes = self.draws.known_mistakes(self.exercise)
        if known_mistakes is None:
            return findings
        for around in places(parts) if self.names_mistakes else ():
            if around is None and self.gives_up:
                continue
            name = partial(name_mistakes, self.session, self.candidate, known_mistakes, around)
            findings = explain_safely(in_time(self.session, name), findings)
        return findings

    def replaceable(self, wrong: frozenset[str]) -> frozenset[str]:
        """The wrong parts in whose place right ones can stand."""
        parts = self.draws.right_parts(self.exercise, wrong)
        return frozenset(parts.descriptions) if parts else frozenset()

    def _judge_around(self, findings: list[Finding], parts: RightParts) -> list[Finding]:
        """The findings; passed where the check holds with right parts in place of wrong ones."""
        with candidate_around(parts, self.session, self.candidate) as candidate:
            if candidate is None:
                return findings
            candidate.load()
            judge = replace(
                self, candidate=candidate, draws=self.draws.without_search(), late=[], failures=None
            )
            return judge_under_both_readings(parts, candidate, findings, judge)

    def _try_together(self, check: Check, examples: Sequence[Example]) -> Sequence[Exception | str | None]:
        """The check's result on each draw, all tried together. Those that fail must be tried again alone."""
        works = [partial(self.try_on, check, example) for example in examples]
        return self.candidate.together(works) or [TryAlone()] * len(examples)

    def _try_alone(self, check: Check, example: Example, first: Exception) -> Exception | str | None:
        """How the check fails on a draw by itself, which tells its place and its output.

        A draw that was wrong must not pass now. One that a limit or another draw has stopped may.
        """
        self.session.printed = ""  # the output of this draw alone, not of all that were tried together
        again = self.try_on(check, example)
        return AnotherAnswer(first) if is_wrong(first) and not isinstance(again, Exception) else again

    def try_on(self, check: Check, example: Example) -> Exception | str | None:
        """How the check fails on a draw; where it holds, its remark if it has one."""
        try:
            remark: str | None = check.body(self.candidate, example.draw, *example.answer)
            return remark
        except (Violation, RaisedByStudent, ProcessLost, Undecidable) as failure:
            failure.__context__ = None
            return failure.with_traceback(None)  # whose frames would keep every answer of the check alive
        except MaskNotTaken:  # such masks count in the check that is about the axes
            return None

    def _finding_of_failure(self, check: Check, example: Example, failure: Exception) -> Finding:
        """The finding of a check that failed, and what its smallest draw is looked for with."""
        if self.failures:
            self.failures.pop(check.name, None)
        if isinstance(failure, ProcessLost):
            if failure.outcome is Outcome.TIMED_OUT:
                self.late.append(check.name)
            place, case = self.candidate.errors.place_of(failure), case_of(example.draw)
            return self.finding(
                check, failure.outcome, str(failure), case, place, failure.staff, failure.limit
            )
        if check.needs_reference and isinstance(failure, Violation) and self.candidate.mapper.unproven:
            return self.finding(check, Outcome.FAILED, self.candidate.mapper.says_unproven)
        first = Failure(check, example, failure, self.session.printed, self.candidate.mask_reading)
        if self.failures is None:
            return finding_on(self, check, *find_smallest(self, first))
        self.failures[check.name] = first
        return finding_on(self, check, example, failure)

    def finding(
        self,
        check: Check,
        outcome: Outcome,
        message: str | None = None,
        case: Case | None = None,
        place: Place | None = None,
        staff: str | None = None,
        limit: Limit | None = None,
    ) -> Finding:
        """The finding of a check, worth its points if it holds; what the code has printed goes with it."""
        points = self.exercise.points_of(check)
        return Finding(
            check=check.name,
            outcome=outcome,
            points=points if outcome is Outcome.PASSED else 0,
            max_points=points,
            says=check.says,
            message=message,
            case=case,
            place=place,
            output=safe_text(self.session.printed, 4_000) if self.session.printed and message else None,
            staff=staff,
            limit=limit,
            on_its_word=check.on_its_word,
        )
