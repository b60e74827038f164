"""Write pages and the gradebook beside the results that they show: in `OUT/<id>/` and `OUT/`."""

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.atomic_write import make_plain_folder, write_atomically
from graders.results.compact import compact
from graders.results.file_elsewhere import FileElsewhere
from graders.results.heads import Heads, read_heads
from graders.results.read_below import read_below
from graders.results.result import Result
from graders.results.store import load_result
from reports import words
from reports.gradebook import grades
from reports.pages import class_page, notebook_page, student_page, table_pages
from reports.pages.page_digest import TAIL, digest_of, is_fresh, is_made_from
from reports.pages.page_head import is_harmless

# Begins to work, maybe in another process, and returns what waits for the answer: the names of the pages.
Beside = Callable[[Callable[[], list[str]]], Callable[[], list[str]]]
FindMade = Callable[[str], FileElsewhere | None]  # a page by its name

NOTEBOOK_LIMIT = 20_000_000  # bytes; a larger notebook gets no page


def publish_one(
    out: Path,
    result: Result,
    mark: Mark | None = None,
    *,
    force: bool = False,
    made: FindMade = lambda _: None,
) -> None:
    """Write `OUT/<id>/index.html`, and `notebook.html` where `OUT/<id>/notebook.ipynb` lies.

    The page has the drawings in `OUT/<id>/heads.json`, if they are of the same files as the result. Both are
    in the language of the result. A page whose inputs have not changed is left as it is.

    Args:
        out: the folder of a run.
        result: of the submission.
        mark: the final points of it.
        force: render the pages even if nothing has changed.
        made: pages that were made elsewhere, by their names. One is taken if it is made from these inputs
            and is harmless; to render it would take a hundred times as long.

    Raises:
        ValueError: the submission's id is not the name of a folder.
    """
    folder = _folder(out, result.submission.id)
    make_plain_folder(folder)
    with words.in_its_language(result):
        name = student_page.name_of(result.submission.id, mark)
        # Where an earlier hand-in counts, the notebook there is not the one of this result.
        earlier = mark is not None and bool(mark.counts)
        title = words.about(name, result.title)
        has_notebook = not earlier and _publish_notebook(folder, title, force, made)
        heads = read_heads(folder)
        if heads is not None and heads.sha256 != result.submission.sha256:
            heads = None  # of files that were handed in before
        digest = digest_of_page(result, has_notebook, mark, heads)
        page, link = folder / "index.html", "notebook.html" if has_notebook else None
        _publish_page(
            page, digest, force, made, lambda: student_page.render(result, link, digest, mark, heads)
        )


def digest_of_page(result: Result, has_notebook: bool, mark: Mark | None, heads: Heads | None = None) -> str:
    """The digest of all that a submission's page is made from, in the current language."""
    mark_key = mark and (mark.points, mark.undecided, mark.overrides, mark.late, mark.student, mark.team)
    further = [said for said in (mark.counts, "members" * mark.differs_for_members) if said] if mark else []
    further += [repr(said) for said in (mark.comments if mark else ())]
    further += [repr((mark.regrade, mark.raised))] if mark and mark.regrade else []
    further += [repr(e) for e in result.exercises if e.answer is not None]
    further += [mark.link_to] if mark and mark.link_to else []
    return digest_of(
        result.key or repr(result),
        result.graded_at,
        result.seconds,
        has_notebook,
        mark_key,
        heads and heads.key,
        (result.title, [(e.title, float(e.points), float(e.max_points)) for e in result.exercises]),
        *further,
    )


def publish_class(
    out: Path,
    results: Sequence[Result],
    marks: Sequence[Mark],
    notes: Sequence[str] = (),
    beside: Beside = lambda work: work,
) -> None:
    """Write `OUT/index.html`, for a large class the pages of its table, and `OUT/grades.csv`.

    Args:
        out: the folder of a run.
        results: one per submission, complete or compact.
        marks: as for `class_page.render`.
        notes: as for `class_page.render`.
        beside: begins to work in another process, and returns what waits for the answer.
    """
    out.mkdir(parents=True, exist_ok=True)
    pages = class_page.ClassPages(results, notes, marks)
    write_table = partial(_write_pages, out, pages)
    names_of_table = beside(write_table) if pages.is_large else write_table
    name, text = pages.render_index()
    write(out / name, text)
    write(out / "grades.csv", grades.grades_csv(results, marks))
    written = names_of_table()
    for page in out.glob(table_pages.PATTERN):  # of a class that was larger
        if page.name not in written:
            page.unlink()


def _write_pages(out: Path, pages: class_page.ClassPages) -> list[str]:
    names = []
    for name, text in pages.render_table():
        write(out / name, text)
        names.append(name)
    return names


def load_results(
    out: Path,
    loaded: Mapping[str, Result] = MappingProxyType({}),
    read_all: Callable[[list[Path]], Iterable[Result | str]] | None = None,
) -> tuple[list[Result], list[str]]:
    """Read all results under `OUT`: in compact form, sorted by id; and a sentence for each unreadable one.

    Args:
        out: the folder of a run.
        loaded: results that are not read again, by their ids.
        read_all: yields for each file what `read_compact` returns; in other processes it is faster.
    """
    results, notes = list(loaded.values()), []
    paths = [path for path in sorted(out.glob("*/result.json")) if path.parent.name not in loaded]
    for result in read_all(paths) if read_all else map(read_compact, paths):
        if isinstance(result, str):
            notes.append(result)
        else:
            results.append(result)
    return sorted(results, key=lambda result: result.submission.id), notes


def read_compact(path: Path) -> Result | str:
    """Read a `result.json` in compact form; a sentence with the reason where it cannot be read."""
    result = read(path)
    return compact(result) if isinstance(result, Result) else result


def read(path: Path) -> Result | str:
    """Read a `result.json`; a sentence with the reason where it cannot be read."""
    try:
        return load_result(path.parent.parent, path.parent.name)
    except (OSError, ValueError, RecursionError) as error:
        name = path.parent.name
        return tr(
            "{name}: the result could not be read and is left out ({reason}).",
            name=name,
            reason=shorten_reason(error),
        )


def shorten_reason(error: Exception) -> str:
    """Why something could not be read, in one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _folder(out: Path, name: str) -> Path:
    # An id becomes a path: it must not lead out of the folder.
    if name in ("", ".", "..") or any(c in name for c in "/\\\0"):
        raise ValueError(f"the id {name!r} cannot be the name of a folder")
    return out / name


def _publish_page(
    path: Path,
    digest: str,
    force: bool,
    made: FindMade,
    render: Callable[[], str],
) -> None:
    if not force and is_fresh(path, digest):
        return
    page = made(path.name)
    if page is not None and is_made_from(page.data, page.data[-TAIL:], digest) and is_harmless(page.data):
        page.place(path)
    else:
        write(path, render())


def _publish_notebook(folder: Path, title: str, force: bool, made: FindMade) -> bool:
    """Render the page of the submission's notebook if it has changed; whether there is such a page."""
    path, page = folder / "notebook.ipynb", folder / "notebook.html"
    try:
        data = read_below(folder, NOTEBOOK_LIMIT, path.name).data
    except OSError:
        return False
    try:
        digest = digest_of(title, hashlib.sha256(data).hexdigest())
        _publish_page(page, digest, force, made, lambda: notebook_page.render(data, title, digest))
    except ValueError:
        return False
    return True


def write(path: Path, text: str) -> None:
    """Replace a page atomically: a reader sees either the old one or the new one."""
    write_atomically(path, text.encode("utf-8", errors="replace"))


def write_with_data(folder: Path, name: str, page: str, data: Sequence[Any]) -> list[Path]:
    """Write `<name>.html`, and the dataclasses that it shows as `<name>.json`; return their paths."""
    paths = [folder / f"{name}.html", folder / f"{name}.json"]
    write(paths[0], page)
    table = [dataclasses.asdict(each) for each in data]
    write(paths[1], json.dumps(table, indent=1, ensure_ascii=False) + "\n")
    return paths
