"""docs/course-toml.md has a row for each key that is read, and no other."""

import re
import tomllib
from dataclasses import fields

import pytest

from graders.course.course_table import CourseTable
from graders.course.late_policy import LatePolicy, late_policy_of
from graders.course.loss_policy import LossPolicy
from graders.course.require_entries import KEYS_OF_ASSIGNMENT, KEYS_OF_EXERCISE, require_assignment
from graders.course.speed_policy import SpeedPolicy
from graders.locations import ROOT

PAGE = (ROOT / "docs/course-toml.md").read_text(encoding="utf-8")


def _keys(head: str) -> set[str]:
    """The keys of the table whose first column has this title."""
    table = PAGE.split(f"| {head} |")[1].split("\n\n")[0]
    return {
        key
        for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row)
    }


def _fields(policy: type) -> set[str]:
    return {field.name for field in fields(policy)}


@pytest.mark.parametrize(
    ("head", "read"),
    [
        ("key of `[course]`", _fields(CourseTable)),
        ("key of `[NAME]`", KEYS_OF_ASSIGNMENT),
        ("key in `exercises`", KEYS_OF_EXERCISE),
        ("key of `late`", _fields(LatePolicy) | {"zone"}),
        ("key of `trained`", _fields(LossPolicy)),
    ],
)
def test_a_table_has_each_key_that_is_read(head: str, read: set[str]):
    assert _keys(head) == read


@pytest.mark.parametrize(
    ("key", "default"), [(f.name, f.default) for f in fields(LatePolicy) if f.name not in ("due", "closes")]
)
def test_what_a_late_rule_is_without_a_key_is_what_the_page_says(key: str, default: object):
    said = re.search(rf"^\| `{key}` \|[^|]+\| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert said is not None and said[1].strip('`"') == str(default)


def test_speed_has_the_numbers_that_the_page_shows():
    table = re.search(r"`\{ (points = 1, full = 2, none = 10) \}`", PAGE)
    assert table is not None and set(re.findall(r"(\w+) =", table[1])) == _fields(SpeedPolicy)


def test_the_example_is_a_course_that_can_be_read():
    text = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert text is not None
    tables = tomllib.loads(text[1])
    shipped = tomllib.loads((ROOT / "assignments/course.toml").read_text(encoding="utf-8"))
    zone = None
    for name in ("attention", "tp1"):
        rule = tables[name].pop("late", None)
        require_assignment(name, tables[name], shipped, zone, with_files=True)
        assert rule is None or late_policy_of({**rule, "zone": tables["course"]["time_zone"]}).most == 0.5
