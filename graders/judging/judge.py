"""Try the checks of one exercise on one candidate: replay their draws and turn what comes into findings."""

import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.recorded_calls import Record
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.check_api.mask_sense import MaskNotTaken
from graders.check_api.usual_sizes import UsualSize
from graders.course.exercise import Exercise
from graders.judging import score
from graders.judging.another_answer import AnotherAnswer, TryAlone, is_wrong
from graders.judging.ask_again import Recorder
from graders.judging.case_view import case_of
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.judging.show_smallest import finding_on
from graders.judging.smallest_failure import Failure, find_smallest
from graders.judging.usual_sizes import failed_for_sizes_not_taken, judge_sizes
from graders.language import tr, translatable
from graders.results.case import Case
from graders.results.limit import Limit
from graders.results.result import Finding, Outcome, Place
from graders.safe_text import safe_text
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import Session

FEW = 4  # draws of a check on which nearly all that is wrong fails
NOT_ASKED = ""  # in place of a remark: the draw's mask has no form that the code takes
MOST_LATE = 2  # checks of an exercise that run out of time: the others are not tried


_NO_SUCH_MASK = translatable(
    "this needs a mask that hides other keys from each query, and your code takes one value for each key, "
    "which is the same for all queries"
)


def holds(result: Exception | str | None) -> bool:
    """Whether a check holds on a draw, as `Judge.try_on` gives it: it was asked, and did not fail."""
    return not isinstance(result, Exception) and result != NOT_ASKED


@dataclass(frozen=True)
class Judge:
    """Judges the checks of one exercise for one submission."""

    exercise: Exercise
    draws: Draws
    session: Session
    candidate: RemoteCandidate
    late: list[str] = field(default_factory=list)  # the names of the checks that ran out of time
    # By check: the failures that `explain` shows on the smallest draw; None where that is done at once.
    failures: dict[str, Failure] | None = None
    # The names of failed checks that known mistakes explain, also where none is named: several fit, or they
    # explain what a block answers without its feed-forward network.
    explained: set[str] = field(default_factory=set)
    recorder: Recorder | None = None  # of calls that are asked again when all is judged

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
            remark, undecided, holds, asked = None, None, False, False
            examples = self.draws.for_check(self.exercise, check, self.candidate.source.constants)
            records = self.recorder.start(check, examples) if self.recorder else {}
            results = self._try_together(check, examples, records)
            for number, (example, result) in enumerate(zip(examples, results, strict=True)):
                if isinstance(result, Exception):
                    records.pop(number, None)
                    result = self._try_alone(check, example, result)
                asked |= result != NOT_ASKED
                if isinstance(result, Undecidable):
                    undecided = result  # a draw on which it is wrong decides
                elif isinstance(result, Exception):
                    return self._finding_of_failure(check, example, result)
                else:
                    remark, holds = remark or result or None, True
            if undecided and not (wrong and holds):
                return self.finding(
                    check, Outcome.SKIPPED, tr("your instructor decides: {why}", why=undecided)
                )
            if examples and not asked:  # what no draw could ask is not proven
                return self.finding(check, Outcome.FAILED, tr(_NO_SUCH_MASK))
        except Exception:  # no check may cost the others their points
            return self.finding(check, Outcome.BROKEN, tr(score.OURS), staff=traceback.format_exc(limit=-6))
        if self.recorder and records:
            self.recorder.keep(check, self.candidate, examples, records)
        return self.finding(check, Outcome.PASSED, remark)

    def try_named(self, name: str) -> Finding:
        """The finding of a check by its name."""
        return self.try_check(next(check for check in self.exercise.checks if check.name == name))

    def sizes_not_taken(self) -> dict[UsualSize, Finding]:
        """The sizes that the constructor does not take, with the findings of the checks about them."""
        return failed_for_sizes_not_taken(self.exercise, self.candidate, self.draws, self.try_named)

    def at_sizes(self, fixed: dict[UsualSize, Finding]) -> tuple["Judge", dict[str, Finding]]:
        """The judge at the values of sizes that the code fixes, and the findings of the checks about them.

        It keeps the failures of the checks that it tries, so that they can be explained.
        """
        if not fixed:
            return replace(self, failures={}), {}
        exercise, draws = self.exercise.at_usual_sizes([*fixed]), self.draws.at_usual_sizes([*fixed])
        self.candidate.use_mapping_draws(partial(draws.mapping_draws, exercise))
        judge = replace(self, exercise=exercise, draws=draws)
        return replace(judge, failures={}), judge_sizes(fixed, self.candidate, judge.try_named)

    def _try_together(
        self, check: Check, examples: Sequence[Example], records: Mapping[int, Record]
    ) -> Iterator[Exception | str | None]:
        """The check's result on each draw, all tried together. Those that fail must be tried again alone.

        Where another check has failed, this one may too, and then its first draws show it: they come first.
        """
        first = FEW if self.failures else len(examples)
        numbered = list(enumerate(examples))
        for some in filter(None, (numbered[:first], numbered[first:])):
            works = [partial(self.try_on, check, example, records.get(n)) for n, example in some]
            yield from self.candidate.together(works) or [TryAlone()] * len(some)

    def _try_alone(self, check: Check, example: Example, first: Exception) -> Exception | str | None:
        """How the check fails on a draw by itself, which tells its place and its output.

        A draw that was wrong must not pass now. One that a limit or another draw has stopped may.
        """
        self.session.printed = ""  # the output of this draw alone, not of all that were tried together
        again = self.try_on(check, example)
        return AnotherAnswer(first) if is_wrong(first) and not isinstance(again, Exception) else again

    def try_on(self, check: Check, example: Example, record: Record | None = None) -> Exception | str | None:
        """How the check fails on a draw; where it holds, its remark if it has one.

        Args:
            check: the check.
            example: the draw, and the answer to it.
            record: has the calls afterwards, if there is one.
        """
        try:
            if record is not None:
                return record.judge(check, self.candidate, example.draw, *example.answer)
            return check.judge(self.candidate, example.draw, *example.answer)
        except (Violation, RaisedByStudent, ProcessLost, Undecidable) as failure:
            failure.__context__ = None
            return failure.with_traceback(None)  # whose frames would keep every answer of the check alive
        except MaskNotTaken:  # such masks count in the check that is about the axes
            return NOT_ASKED

    def _finding_of_failure(self, check: Check, example: Example, failure: Exception) -> Finding:
        """The finding of a check that failed, and what its smallest draw is looked for with."""
        if self.failures:
            self.failures.pop(check.name, None)
        if isinstance(failure, ProcessLost):
            if failure.outcome is Outcome.TIMED_OUT:
                self.late.append(check.name)
            place, case = self.candidate.errors.place_of(failure), case_of(example.draw)
            return self.finding(
                check=check,
                outcome=failure.outcome,
                message=str(failure),
                case=case,
                place=place,
                staff=failure.staff,
                limit=failure.limit,
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
