"""The words that all reports share: for outcomes, points, places, mistakes and values."""

import math
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from graders.classroom.comments import Comment
from graders.language import current_language, join_names, number, speaking, tr, translatable, trn
from graders.results.describe_place import describe_place, describe_shapes
from graders.results.result import (
    ExerciseResult,
    Finding,
    Mistake,
    Outcome,
    Place,
    Remark,
    Repair,
    Result,
)

MESSAGE_LIMIT = 4_000
MAX_DECIMALS = 5  # of a value in a picture
_SENTENCE = re.compile(r"[.?!](?=\s|$)|\s*:(?=\n|$)")


@dataclass(frozen=True)
class OutcomeWords:
    """How reports show an outcome: `ascii_mark` is for ASCII terminals, `tone` names the colour."""

    english: str
    mark: str
    ascii_mark: str
    tone: str

    @property
    def word(self) -> str:
        """The word in the current language."""
        return tr(self.english)


_OUTCOME_WORDS = {
    Outcome.PASSED: OutcomeWords(translatable("passed"), "✓", "+", "good"),
    Outcome.FAILED: OutcomeWords(translatable("failed"), "✗", "x", "bad"),
    Outcome.RAISED: OutcomeWords(translatable("raised an error"), "!", "!", "bad"),
    Outcome.TIMED_OUT: OutcomeWords(translatable("ran out of time"), "◷", "T", "bad"),
    Outcome.OUT_OF_MEMORY: OutcomeWords(translatable("ran out of memory"), "▤", "M", "bad"),
    Outcome.SKIPPED: OutcomeWords(translatable("to be decided"), "○", "o", "open"),
    Outcome.BROKEN: OutcomeWords(translatable("softmark's fault"), "?", "?", "ours"),
    Outcome.NOT_ATTEMPTED: OutcomeWords(translatable("not attempted"), "–", "-", "none"),
    Outcome.UNFINISHED: OutcomeWords(translatable("unfinished"), "…", ".", "none"),
    Outcome.UNREADABLE: OutcomeWords(translatable("could not be read"), "⊘", "u", "bad"),
}


def outcome_words(outcome: Outcome) -> OutcomeWords:
    """The word, mark and tone of an outcome."""
    return _OUTCOME_WORDS[outcome]


def exercise_word(exercise: ExerciseResult) -> str:
    """How an exercise ended: `failed`, or `nothing wrong so far, 1.1 of 2 to be decided`."""
    undecided = exercise.undecided_points
    if exercise.answer is not None and not undecided:
        return tr("marked by your instructor")
    if exercise.outcome is Outcome.SKIPPED and exercise.findings and undecided < exercise.max_points:
        sentence = translatable("nothing wrong so far, {undecided} of {most} to be decided")
        return tr(sentence, undecided=points(undecided), most=points(exercise.max_points))
    return outcome_words(exercise.outcome).word


def about_points(exercise: ExerciseResult) -> str | None:
    """What is to be known of an exercise's points before its checks are read, if there is anything."""
    sentences = (parts_replaced(exercise), fix_first(exercise), counts_little(exercise))
    return " ".join(filter(None, sentences)) or None


def counts_little(exercise: ExerciseResult) -> str | None:
    """That checks that hold count for little, and why, if they do."""
    if not exercise.not_counted:
        return None
    return trn(
        "The checks that hold count for {counted} of {most} points: the rest ({n} point) is not counted "
        "while nothing of the answer is right.",
        "The checks that hold count for {counted} of {most} points: the rest ({n} points) is not counted "
        "while nothing of the answer is right.",
        exercise.not_counted,
        counted=points(exercise.points),
        most=points(exercise.max_points),
    )


def parts_replaced(exercise: ExerciseResult) -> str | None:
    """In place of which wrong parts right ones stood, if any."""
    names = exercise.parts_replaced
    if not names:
        return None
    return trn(
        "Your {names} is wrong or not finished: judged with a right one in its place.",
        "Your {names} are wrong or not finished: judged with right ones in their place.",
        len(names),
        names=join_names(names),
    )


def fix_first(exercise: ExerciseResult) -> str | None:
    """Which wrong parts to mend before this exercise, if any."""
    names = ", ".join(exercise.fix_first)
    if not names:
        return None
    return trn(
        "Fix {names} first: this code calls it.",
        "Fix {names} first: this code calls them.",
        len(exercise.fix_first),
        names=names,
    )


def points(value: float) -> str:
    """Points with at most two decimals and no trailing zeros."""
    if not math.isfinite(value):
        return "?"
    text = number(value, ".2f").rstrip("0").rstrip(".,")
    return "0" if text == "-0" else text


def score(points_got: float, most: float) -> str:
    """`17.5 / 20`."""
    return f"{points(points_got)} / {points(most)}"


def total(points_got: float, most: float, undecided: float) -> str:
    """The last line of a report: `17.5 / 20, 2 points still to be decided`."""
    if not undecided:
        return score(points_got, most)
    left = trn("{n} point still to be decided", "{n} points still to be decided", undecided)
    return f"{score(points_got, most)}, {left}"


def share(part: float, whole: float) -> int:
    """A percentage from 0 to 100."""
    if not (math.isfinite(part) and math.isfinite(whole)) or whole <= 0:
        return 0
    return round(100 * min(1.0, max(0.0, part / whole)))


def lead(finding: Finding) -> tuple[str, str | None]:
    """What leads a finding, and what else its message says.

    An error of the code leads with itself: the check that it stops is only where it showed.
    """
    if finding.outcome is not Outcome.RAISED or not finding.message:
        return finding.says, finding.message
    error, _, rest = finding.message.partition("\n")
    return error, rest or None


def place(where: Place | Remark, files: tuple[str, ...]) -> str:
    """A place as people look for it: ``scores = Q @ K` in Attention.forward, cell 9, line 4`."""
    return describe_place(where, files)


def place_with_shapes(where: Place | Remark, files: tuple[str, ...]) -> str:
    """The same, with the shapes of the tensors that the line reads."""
    shapes = describe_shapes(where) if isinstance(where, Place) else None
    return ", ".join(filter(None, (place(where, files), shapes)))


_EDITED = {
    "axis": translatable("the axis of an operation"),
    "number": translatable("a number"),
    "axes_order": translatable("the order of the axes"),
    "operation": translatable("what is computed from two values, or with what sign"),
    "comparison": translatable("a comparison"),
    "function": translatable("which function is called"),
    "value": translatable("which value is used"),
    "layer": translatable("which layer is applied"),
    "arguments": translatable("the arguments of a call"),
    "missing": translatable("something is missing"),
    "too_much": translatable("something is too much"),
    "lost_result": translatable("the result of a call is thrown away"),
    "statement": translatable("whether and where the line should stand"),
    "statements_order": translatable("the order of the lines"),
    "condition": translatable("a condition, or what is negated"),
    "return": translatable("what is returned"),
    "default": translatable("a default value"),
    "in_place": translatable("a value is changed in place"),
    "shared": translatable("one object stands for several"),
}


def looks(finding: Finding, files: tuple[str, ...]) -> list[str]:
    """Where to look, as lines of a text: proven places, or where values part from the right ones."""
    lines = [tr("proven place: {look}", look=look) for look in repairs(finding, files)]
    look = departure(finding, files)
    return [*lines, tr("where to look: {look}", look=look)] if look else lines


def departure(finding: Finding, files: tuple[str, ...]) -> str | None:
    """Where the values of the code are no longer those of a correct solution, if that is known."""
    found = finding.departure
    if found is None:
        return None
    where, named = place(found.place, files), [f"`{name}`" for name in found.right]
    values = tr("the values of `{name}`", name=found.name) if found.name else tr("the values returned")
    says = translatable(
        "{values} at {place} are the first that no correct solution computes. Those of {right} are still "
        "right, if also in their places: look at this line, and at what may be missing before it"
    )
    return tr(says, values=values, place=where, right=tr(" and ").join(named))


def repairs(finding: Finding, files: tuple[str, ...]) -> list[str]:
    """For each change that a finding asks for, where it is proven to be due, and what is wrong there.

    The change itself is the student's to find.
    """
    return [_repair(repair, files) for repair in finding.repairs]


def _repair(found: Repair, files: tuple[str, ...]) -> str:
    where, what = place(found.place, files), tr(_EDITED.get(found.kind, found.kind))
    if found.beside is not None:
        both = (
            translatable("look at {place}: {what}. With one change there and one at {other}, all checks hold")
            if found.completes
            else translatable(
                "look at {place}: {what}. With one change there and one at {other}, this check holds"
            )
        )
        return tr(both, place=where, what=what, other=place(found.beside, files))
    if found.completes:
        says = translatable("look at {place}: {what}. With one change there, all checks hold")
        return tr(says, place=where, what=what)
    if found.mistake:
        says = translatable("look at {place}: {what}. One change there mends one of these mistakes")
        return tr(says, place=where, what=what)
    return trn(
        "look at {place}: {what}. With one change there, this check holds",
        "look at {place}: {what}. With one change there, {n} checks that fail hold, this one too",
        found.checks,
        place=where,
        what=what,
    )


def mistake_name(name: str) -> str:
    """A mistake's name to read: `f__no_scale` is `no scale`."""
    return (name.partition("__")[2] or name).replace("_", " ")


def mistake_names(alternatives: Sequence[Sequence[str]]) -> str:
    """The names of mistakes, alternatives of one or more each, to read: `no scale and no mask or no bias`."""
    return tr(" or ").join(tr(" and ").join(map(mistake_name, names)) for names in alternatives)


def summarize_mistakes(alternatives: Sequence[Sequence[Mistake]]) -> str:
    """Mistakes in a few words: the first sentence of each hint."""
    return " / ".join(_summarize(mistake) for mistakes_made in alternatives for mistake in mistakes_made)


def _summarize(mistake: Mistake) -> str:
    """The first sentence of the hint, without its end; the name, where a mistake has no hint."""
    sentence = _SENTENCE.split(hint(mistake).strip(), maxsplit=1)[0].rstrip()
    return " ".join(sentence.split()) or mistake_name(mistake.name)


def hint_is_english(mistake: Mistake) -> bool:
    """Whether `hint` gives English text."""
    return current_language() == "en" or not mistake.hint_fr


def hint(mistake: Mistake) -> str:
    """The hint in the current language, or in English where it has no French."""
    return mistake.hint if hint_is_english(mistake) else mistake.hint_fr


def with_points(comment: Comment) -> str:
    """What a person says, with the points that it adds or takes: `the axis is the other one (−0.5)`."""
    if comment.points is None:
        return comment.text
    given = number(round(comment.points, 2), "+g").replace("-", "\u2212")
    return f"{comment.text} ({given})" if comment.text else given


def about(what: str, message: object) -> str:
    """`Joining the heads: unmoved`."""
    return tr("{what}: {says}", what=what, says=message)


def in_its_language(result: Result | None) -> AbstractContextManager[None]:
    """Set the language to that of the result: its sentences are stored in that language."""
    return speaking(result.language if result else current_language())


def cut_text(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """The text, cut at `limit` with a note of how much is missing."""
    if len(text) <= limit:
        return text
    return tr("{text} [... {n} more characters]", text=text[:limit], n=len(text) - limit)


def figure(value: float | str, digits: int = 3) -> str:
    """A tensor's value with a few significant digits; `nan`, `inf` and `-inf` unchanged."""
    try:
        value = float(value)
    except ValueError:
        return "?"
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 10**digits:
        return str(int(value))
    return f"{value:.{digits}g}"


def evenly(values: Sequence[float], apart: Sequence[float] = ()) -> Callable[[float], str]:
    """A function that writes values of one column, with the same number of decimals where that suits all.

    It has as many decimals as it takes to tell the two values in `apart` from each other. Where that is more
    than MAX_DECIMALS, these two alone have more digits.
    """
    write, (first, second) = _evenly(values, apart), (*apart, math.nan, math.nan)[:2]
    if first == second or math.isnan(first) or math.isnan(second) or write(first) != write(second):
        return write
    precise = dict(zip((first, second), figures(first, second), strict=True))
    return lambda value: precise.get(value) or write(value)


def _evenly(values: Sequence[float], apart: Sequence[float]) -> Callable[[float], str]:
    sizes = [abs(value) for value in values if math.isfinite(value) and value]
    if not sizes or max(sizes) >= 1e4 or min(sizes) < 1e-3:
        return lambda value: figure(value, 2 if sizes and max(sizes) >= 1e4 else 3)
    if all(size == int(size) for size in sizes):
        return lambda value: figure(value, 4)
    usual = 3 if max(sizes) < 1 else 2 if max(sizes) < 100 else 1
    if all(size * 10 == int(size * 10) for size in sizes):
        usual = 1
    enough = (n for n in range(usual, MAX_DECIMALS + 1) if len({f"{value:.{n}f}" for value in apart}) > 1)
    decimals = next(enough, usual)
    return lambda value: f"{value:.{decimals}f}" if math.isfinite(value) else str(value)


def figures(first: float | str, second: float | str) -> tuple[str, str]:
    """Two values with as many digits as it takes to show their difference, if there is one."""
    if first == second:
        return figure(first), figure(second)
    for digits in range(3, 18):
        pair = figure(first, digits), figure(second, digits)
        if pair[0] != pair[1]:
            break
    return pair
