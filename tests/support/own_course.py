"""A course of a test's own, in this process: where softmark looks for assignments, checks and solutions."""

from dataclasses import replace
from pathlib import Path

import pytest

from graders import locations
from tests.support.course_copies import FILES, write_files


def use_course(folder: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> None:
    """Write the files, named as in a checkout, and let softmark find them until the test ends."""
    for name in ("assignments", "graders/checks", "solutions"):
        (folder / name).mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    shipped = replace(
        locations.SHIPPED,
        assignments=folder / "assignments",
        checks=folder / "graders/checks",
        solutions=folder / "solutions",
    )
    monkeypatch.setattr("graders.locations.SHIPPED", shipped)
    monkeypatch.setattr("graders.locations.SHIPPED_FILE", folder / "assignments/course.toml")
    monkeypatch.delenv(locations.SOLUTIONS_VARIABLE, raising=False)


OWN = """\
[course]
title = "Deep learning"
languages = ["en", "fr"]
time_zone = "Europe/Paris"
extends = "softmark"

[tp1]
title = "Week 1"
title_fr = "Semaine 1"
exercises = [
    { name = "running_total", title = "Totals", title_fr = "Sommes", points = 3 },
    { name = "concat_heads", points = 5, other_names = ["join_heads"] },
    "split_heads",
]
late = { due = 2026-10-01T23:59:00, per_day = 0.1 }
"""
ADDED = '''
def concat_heads__reverses_the_positions(x):
    """The positions come in the opposite order. Look at position 0.

    fr: Les positions viennent dans l'ordre inverse. Regardez la position 0.
    """
    return concat_heads(x.flip(2))


HINTS = {"concat_heads__reversed": "Count the heads of slide 12 from the left."}
SMALL = ("reverses_the_positions",)
'''


def write_own_course(folder: Path) -> Path:
    """Write a course of one's own, with an exercise of its own and a mistake added to a shipped one."""
    own = {name.removeprefix("graders/"): text for name, text in FILES.items()}
    write_files(folder, {"course.toml": OWN, "solutions/concat_heads.py": ADDED, **own})
    return folder
