"""CHANGELOG.md is for readers who use softmark: a page for each version, a line for each change."""

import re
import tomllib
from pathlib import Path

from tests.maintenance.release import sections

ROOT = Path(__file__).parents[2]
PAGE = 70  # lines


def _sections() -> dict[str, str]:
    return sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


def test_what_is_unreleased_comes_first_and_the_version_of_the_package_next():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert list(_sections())[:2] == ["Unreleased", version]


def test_a_version_has_one_page():
    assert {name: text.count("\n") for name, text in _sections().items() if text.count("\n") > PAGE} == {}


def test_each_change_says_whom_it_is_for():
    entries = re.findall(r"^- .*$", _sections()["Unreleased"], re.MULTILINE)
    wanted = re.compile(r"- (?:code|handout|code, handout): ")
    assert [entry for entry in entries if not wanted.match(entry)] == []
