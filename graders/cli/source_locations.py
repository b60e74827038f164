"""Where in the repository a place of a submission is: the file, and in a notebook the line of its JSON."""

import functools
from pathlib import Path

from graders.results.result import Place
from graders.submission.decode import kind_of
from graders.submission.files import NOTEBOOK_LIMIT, read_head, tidy_name
from reports.ci.github import Locate, Spot
from reports.ci.lines import line_of


def locate(file: Path, workspace: Path) -> Locate:
    """The places of what was handed in at `file`, for a repository that lies in `workspace`.

    A name that is no plain file there, as one in a zip, has no spot; nor has what lies outside.
    """

    @functools.cache
    def found(name: str) -> tuple[str, bytes] | None:
        path = file if tidy_name(file.name) == name and not file.is_dir() else file / name
        try:
            whole = path.resolve(strict=True)
            shown_path = whole.relative_to(workspace.resolve()).as_posix()
            if not whole.is_file():
                return None
            return shown_path, read_head(path, NOTEBOOK_LIMIT) if kind_of(name) == "notebook" else b""
        except (OSError, ValueError):
            return None

    def spot(place: Place) -> Spot | None:
        there = found(place.file)
        if there is None:
            return None
        shown_path, data = there
        if place.cell is None:
            return Spot(shown_path, place.line)
        return Spot(shown_path, line_of(data, place.cell, place.line) or 1)

    return spot
