"""A result without its large parts: what class pages, gradebooks and summaries need."""

import sys
from dataclasses import replace
from functools import lru_cache

from graders.results.measurements import Trained
from graders.results.result import ExerciseResult, Finding, Mistake, Remark, Result

TEXT = 400  # characters of a message
NAMES = 50  # of files


def compact(result: Result) -> Result:
    """The same result without cases, definitions, places, outputs, curves and times, its messages cut short.

    Texts that many results share (a check's sentence, a hint) are stored once, so that a thousand results
    fit in some megabytes.
    """
    info = result.submission
    return replace(
        result,
        assignment=sys.intern(result.assignment),
        title=sys.intern(result.title),
        submission=replace(info, files=info.files[:NAMES]),
        versions={sys.intern(name): sys.intern(number) for name, number in result.versions.items()},
        device=sys.intern(result.device),
        sandbox=sys.intern(str(result.sandbox)),
        remarks=tuple(_remark(remark) for remark in result.remarks),
        exercises=tuple(_exercise(exercise) for exercise in result.exercises),
    )


def _exercise(exercise: ExerciseResult) -> ExerciseResult:
    return replace(
        exercise,
        name=sys.intern(exercise.name),
        title=sys.intern(exercise.title),
        findings=tuple(_finding(finding) for finding in exercise.findings),
        message=_cut(exercise.message),
        definitions=(),
        staff=_cut(exercise.staff),
        trained=exercise.trained and _compact_trained(exercise.trained),
        timing=exercise.timing and replace(exercise.timing, clocked=(), curves=()),
    )


def _compact_trained(trained: Trained) -> Trained:
    # The figures and the weights' digest stay, since class statistics compare them.
    return replace(trained, corpus=sys.intern(trained.corpus), by_context=(), sample="", losses=())


def _finding(finding: Finding) -> Finding:
    return replace(
        finding,
        check=sys.intern(finding.check),
        points=_number(finding.points),
        max_points=_number(finding.max_points),
        says=sys.intern(finding.says),
        message=_cut(finding.message),
        case=None,
        mistake=finding.mistake and _mistake(finding.mistake),
        place=None,
        output=None,
        staff=_cut(finding.staff),
        mistakes=_mistakes(finding.mistakes),
    )


def _remark(remark: Remark) -> Remark:
    return replace(remark, says=_cut(remark.says) or "")


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


@lru_cache(maxsize=4096, typed=True)
def _number(number: float) -> float:
    return number
