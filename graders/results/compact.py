"""A result without its large parts: what class pages, gradebooks and summaries need."""

import hashlib
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from graders.results.json_schema import from_bytes, to_bytes
from graders.results.limit import Limit
from graders.results.measurements import Trained
from graders.results.result import (
    CHANGED,
    ExerciseResult,
    Finding,
    Mistake,
    Outcome,
    Place,
    Repair,
    Result,
)

TEXT = 400  # characters of a message
NAMES = 50  # of files
MOST_SHARED = 1 << 16  # parts of results that are known again
_QUOTED = (Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY, Outcome.BROKEN)

T = TypeVar("T")


def compact(result: Result) -> Result:
    """The same result without what only its own page shows.

    Cases, definitions, places, outputs, remarks, curves and times are left out, and all messages but those
    that the class page quotes. What is equal in many results is kept once: a hundred thousand take some
    250 MB.
    """
    return share(_leave_out(result))


@dataclass(frozen=True)
class PackedExercise:
    """A compact exercise as bytes, and their digest, by which the process that gets it knows it again."""

    digest: bytes
    data: bytes


@dataclass(frozen=True)
class PackedResult:
    """A compact result as bytes, to be sent to another process."""

    head: bytes
    exercises: tuple[PackedExercise, ...]


def pack(result: Result) -> PackedResult:
    """A result in compact form, as bytes: Python's own pickling of results takes ten times as long."""
    kept = _leave_out(result)
    return PackedResult(to_bytes(replace(kept, exercises=())), tuple(map(_pack_exercise, kept.exercises)))


def unpack(packed: PackedResult) -> Result:
    """The compact result that another process of ours has packed; its parts are shared as by `share`."""
    head = from_bytes(packed.head, Result)
    return replace(share(head), exercises=tuple(map(_unpack_exercise, packed.exercises)))


def share(result: Result) -> Result:
    """The same compact result, of parts that equal results share: after it came from another process, too."""
    info = result.submission
    return replace(
        result,
        assignment=sys.intern(result.assignment),
        title=sys.intern(result.title),
        submission=replace(info, files=_same(info.files)),
        versions=_same_versions(tuple(sorted(result.versions.items()))),
        device=sys.intern(result.device),
        sandbox=sys.intern(str(result.sandbox)),
        run=sys.intern(result.run),
        exercises=tuple(_same(exercise) for exercise in result.exercises),
    )


@lru_cache(maxsize=MOST_SHARED)
def _pack_exercise(exercise: ExerciseResult) -> PackedExercise:
    data = to_bytes(exercise)
    return PackedExercise(hashlib.blake2b(data, digest_size=16).digest(), data)


_unpacked: dict[bytes, ExerciseResult] = {}  # by digest: most exercises end as many others do


def _unpack_exercise(packed: PackedExercise) -> ExerciseResult:
    if packed.digest not in _unpacked:
        if len(_unpacked) >= MOST_SHARED:
            _unpacked.clear()
        _unpacked[packed.digest] = _same(_exercise(from_bytes(packed.data, ExerciseResult)))
    return _unpacked[packed.digest]


def _leave_out(result: Result) -> Result:
    info = result.submission
    return replace(
        result,
        submission=replace(info, files=info.files[:NAMES]),
        remarks=(),
        texts=(),
        digest=result.digest if result.digest == CHANGED else "",
        exercises=tuple(_exercise(exercise) for exercise in result.exercises),
    )


@lru_cache(maxsize=MOST_SHARED)
def _lookup(value: Any) -> Any:
    return value


def _same(value: T) -> T:
    """The first value that was equal to this one."""
    same: T = _lookup(value)
    return same


@lru_cache(maxsize=64)
def _same_versions(versions: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return dict(versions)


def _findings(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Compact findings: one keeps the digest of answers that nothing explains, and one each edit, for all."""
    kept = [_finding(finding) for finding in findings]
    told: set[Repair] = set()
    for number, finding in enumerate(findings):
        if repairs := tuple(repair for repair in finding.repairs if repair not in told):
            kept[number] = replace(kept[number], repairs=tuple(map(_compact_repair, repairs)))
            told.update(repairs)
    for number, finding in enumerate(findings):
        if finding.answers:
            kept[number] = replace(kept[number], answers=finding.answers)
            break
    return tuple(kept)


def _compact_repair(repair: Repair) -> Repair:
    beside = repair.beside and Place("", None, repair.beside.line)
    return replace(repair, place=Place("", None, repair.place.line), beside=beside)


def _exercise(exercise: ExerciseResult) -> ExerciseResult:
    # Not by `replace`, which takes three times as long, for each of a million exercises.
    return ExerciseResult(
        sys.intern(exercise.name),
        sys.intern(exercise.title),
        exercise.outcome,
        exercise.points,
        exercise.max_points,
        findings=_findings(exercise.findings),
        message=_cut(exercise.message),
        undecided_points=exercise.undecided_points,
        staff=_cut(exercise.staff),
        trained=exercise.trained and _compact_trained(exercise.trained),
        limit=exercise.limit,
        fix_first=exercise.fix_first,
        parts_replaced=exercise.parts_replaced,
        not_counted=exercise.not_counted,
        versions=exercise.versions,
        answer=None if exercise.answer is None else "",
    )


def _compact_trained(trained: Trained) -> Trained:
    # The figures and the weights' digest stay, since class statistics compare them.
    return replace(trained, corpus=sys.intern(trained.corpus), by_context=(), sample="", losses=())


def _finding(finding: Finding) -> Finding:
    # The class page quotes what a limit or a fault of ours says, and no message about wrong answers.
    quoted = finding.limit is not None or finding.outcome in _QUOTED
    return _compact_finding(
        finding.check,
        finding.outcome,
        finding.points,
        finding.max_points,
        finding.says,
        finding.message if quoted else None,
        finding.mistake,
        finding.staff,
        finding.mistakes,
        finding.limit,
        finding.on_its_word,
    )


# Most findings are equal to one of another submission, and looking it up is faster than making it.
@lru_cache(maxsize=MOST_SHARED, typed=True)
def _compact_finding(
    check: str,
    outcome: Outcome,
    points: float,
    max_points: float,
    says: str,
    message: str | None,
    mistake: Mistake | None,
    staff: str | None,
    mistakes: tuple[tuple[Mistake, ...], ...],
    limit: Limit | None,
    on_its_word: bool,
) -> Finding:
    return Finding(
        sys.intern(check),
        outcome,
        points,
        max_points,
        sys.intern(says),
        message=_cut(message),
        mistake=mistake and _mistake(mistake),
        staff=_cut(staff),
        mistakes=_mistakes(mistakes),
        limit=limit,
        on_its_word=on_its_word,
    )


def _cut(text: str | None) -> str | None:
    if text is None:
        return None
    # Keep both ends: the end of a traceback says most. Few messages are this long.
    return sys.intern(text if len(text) <= TEXT else f"{text[: TEXT // 2]} ... {text[5 - TEXT // 2 :]}")


@lru_cache(maxsize=4096)
def _mistake(mistake: Mistake) -> Mistake:
    return mistake


@lru_cache(maxsize=4096)
def _mistakes(mistakes: tuple[tuple[Mistake, ...], ...]) -> tuple[tuple[Mistake, ...], ...]:
    return tuple(tuple(map(_mistake, alternative)) for alternative in mistakes)
