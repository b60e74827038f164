"""The rules of French about spaces: a no-break space before : ; ? ! and inside « »."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

NO_BREAK = "\u00a0"
# Spaces are not looked for in code, formulas, rows of tables, placeholders, tags and addresses.
_NOT_PROSE = re.compile(
    r"`[^`]*`|\$[^$\n]+\$|^[ \t#]*\|[-:| \t]+$|\{[^}]*\}|%\(\w+\)s|%%|<[^>]*>|https?:\S+", re.MULTILINE
)
_ESCAPED = re.compile(r"\\(?:u00a0|xa0|N\{NO-BREAK SPACE\})", re.IGNORECASE)
_WRONG = (
    re.compile(r"\S*(?<![\u00a0\u202f\d]) ?[;!?»](?=[\s,.)]|$)"),
    re.compile(r"\S*[^\u00a0]:(?=\s|$)"),
    re.compile(r"«(?!\u00a0)\S*"),
)
# In a docstring of Google's style, `Args:` and `x:` begin a line in both languages.
_LABEL = re.compile(r"^[ \t]*\*{0,2}\w+(?:, \w+)*:(?=\s|$)", re.MULTILINE)
# A sign that may stand on a line of its own, also of a comment, where a text is wrapped.
_SIGN = re.compile(
    r"(?<=\S)(?P<gap>[ \t]*(?P<wrap>\n[ \t]*(?:#[ \t]*)?)?)(?P<sign>[:;!?»])(?=[\s,.)]|$)(?P<next> ?)"
)
_OPENING = re.compile(r"«(?!\u00a0)[ \t]*")


@dataclass(frozen=True)
class Edit:
    """A place of a text that is to be written anew; `found` and `due` are it with the word beside it."""

    start: int
    end: int
    new: str
    found: str
    due: str


def find_misspaced(french: str) -> str | None:
    """The first place where a text breaks these rules, None where it keeps them."""
    prose = _NOT_PROSE.sub("x", french)
    places = [rule.search(prose) for rule in _WRONG]
    return next((place.group() for place in places if place), None)


def misspaced_docstring(french: str) -> str | None:
    """The same for a docstring, in which names of sections and of arguments may begin a line."""
    return find_misspaced(_LABEL.sub("", french))


def write_spaces(french: str) -> str:
    """The text with the no-break spaces that it lacks."""
    for edit in reversed(list(edit_spaces(french, 0, len(french), docstring=False))):
        french = french[: edit.start] + edit.new + french[edit.end :]
    return french


def edit_spaces(source: str, start: int, end: int, *, docstring: bool) -> Iterator[Edit]:
    """What gives a French text its no-break spaces, in the order of the text.

    Args:
        source: the file that holds the text, as it is written there: with escapes, and `#` before a line.
        start: where the text begins.
        end: where it ends.
        docstring: names of sections and of arguments may begin a line.
    """
    text = source[start:end]
    prose = _NOT_PROSE.sub(_hide, _ESCAPED.sub(lambda escape: NO_BREAK * len(escape[0]), text))
    labels = {label.end() - 1 for label in _LABEL.finditer(prose)} if docstring else set()
    for place in re.finditer(f"{_SIGN.pattern}|{_OPENING.pattern}", prose):
        if place["sign"] is None:
            yield _edit(text, start, place.start(), place.end(), f"«{NO_BREAK}")
        elif place.start("sign") not in labels and not _is_spaced(prose, place):
            after = place["next"] and (place["wrap"] or place["next"])  # the line is wrapped after the sign
            yield _edit(text, start, place.start(), place.end(), f"{NO_BREAK}{place['sign']}{after}")


def _hide(code: re.Match[str]) -> str:
    """As many characters that are no signs and no spaces."""
    return re.sub(r"[^\n]", "x", code[0])


def _is_spaced(prose: str, place: re.Match[str]) -> bool:
    """Whether a sign stands as it should: after a no-break space, or at a number."""
    before = prose[place.start() - 1]
    return not place["gap"] and before in (
        NO_BREAK if place["sign"] == ":" else f"{NO_BREAK}\u202f0123456789"
    )


def _edit(text: str, offset: int, start: int, end: int, new: str) -> Edit:
    before, after = re.search(r"\S*$", text[:start]), re.match(r"\S*", text[end:])
    word = before[0] if before else ""
    rest = after[0] if after and new.startswith("«") else ""
    found, due = text[start:end].rstrip(" "), new.split("\n")[0].rstrip(" ")
    return Edit(offset + start, offset + end, new, f"{word}{found}{rest}", f"{word}{due}{rest}")
