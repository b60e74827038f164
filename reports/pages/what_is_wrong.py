"""What a reader needs first: the order of exercises and findings, and why an exercise is wrong, in a line."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from graders.results.result import ExerciseResult, Finding, Outcome
from reports import words
from reports.causes import Cause, group_by_cause

MAX_CAUSE = 200  # characters of a cause, which stands in a line of a table


@dataclass(frozen=True)
class SortedFindings:
    """The findings of an exercise as every report shows them, those of one cause together.

    `open` are causes with something of their own to say, the one that explains most first; `alike` are other
    causes of what is wrong; `undecided` and `passed` are neither.
    """

    open: tuple[Cause, ...]
    alike: tuple[Cause, ...]
    undecided: tuple[Cause, ...]
    passed: tuple[Finding, ...]

    @property
    def wrong(self) -> tuple[Cause, ...]:
        """All causes of what is wrong, in the order in which they are shown."""
        return (*self.open, *self.alike)


def sort_exercises(exercises: Iterable[ExerciseResult]) -> list[ExerciseResult]:
    """Wrong exercises first, then undecided ones, then unfinished ones, then those that passed."""
    return sorted(exercises, key=lambda exercise: _rank(exercise.outcome))


def sort_findings(exercise: ExerciseResult) -> SortedFindings:
    """The findings of an exercise, what is wrong first."""
    first = find_cause(exercise)
    wrong = [finding for finding in exercise.findings if finding.outcome.wrong and finding is not first]
    shown, folded = list[Cause](), list[Cause]()
    for cause in group_by_cause([first, *wrong] if first else wrong):
        (shown if not shown or _adds_a_hint(cause, shown) else folded).append(cause)
    return SortedFindings(
        tuple(shown),
        tuple(folded),
        group_by_cause(f for f in exercise.findings if not f.outcome.decided),
        _without_repeated_remarks(f for f in exercise.findings if f.outcome is Outcome.PASSED),
    )


def without_repeated_reasons(exercises: Iterable[ExerciseResult]) -> list[ExerciseResult]:
    """The exercises; of those that could not be read for one reason, the first alone says it."""
    said: set[str | None] = set()
    shortened = []
    for exercise in exercises:
        repeated = exercise.outcome is Outcome.UNREADABLE and exercise.message in said
        shortened.append(replace(exercise, message=None) if repeated else exercise)
        said.add(exercise.message)
    return shortened


def find_cause(exercise: ExerciseResult) -> Finding | None:
    """The finding that explains most: one with a known mistake, or else the first that ended as the whole."""
    wrong = [finding for finding in exercise.findings if finding.outcome.wrong]
    named = (finding for finding in wrong if finding.mistake)
    as_the_whole = (finding for finding in wrong if finding.outcome is exercise.outcome)
    return next(named, None) or next(as_the_whole, None) or next(iter(wrong), None)


def describe_cause(exercise: ExerciseResult) -> str | None:
    """Why an exercise did not pass, in a line; None where it passed, or where there is nothing to say."""
    if exercise.outcome is Outcome.PASSED:
        return None
    if exercise.fix_first:
        return words.fix_first(exercise)
    cause = find_cause(exercise)
    if cause and cause.mistake:
        return _in_a_line(words.summarize_mistakes(cause.alternatives))
    if exercise.message or cause:
        return _in_a_line(exercise.message or (cause and (cause.message or cause.says)) or "")
    undecided = (finding.message for finding in exercise.findings if finding.outcome.undecided)
    message = next(filter(None, undecided), None)
    return _in_a_line(message) if message else None


def _rank(outcome: Outcome) -> int:
    if outcome.wrong or outcome is Outcome.UNREADABLE:
        return 0
    return 3 if outcome is Outcome.PASSED else 2 if outcome.unwritten else 1


def _adds_a_hint(cause: Cause, shown: list[Cause]) -> bool:
    """Whether a cause has a mistake of its own: not one of those that are shown already."""
    known = {mistake.name for each in shown for made in each.finding.alternatives for mistake in made}
    return any(mistake.name not in known for made in cause.finding.alternatives for mistake in made)


def _without_repeated_remarks(passed: Iterable[Finding]) -> tuple[Finding, ...]:
    """Checks that passed; what several of them remark, with what the code printed, the first alone says."""
    said: set[str] = set()
    shortened = []
    for finding in passed:
        repeated = finding.message is not None and finding.message in said
        shortened.append(replace(finding, message=None, output=None) if repeated else finding)
        said |= {finding.message} if finding.message else set()
    return tuple(shortened)


def _in_a_line(text: str) -> str:
    """The first line of a text that has words, cut where it is long."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = lines[0] if lines else ""
    return line if len(line) <= MAX_CAUSE else line[: MAX_CAUSE - 1].rstrip() + "…"
