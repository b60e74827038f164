"""Pages and gradebook as files beside the results they show: `OUT/<id>/` and `OUT/`."""

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
from reports.pages.page_digest import current, made_from

NOTEBOOK_LIMIT = 50_000_000  # bytes of a notebook that is still rendered


def publish_one(out: Path, result: Result, mark: Mark | None = None, *, again: bool = False) -> None:
    """Write `OUT/<id>/index.html`, and `notebook.html` where `OUT/<id>/notebook.ipynb` lies.

    Both are in the language of the result. A page that was made from the same is left as it is.

    Args:
        out: the folder of a run.
        result: of the submission.
        mark: what counts of it in the end.
        again: make the pages even so.

    Raises:
        ValueError: the submission's id is not the name of a folder.
    """
    folder = _folder(out, result.submission.id)
    folder.mkdir(parents=True, exist_ok=True)
    counts = mark and (mark.points, mark.undecided, mark.overrides, mark.late)
    with words.in_its_language(result):
        shown = _publish_notebook(folder, words.about(result.submission.id, result.title), again)
        digest = made_from(result.key or repr(result), result.graded_at, result.seconds, shown, counts)
    if again or not current(folder / "index.html", digest):
        write(
            folder / "index.html",
            student_page.render(result, "notebook.html" if shown else None, digest, mark),
        )


def publish_class(
    out: Path, results: Sequence[Result], marks: Sequence[Mark], notes: Sequence[str] = ()
) -> None:
    """Write `OUT/index.html` and `OUT/grades.csv`."""
    out.mkdir(parents=True, exist_ok=True)
    write(out / "index.html", class_page.render(results, notes, marks))
    write(out / "grades.csv", grades.grades_csv(results, marks))


def load(out: Path, known: Mapping[str, Result] = MappingProxyType({})) -> tuple[list[Result], list[str]]:
    """The results that lie under `OUT`, sorted by id, and a sentence for each that cannot be read.

    All without their bulk; those that are `known` by their ids are not read.
    """
    results, notes = list(known.values()), []
    for path in sorted(out.glob("*/result.json")):
        if path.parent.name not in known:
            came = read(path)
            if isinstance(came, str):
                notes.append(came)
            else:
                results.append(compact(came))
    return sorted(results, key=lambda result: result.submission.id), notes


def read(path: Path) -> Result | str:
    """The result in a `result.json`, or a sentence that says why it cannot be read."""
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
    # An id becomes a path: it must not lead anywhere else.
    if name in ("", ".", "..") or any(c in name for c in "/\\\0"):
        raise ValueError(f"the id {name!r} cannot be the name of a folder")
    return out / name


def _publish_notebook(folder: Path, title: str, again: bool) -> bool:
    """Whether the submission's notebook has a page, which is made if need be."""
    path, shown = folder / "notebook.ipynb", folder / "notebook.html"
    try:
        if not path.is_file() or path.stat().st_size > NOTEBOOK_LIMIT:
            return False
        data = path.read_bytes()
        digest = made_from(title, hashlib.sha256(data).hexdigest())
        if again or not current(shown, digest):
            write(shown, notebook_page.render(data, title, digest))
    except ValueError:
        return False
    return True


def write(path: Path, text: str) -> None:
    """Replace a page in one step: a reader sees the old one or the new one."""
    write_atomically(path, text.encode("utf-8", errors="replace"))
