"""A class in numbers: its exercises, which checks fail and for whom, what ended badly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graders.result import ExerciseResult, Finding, Mistake, Outcome, Result

DECIDED = (Outcome.PASSED, Outcome.FAILED, Outcome.RAISED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)
# What someone should look at, whoever's fault it is.
NOTABLE = (Outcome.BROKEN, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)


@dataclass
class CheckTally:
    """One check over a class: `failing` are ids with their outcomes."""

    check: str
    says: str
    decided: int = 0
    failing: list[tuple[str, Outcome]] = field(default_factory=list)


@dataclass
class MistakeTally:
    """One known mistake, or two at once, over a class: `ids` are the submissions that make it."""

    mistake: Mistake
    ids: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Notable:
    """An exercise of a submission that ended in one of the `NOTABLE` ways, and what staff should know."""

    id: str
    title: str
    outcome: Outcome
    messages: tuple[str, ...]


def exercises(results: Sequence[Result]) -> dict[str, str]:
    """The names of all exercises with their titles, in the order in which they first appear."""
    return {e.name: e.title for result in results for e in result.exercises}


def exercise(result: Result, name: str) -> ExerciseResult | None:
    """A submission's exercise of this name."""
    return next((e for e in result.exercises if e.name == name), None)


def checks(results: Sequence[Result], name: str) -> list[CheckTally]:
    """The checks of an exercise that fail for someone, the most frequent first."""
    found: dict[str, CheckTally] = {}
    for result in results:
        here = exercise(result, name)
        for finding in here.findings if here else ():
            tally = found.setdefault(finding.check, CheckTally(finding.check, finding.says))
            _count(tally, result.submission.id, finding)
    failing = [tally for tally in found.values() if tally.failing]
    return sorted(failing, key=lambda tally: -len(tally.failing))


def mistakes(results: Sequence[Result], name: str) -> list[MistakeTally]:
    """The known mistakes that are made in an exercise, the most frequent first."""
    found: dict[str, MistakeTally] = {}
    for result in results:
        here = exercise(result, name)
        made = {f.mistake.name: f.mistake for f in (here.findings if here else ()) if f.mistake}
        for key, mistake in made.items():
            found.setdefault(key, MistakeTally(mistake)).ids.append(result.submission.id)
    return sorted(found.values(), key=lambda tally: -len(tally.ids))


def notable(results: Sequence[Result]) -> list[Notable]:
    """What ended in a way that someone should look at."""
    return [
        Notable(result.submission.id, e.title, outcome, tuple(_messages(e, outcome)))
        for result in results
        for e in result.exercises
        for outcome in NOTABLE
        if e.outcome is outcome or any(f.outcome is outcome for f in e.findings)
    ]


def _count(tally: CheckTally, who: str, finding: Finding) -> None:
    if finding.outcome not in DECIDED:
        return
    tally.decided += 1
    if finding.outcome is not Outcome.PASSED:
        tally.failing.append((who, finding.outcome))


def _messages(result: ExerciseResult, outcome: Outcome) -> Iterator[str]:
    if result.outcome is outcome and result.message:
        yield result.message
    for finding in result.findings:
        if finding.outcome is outcome:
            yield f"{finding.says}: {_last_line(finding.staff) or finding.message or ''}".rstrip(": ")


def _last_line(text: str | None) -> str:
    lines = (text or "").strip().splitlines()
    return lines[-1] if lines else ""
