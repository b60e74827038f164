"""What a class met beside wrong answers: limits, files that cannot be read, softmark's own faults."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graders.language import tr, translatable
from graders.results.limit import Limit
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports.class_statistics.remember import remember

NAMES = {
    Limit.TIME: translatable("time"),
    Limit.MEMORY: translatable("memory"),
    Limit.OUTPUT: translatable("output"),
    Limit.ANSWER_SIZE: translatable("size of an answer"),
    Limit.PROCESSES: translatable("processes"),
    Limit.SHARED_MEMORY: translatable("shared memory"),
    Limit.FILES: translatable("files"),
    Limit.NETWORK: translatable("network"),
    Limit.PACKAGES: translatable("packages"),
    Limit.GPU: translatable("GPU"),
    Limit.CHANNEL: translatable("channel"),
}
# What the code asks of the machine: an instructor may have promised it, and can give it.
ENVIRONMENT = {Limit.FILES, Limit.NETWORK, Limit.PACKAGES, Limit.GPU}
# In a result without the field `limit`, the outcome alone tells the limit.
_BY_OUTCOME = {Outcome.TIMED_OUT: Limit.TIME, Outcome.OUT_OF_MEMORY: Limit.MEMORY}


@dataclass
class Met:
    """A limit or rule of the sandbox: its name, one message, the submissions, and counts by exercise."""

    limit: Limit
    what: str
    example: str
    ids: list[str] = field(default_factory=list)
    titles: Counter[str] = field(default_factory=Counter)


@dataclass
class Fault:
    """A fault of softmark's own: the exercise, the text for staff, the checks, and the submissions."""

    title: str
    staff: str
    checks: dict[str, None] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)


def count_limits(results: Sequence[Result]) -> list[Met]:
    """The limits that were met, in the current language; those that most submissions met first."""
    counts: dict[Limit, Met] = {}
    limits = remember(limits_of)
    for result in results:
        for e in result.exercises:
            for limit, message in limits(e).items():
                met = counts.setdefault(limit, Met(limit, tr(NAMES[limit]), message))
                met.ids.append(result.submission.id)
                met.titles[e.title] += 1
    return sorted(counts.values(), key=lambda met: -len(set(met.ids)))


def limits_of(e: ExerciseResult) -> Mapping[Limit, str]:
    """The limits that an exercise's code met, each with the first message about it."""
    # Where there are findings, they have the limits and the messages.
    ended: Sequence[ExerciseResult | Finding] = e.findings or [e]
    messages: dict[Limit, str] = {}
    for part in ended:
        if limit := part.limit or _BY_OUTCOME.get(part.outcome):
            messages.setdefault(limit, part.message or "")
    return messages


def faults(results: Sequence[Result]) -> list[Fault]:
    """Softmark's own faults, each once; those that affect most submissions first."""
    faults_by_note: dict[tuple[str, str], Fault] = {}
    broken_checks = remember(_list_broken)
    for result in results:
        for e in result.exercises:
            for check, staff in broken_checks(e):
                fault = faults_by_note.setdefault((e.title, staff), Fault(e.title, staff))
                fault.checks[check] = None
                if result.submission.id not in fault.ids[-1:]:
                    fault.ids.append(result.submission.id)
    return sorted(faults_by_note.values(), key=lambda fault: -len(fault.ids))


def list_unreadable(results: Sequence[Result]) -> list[tuple[str, list[str]]]:
    """Why submissions could not be read, each reason with the ids of its submissions."""
    ids_by_reason: dict[str, list[str]] = {}
    for result in results:
        if result.unreadable is not None:
            ids_by_reason.setdefault(result.unreadable, []).append(result.submission.id)
    return list(ids_by_reason.items())


def list_notes(results: Sequence[Result]) -> list[tuple[str, list[str]]]:
    """The other notes for staff on exercises and undecided findings, each with the ids of its submissions."""
    ids_by_note: dict[str, list[str]] = {}
    notes_of = remember(_notes_on_undecided)
    for result in results:
        notes = [
            e.staff for e in result.exercises if e.staff and (e.outcome is not Outcome.BROKEN or e.findings)
        ]
        for e in result.exercises:
            notes += notes_of(e)
        for note in dict.fromkeys(notes):
            ids_by_note.setdefault(note, []).append(result.submission.id)
    return sorted(ids_by_note.items(), key=lambda pair: -len(pair[1]))


def _notes_on_undecided(e: ExerciseResult) -> list[str]:
    return [f.staff for f in e.findings if f.outcome is Outcome.SKIPPED and f.staff]


def _list_broken(e: ExerciseResult) -> list[tuple[str, str]]:
    """The checks that are broken, with what staff should know; "" where none could be tried."""
    return [*_each_broken(e)]


def _each_broken(e: ExerciseResult) -> Iterator[tuple[str, str]]:
    if e.outcome is Outcome.BROKEN and not e.findings:
        yield e.message or "", _last_line(e.staff)
    for finding in e.findings:
        if finding.outcome is Outcome.BROKEN:
            yield finding.says, _last_line(finding.staff) or finding.message or ""


def _last_line(text: str | None) -> str:
    lines = (text or "").strip().splitlines()
    return lines[-1] if lines else ""
