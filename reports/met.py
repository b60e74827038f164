"""What of the box and its limits was met, and where softmark itself failed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graders.result import ExerciseResult, Finding, Outcome, Result

# The grader's own sentences, as `graders.refusals` and those who lose a process say them.
_SENTENCES = {
    "output": r"the code printed more than",
    "size of an answer": r"the answer is too large",
    "processes": r"the box starts no|the box allows no processes|at most \d+ threads and processes",
    "shared memory": r"the box has no shared memory",
    "files": r"the box shows no files|at most \d+ files|a file may have at most|no other file that was",
    "network": r"there is no network in the box",
    "packages": r"this package is not available to the grader",
    "GPU": r"there is no GPU here",
    "channel": r"the code interfered with the channel",
}
_KNOWN = {what: re.compile(pattern) for what, pattern in _SENTENCES.items()}


@dataclass
class Met:
    """A limit, or a rule of the box: who met it, in how many exercises of which titles, one message."""

    what: str
    example: str
    ids: list[str] = field(default_factory=list)
    titles: Counter[str] = field(default_factory=Counter)


@dataclass
class Fault:
    """A fault of softmark's own: where, what staff should know, in which checks, and whom it befell."""

    title: str
    staff: str
    checks: dict[str, None] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)


def limits(results: Sequence[Result]) -> list[Met]:
    """What was met, by the greatest number first."""
    found: dict[str, Met] = {}
    for result in results:
        for e in result.exercises:
            for name, message in _met(e).items():
                met = found.setdefault(name, Met(name, message))
                met.ids.append(result.submission.id)
                met.titles[e.title] += 1
    return sorted(found.values(), key=lambda met: -len(set(met.ids)))


def what(outcome: Outcome, message: str | None) -> str | None:
    """Which limit an outcome and its message are about; None for none."""
    if outcome is Outcome.TIMED_OUT:
        return "time"
    if outcome is Outcome.OUT_OF_MEMORY:
        return "memory"
    return next((name for name, known in _KNOWN.items() if message and known.search(message)), None)


def faults(results: Sequence[Result]) -> list[Fault]:
    """What of ours is broken, what befell the most first; the same fault is told once."""
    found: dict[tuple[str, str], Fault] = {}
    for result in results:
        for e in result.exercises:
            for says, staff in _broken(e):
                fault = found.setdefault((e.title, staff), Fault(e.title, staff))
                fault.checks[says] = None
                if result.submission.id not in fault.ids[-1:]:
                    fault.ids.append(result.submission.id)
    return sorted(found.values(), key=lambda fault: -len(fault.ids))


def told(results: Sequence[Result]) -> list[tuple[str, list[str]]]:
    """What staff should know besides of exercises, with the ids that it is about."""
    found: dict[str, list[str]] = {}
    for result in results:
        notes = [
            e.staff for e in result.exercises if e.staff and (e.outcome is not Outcome.BROKEN or e.findings)
        ]
        for note in dict.fromkeys(notes):
            found.setdefault(note, []).append(result.submission.id)
    return sorted(found.items(), key=lambda pair: -len(pair[1]))


def _met(e: ExerciseResult) -> dict[str, str]:
    # An exercise ends as its worst check does; the check has the message.
    ended: Sequence[ExerciseResult | Finding] = e.findings or [e]
    found: dict[str, str] = {}
    for each in ended:
        if name := what(each.outcome, each.message):
            found.setdefault(name, each.message or "")
    return found


def _broken(e: ExerciseResult) -> Iterator[tuple[str, str]]:
    if e.outcome is Outcome.BROKEN and not e.findings:
        yield e.message or "", _last_line(e.staff)
    for finding in e.findings:
        if finding.outcome is Outcome.BROKEN:
            yield finding.says, _last_line(finding.staff) or finding.message or ""


def _last_line(text: str | None) -> str:
    lines = (text or "").strip().splitlines()
    return lines[-1] if lines else ""
