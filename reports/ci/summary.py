"""A result as Markdown, for the summary of a workflow's run or the page of a release.

What a student wrote or a program raised stands in blocks of code alone; all else is our own text, escaped.
"""

from collections.abc import Iterator

from graders.language import tr, trn
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports import words
from reports.ci.check_text import details, place_of, state
from reports.ci.escape import block, fitting, inline
from reports.pages.repeats import SAME_AS_ABOVE, without_repeats

LIMIT = 1_000_000  # bytes; GitHub drops a summary of more than 1 MiB as a whole
OUTPUT = 600  # characters of what the code printed
_ROOM = 500  # bytes for the sentence on what was left out


def markdown(result: Result, limit: int = LIMIT, ends: str = "") -> str:
    """The report: a table of the exercises, then what did not pass, then remarks.

    Args:
        result: what grading found.
        limit: how many bytes of UTF-8 the text may have; parts that do not fit are left out from the end.
        ends: a sentence of ours for the last line.
    """
    last = f"\n{inline(ends)}\n" if ends else ""
    text, left = fitting(list(_blocks(result)), max(0, limit - len(last.encode()) - _ROOM))
    if left:
        says = trn(
            "{n} part of this report has no room here.", "{n} parts of this report have no room here.", left
        )
        text += f"\n{inline(says)}\n"
    whole = text + last
    return whole if len(whole.encode()) <= limit else ""


def _blocks(result: Result) -> Iterator[str]:
    yield f"## {inline(result.title)}\n\n**{inline(_total(result))}**\n"
    yield _table(result)
    for exercise in result.exercises:
        told = [f for f in without_repeats(exercise.findings) if f.outcome is not Outcome.PASSED]
        if told or exercise.message:
            yield f"\n### {inline(words.about(exercise.title, state(exercise)))}\n"
        if exercise.message:
            yield f"\n{block(exercise.message)}"
        for finding in told:
            yield _finding(exercise, finding)
    if result.remarks:
        says = "\n".join(_remark(result))
        yield f"\n### {inline(tr('Remarks'))}\n\n{block(says)}"


def _total(result: Result) -> str:
    return words.total(result.points, result.max_points, result.undecided_points)


def _table(result: Result) -> str:
    def row(*cells: str) -> str:
        return f"| {' | '.join(map(inline, cells))} |\n"

    rows = [
        row(
            exercise.title,
            f"{words.outcome_words(exercise.outcome).mark} {words.outcome_words(exercise.outcome).word}",
            words.total(exercise.points, exercise.max_points, exercise.undecided_points),
        )
        for exercise in result.exercises
    ]
    head = row(tr("exercise"), tr("outcome"), tr("points"))
    return f"\n{head}| --- | --- | ---: |\n{''.join(rows)}"


def _finding(exercise: ExerciseResult, finding: Finding) -> str:
    says = f"**{inline(finding.says)}** \\({inline(state(finding))}\\)"
    parts = list(details(finding))
    if place := finding.place or (place_of(exercise) if exercise.outcome is Outcome.TIMED_OUT else None):
        parts.append(words.place(place, ()))
    if finding.output:
        parts.append(tr("printed: {text}", text=words.bounded(finding.output.strip(), OUTPUT)))
    if parts == [tr(SAME_AS_ABOVE)]:  # a block of its own would be no help
        return f"\n{words.about(says, inline(tr(SAME_AS_ABOVE)))}\n"
    return f"\n{says}\n" + (f"\n{block(chr(10).join(parts))}" if parts else "")


def _remark(result: Result) -> Iterator[str]:
    for remark in result.remarks:
        where = words.place(remark, result.submission.files)
        yield f"{remark.says} ({where})" if where else remark.says
