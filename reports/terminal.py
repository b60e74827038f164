"""A result in the terminal. Students' text is printed as it is: never markup, never an escape."""

import contextlib
import re
import unicodedata

from rich.console import Console
from rich.text import Text

from graders.language import speaking, tr
from graders.results.result import ExerciseResult, Finding, Outcome, Remark, Result
from reports import words
from reports.figures import timing
from reports.figures.slices import difference
from reports.pages.repeats import without_repeats

WIDTH = 100
LINES = 12
_INDENT = "   "
_STYLES = {"good": "green", "bad": "red", "open": "yellow", "ours": "magenta", "none": "dim"}
# All controls but tab and newline, and what turns the reading direction.
_ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# Rich breaks lines at spaces that must not break: until they are broken, others stand in their place.
_HELD = {"\u00a0": "\ue000", "\u202f": "\ue001"}
_HOLD = str.maketrans(_HELD)
_LET_GO = str.maketrans({held: space for space, held in _HELD.items()})


def show(console: Console, result: Result) -> None:
    """Print a result in its language: a line per check, what went wrong below it, remarks, and the total."""
    with speaking(result.language):
        _show(console, result)


def _show(console: Console, result: Result) -> None:
    box = _safe(tr("box: {level}", level=result.sandbox))
    head = Text.assemble((_safe(result.title), "bold"), f"  {_safe(result.submission.id)}  ", (box, "dim"))
    _indented(console, head, "")
    if result.sandbox == "open":
        _print(console, _text(tr("This code ran without a sandbox."), "yellow"))
    for exercise in result.exercises:
        _print(console, Text())
        _exercise(console, exercise, result.submission.files)
    if result.remarks:
        _print(console, Text("\n" + tr("Remarks"), "bold"))
        for remark in result.remarks:
            _indented(console, _remark(remark, result.submission.files))
    total = words.total(result.points, result.max_points, result.undecided_points)
    _print(console, Text(f"\n{total}", "bold"))
    if topics := _topics(result):
        more = [f"softmark explain {topic}" for topic in topics]
        _print(console, _text(tr("To read on: {commands}", commands=", ".join(more)), "dim"))


def _topics(result: Result) -> list[str]:
    """What there is to read on about where it went wrong or is undecided."""
    met = {e.outcome for e in result.exercises} | {f.outcome for e in result.exercises for f in e.findings}
    timings = [exercise.timing for exercise in result.exercises if exercise.timing]
    about = {
        "box": result.sandbox == "open",
        "limits": bool(met & {Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY}),
        "undecided": result.undecided_points > 0,
        "timing": any(each.skipped or each.refused for each in timings),
    }
    return [topic for topic, is_so in about.items() if is_so]


def show_one(console: Console, exercise: ExerciseResult, files: tuple[str, ...] = ()) -> None:
    """Print one exercise of a result."""
    _exercise(console, exercise, files)


def _exercise(console: Console, exercise: ExerciseResult, files: tuple[str, ...]) -> None:
    said = words.outcome_words(exercise.outcome)
    title = Text.assemble((_safe(exercise.title), "bold"), "  ", (said.word, _STYLES[said.tone]))
    _row(console, Text(), title, words.score(exercise.points, exercise.max_points))
    if exercise.message:
        _indented(console, _text(exercise.message))
    if exercise.timing:
        for sentence in filter(None, (*exercise.timing.says, timing.reason_without_times(exercise.timing))):
            _indented(console, _text(sentence, "dim"))
    for finding in without_repeats(exercise.findings):
        show_finding(console, finding, files)


def show_finding(console: Console, finding: Finding, files: tuple[str, ...]) -> None:
    """Print a line for a check, and below it what went wrong. `files` are the submission's."""
    _row(console, _mark(console, finding.outcome), _says(finding), _score(finding))
    for detail in _details(finding, files):
        _indented(console, detail)


def _score(finding: Finding) -> str:
    if finding.outcome.undecided:
        return tr("{points} undecided", points=words.points(finding.max_points))
    return words.score(finding.points, finding.max_points)


def _row(console: Console, mark: Text, says: Text, score: str) -> None:
    """A line whose right end is the points; what does not fit goes on below, as far in as it began."""
    room = max(10, _width(console) - mark.cell_len - len(score) - 2)
    for number, line in enumerate(says.wrap(console, room) or [Text()]):
        line.rstrip()
        if number == 0:
            line.pad_right(room - line.cell_len)
            line.append(f"  {score}")
        _print(console, (mark if number == 0 else Text(" " * mark.cell_len)) + line)


def _mark(console: Console, outcome: Outcome) -> Text:
    said = words.outcome_words(outcome)
    mark = said.ascii_mark if console.options.ascii_only else said.mark
    return Text.assemble((mark, _STYLES[said.tone]), "  ")


def _says(finding: Finding) -> Text:
    said = words.outcome_words(finding.outcome)
    text = _text(finding.says)
    if finding.outcome not in (Outcome.PASSED, Outcome.FAILED):
        text.append(f" ({said.word})", _STYLES[said.tone])
    return text


def _details(finding: Finding, files: tuple[str, ...]) -> list[Text]:
    if finding.outcome is Outcome.PASSED:
        return [_text(finding.message, "dim")] if finding.message else []
    parts = (
        (finding.case.text, finding.message, difference(finding.case)) if finding.case else (finding.message,)
    )
    details = [_text(part) for part in parts if part]
    if finding.place:
        details.append(_text(tr("at {place}", place=words.place(finding.place, files))))
    if finding.mistake:
        details.append(_text(tr("hint: {hint}", hint=words.hint(finding.mistake)), "bold"))
    if finding.output:
        details.append(_text(tr("printed: {text}", text=finding.output.strip()), "dim"))
    return details


def _remark(remark: Remark, files: tuple[str, ...]) -> Text:
    where = words.place(remark, files)
    return _text(f"{remark.says} ({where})" if where else remark.says)


def _text(text: str, style: str = "") -> Text:
    return Text(_safe(text), style, overflow="fold")


def _safe(text: str) -> str:
    lines = _ACTS.sub("", words.bounded(text)).translate(_HOLD).expandtabs(4).split("\n")
    if len(lines) > LINES:
        lines = [*lines[:LINES], tr("[... {n} more lines]", n=len(lines) - LINES)]
    return "\n".join(lines)


def _indented(console: Console, text: Text, indent: str = _INDENT) -> None:
    for line in text.wrap(console, _width(console) - len(indent)):
        line.rstrip()
        _print(console, Text(indent) + line)


def _print(console: Console, what: Text) -> None:
    what.plain = "".join(_written(c, console.encoding) for c in what.plain.translate(_LET_GO))
    console.print(what, width=_width(console), highlight=False, markup=False, emoji=False)


def _written(character: str, encoding: str) -> str:
    """The character, or the nearest that a terminal of this encoding can write."""
    for near in (character, unicodedata.normalize("NFKD", character)[0]):
        with contextlib.suppress(UnicodeEncodeError):
            near.encode(encoding)
            return near
    return "?"


def _width(console: Console) -> int:
    return max(20, min(console.width, WIDTH))
