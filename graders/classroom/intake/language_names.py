"""How a language names months, days of the week and halves of the day: the Unicode data that Babel has."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain

# Languages of Moodle's language packs that Babel knows; those with many courses first.
_CODES = (
    "en fr de es pt it nl ca eu gl pl ru uk cs sk hr sr sr_Latn sl hu ro sv da nb nn no fi el tr ar fa he ja "
    "zh zh_Hant ko vi th id ms fil et lv lt is ga cy be bg mk bs sq hy ka az kk ky uz tg hi bn gu kn ml mr "
    "ne si ta te ur ps ku km lo my am sw so af eo oc br lb mt ckb mn"
)
LANGUAGES = tuple(_CODES.split())
# Words beside a date that Babel's patterns lack: `Friday the 20th`, `klo 23.10`, `il 20`.
_MORE_WORDS = (
    "a à al as at às d da de del den der di el er h il kl klo la le o ob of om st nd rd th the to u um y ó"
)
_WIDTHS = ("wide", "abbreviated")
_FORMS = ("format", "stand-alone")
_QUOTED = re.compile(r"'([^']+)'")
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class LanguageNames:
    """The names of a language, folded by `fold_date`; a name may stand for several things.

    Attributes:
        pattern: finds each of them as a whole word.
        months: the numbers of months by name, from 1.
        weekdays: the numbers of days of the week by name, from 0 for Monday.
        afternoon: whether it is after noon, by the name of the half of the day.
    """

    pattern: re.Pattern[str]
    months: Mapping[str, frozenset[int]]
    weekdays: Mapping[str, frozenset[int]]
    afternoon: Mapping[str, bool]


def fold_date(text: str) -> str:
    """Reduce a written date: lower case, one kind of space and of letters, no points after letters."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = "".join(c for c in text if unicodedata.category(c) != "Cf")  # marks of the direction of writing
    return " ".join(re.sub(r"(?<=[^\W\d_])\.", "", text).split())


@cache
def names_of(language: str) -> LanguageNames:
    """The names of one of `LANGUAGES`."""
    from babel import Locale  # for a class whose times are in English, French or ISO, it is not needed

    locale = Locale.parse(language)
    months = _by_name(locale.months)
    weekdays = _by_name(locale.days)
    weekdays |= {name.partition("-")[0]: numbers for name, numbers in weekdays.items()}  # sexta-feira
    # English names as well: a site may lack a translation of them.
    afternoon = {"am": False, "pm": True, "a m": False, "p m": True}
    for form, width in ((form, width) for form in _FORMS for width in _WIDTHS):
        halves = locale.day_periods.get(form, {}).get(width, {})
        afternoon |= {fold_date(halves[half]): half == "pm" for half in ("am", "pm") if half in halves}
    patterns = chain(
        (str(pattern) for pattern in locale.date_formats.values()),
        map(str, locale.datetime_formats.values()),
    )
    words = {fold_date(word) for pattern in patterns for word in _QUOTED.findall(pattern)}
    words |= set(_MORE_WORDS.split())
    names = {*months, *weekdays, *afternoon, *words} - {""}
    return LanguageNames(_find_any(names), months, weekdays, afternoon)


def _by_name(tables: Mapping[str, Mapping[str, Mapping[int, str]]]) -> dict[str, frozenset[int]]:
    numbers: dict[str, set[int]] = {}
    for form, width in ((form, width) for form in _FORMS for width in _WIDTHS):
        for number, name in tables.get(form, {}).get(width, {}).items():
            if _LETTERS.search(name):  # not `11` nor `11月`, which are read as numbers
                numbers.setdefault(fold_date(name), set()).add(number)
    return {name: frozenset(known) for name, known in numbers.items() if not name[0].isdigit()}


def _find_any(names: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, longest))})(?![^\W\d_])")
