"""Read the times in a column of a table, in whatever language a platform wrote them.

A single time may be read in several ways: 05/06/2026, or a name that two languages give to two months. A way
counts if it reads all times of the column; where two ways are left and differ, a time is not understood.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import partial

from graders.classroom.intake.language_names import LANGUAGES, LanguageNames, fold_date, names_of
from graders.classroom.intake.timestamps import YEARS, parse_time

_CLOCK = re.compile(
    r"(?<![\d:.,])(?P<hour>\d{1,2}) ?(?P<mark>[:.h]) ?(?P<minute>\d\d)(?:[:.](?P<second>\d\d))?(?![\d:])"
)
_NUMBERS = re.compile(r"(?P<first>\d{1,2})(?P<mark>[/.\-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})")
_YEAR_FIRST = re.compile(
    r"(?P<year>\d{4}) ?[年년/.\-] ?(?P<month>\d{1,2}) ?[月월/.\-] ?(?P<day>\d{1,2}) ?(?:日|일|(?!\d))"
)
_REST = re.compile(r"[\s,،.·\-–()'ºª°]*")
_DAY_AND_YEAR = re.compile(r"\d+")

Way = Callable[[str], "set[datetime]"]


@dataclass(frozen=True)
class ColumnTimes:
    """The times of a column.

    Attributes:
        at: each cell's time; None where it states none, or is not understood.
        unread: the indices of the cells that are not understood.
    """

    at: tuple[datetime | None, ...]
    unread: tuple[int, ...] = ()


def read_times(cells: Sequence[str], zone: tzinfo) -> ColumnTimes:
    """Read the times of a column, in `zone` where they name no zone. A cell without a digit has none."""
    times: list[datetime | None] = [parse_time(cell, zone) for cell in cells]
    left = [i for i, cell in enumerate(cells) if times[i] is None and any(c.isdigit() for c in cell)]
    if not left:
        return ColumnTimes(tuple(times))
    read = _read_alike([fold_date(cells[i]) for i in left])
    for i, at in zip(left, read, strict=True):
        times[i] = at and at.replace(tzinfo=zone)
    return ColumnTimes(tuple(times), tuple(i for i in left if times[i] is None))


def _read_alike(texts: Sequence[str]) -> list[datetime | None]:
    """The times that each way gives which reads all texts; where none does, those of all ways."""
    readings = [[way(text) for text in texts] for way in _ways()]
    whole = [reading for reading in readings if all(reading)]
    times = []
    for several in zip(*(whole or readings), strict=True):
        found = set().union(*several)
        times.append(found.pop() if len(found) == 1 else None)
    return times


def _ways() -> Iterator[Way]:
    yield _read_year_first
    yield partial(_read_numbers, day_first=True)
    yield partial(_read_numbers, day_first=False)
    for language in LANGUAGES:
        yield partial(_read_words, language)


def _read_year_first(text: str) -> set[datetime]:
    match = _YEAR_FIRST.search(text)
    if match is None:
        return set()
    date = (int(match["year"]), int(match["month"]), int(match["day"]))
    return _read_rest(text[: match.start()] + " " + text[match.end() :], date)


def _read_numbers(text: str, *, day_first: bool) -> set[datetime]:
    match = _NUMBERS.search(text)
    if match is None or (match["mark"] == "." and not day_first):  # 05.06.2026 is the 5th everywhere
        return set()
    day, month = (match["first"], match["second"]) if day_first else (match["second"], match["first"])
    date = (int(match["year"]), int(month), int(day))
    return _read_rest(text[: match.start()] + " " + text[match.end() :], date)


def _read_rest(text: str, date: tuple[int, int, int]) -> set[datetime]:
    """The times of a date and a text without it, in any language that has all the words of the text."""
    found = set()
    for language in LANGUAGES:
        names = names_of(language)
        words = names.pattern.findall(text)
        rest = names.pattern.sub(" ", text)
        clock = _CLOCK.search(rest)
        if clock and _REST.fullmatch(rest[: clock.start()] + rest[clock.end() :]):
            found |= _moments(names, words, clock, {date})
        if not words and found:
            break
    return found


def _read_words(language: str, text: str) -> set[datetime]:
    """The times that a text states in a language, with a month's name."""
    names = names_of(language)
    words = names.pattern.findall(text)
    if not any(word in names.months for word in words):
        return set()
    clocks = list(_CLOCK.finditer(text))
    if not clocks:
        return set()
    clock = clocks[-1]
    rest = names.pattern.sub(" ", text[: clock.start()] + " " + text[clock.end() :])
    numbers = _DAY_AND_YEAR.findall(rest)
    if len(numbers) != 2 or not _REST.fullmatch(_DAY_AND_YEAR.sub(" ", rest)):
        return set()
    year, day = sorted(map(int, numbers), reverse=True)
    found = set()
    for i, word in enumerate(words):
        dates = {(year, month, day) for month in names.months.get(word, ())}
        found |= _moments(names, words[:i] + words[i + 1 :], clock, dates)
    return found


def _moments(
    names: LanguageNames, words: Sequence[str], clock: re.Match[str], dates: set[tuple[int, int, int]]
) -> set[datetime]:
    """The times at these dates that the other words do not contradict."""
    if any(word in names.months and word not in names.weekdays for word in words):
        return set()  # two months
    halves = {names.afternoon[word] for word in words if word in names.afternoon}
    hour = int(clock["hour"])
    if len(halves) > 1 or (halves and not 1 <= hour <= 12):
        return set()
    if halves:
        hour = hour % 12 + (12 if halves.pop() else 0)
    found = set()
    for year, month, day in dates:
        try:
            at = datetime(year, month, day, hour, int(clock["minute"])).replace(
                second=int(clock["second"] or 0)
            )
        except ValueError:
            continue
        days = [names.weekdays[word] for word in words if word in names.weekdays]
        if year in YEARS and all(at.weekday() in numbers for numbers in days):
            found.add(at)
    return found
