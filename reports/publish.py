"""Pages and gradebook as files beside the results they show: `OUT/<id>/` and `OUT/`."""

import math
import os
from collections.abc import Sequence
from pathlib import Path

from graders.marks import Mark
from graders.result import Result, from_json
from reports import class_page, notebook, page
from reports.gradebook import grades

NOTEBOOK_LIMIT = 50_000_000  # bytes of a notebook that is still rendered


def publish_one(out: Path, result: Result, mark: Mark | None = None) -> None:
    """Write `OUT/<id>/index.html`, and `notebook.html` where `OUT/<id>/notebook.ipynb` lies.

    Raises:
        ValueError: the submission's id is not the name of a folder.
    """
    folder = _folder(out, result.submission.id)
    folder.mkdir(parents=True, exist_ok=True)
    rendered = _notebook(folder, result)
    if rendered is not None:
        write(folder / "notebook.html", rendered)
    write(folder / "index.html", page.render(result, None if rendered is None else "notebook.html", mark))


def publish_class(
    out: Path, results: Sequence[Result], marks: Sequence[Mark], notes: Sequence[str] = ()
) -> None:
    """Write `OUT/index.html` and `OUT/grades.csv`."""
    out.mkdir(parents=True, exist_ok=True)
    write(out / "index.html", class_page.render(results, notes, marks))
    write(out / "grades.csv", grades.grades_csv(results, marks))


def load(out: Path) -> tuple[list[Result], list[str]]:
    """The results that lie under `OUT`, sorted by id, and a sentence for each that cannot be read."""
    results, notes = [], []
    for path in sorted(out.glob("*/result.json")):
        try:
            results.append(_read(path))
        except (OSError, ValueError, RecursionError) as error:
            name = path.parent.name
            notes.append(f"{name}: the result could not be read and is left out ({_reason(error)}).")
    return sorted(results, key=lambda result: result.submission.id), notes


def _read(path: Path) -> Result:
    result = from_json(path.read_text(encoding="utf-8"))
    if result.submission.id != path.parent.name:
        raise ValueError("its id is not the name of its folder")
    if not all(map(math.isfinite, (result.points, result.max_points, result.undecided_points))):
        raise ValueError("its points are not numbers")
    return result


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _folder(out: Path, name: str) -> Path:
    # An id becomes a path: it must not lead anywhere else.
    if name in ("", ".", "..") or any(c in name for c in "/\\\0"):
        raise ValueError(f"the id {name!r} cannot be the name of a folder")
    return out / name


def _notebook(folder: Path, result: Result) -> str | None:
    path = folder / "notebook.ipynb"
    try:
        if not path.is_file() or path.stat().st_size > NOTEBOOK_LIMIT:
            return None
        return notebook.render(path.read_bytes(), f"{result.submission.id}: {result.title}")
    except (OSError, ValueError):
        return None


def write(path: Path, text: str) -> None:
    """Replace a file in one step: a reader sees the old one or the new one."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(text.encode("utf-8", errors="replace"))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
