"""Write pages and the gradebook beside the results that they show: in `OUT/<id>/` and `OUT/`."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.atomic_write import write_atomically
from graders.results.compact import compact
from graders.results.result import Result, from_json
from reports import words
from reports.gradebook import grades
from reports.pages import class_page, notebook_page, student_page
from reports.pages.page_digest import digest_of, is_fresh

NOTEBOOK_LIMIT = 20_000_000  # bytes; a larger notebook gets no page


def publish_one(out: Path, result: Result, mark: Mark | None = None, *, force: bool = False) -> None:
    """Write `OUT/<id>/index.html`, and `notebook.html` where `OUT/<id>/notebook.ipynb` lies.

    Both are in the language of the result. A page whose inputs have not changed is left as it is.

    Args:
        out: the folder of a run.
        result: of the submission.
        mark: the final points of it.
        force: render the pages even if nothing has changed.

    Raises:
        ValueError: the submission's id is not the name of a folder.
    """
    folder = _folder(out, result.submission.id)
    folder.mkdir(parents=True, exist_ok=True)
    mark_key = mark and (mark.points, mark.undecided, mark.overrides, mark.late, mark.student, mark.team)
    with words.in_its_language(result):
        name = student_page.name_of(result.submission.id, mark)
        has_notebook = _publish_notebook(folder, words.about(name, result.title), force)
        digest = digest_of(
            result.key or repr(result), result.graded_at, result.seconds, has_notebook, mark_key
        )
    if force or not is_fresh(folder / "index.html", digest):
        write(
            folder / "index.html",
            student_page.render(result, "notebook.html" if has_notebook else None, digest, mark),
        )


def publish_class(
    out: Path, results: Sequence[Result], marks: Sequence[Mark], notes: Sequence[str] = ()
) -> None:
    """Write `OUT/index.html` and `OUT/grades.csv`."""
    out.mkdir(parents=True, exist_ok=True)
    write(out / "index.html", class_page.render(results, notes, marks))
    write(out / "grades.csv", grades.grades_csv(results, marks))


def load_results(
    out: Path, loaded: Mapping[str, Result] = MappingProxyType({})
) -> tuple[list[Result], list[str]]:
    """Read all results under `OUT`: in compact form, sorted by id; and a sentence for each unreadable one.

    Results that are in `loaded`, by their ids, are not read again.
    """
    results, notes = list(loaded.values()), []
    for path in sorted(out.glob("*/result.json")):
        if path.parent.name not in loaded:
            result = read(path)
            if isinstance(result, str):
                notes.append(result)
            else:
                results.append(compact(result))
    return sorted(results, key=lambda result: result.submission.id), notes


def read(path: Path) -> Result | str:
    """Read a `result.json`; a sentence with the reason where it cannot be read."""
    try:
        return _read(path)
    except (OSError, ValueError, RecursionError) as error:
        name = path.parent.name
        return tr(
            "{name}: the result could not be read and is left out ({reason}).",
            name=name,
            reason=_reason(error),
        )


def _read(path: Path) -> Result:
    result = from_json(path.read_text(encoding="utf-8"))
    if result.submission.id != path.parent.name:
        raise ValueError(tr("its id is not the name of its folder"))
    if not all(map(math.isfinite, (result.points, result.max_points, result.undecided_points))):
        raise ValueError(tr("its points are not numbers"))
    return result


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _folder(out: Path, name: str) -> Path:
    # An id becomes a path: it must not lead out of the folder.
    if name in ("", ".", "..") or any(c in name for c in "/\\\0"):
        raise ValueError(f"the id {name!r} cannot be the name of a folder")
    return out / name


def _publish_notebook(folder: Path, title: str, force: bool) -> bool:
    """Render the page of the submission's notebook if it has changed; whether there is such a page."""
    path, page = folder / "notebook.ipynb", folder / "notebook.html"
    try:
        if not path.is_file() or path.stat().st_size > NOTEBOOK_LIMIT:
            return False
        data = path.read_bytes()
        digest = digest_of(title, hashlib.sha256(data).hexdigest())
        if force or not is_fresh(page, digest):
            write(page, notebook_page.render(data, title, digest))
    except ValueError:
        return False
    return True


def write(path: Path, text: str) -> None:
    """Replace a page atomically: a reader sees either the old one or the new one."""
    write_atomically(path, text.encode("utf-8", errors="replace"))
