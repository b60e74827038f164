"""How far a run has come: a bar on a terminal, else a line from time to time."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from graders.language import number, tr

LINE_S = 5.0  # seconds between two lines where there is no terminal
RECENT = 40  # of what came last, by which the speed is judged
T = TypeVar("T")


class _Pace:
    """Counts what comes: how many, how fast, how many of them noteworthy."""

    def __init__(self, total: int, noted: str) -> None:
        self.come = self.notes = 0
        self._total = total
        self._noted = noted
        self._times: deque[float] = deque(maxlen=RECENT)

    def count(self, notes: int) -> None:
        self.come += 1
        self.notes += notes
        self._times.append(time.monotonic())

    def __str__(self) -> str:
        # From the first that came: until then all wait for the boxes.
        taken, more = self._times[-1] - self._times[0], self._total - self.come
        words = [tr("{n} {what}", n=self.notes, what=self._noted)]
        if taken and more:
            each = taken / (len(self._times) - 1)
            speed = tr("{n} per minute", n=f"{60 / each:.0f}")
            words = [speed, tr("{time} left", time=_span(each * more)), *words]
        return ", ".join(words)


def follow(found: Iterable[T], total: int, says: str, notes: Callable[[T], int], noted: str) -> Iterator[T]:
    """What `found` gives, with progress on standard error.

    Args:
        found: what comes, one by one. Nothing of it is kept.
        total: how many that will be.
        says: what is being done.
        notes: how much of one is worth telling.
        noted: what that is.
    """
    pace = _Pace(total, noted)
    console = Console(stderr=True)
    shown = _with_bar(found, pace, total, says, console) if console.is_terminal else None
    for one in shown or _with_lines(found, pace, total, says):
        pace.count(notes(one))
        yield one


def _with_bar(found: Iterable[T], pace: _Pace, total: int, says: str, console: Console) -> Iterator[T]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    # No thread for refreshing: processes are forked while this runs.
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        task = progress.add_task(says, total=total)
        progress.refresh()
        for one in found:
            yield one
            progress.update(task, advance=1, description=f"{says} · {pace}", refresh=True)


def _with_lines(found: Iterable[T], pace: _Pace, total: int, says: str) -> Iterator[T]:
    last = time.monotonic()
    click.echo(tr("{n} {what}", n=total, what=says), err=True)
    for one in found:
        yield one
        if time.monotonic() - last > LINE_S or pace.come == total:
            last = time.monotonic()
            click.echo(tr("{n} of {total}, {pace}", n=pace.come, total=total, pace=pace), err=True)


def _span(seconds: float) -> str:
    return f"{number(seconds, '.0f')} s" if seconds < 100 else f"{number(seconds / 60, '.0f')} min"
