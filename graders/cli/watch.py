"""`softmark check --watch`: check again at every save, until Ctrl-C."""

import json
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from graders.cli.exit_status import OURS, status
from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.language import tr, translatable
from graders.results.result import Finding, Outcome, Result
from graders.submission.files import SubmissionBytes, files_below, is_archive, is_read_file
from reports import terminal, words

WAIT_S = 3.0  # seconds to wait for a file that is being written
STEP_S = 0.05
TICK_MS = 200

watch_option = option(
    Purpose.OUTPUT,
    "--watch",
    "watched",
    is_flag=True,
    help=translatable("Check again at every save, until Ctrl-C."),
)


def watch_submission(
    file: Path, grade: Callable[[], Result], console: Console, *, every: bool = False
) -> int:
    """Show the findings now and at every save; returns the exit status of the last check at Ctrl-C.

    Args:
        file: the file to watch, or a folder with all files in it.
        grade: grades the file.
        console: shows the findings, each time on a cleared screen.
        every: whether to show every check in full.
    """
    last: Result | None = None
    seen: object = None  # the version of the file that is shown
    try:
        for _ in _wait_for_saves(file):
            if not _wait_until_complete(file):
                _print_dim(
                    console, tr("{file} cannot be read yet; waiting for the next save", file=file.name)
                )
                continue
            before, seen = seen, _file_version(file)
            if seen == before:  # one save may give several events, and in a folder others write too
                continue
            previous, last = last, grade()
            console.clear()
            terminal.show(console, last, every=every)
            for line in _describe_changes(previous, last):
                _print_dim(console, line)
            _print_dim(console, tr("watching {file}; Ctrl-C ends", file=file.name))
    except KeyboardInterrupt:
        console.print()
    return OURS if last is None else status([last])


def _wait_for_saves(file: Path) -> Iterator[None]:
    """Yield once now, and then at every save."""
    from watchfiles import Change, DefaultFilter, watch  # it takes time, and few commands watch

    path = file.resolve()
    is_folder = path.is_dir()
    folder = path if is_folder else path.parent
    usual = DefaultFilter()

    def ours(change: Change, name: str) -> bool:
        # Many editors save by renaming a new file, so any event but a deletion counts.
        if is_folder:
            return usual(change, name)
        return change is not Change.deleted and Path(name).name == path.name

    # The first tick comes after the watch has started, so that a save during the first check is seen.
    due = True
    for changes in watch(
        folder, watch_filter=ours, recursive=is_folder, rust_timeout=TICK_MS, yield_on_timeout=True
    ):
        if changes or due:
            due = False
            yield


def _wait_until_complete(file: Path) -> bool:
    """Wait until the file exists and, if it is a notebook, is complete; False if it takes too long."""
    until = time.monotonic() + WAIT_S
    while not _is_complete(file):
        if time.monotonic() > until:
            return False
        time.sleep(STEP_S)
    return True


def _file_version(file: Path) -> object:
    """A fingerprint that changes on every save of a file, or of one in a folder that is handed in."""
    if not file.is_dir():
        return _status_of(file)
    below = files_below(file, SubmissionBytes())
    return tuple((p, _status_of(p)) for p in below if is_read_file(p) or is_archive(p.name))


def _status_of(file: Path) -> tuple[int, ...]:
    try:
        status = file.stat()
    except OSError:  # it was removed meanwhile
        return ()
    return status.st_mtime_ns, status.st_ino, status.st_size


def _is_complete(file: Path) -> bool:
    try:
        if file.is_dir():
            return True
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):  # a pipe would be waited for
            return False
        if file.suffix != ".ipynb":
            return status.st_size > 0
        json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return True


def _describe_changes(before: Result | None, now: Result) -> Iterator[str]:
    """Yield the checks that hold now and did not before, and those that hold no longer."""
    if before is None:
        return
    old, new = _findings_by_check(before), _findings_by_check(now)
    for name in new:
        exercise, finding = new[name]
        before_outcome = old[name][1].outcome if name in old else None
        passes, passed = finding.outcome is Outcome.PASSED, before_outcome is Outcome.PASSED
        if passes and not passed:
            yield tr("holds now: {check} ({exercise})", exercise=exercise, check=finding.says)
        elif passed and not passes:
            yield tr("holds no longer: {check} ({exercise})", exercise=exercise, check=finding.says)
    if before.points != now.points:
        yield tr(
            "{before} points before, {now} now",
            before=words.points(before.points),
            now=words.points(now.points),
        )


def _findings_by_check(result: Result) -> dict[tuple[str, str], tuple[str, Finding]]:
    return {(e.name, f.check): (e.title, f) for e in result.exercises for f in e.findings}


def _print_dim(console: Console, text: str) -> None:
    console.print(text, style="dim", markup=False, highlight=False)
