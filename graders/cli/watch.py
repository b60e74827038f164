"""`softmark check --watch`: the findings anew at every save, until Ctrl-C."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from rich.console import Console
from watchfiles import Change, DefaultFilter, watch

from graders.cli.exit_status import OURS, status
from graders.language import tr, translatable
from graders.results.result import Finding, Outcome, Result
from reports import terminal, words

WAIT_S = 3.0  # for the rest of a file that is being written
STEP_S = 0.05
TICK_MS = 200

watch_option = click.option(
    "--watch", "watched", is_flag=True, help=translatable("Check again at every save, until Ctrl-C.")
)


def watch_submission(file: Path, grade: Callable[[], Result], console: Console) -> int:
    """Show the findings now and at every save; the exit status of the last when it is interrupted.

    Args:
        file: what is watched; a folder with all in it.
        grade: grades it.
        console: where findings are shown, each time on a clear screen.
    """
    last: Result | None = None
    seen: object = None  # of what is shown
    try:
        for _ in _saves(file):
            if not _complete(file):
                _says(console, tr("{file} cannot be read yet; waiting for the next save", file=file.name))
                continue
            before, seen = seen, _written(file)
            if seen is not None and seen == before:  # one save may be told as several
                continue
            previous, last = last, grade()
            console.clear()
            terminal.show(console, last)
            for line in _news(previous, last):
                _says(console, line)
            _says(console, tr("watching {file}; Ctrl-C ends", file=file.name))
    except KeyboardInterrupt:
        console.print()
    return OURS if last is None else status([last])


def _saves(file: Path) -> Iterator[None]:
    """Once now, and then at every save."""
    path = file.resolve()
    folder = path if path.is_dir() else path.parent
    usual = DefaultFilter()

    def ours(change: Change, name: str) -> bool:
        # Many editors write a new file and rename it: what counts is that the name has come.
        if path.is_dir():
            return usual(change, name)
        return change is not Change.deleted and Path(name).name == path.name

    # The first comes by the clock, once it watches: so a save during the first grading is seen too.
    due = True
    for changes in watch(
        folder, watch_filter=ours, recursive=path.is_dir(), rust_timeout=TICK_MS, yield_on_timeout=True
    ):
        if changes or due:
            due = False
            yield


def _complete(file: Path) -> bool:
    """Whether the file is there and, if a notebook, whole; one that is being written is waited for."""
    until = time.monotonic() + WAIT_S
    while not _whole(file):
        if time.monotonic() > until:
            return False
        time.sleep(STEP_S)
    return True


def _written(file: Path) -> object:
    """What is another after each save of a file; None for a folder."""
    status = file.stat()
    return None if file.is_dir() else (status.st_mtime_ns, status.st_ino, status.st_size)


def _whole(file: Path) -> bool:
    try:
        if file.is_dir() or file.suffix != ".ipynb":
            return file.stat().st_size > 0
        json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return True


def _news(before: Result | None, now: Result) -> Iterator[str]:
    """What holds now and did not, and what holds no longer."""
    if before is None:
        return
    old, new = _held(before), _held(now)
    for name in new:
        exercise, finding = new[name]
        was = old[name][1].outcome if name in old else None
        passes, passed = finding.outcome is Outcome.PASSED, was is Outcome.PASSED
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


def _held(result: Result) -> dict[tuple[str, str], tuple[str, Finding]]:
    return {(e.name, f.check): (e.title, f) for e in result.exercises for f in e.findings}


def _says(console: Console, text: str) -> None:
    console.print(text, style="dim", markup=False, highlight=False)
