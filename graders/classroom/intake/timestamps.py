"""Parse the times of learning platforms: ISO, nbgrader's, and Moodle's in English and French."""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from graders.classroom.find_student import fold

_ENGLISH = "January February March April May June July August September October November December"
_FRENCH = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
_MONTHS = {fold(name): i for names in (_ENGLISH, _FRENCH) for i, name in enumerate(names.split(), 1)}

YEARS = range(1970, 2200)  # others are of another calendar, or no years

_ISO = re.compile(r"(?P<at>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)\d* ?(?P<zone>\S+)?")
_LONG = re.compile(
    r"(?:\w+,? )?(?P<day>\d{1,2})(?:er)? (?P<month>[^\W\d]+) (?P<year>\d{4}),?"
    r" (?P<hour>\d{1,2}):(?P<minute>\d\d)(?: (?P<half>[AP]M))?",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"(?:UTC|GMT)?(?P<sign>[+-])(?P<hours>\d\d):?(?P<minutes>\d\d)")
# Unambiguous abbreviations that the time zone database does not contain.
_HOURS = {"CEST": 2, "WEST": 1, "EEST": 3, "EDT": -4, "CDT": -5, "MDT": -6, "PDT": -7, "PST": -8}


def parse_time(text: str, zone: tzinfo) -> datetime | None:
    """Parse the time that a text states, in `zone` if it names no zone; None if it states no time."""
    at = _parse_any(text, zone)
    return at if at and at.year in YEARS else None


def _parse_any(text: str, zone: tzinfo) -> datetime | None:
    text = " ".join(text.split())
    if len(text) > 100:
        return None
    try:
        if match := _ISO.fullmatch(text):
            its = _parse_zone(match["zone"]) if match["zone"] else zone
            return None if its is None else datetime.fromisoformat(match["at"]).replace(tzinfo=its)
        if match := _LONG.fullmatch(text):
            return _parse_long(match).replace(tzinfo=zone)
    except (ValueError, OverflowError, KeyError):
        return None
    return None


def _parse_long(match: re.Match[str]) -> datetime:
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].upper() == "PM" else 0)
    month = _MONTHS[fold(match["month"])]
    return datetime(int(match["year"]), month, int(match["day"]), hour, int(match["minute"]))


def _parse_zone(name: str) -> tzinfo | None:
    if name in ("Z", "UTC", "GMT"):
        return UTC
    if match := _OFFSET.fullmatch(name):
        offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"]))
        return timezone(-offset if match["sign"] == "-" else offset)
    if name in _HOURS:
        return timezone(timedelta(hours=_HOURS[name]))
    try:
        return ZoneInfo(name)
    except (OSError, ValueError):  # unknown or invalid name
        return None
