"""Tell what a column of a table holds by the form of its cells, where no title that we know says it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

_EMAIL = re.compile(r"[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+")
_CODE = re.compile(r"[A-Za-z]{0,4}\d{4,}[A-Za-z]{0,2}")
_WORD = r"[^\W\d_]+(?:[-'’.·]?[^\W\d_]+)*\.?"
_NAME = re.compile(rf"{_WORD}(?:,? {_WORD})*")
_CLOCK = re.compile(r"\d{1,2} ?[:.h] ?\d\d")
MOSTLY = 0.9  # of the cells of a column
IDENTIFYING = ("id", "username", "email", "name", "first", "last", "number")

Columns = Mapping[int, Sequence[str]]


def columns_by_shape(rows: Sequence[Sequence[str]], known: Mapping[str, int]) -> dict[str, int]:
    """The columns of meanings that no title told: numbers of participants, e-mails, names, times.

    Only of a table of Moodle's, whose participants have numbers, or of one in which no title says whose a row
    is: elsewhere a column without a known title is of no use to us.

    Args:
        rows: the cells, without the titles.
        known: the columns whose meaning is known.
    """
    width = max(map(len, rows), default=0)
    columns: dict[int, Sequence[str]] = {
        i: [row[i].strip() for row in rows if i < len(row) and row[i].strip()]
        for i in range(width)
        if i not in known.values()
    }
    found: dict[str, int] = {}
    _take(found, known, "number", columns, are_numbered)
    if "number" not in {**known, **found} and any(meaning in known for meaning in IDENTIFYING):
        return {}
    _take(found, known, "email", columns, lambda cells: _mostly(_EMAIL, cells))
    if not {"name", "first", "last"} & set(known):
        found |= _find_names(columns)
    if "number" in {**known, **found}:
        _take(found, known, "at", columns, _look_like_times)
    elif not found:
        _take(found, known, "id", columns, lambda cells: _mostly(_CODE, cells) and _are_distinct(cells))
    return found


def are_participants(cells: Sequence[str]) -> bool:
    """Whether all cells are one word and a number, as `Participant 12` in the language of a site."""
    words = {match[1].strip() if (match := re.fullmatch(r"(\D+)[0-9]+", cell)) else "" for cell in cells}
    return len(words) == 1 and len(words.pop()) > 3


def are_numbered(cells: Sequence[str]) -> bool:
    """The same, where nothing else says that these are numbers of Moodle's."""
    # A student's own id may be `student12`, too; Moodle's word is followed by a space, or has a stroke.
    return are_participants(cells) and any(mark in cells[0] for mark in " \u00a0/")


def _take(
    found: dict[str, int],
    known: Mapping[str, int],
    meaning: str,
    columns: dict[int, Sequence[str]],
    fits: Callable[[Sequence[str]], bool],
) -> None:
    """Take the first column that fits, unless the meaning is known."""
    index = next((i for i, cells in columns.items() if cells and fits(cells)), None)
    if meaning not in known and index is not None:
        found[meaning] = index
        del columns[index]


def _find_names(columns: Columns) -> dict[str, int]:
    """The column of whole names; else the first two beside each other with the parts of names."""
    for i, cells in columns.items():
        whole = sum(" " in cell for cell in cells) >= MOSTLY * len(cells)
        if cells and whole and _mostly(_NAME, cells) and _are_distinct(cells):
            return {"name": i}
    for i, cells in columns.items():
        after = columns.get(i + 1, ())
        both = [f"{one} {other}" for one, other in zip(cells, after, strict=False)]
        if both and len(cells) == len(after) and _mostly(_NAME, both) and _are_distinct(both):
            return {"first": i, "last": i + 1}
    return {}


def _look_like_times(cells: Sequence[str]) -> bool:
    """Whether most cells that have digits have a time of day and a date, in whatever language."""
    written = [cell for cell in cells if any(c.isdigit() for c in cell)]
    times = [cell for cell in written if _CLOCK.search(cell) and len(re.findall(r"\d+", cell)) >= 4]
    return bool(written) and len(times) >= MOSTLY * len(written)


def _mostly(form: re.Pattern[str], cells: Sequence[str]) -> bool:
    return sum(form.fullmatch(cell) is not None for cell in cells) >= MOSTLY * len(cells)


def _are_distinct(cells: Iterable[str]) -> bool:
    texts = list(cells)
    return len(set(texts)) >= MOSTLY * len(texts)
