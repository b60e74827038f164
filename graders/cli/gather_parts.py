"""Put the parts of a class together: their results and pages, then the page and marks of the class.

The parts may come from other machines. Their files are data: read within bounds, links are not followed, and
nothing of them is run.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from graders.batch.process_pool import WorkerDied
from graders.batch.publish_page import describe_not_plain, publish_page
from graders.batch.read_part import PartFolder
from graders.batch.spread_blocks import spread_blocks
from graders.classroom.marks import Marker
from graders.language import tr
from graders.results import heads
from graders.results.atomic_write import NotPlain, make_plain_folder
from graders.results.attempts import keep_attempt
from graders.results.compact import PackedResult, pack, unpack
from graders.results.file_elsewhere import FileElsewhere
from graders.results.read_below import read_below
from graders.results.result import Result
from graders.results.store import RESULT_LIMIT, parse_result
from graders.submission.decode import Unreadable
from graders.submission.files import NOTEBOOK_LIMIT
from graders.submission.resource_bounds import bound_resources
from reports import publish

LOOKUPS = 16  # of files at a time: a disk answers many questions in the time of one
BLOCK = 100  # files that one thread looks for
RESULT = "result.json"
PAGE_LIMIT = 64_000_000  # bytes of a page


@dataclass(frozen=True)
class PartResult:
    """A result to take: the folder of its part, the submission's id, and the key that it must have."""

    folder: Path
    id: str
    key: str


def list_results(parts: Sequence[PartFolder]) -> tuple[list[PartResult], dict[Path, list[str]]]:
    """What is to be taken, by id; and by part the ids of submissions that have no result there."""
    wanted = [PartResult(part.path, *item) for part in parts for item in part.record.keys.items()]
    blocks = [wanted[start : start + BLOCK] for start in range(0, len(wanted), BLOCK)]
    with ThreadPoolExecutor(LOOKUPS) as threads:
        found = chain.from_iterable(threads.map(_have_results, blocks))
    there: list[PartResult] = []
    absent: dict[Path, list[str]] = {}
    for result, is_there in zip(wanted, found, strict=True):
        if is_there:
            there.append(result)
        else:
            absent.setdefault(result.folder, []).append(result.id)
    return sorted(there, key=lambda result: result.id), absent


def _have_results(block: Sequence[PartResult]) -> list[bool]:
    # A path as text: to make a `Path` takes longer than to look.
    return [os.path.isfile(f"{wanted.folder}/{wanted.id}/{RESULT}") for wanted in block]  # noqa: PTH113


@dataclass(frozen=True)
class TakeResult:
    """Takes a result with its pages into `out`; returns it packed, or a sentence why it cannot."""

    out: Path
    seed: int
    marker: Marker

    def __call__(self, wanted: PartResult) -> PackedResult | str:
        """Take one result."""
        try:
            with bound_resources():
                file = read_below(wanted.folder, RESULT_LIMIT, wanted.id, RESULT)
                result = parse_result(file.text, wanted.id)
                self._require_of_run(wanted, result)
        except (OSError, ValueError, RecursionError, Unreadable) as error:
            return _say_not_taken(wanted, publish.shorten_reason(error))
        folder = self.out / wanted.id
        try:
            make_plain_folder(folder)
            _take_notebook(wanted, folder)
            _take_heads(wanted, folder)
            keep_attempt(self.out, result)
            _place(file, folder / RESULT)
        except NotPlain as error:
            return _say_not_taken(wanted, describe_not_plain(error))
        counted, mark = self.marker.count(self.out, result)
        failed = publish_page(self.out, counted, mark, made=partial(_read_page, wanted))
        return _say_not_taken(wanted, failed) if failed else pack(result)

    def _require_of_run(self, wanted: PartResult, result: Result) -> None:
        if result.key != wanted.key or result.seed != self.seed:
            raise ValueError(tr("its result is of an earlier run: grade the part again"))


def _say_not_taken(wanted: PartResult, reason: str) -> str:
    return tr("{part}/{id}: {reason}", part=wanted.folder, id=wanted.id, reason=reason)


def take_results(wanted: Sequence[PartResult], take: TakeResult, jobs: int) -> Iterator[Result | str]:
    """Take all these results, several at a time; yield each in compact form, or why it was not taken."""
    for item, outcome in spread_blocks(wanted, take, jobs, few=1, reads=_list_files):
        if isinstance(outcome, WorkerDied):
            yield _say_not_taken(item, str(outcome))
        else:
            yield unpack(outcome) if isinstance(outcome, PackedResult) else outcome


def _list_files(wanted: PartResult) -> list[Path]:
    return [wanted.folder / wanted.id / name for name in (RESULT, "index.html")]


def _take_notebook(wanted: PartResult, folder: Path) -> None:
    try:
        file = read_below(wanted.folder, NOTEBOOK_LIMIT, wanted.id, "notebook.ipynb")
    except OSError:
        for name in ("notebook.ipynb", "notebook.html"):
            (folder / name).unlink(missing_ok=True)
        return
    _place(file, folder / "notebook.ipynb")


def _take_heads(wanted: PartResult, folder: Path) -> None:
    """Take the drawings of a submission's heads, checked as whatever comes from another machine."""
    try:
        file = read_below(wanted.folder, heads.LIMIT, wanted.id, heads.NAME)
        heads.from_json(file.text)
    except (OSError, ValueError, RecursionError):
        (folder / heads.NAME).unlink(missing_ok=True)
        return
    _place(file, folder / heads.NAME)


def _read_page(wanted: PartResult, name: str) -> FileElsewhere | None:
    try:
        return read_below(wanted.folder, PAGE_LIMIT, wanted.id, name)
    except OSError:
        return None


def _place(file: FileElsewhere, path: Path) -> None:
    """Place a file, unless it is there with the same content: then a second run takes half the time."""
    try:
        if read_below(path.parent, len(file.data), path.name).data == file.data:
            return
    except OSError:
        pass
    file.place(path)
