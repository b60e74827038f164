"""Save the result and the pages of a submission, and look up cached results, in processes of the pool."""

from dataclasses import dataclass, replace
from pathlib import Path

from graders.batch import cache_key
from graders.batch.publish_page import describe_not_plain, publish_page
from graders.batch.regrade_policy import RegradePolicy
from graders.classroom.intake.download import Entry
from graders.classroom.marks import Marker
from graders.results.atomic_write import NotPlain, make_plain_folder, write_atomically
from graders.results.attempts import keep_attempt
from graders.results.compact import compact
from graders.results.result import Result
from graders.results.store import read_result, write_result
from graders.submission.read import Unreadable, read
from graders.submission.resource_bounds import bound_resources
from graders.submission.versions import keep_latest


@dataclass(frozen=True, kw_only=True)
class ResultWriter:
    """Writes a result and its pages, which show the mark that `marker` computes."""

    out: Path
    notebooks: bool
    marker: Marker | None = None
    pages: bool = True

    def __call__(self, entry: Entry, result: Result) -> str:
        """Write a new result. The notebook is written first: it must not be older than the result.

        Returns:
            Why its page could not be made; empty where it was made.

        Raises:
            OSError: it cannot be written; or OUT, or what was unpacked there, was removed meanwhile.
        """
        for path in (self.out, entry.path if self.out in entry.path.parents else self.out):
            path.lstat()  # else OUT would be made anew, and the results before would be missing in silence
        try:
            if self.pages:
                self._notebook(entry, anew=True)
            keep_attempt(self.out, result)
            write_result(self.out, result)
        except NotPlain as error:  # of one submission: the run goes on, and tells at its end what is missing
            return describe_not_plain(error)
        return self.write_pages(entry, result)

    def write_pages(self, entry: Entry, result: Result) -> str:
        """Write the pages of a saved result; returns why they could not be made, if they could not."""
        if not self.pages:
            return ""
        try:
            self._notebook(entry, anew=False)
        except NotPlain as error:
            return describe_not_plain(error)
        counted, mark = self.marker.count(self.out, result) if self.marker else (result, None)
        return publish_page(self.out, counted, mark)

    def _notebook(self, entry: Entry, *, anew: bool) -> None:
        path = self.out / entry.id / "notebook.ipynb"
        there = path.is_file()
        if (anew and (there or self.notebooks)) or (self.notebooks and not there):
            data = _notebook(entry.path)
            if data:
                make_plain_folder(path.parent)
                write_atomically(path, data)
            else:
                path.unlink(missing_ok=True)
                path.with_suffix(".html").unlink(missing_ok=True)


@dataclass(frozen=True)
class CachedSubmission:
    """A submission with its cache key and its valid cached result, if any.

    `stale`: the cached result is outdated but kept (`RegradePolicy.FAILED`). `page_failed` says why its page
    could not be made.
    """

    entry: Entry
    result: Result | None
    stale: bool = False
    page_failed: str = ""


@dataclass(frozen=True, kw_only=True)
class CacheLookup:
    """Looks up the cached result of a submission, and writes its pages if the result is valid."""

    writer: ResultWriter
    run: str
    policy: RegradePolicy

    def __call__(self, entry: Entry) -> CachedSubmission:
        """Look up one submission."""
        entry = replace(entry, key=_key_of(self.run, entry))
        result = None if self.policy is RegradePolicy.ALL else read_result(self.writer.out, entry.id)
        if result is None or not self._is_valid(entry, result):
            return CachedSubmission(entry, None)
        failed = self.writer.write_pages(entry, result)
        return CachedSubmission(entry, compact(result), stale=result.key != entry.key, page_failed=failed)

    def _is_valid(self, entry: Entry, result: Result) -> bool:
        if result.softmark_failed:
            return False
        if self.policy is RegradePolicy.FAILED:
            return result.has_passed
        return bool(entry.key) and result.key == entry.key


def _key_of(run: str, entry: Entry) -> str:
    """The key of a result; where one of two states may count, of both and of what decides between them."""
    key, state = cache_key.of_submission(run, entry.id, entry.path), entry.in_time
    if state is None or not key:
        return key
    decides = f"{run} {key} {state.at} {state.late_at} {state.late}"
    return cache_key.of_submission(decides, entry.id, state.path)


def _notebook(path: Path) -> bytes | None:
    try:
        with bound_resources():
            files = read(path).files
    except Unreadable:
        return None
    notebooks = [file for file in files if file.kind == "notebook"]
    latest = keep_latest(notebooks, lambda file: file.name)
    return max(latest, key=lambda file: file.written or 0).data if latest else None
