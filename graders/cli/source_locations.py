"""Locate places of a submission in the repository: the file, and the line in the JSON of a notebook."""

import functools
from pathlib import Path

from graders.results.result import Place
from graders.submission.decode import CODE_LIMIT, kind_of
from graders.submission.files import read_head, tidy_name
from reports.ci.github import Locate, Spot
from reports.ci.lines import line_of


def locate(file: Path, workspace: Path) -> Locate:
    """Make the function that locates places of the submission `file` in the repository `workspace`.

    It gives None for files outside the repository and for files in a zip.
    """

    @functools.cache
    def find_file(name: str) -> tuple[str, bytes] | None:
        path = file if tidy_name(file.name) == name and not file.is_dir() else file / name
        try:
            whole = path.resolve(strict=True)
            shown_path = whole.relative_to(workspace.resolve()).as_posix()
            if not whole.is_file():
                return None
            return shown_path, read_head(path, CODE_LIMIT) if kind_of(name) == "notebook" else b""
        except (OSError, ValueError):
            return None

    def find_spot(place: Place) -> Spot | None:
        there = find_file(place.file)
        if there is None:
            return None
        shown_path, data = there
        if place.cell is None:
            return Spot(shown_path, place.line)
        return Spot(shown_path, line_of(data, place.cell, place.line) or 1)

    return find_spot
