"""The checks of one exercise against one candidate: replay their draws, and make findings of what happens."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from graders.candidate.parameter_mapping.mapper import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check, Raised
from graders.check_api.compare import Violation
from graders.course.exercise import Exercise
from graders.diagnosis.faulty_parts import PatchedReference, patched_reference
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.judging import score
from graders.judging.case_view import case_of
from graders.judging.draws import Draws, Example
from graders.language import tr
from graders.results.case import Case
from graders.results.limit import Limit
from graders.results.measurements import Timing
from graders.results.mistakes import join_mistakes
from graders.results.result import ExerciseResult, Finding, Outcome, Place
from graders.safe_text import safe_text
from graders.sandbox.box import BoxBroken
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import Session


def judge_exercise(
    exercise: Exercise,
    draws: Draws,
    session: Session,
    candidate: RemoteCandidate,
    wrong: frozenset[str] = frozenset(),
    *,
    time: Callable[[], Timing | None] | None = None,
    interrupted: Callable[[Check, KeyboardInterrupt], Finding] | None = None,
) -> ExerciseResult:
    """Load a candidate, try all checks of its exercise, explain what went wrong, time what passed.

    Args:
        exercise: whose checks are tried.
        draws: those of the run.
        session: the one that the candidate asks.
        candidate: not loaded yet; afterwards its `remarks` are complete.
        wrong: the symbols of the submission's exercises that were found wrong.
        time: times the code, once it has passed all checks.
        interrupted: gives the finding of a check during which the person stopped the run, which ends it.
            Without it the interruption is raised.
    """
    definitions = candidate.source.definitions
    try:
        candidate.load()
    except ProcessLost as lost:
        message = candidate.errors.with_place(lost)
        return score.unjudged_result(exercise, lost.outcome, message, definitions, limit=lost.limit)
    except BoxBroken as broken:
        return score.unjudged_result(exercise, Outcome.BROKEN, tr(score.OURS), definitions, str(broken))
    if candidate.problem:
        limit = candidate.problem_limit
        return score.unjudged_result(exercise, Outcome.RAISED, candidate.problem, definitions, limit=limit)
    judge = Judge(exercise, draws, session, candidate)
    findings = []
    try:
        for check in exercise.checks:
            findings.append(judge.finding(check))
    except KeyboardInterrupt as interruption:
        if interrupted is None:
            raise
        findings.append(interrupted(check, interruption))
    else:
        findings = judge.explain(findings, wrong)
    result = score.exercise_result(exercise, findings, definitions)
    timing = time() if time and result.outcome is Outcome.PASSED else None
    return score.with_timing(exercise, result, timing)


class Apart(Exception):
    """A draw has to be tried by itself."""


@dataclass(frozen=True)
class Judge:
    """Judges the checks of one exercise for one submission."""

    exercise: Exercise
    draws: Draws
    session: Session
    candidate: RemoteCandidate

    def finding(self, check: Check) -> Finding:
        """What the check finds. Never raises: our own faults become `broken`."""
        self.session.printed = ""
        try:
            if not self.draws.decidable(self.exercise, check):
                return self._finding(check, Outcome.SKIPPED, tr("decided at hand-in: it needs the reference"))
            remark = None
            draws = self.draws.for_check(self.exercise, check)
            for example, found in zip(draws, self._at_once(check, draws), strict=True):
                found = self._alone(check, example) if isinstance(found, Exception) else found
                if isinstance(found, Exception):
                    return self._explained(check, example, found)
                remark = remark or found
        except Exception:  # no check may cost the others their points
            return self._finding(check, Outcome.BROKEN, tr(score.OURS), staff=traceback.format_exc(limit=-6))
        return self._finding(check, Outcome.PASSED, remark)

    def explain(self, findings: list[Finding], wrong: frozenset[str]) -> list[Finding]:
        """The findings of all checks, what a part did wrong excused, the rest with its mistake's name.

        Never raises: what softmark cannot explain stays as it is, and the instructor reads why.

        Args:
            findings: of all checks of the exercise.
            wrong: the symbols of the submission's exercises that were found wrong.
        """
        suspects = self.draws.known_mistakes(self.exercise)
        if suspects is None:
            return findings
        findings = self._carefully(partial(self._blamed, wrong=wrong, suspects=suspects), findings)
        return self._carefully(partial(self._hinted, suspects=suspects), findings)

    def _carefully(
        self, explain: Callable[[list[Finding]], list[Finding]], findings: list[Finding]
    ) -> list[Finding]:
        if not any(f.outcome.failed_or_raised for f in findings):
            return findings
        try:
            return explain(findings)
        except (ProcessLost, Raised):  # it answered the checks, and does not answer this
            return findings
        except Exception:  # as in `finding`: what else was found must not be lost
            staff = traceback.format_exc(limit=-6)
            return [replace(f, staff=f.staff or staff) if f.outcome.failed_or_raised else f for f in findings]

    def _blamed(
        self, findings: list[Finding], wrong: frozenset[str], suspects: KnownMistakes
    ) -> list[Finding]:
        """The findings; those that went wrong by a part alone, which is judged by itself, as passed."""
        if not wrong:
            return findings
        proofs = self.draws.mapping_draws(self.exercise)
        whole = patched_reference(suspects.reference, self.candidate, wrong, suspects.wardrobe, proofs)
        return findings if whole is None else [self._excused(f, whole) for f in findings]

    def _excused(self, finding: Finding, whole: PatchedReference) -> Finding:
        check = next(c for c in self.exercise.checks if c.name == finding.check)
        if not finding.outcome.failed_or_raised or not self._fails(check, whole):
            return finding
        name = self.exercise.symbol
        says = tr(
            "counted where it is: with your own parts in it, the reference's {name} fails too", name=name
        )
        return self._finding(check, Outcome.PASSED, says)

    def _fails(self, check: Check, whole: PatchedReference) -> bool:
        try:
            for example in self.draws.for_check(self.exercise, check):
                check.body(whole, example.draw, *example.answer)
        except (Violation, Raised, Undecidable):
            return True
        return False

    def _hinted(self, findings: list[Finding], suspects: KnownMistakes) -> list[Finding]:
        """The findings; those that went wrong with the hint of the known mistake that explains them."""
        self.session.close()  # what the checks did must not be remembered
        mistakes = suspects.identify(self.candidate)
        mistake = join_mistakes(mistakes)
        return [
            replace(f, mistake=mistake, mistakes=mistakes) if f.outcome.failed_or_raised else f
            for f in findings
        ]

    def _at_once(self, check: Check, draws: Sequence[Example]) -> Sequence[Exception | str | None]:
        """How the check fares on each draw, asked together. Only where it holds is that the last word."""
        works = [partial(self._tried, check, example) for example in draws]
        return self.candidate.together(works) or [Apart()] * len(draws)

    def _alone(self, check: Check, example: Example) -> Exception | str | None:
        self.session.printed = ""  # of this draw alone: it was printed once before
        return self._tried(check, example)

    def _tried(self, check: Check, example: Example) -> Exception | str | None:
        """How the check fails on a draw; where it holds, its remark if it has one."""
        try:
            return check.body(self.candidate, example.draw, *example.answer)
        except (Violation, RaisedByStudent, ProcessLost, Undecidable) as failure:
            return failure

    def _explained(self, check: Check, example: Example, failure: Exception) -> Finding:
        if isinstance(failure, Undecidable):
            return self._finding(check, Outcome.SKIPPED, tr("your instructor decides: {why}", why=failure))
        if isinstance(failure, ProcessLost):
            place, case = self.candidate.errors.place_of(failure), case_of(example.draw)
            return self._finding(
                check, failure.outcome, str(failure), case, place, failure.staff, failure.limit
            )
        smallest = self.draws.smallest(self.exercise, check, example, self._like(check, failure))
        again = self._tried(check, smallest)
        if type(again) is not type(failure):  # it does not fail each time: show the first
            smallest, again = example, failure
        if isinstance(again, RaisedByStudent):
            case = case_of(smallest.draw)
            return self._finding(check, again.outcome, str(again), case, again.place, limit=again.limit)
        assert isinstance(again, Violation)
        return self._finding(check, Outcome.FAILED, safe_text(str(again)), case_of(smallest.draw, again))

    def _like(self, check: Check, failure: Exception) -> Callable[[Example], bool]:
        """Whether a draw fails in the same way: the same kind of failure, the same kind of error."""

        def kind(error: Exception | str | None) -> tuple[object, ...]:
            return type(error), error.kind if isinstance(error, RaisedByStudent) else ""

        return lambda example: kind(self._tried(check, example)) == kind(failure)

    def _finding(
        self,
        check: Check,
        outcome: Outcome,
        message: str | None = None,
        case: Case | None = None,
        place: Place | None = None,
        staff: str | None = None,
        limit: Limit | None = None,
    ) -> Finding:
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
        )
