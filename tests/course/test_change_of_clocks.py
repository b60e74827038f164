"""Lateness over changes of clocks: days end at the due time of day, however a download writes its times."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.classroom.intake.timestamps import parse_time
from graders.course.late_policy import LatePolicy, end_of_day, late_policy_of, lateness

PARIS = ZoneInfo("Europe/Paris")
ZONES = [
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Pacific/Chatham",
    "UTC",
]
HOUR = timedelta(hours=1)


@cache
def changes(zone: str) -> tuple[datetime, ...]:
    """The hours of ten years after which clocks of a zone show something else, in UTC."""
    hours = [datetime(2020, 1, 1, tzinfo=UTC) + n * HOUR for n in range(24 * 3653)]
    offsets = [hour.astimezone(ZoneInfo(zone)).utcoffset() for hour in hours]
    found = [hours[i] for i in range(1, len(hours)) if offsets[i] != offsets[i - 1]]
    return tuple(found or [hours[0]])


def late(policy: LatePolicy, at: datetime) -> int:
    found = lateness(policy, at, 20, 20)
    return found.days if found else 0


def days_by_the_calendar(due: datetime, at: datetime) -> int:
    """The same by the wall clock alone, for times of day that come once."""
    clock = at.astimezone(due.tzinfo).replace(tzinfo=None)
    over = clock - due.replace(tzinfo=None)
    return max(0, -(-over // timedelta(days=1)))


def is_once(at: datetime) -> bool:
    """Whether the time of day of a moment comes once on its date."""
    return at.replace(fold=0).utcoffset() == at.replace(fold=1).utcoffset()


def test_ten_years_have_two_changes_of_clocks_each():
    assert len(changes("Europe/Paris")) == 20


def around(zone: str) -> Iterator[tuple[datetime, datetime]]:
    """Each change with due times in the days before, at hours of day all over."""
    place = ZoneInfo(zone)
    for change in changes(zone):
        for hours in range(-60, 4, 7):
            yield change, (change + hours * HOUR).astimezone(place)


@pytest.mark.parametrize("zone", ZONES)
def test_late_days_are_those_of_the_calendar_over_all_changes_of_ten_years(zone: str):
    place = ZoneInfo(zone)
    for change, due in around(zone):
        ends = [end_of_day(due, day).astimezone(place) for day in range(7)]
        if not all(map(is_once, ends)):
            continue
        policy = LatePolicy(due)
        for half_hours in range(0, 240, 5):
            at = (change - timedelta(days=1) + half_hours * HOUR / 2).astimezone(place)
            if is_once(at) and at.astimezone(UTC) > due.astimezone(UTC):
                assert late(policy, at) == days_by_the_calendar(due, at), (due, at)


@pytest.mark.parametrize("zone", ZONES)
def test_days_end_one_after_the_other_and_none_is_shorter_than_22_hours(zone: str):
    for _, due in around(zone):
        ends = [end_of_day(due, day) for day in range(6)]
        lengths = [after - before for before, after in pairwise(ends)]
        assert all(22 * HOUR <= length <= 26 * HOUR for length in lengths), (due, lengths)
        for day, end in enumerate(ends[1:], 1):
            assert (late(LatePolicy(due), end), late(LatePolicy(due), end + HOUR / 3600)) == (day, day + 1)


MOMENTS = st.sampled_from(changes("Europe/Paris")).flatmap(
    lambda change: st.timedeltas(timedelta(days=-3), timedelta(days=3)).map(lambda delta: change + delta)
)


@given(MOMENTS, MOMENTS)
def test_a_moment_costs_the_same_whichever_way_a_download_writes_it(due, at):
    due, at = due.replace(microsecond=0), at.replace(microsecond=0)
    policy = late_policy_of({"due": due.astimezone(PARIS).replace(tzinfo=None), "zone": "Europe/Paris"})
    written = [
        at.isoformat(),
        at.astimezone(timezone(timedelta(hours=1))).isoformat(),
        at.astimezone(timezone(timedelta(hours=-8))).isoformat(),
        at.astimezone(PARIS).isoformat(),
    ]
    read = [parse_time(text, PARIS) for text in written]
    local = parse_time(f"{at.astimezone(PARIS):%Y-%m-%d %H:%M:%S}", PARIS)
    assert all(read)
    assert local is not None
    [days] = {late(policy, moment) for moment in read if moment}
    # Of a time of day that comes twice, nobody knows which was meant: the earlier is taken.
    assert late(policy, local) <= days
    assert late(policy, local) == days or not is_once(at.astimezone(PARIS))


@pytest.mark.parametrize(
    ("due", "at", "days"),
    [
        # Clocks go back on the 25th: the day has 25 hours.
        (datetime(2026, 10, 24, 23, 59), datetime(2026, 10, 25, 22, 58, tzinfo=UTC), 1),
        (datetime(2026, 10, 24, 23, 59), datetime(2026, 10, 25, 22, 59, 1, tzinfo=UTC), 2),
        (datetime(2026, 10, 24, 23, 59), datetime(2026, 10, 24, 21, 59, tzinfo=UTC), 0),
        # They go forward on the 28th of March: the day has 23.
        (datetime(2027, 3, 27, 23, 59), datetime(2027, 3, 28, 21, 59, tzinfo=UTC), 1),
        (datetime(2027, 3, 27, 23, 59), datetime(2027, 3, 28, 21, 59, 1, tzinfo=UTC), 2),
        # Half past two comes twice, or not at all.
        (datetime(2026, 10, 25, 2, 30), datetime(2026, 10, 25, 1, 30, tzinfo=UTC), 0),
        (datetime(2027, 3, 28, 2, 30), datetime(2027, 3, 28, 1, 30, tzinfo=UTC), 0),
    ],
)
def test_a_day_is_one_whatever_its_hours(due: datetime, at: datetime, days: int):
    policy = late_policy_of({"due": due, "zone": "Europe/Paris"})
    assert late(policy, at) == days
    assert late(late_policy_of({"due": due}, PARIS), at) == days


def test_without_a_zone_a_day_has_24_hours():
    policy = late_policy_of({"due": datetime(2026, 10, 24, 23, 59, tzinfo=timezone(timedelta(hours=2)))})
    assert late(policy, datetime(2026, 10, 25, 21, 59, 1, tzinfo=UTC)) == 2


def test_grace_is_minutes_and_not_time_of_day():
    policy = late_policy_of(
        {"due": datetime(2026, 10, 25, 2, 50), "zone": "Europe/Paris", "grace_minutes": 15}
    )
    assert late(policy, datetime(2026, 10, 25, 2, 5, tzinfo=UTC)) == 0
    assert late(policy, datetime(2026, 10, 25, 2, 5, 1, tzinfo=UTC)) == 1
