"""A course of a test's own, in this process: where softmark looks for assignments, checks and solutions."""

from pathlib import Path

import pytest

from graders import locations


def use_course(folder: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> None:
    """Write the files, named as in a checkout, and let softmark find them until the test ends."""
    for name in ("assignments", "graders/checks", "solutions"):
        (folder / name).mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    for module in ("graders.locations", "graders.course.course_file", "graders.course.outline"):
        monkeypatch.setattr(f"{module}.ASSIGNMENTS", folder / "assignments")
        monkeypatch.setattr(f"{module}.CHECKS", folder / "graders/checks")
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(folder / "solutions"))
