"""The progress of a run: a bar on a terminal, otherwise a line every few seconds."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from graders.language import number, tr

LINE_S = 5.0  # seconds between two lines, without a terminal
RECENT = 40  # the speed is that since so many moments ago
APART_S = 0.25  # between two moments: items may come in blocks
T = TypeVar("T")


class _Pace:
    """Counts items: how many are done, how fast, and how many noteworthy things they held."""

    def __init__(self, total: int, noted: Callable[[int], str], estimated: bool = False) -> None:
        self.done = self.notes = 0
        self.seconds_left: float | None = None
        self._estimated = estimated
        self._total = total
        self._noted = noted
        self._moments: deque[tuple[float, int]] = deque(maxlen=RECENT)  # with how many were done
        self._last = 0.0

    def count(self, notes: int) -> None:
        self.done += 1
        self.notes += notes
        self._last = time.monotonic()
        if not self._moments or self._last - self._moments[-1][0] >= APART_S:
            self._moments.append((self._last, self.done))

    def __str__(self) -> str:
        # Timed from the first item: until then, all wait for the boxes to start.
        (began, done_before), remaining = self._moments[0], self._total - self.done
        elapsed, done_since = self._last - began, self.done - done_before
        words = [self._noted(self.notes)]
        if self._estimated:
            if self.seconds_left is not None and remaining:
                words = [tr("{time} left", time=_format_duration(self.seconds_left)), *words]
        elif elapsed and done_since and remaining:
            seconds_each = elapsed / done_since
            speed = tr("{n} per minute", n=number(60 / seconds_each, ",.0f"))
            words = [speed, tr("{time} left", time=_format_duration(seconds_each * remaining)), *words]
        return ", ".join(words)


class ShownProgress:
    """The progress of work that is counted from outside, on standard error, until it is closed."""

    def __init__(
        self, total: int, label: str, noted: Callable[[int], str], *, estimated: bool = False
    ) -> None:
        """Begin to show it.

        Args:
            total: the number of items.
            label: how much is being processed, such as "12 submissions".
            noted: says how many noteworthy things there are, such as "3 to grade".
            estimated: whether `count` is given an estimate of the time that is left. Otherwise items are
                taken to be alike.
        """
        self._pace = _Pace(total, noted, estimated)
        console = Console(stderr=True)
        show = _Bar if console.is_terminal else _Lines
        self._shown = show(self._pace, total, label, console)

    def count(self, notes: int, seconds_left: float | None = None) -> None:
        """Count an item with so many noteworthy things."""
        self._pace.count(notes)
        self._pace.seconds_left = seconds_left
        self._shown.update()

    def close(self) -> None:
        """Show no more."""
        self._shown.close()


def follow(
    items: Iterable[T],
    total: int,
    label: str,
    notes: Callable[[T], int],
    noted: Callable[[int], str],
    left: Callable[[T], float | None] | None = None,
) -> Iterator[T]:
    """Yield the items as they come, and show progress on standard error.

    Args:
        items: any iterator; no item is kept.
        total: the number of items.
        label: how much is being processed, such as "12 submissions".
        notes: counts the noteworthy things in an item.
        noted: says how many of these things there are, such as "3 to grade".
        left: estimates the seconds that are left after an item, where items take very different times; None
            while they are not known.
    """
    shown = ShownProgress(total, label, noted, estimated=left is not None)
    try:
        for item in items:
            yield item
            shown.count(notes(item), left(item) if left else None)
    finally:
        shown.close()


class _Bar:
    def __init__(self, pace: _Pace, total: int, label: str, console: Console) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[reached]}"))
        self._pace, self._label, self._of = pace, label, number(total, ",")
        # No thread for refreshing: processes are forked while this runs.
        self._progress = Progress(*columns, console=console, auto_refresh=False)
        self._progress.start()
        self._task = self._progress.add_task(label, total=total, reached=f"0/{self._of}")
        self._progress.refresh()

    def update(self) -> None:
        reached = f"{number(self._pace.done, ',')}/{self._of}"
        description = f"{self._label} · {self._pace}"
        self._progress.update(self._task, advance=1, description=description, reached=reached, refresh=True)

    def close(self) -> None:
        self._progress.stop()


class _Lines:
    def __init__(self, pace: _Pace, total: int, label: str, console: Console) -> None:  # noqa: ARG002
        self._pace, self._total = pace, total
        self._last = time.monotonic()
        click.echo(label, err=True)

    def update(self) -> None:
        if time.monotonic() - self._last > LINE_S or self._pace.done == self._total:
            self._last = time.monotonic()
            n, of = number(self._pace.done, ","), number(self._total, ",")
            click.echo(tr("{n} of {total}, {pace}", n=n, total=of, pace=self._pace), err=True)

    def close(self) -> None:
        pass


def _format_duration(seconds: float) -> str:
    return f"{number(seconds, '.0f')} s" if seconds < 100 else f"{number(seconds / 60, '.0f')} min"
