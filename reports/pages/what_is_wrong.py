"""What a reader needs first: the order of exercises and findings, and why an exercise is wrong, in a line."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from graders.results.result import ExerciseResult, Finding, Outcome
from reports import words

MAX_CAUSE = 200  # characters of a cause, which stands in a line of a table


@dataclass(frozen=True)
class SortedFindings:
    """The findings of an exercise as pages show them.

    `open` are those that are wrong for a reason of their own, the one that explains most first; `alike` are
    wrong too, and folded; `undecided` and `passed` are the others.
    """

    open: tuple[Finding, ...]
    alike: tuple[Finding, ...]
    undecided: tuple[Finding, ...]
    passed: tuple[Finding, ...]

    def in_order(self) -> tuple[Finding, ...]:
        """All findings, in the order in which they are shown."""
        return (*self.open, *self.alike, *self.undecided, *self.passed)


def sort_exercises(exercises: Iterable[ExerciseResult]) -> list[ExerciseResult]:
    """Wrong exercises first, then undecided ones, then unfinished ones, then those that passed."""
    return sorted(exercises, key=lambda exercise: _rank(exercise.outcome))


def sort_findings(exercise: ExerciseResult) -> SortedFindings:
    """The findings of an exercise, what is wrong first."""
    first = find_cause(exercise)
    wrong = [finding for finding in exercise.findings if finding.outcome.wrong and finding is not first]
    shown = [first] if first else []
    folded: list[Finding] = []
    for finding in wrong:
        (shown if _adds_a_hint(finding, shown) else folded).append(finding)
    return SortedFindings(
        tuple(shown),
        tuple(folded),
        tuple(f for f in exercise.findings if not f.outcome.decided),
        tuple(f for f in exercise.findings if f.outcome is Outcome.PASSED),
    )


def wrong_first(exercise: ExerciseResult) -> ExerciseResult:
    """The exercise with its findings in the order in which pages show them."""
    return replace(exercise, findings=sort_findings(exercise).in_order())


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


def _adds_a_hint(finding: Finding, shown: list[Finding]) -> bool:
    """Whether a finding has a mistake of its own: not one of those that are shown already."""
    known = {mistake.name for each in shown for made in each.alternatives for mistake in made}
    return any(mistake.name not in known for made in finding.alternatives for mistake in made)


def _in_a_line(text: str) -> str:
    """The first line of a text that has words, cut where it is long."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = lines[0] if lines else ""
    return line if len(line) <= MAX_CAUSE else line[: MAX_CAUSE - 1].rstrip() + "…"
