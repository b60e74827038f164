"""A result as Markdown, for the summary of a workflow run or a release page.

Text from students and error messages stands only in blocks of code; all other text is ours, and escaped.
"""

from collections.abc import Iterator

from graders.language import tr, trn
from graders.results.result import ExerciseResult, Finding, Outcome, Result
from reports import words
from reports.causes import Cause, count_same
from reports.ci.check_text import details, outcome_and_points, place_of
from reports.ci.escape import code_block, escape_markdown, take_fitting
from reports.next_step import next_step
from reports.pages.what_is_wrong import (
    find_cause,
    sort_exercises,
    sort_findings,
    without_repeated_reasons,
)

MAX_BYTES = 1_000_000  # GitHub drops a summary of more than 1 MiB entirely
MAX_OUTPUT = 600  # characters of what the code printed
_RESERVED = 500  # bytes for the sentence on what was left out


def markdown(result: Result, limit: int = MAX_BYTES, last_sentence: str = "") -> str:
    """The report: a table of the exercises, then what did not pass, then remarks.

    Args:
        result: of grading.
        limit: maximum size in bytes of UTF-8; parts at the end that do not fit are left out.
        last_sentence: our own text for the last line.
    """
    last = f"\n{escape_markdown(last_sentence)}\n" if last_sentence else ""
    text, left_out = take_fitting(list(_blocks(result)), max(0, limit - len(last.encode()) - _RESERVED))
    if left_out:
        sentence = trn(
            "{n} part of this report has no room here.",
            "{n} parts of this report have no room here.",
            left_out,
        )
        text += f"\n{escape_markdown(sentence)}\n"
    complete = text + last
    return complete if len(complete.encode()) <= limit else ""


def _blocks(result: Result) -> Iterator[str]:
    yield f"## {escape_markdown(result.title)}\n\n**{escape_markdown(_total(result))}**\n"
    yield _table(result)
    if step := next_step(result.exercises):
        yield f"\n{escape_markdown(step)}\n"
    for exercise in without_repeated_reasons(sort_exercises(result.exercises)):
        yield from _exercise(exercise)
    if result.remarks:
        sentence = "\n".join(_remark(result))
        yield f"\n### {escape_markdown(tr('Remarks'))}\n\n{code_block(sentence)}"


def _exercise(exercise: ExerciseResult) -> Iterator[str]:
    """What did not pass: the causes with something of their own to say, the others folded below them."""
    groups = sort_findings(exercise)
    if groups.wrong or groups.undecided or exercise.message:
        yield f"\n### {escape_markdown(words.about(exercise.title, outcome_and_points(exercise)))}\n"
    if exercise.message:
        yield f"\n{code_block(exercise.message)}"
    for cause in groups.open:
        yield _cause(exercise, cause)
    if groups.alike:
        checks = sum(len(cause.all) for cause in groups.alike)
        title = trn("{n} further check fails", "{n} further checks fail", checks)
        inside = "".join(_cause(exercise, cause) for cause in groups.alike)
        yield f"\n<details><summary>{escape_markdown(title)}</summary>\n{inside}\n</details>\n"
    for cause in groups.undecided:
        yield _cause(exercise, cause)


def _cause(exercise: ExerciseResult, cause: Cause) -> str:
    """A finding, and the further checks of its cause, a line each."""
    text = _finding(exercise, cause.finding)
    if not cause.same:
        return text
    lines = "".join(f"- {_title(finding)}\n" for finding in cause.same)
    return (
        f"{text}\n<details><summary>{escape_markdown(count_same(cause))}</summary>\n\n{lines}\n</details>\n"
    )


def _total(result: Result) -> str:
    return words.total(result.points, result.max_points, result.undecided_points)


def _table(result: Result) -> str:
    def row(*cells: str) -> str:
        return f"| {' | '.join(map(escape_markdown, cells))} |\n"

    rows = [
        row(
            exercise.title,
            f"{words.outcome_words(exercise.outcome).mark} {words.exercise_word(exercise)}",
            _why(exercise),
            words.total(exercise.points, exercise.max_points, exercise.undecided_points),
        )
        for exercise in sort_exercises(result.exercises)
    ]
    head = row(tr("exercise"), tr("outcome"), tr("why"), tr("points"))
    return f"\n{head}| --- | --- | --- | ---: |\n{''.join(rows)}"


def _why(exercise: ExerciseResult) -> str:
    """Why an exercise is wrong, where a sentence of ours says it: others may hold a student's text."""
    cause = find_cause(exercise)
    if exercise.fix_first:
        return words.about_points(exercise) or ""
    mistakes = words.summarize_mistakes(cause.alternatives) if cause and cause.mistake else None
    return " ".join(filter(None, (words.about_points(exercise), mistakes)))


def _finding(exercise: ExerciseResult, finding: Finding) -> str:
    parts = list(details(finding))
    if place := finding.place or (place_of(exercise) if exercise.outcome is Outcome.TIMED_OUT else None):
        parts.append(words.place(place, ()))
    if finding.output:
        parts.append(tr("printed: {text}", text=words.cut_text(finding.output.strip(), MAX_OUTPUT)))
    return f"\n{_title(finding)}\n" + (f"\n{code_block(chr(10).join(parts))}" if parts else "")


def _title(finding: Finding) -> str:
    return f"**{escape_markdown(finding.says)}** \\({escape_markdown(outcome_and_points(finding))}\\)"


def _remark(result: Result) -> Iterator[str]:
    for remark in result.remarks:
        where = words.place(remark, result.submission.files)
        yield f"{remark.says} ({where})" if where else remark.says
