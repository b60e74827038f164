"""How far a run has come: a bar on a terminal, else a line from time to time."""

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINE_S = 5.0  # seconds between two lines where there is no terminal
T = TypeVar("T")


def followed(found: Iterable[T], total: int, says: str, tells: Callable[[list[T]], str]) -> list[T]:
    """All that `found` gives, with progress on standard error.

    Args:
        found: what comes, one by one.
        total: how many that will be.
        says: what is being done.
        tells: a few words about what has come so far.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        return _with_lines(found, total, says, tells)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    come = []
    # No thread for refreshing: processes are forked while this runs.
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        task = progress.add_task(says, total=total)
        progress.refresh()
        for one in found:
            come.append(one)
            progress.update(task, advance=1, description=f"{says} · {tells(come)}", refresh=True)
    return come


def _with_lines(found: Iterable[T], total: int, says: str, tells: Callable[[list[T]], str]) -> list[T]:
    come: list[T] = []
    last = time.monotonic()
    click.echo(f"{total} {says}", err=True)
    for one in found:
        come.append(one)
        if time.monotonic() - last > LINE_S or len(come) == total:
            last = time.monotonic()
            click.echo(f"{len(come)} of {total}, {tells(come)}", err=True)
    return come
