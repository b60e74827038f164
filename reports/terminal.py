"""Show a result in the terminal. Students' text is printed without markup and without escape sequences."""

import re

from rich.console import Console
from rich.text import Text

from graders.language import speaking, tr, trn
from graders.results.result import ExerciseResult, Finding, Outcome, Remark, Result
from reports import case_text, words
from reports.causes import Cause, count_same, refer_to
from reports.figures import timing
from reports.in_encoding import in_encoding
from reports.next_step import next_step
from reports.pages.what_is_wrong import sort_findings, without_repeated_reasons

WIDTH = 100
MAX_LINES = 12
_INDENT = "   "
_STYLES = {"good": "green", "bad": "red", "open": "yellow", "ours": "magenta", "none": "dim"}
# All control characters but tab and newline, and those that change the direction of the text.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# Rich would break lines at no-break spaces, so placeholders replace them until the lines are broken.
_PLACEHOLDERS = {"\u00a0": "\ue000", "\u202f": "\ue001"}
_TO_PLACEHOLDERS = str.maketrans(_PLACEHOLDERS)
_FROM_PLACEHOLDERS = str.maketrans({placeholder: space for space, placeholder in _PLACEHOLDERS.items()})


def show(console: Console, result: Result, *, every: bool = False, hand_in: str | None = None) -> None:
    """Print a result in its language: each cause once, what to do next, and the total.

    Args:
        console: where to print.
        result: of grading.
        every: whether to print every check in full, in the order of the checks.
        hand_in: what to hand in if all of the assignment passed; None where not all of it was checked.
    """
    with speaking(result.language):
        _show_head(console, result)
        for exercise in without_repeated_reasons(result.exercises):
            _print(console, Text())
            show_exercise(console, exercise, result.submission.files, every=every)
        _show_remarks(console, result)
        _show_end(console, result, next_step(result.exercises, hand_in=hand_in))


def show_sentence(console: Console, sentence: str) -> None:
    """Print a sentence, in lines that fit."""
    _print_indented(console, _text(sentence), "")


def _show_head(console: Console, result: Result) -> None:
    box = _safe(tr("box: {level}", level=result.sandbox))
    head = Text.assemble((_safe(result.title), "bold"), f"  {_safe(result.submission.id)}  ", (box, "dim"))
    _print_indented(console, head, "")
    if result.sandbox == "open":
        _print(console, _text(tr("This code ran without a sandbox."), "yellow"))


def _show_remarks(console: Console, result: Result) -> None:
    if result.remarks:
        _print(console, Text("\n" + tr("Remarks"), "bold"))
        for remark in result.remarks:
            _print_indented(console, _remark(remark, result.submission.files))


def _show_end(console: Console, result: Result, step: str | None) -> None:
    total = words.total(result.points, result.max_points, result.undecided_points)
    _print(console, Text(f"\n{total}", "bold"))
    if step:
        _print_indented(console, _text(step, "bold"), "")
    if topics := _topics(result):
        more = [f"softmark explain {topic}" for topic in topics]
        _print_indented(console, _text(tr("To read on: {commands}", commands=", ".join(more)), "dim"), "")


def _topics(result: Result) -> list[str]:
    """The topics of `softmark explain` that apply to this result."""
    outcomes = {e.outcome for e in result.exercises} | {
        f.outcome for e in result.exercises for f in e.findings
    }
    timings = [exercise.timing for exercise in result.exercises if exercise.timing]
    applies = {
        "box": result.sandbox == "open",
        "limits": bool(outcomes & {Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY}),
        "unreadable": Outcome.UNREADABLE in outcomes,
        "undecided": result.undecided_points > 0,
        "parts": any(exercise.parts_replaced for exercise in result.exercises),
        "timing": any(speed.skipped or speed.refused for speed in timings),
    }
    return [topic for topic, holds in applies.items() if holds]


def show_exercise(
    console: Console, exercise: ExerciseResult, files: tuple[str, ...] = (), *, every: bool = False
) -> None:
    """Print one exercise of a result; with `every`, each check in full."""
    display = words.outcome_words(exercise.outcome)
    title = Text.assemble(
        (_safe(exercise.title), "bold"), "  ", (words.exercise_word(exercise), _STYLES[display.tone])
    )
    _print_row(console, Text(), title, words.score(exercise.points, exercise.max_points))
    for sentence in filter(None, (words.about_points(exercise), exercise.message)):
        _print_indented(console, _text(sentence))
    if exercise.timing:
        for sentence in filter(None, (*exercise.timing.says, timing.reason_without_times(exercise.timing))):
            _print_indented(console, _text(sentence, "dim"))
    if not every:
        _show_causes(console, exercise, files)
        return
    for finding in exercise.findings:
        show_finding(console, finding, files)


def _show_causes(console: Console, exercise: ExerciseResult, files: tuple[str, ...]) -> None:
    """Print each cause in full, the further checks of each as a line, and how many checks hold."""
    groups = sort_findings(exercise)
    for cause in (*groups.wrong, *groups.undecided):
        show_finding(console, cause.finding, files)
        _show_same(console, cause)
    if groups.passed and exercise.outcome is not Outcome.PASSED:
        hold = _text(trn("{n} check holds", "{n} checks hold", len(groups.passed)))
        points = (sum(each) for each in zip(*((f.points, f.max_points) for f in groups.passed), strict=True))
        _print_row(console, _mark(console, Outcome.PASSED), hold, words.score(*points))
    # Where parts were replaced, the exercise's first line says so, and its checks would repeat it.
    for finding in () if exercise.parts_replaced else groups.passed:
        if finding.message:
            _print_indented(console, _text(finding.message, "dim"))


def _show_same(console: Console, cause: Cause) -> None:
    if cause.same:
        _print_indented(console, _text(tr("{what}:", what=count_same(cause))))
    for finding in cause.same:
        mark = Text.assemble(_INDENT, _mark(console, finding.outcome))
        _print_row(console, mark, _text(finding.says), _score(finding), one_line=True)


def show_finding(console: Console, finding: Finding, files: tuple[str, ...]) -> None:
    """Print a line for a check, and details below it. `files` are the submission's."""
    _show_title(console, finding)
    for detail in _detail_lines(finding, files):
        _print_indented(console, detail)


def show_repeated(console: Console, finding: Finding, shown: Finding) -> None:
    """Print a line for a check whose cause was shown in full before, and with which check."""
    _show_title(console, finding)
    _print_indented(console, _text(refer_to(shown)))


def _show_title(console: Console, finding: Finding) -> None:
    _print_row(console, _mark(console, finding.outcome), _check_text(finding), _score(finding))


def _score(finding: Finding) -> str:
    if finding.outcome.undecided:
        return tr("{points} undecided", points=words.points(finding.max_points))
    return words.score(finding.points, finding.max_points)


def _print_row(console: Console, mark: Text, text: Text, score: str, *, one_line: bool = False) -> None:
    """Print a line with the points at its right end; further lines are indented or, on request, left out."""
    room = max(10, _width(console) - mark.cell_len - len(score) - 2)
    wrapped = list(text.wrap(console, room)) or [Text()]
    if one_line and len(wrapped) > 1:
        first = text.wrap(console, max(6, room - 4))[0]
        first.rstrip()
        wrapped = [first + Text(" ...")]
    for number, line in enumerate(wrapped):
        line.rstrip()
        if number == 0:
            line.pad_right(room - line.cell_len)
            line.append(f"  {score}")
        _print(console, (mark if number == 0 else Text(" " * mark.cell_len)) + line)


def _mark(console: Console, outcome: Outcome) -> Text:
    display = words.outcome_words(outcome)
    mark = display.ascii_mark if console.options.ascii_only else display.mark
    return Text.assemble((mark, _STYLES[display.tone]), "  ")


def _check_text(finding: Finding) -> Text:
    display = words.outcome_words(finding.outcome)
    text = _text(words.lead(finding)[0])
    if finding.outcome not in (Outcome.PASSED, Outcome.FAILED, Outcome.RAISED):
        text.append(f" ({display.word})", _STYLES[display.tone])
    return text


def _detail_lines(finding: Finding, files: tuple[str, ...]) -> list[Text]:
    if finding.outcome is Outcome.PASSED:
        return [_text(finding.message, "dim")] if finding.message else []
    first, rest = words.lead(finding)
    given = case_text.input_lines(finding.case) if finding.case else []
    answered = case_text.answer_lines(finding.case) if finding.case else []
    details = [_text(part) for part in (*given, rest, *answered) if part]
    where = finding.place and _text(tr("at {place}", place=words.place_with_shapes(finding.place, files)))
    if where:
        details = [where, *details] if first != finding.says else [*details, where]
    if first != finding.says:
        details.append(_text(tr("seen in the check: {check}", check=finding.says)))
    if finding.mistake:
        details.append(_text(tr("hint: {hint}", hint=words.hint(finding.mistake)), "bold"))
    details += [_text(look, "bold") for look in words.looks(finding, files)]
    if finding.output:
        details.append(_text(tr("printed: {text}", text=finding.output.strip()), "dim"))
    return details


def _remark(remark: Remark, files: tuple[str, ...]) -> Text:
    where = words.place(remark, files)
    return _text(f"{remark.says} ({where})" if where else remark.says)


def _text(text: str, style: str = "") -> Text:
    return Text(_safe(text), style, overflow="fold")


def _safe(text: str) -> str:
    lines = _CONTROLS.sub("", words.cut_text(text)).translate(_TO_PLACEHOLDERS).expandtabs(4).split("\n")
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], tr("[... {n} more lines]", n=len(lines) - MAX_LINES)]
    return "\n".join(lines)


def _print_indented(console: Console, text: Text, indent: str = _INDENT) -> None:
    for line in text.wrap(console, _width(console) - len(indent)):
        line.rstrip()
        _print(console, Text(indent) + line)


def _print(console: Console, text: Text) -> None:
    text.plain = in_encoding(text.plain.translate(_FROM_PLACEHOLDERS), console.encoding)
    console.print(text, width=_width(console), highlight=False, markup=False, emoji=False)


def _width(console: Console) -> int:
    return max(20, min(console.width, WIDTH))
