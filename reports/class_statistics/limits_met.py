"""What of the box and its limits was met, and where softmark itself failed."""

import functools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graders.language import LANGUAGES, tr, translatable, translations
from graders.results.result import ExerciseResult, Finding, Outcome, Result

# The grader's own sentences, as `graders.sandbox.denied` and those who lose a process say them.
_SENTENCES = {
    translatable("output"): r"the code printed more than",
    translatable("size of an answer"): r"the answer is too large",
    translatable(
        "processes"
    ): r"the box starts no|the box allows no processes|at most \S+ threads and processes",
    translatable("shared memory"): r"the box has no shared memory",
    translatable(
        "files"
    ): r"the box shows no files|at most \S+ files|a file may have at most|no other file that was",
    translatable("network"): r"there is no network in the box",
    translatable("packages"): r"this package is not available to the grader",
    translatable("GPU"): r"there is no GPU here",
    translatable("channel"): r"the code interfered with the channel",
}
TIME, MEMORY = translatable("time"), translatable("memory")
_VALUE = re.compile(r"\{[^{}]*\}")


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
    """What was met, in the language that is spoken, by the greatest number first."""
    found: dict[str, Met] = {}
    for result in results:
        for e in result.exercises:
            for name, message in _met(e).items():
                met = found.setdefault(name, Met(tr(name), message))
                met.ids.append(result.submission.id)
                met.titles[e.title] += 1
    return sorted(found.values(), key=lambda met: -len(set(met.ids)))


def what(outcome: Outcome, message: str | None) -> str | None:
    """Which limit an outcome and its message, in any language, are about; None for none."""
    if outcome is Outcome.TIMED_OUT:
        return TIME
    if outcome is Outcome.OUT_OF_MEMORY:
        return MEMORY
    return next((name for name, known in _known().items() if message and known.search(message)), None)


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


@functools.cache
def _known() -> dict[str, re.Pattern[str]]:
    """The sentences about each limit, with what the catalogue has for them."""
    said = [pair for language in LANGUAGES for pair in translations(language).items()]
    return {
        name: re.compile("|".join([pattern, *(_form(to) for of, to in said if re.search(pattern, of))]))
        for name, pattern in _SENTENCES.items()
    }


def _form(sentence: str) -> str:
    """A sentence with any values in it."""
    return ".*".join(map(re.escape, _VALUE.split(sentence)))


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
