"""Spread work over processes. If one dies, its item has no answer, and the others go on."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NoReturn, TypeVar

from graders.language import number, tr
from graders.sandbox.isolation.needs import can_fork_boxes
from graders.sandbox.own_time import Patience
from softmark_worker.syscalls import die_with_parent

TICK_S = 5.0  # between two checks of the time
END_S = 10.0  # how long a process may take to clean up when its work is done

T = TypeVar("T")
R = TypeVar("R")


def default_jobs() -> int:
    """The number of processors available to this process; 1 if it cannot be forked."""
    if not can_fork_boxes():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerDied(Exception):
    """The process that worked on an item died or took too long. Text for staff."""


def spread(
    items: Sequence[T],
    work: Callable[[T], R],
    jobs: int,
    begin: Callable[[], None] = lambda: None,
    patience: float = float("inf"),
) -> Iterator[tuple[T, R | WorkerDied]]:
    """Yield each item with the answer of `work`, in the order in which they are done.

    Processes are forked, so `work` may use anything that is in memory now; items and answers are pickled.
    What `work` raises is raised here, and ends all processes. Where none can be forked, this process works on
    one item after another, without a bound on the time.

    Args:
        items: started in this order.
        work: called in one of the processes.
        jobs: how many processes there are at most.
        begin: called once in each.
        patience: seconds after which a process counts as hung, and is killed; each lasts longer where other
            programs run.
    """
    if not can_fork_boxes():
        yield from _one_after_another(items, work, begin)
        return
    waiting = list(reversed(items))
    active: list[PoolProcess[T, R]] = []
    ending: list[PoolProcess[T, R]] = []
    try:
        while waiting or active:
            while waiting and len(active) < jobs:
                active.append(PoolProcess(work, begin, [*active, *ending]))
                active[-1].give(waiting.pop(), patience)
            for process in _ready(active, patience):
                item, answer = process.item, process.answer()
                if isinstance(answer, WorkerDied):
                    active.remove(process)
                yield (
                    item,
                    answer,
                )  # before the next begins: if that is interrupted, this one counts
                if isinstance(answer, WorkerDied):
                    continue
                if waiting:
                    process.give(waiting.pop(), patience)
                else:
                    active.remove(process)
                    ending.append(process)
                    process.dismiss()
    finally:
        for process in active:
            process.stop()
        for process in (*active, *ending):
            process.end()


def _one_after_another(
    items: Sequence[T], work: Callable[[T], R], begin: Callable[[], None]
) -> Iterator[tuple[T, R | WorkerDied]]:
    if items:
        begin()
    for item in items:
        yield item, work(item)


def _ready(active: "list[PoolProcess[T, R]]", patience: float) -> "list[PoolProcess[T, R]]":
    """The processes that have answered or died, at least one."""
    while True:
        ready = wait([process.channel for process in active], TICK_S)
        for process in active:
            if process.channel not in ready and process.patience.is_over():
                process.kill(tr("it took more than {seconds} s", seconds=number(patience, ".0f")))
        if ready:
            return [process for process in active if process.channel in ready]


class PoolProcess(Generic[T, R]):
    """A forked process, which works on one item at a time."""

    item: T
    patience: Patience

    def __init__(
        self, work: Callable[[T], R], begin: Callable[[], None], others: "Sequence[PoolProcess[T, R]]"
    ) -> None:
        """Fork it from this process, which has one thread; `others` are those that it has forked before."""
        context = multiprocessing.get_context("fork")
        self.channel, theirs = context.Pipe()
        self._why = ""
        # A process ends when its channel closes. So no other process may hold our end of it.
        to_close = [self.channel, *(other.channel for other in others)]
        self._process = context.Process(target=_serve, args=(theirs, to_close, work, begin), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()

    def give(self, item: T, patience: float = float("inf")) -> None:
        """Start work on an item, which may take so many seconds."""
        self.item, self.patience = item, Patience(patience)
        with contextlib.suppress(ConnectionError):  # it has died: `answer` reports it
            self.channel.send(item)

    def answer(self) -> R | WorkerDied:
        """The answer to the item, or how the process died.

        Raises:
            Exception: what the work raised.
        """
        try:
            succeeded, value = self.channel.recv()
        except (EOFError, OSError):
            return self._death()
        if not succeeded:
            raise value
        answer: R = value
        return answer

    def dismiss(self) -> None:
        """Tell it that there is no more work: it closes its box and ends."""
        self.channel.close()

    def stop(self) -> None:
        """Tell it to stop its work, close its box and end."""
        self._process.terminate()

    def kill(self, why: str) -> None:
        """End it at once."""
        self._why = why
        self._process.kill()

    def end(self) -> None:
        """Wait for its end, kill it if that takes too long, and free it."""
        self.channel.close()
        self._process.join(END_S)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        self._process.close()

    def _death(self) -> WorkerDied:
        self._process.join(END_S)
        code = self._process.exitcode
        how = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"status {code}"
        self.end()
        message = tr("the process ended with {how}", how=how)
        return WorkerDied(tr("{what}: {why}", what=message, why=self._why) if self._why else message)


def _serve(channel: Connection, to_close: list[Connection], work: Any, begin: Callable[[], None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C, then ends this process
    signal.signal(signal.SIGTERM, _leave)
    sys.unraisablehook = _leave_later
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    die_with_parent()
    for other in to_close:
        other.close()
    begun = False
    while True:
        try:
            item = channel.recv()
        except (EOFError, OSError):
            return
        try:
            if not begun:
                begin()
                begun = True
            answer = (True, work(item))
        except Exception as error:
            error.add_note(traceback.format_exc(limit=-6))
            answer = (False, error)
        channel.send(answer)  # an answer that cannot be pickled ends this process: `WorkerDied`


def _leave(*_: object) -> NoReturn:
    sys.exit(1)  # by an exception, so that boxes are closed on the way out


def _leave_later(ignored: "sys.UnraisableHookArgs") -> None:
    """Leave a little later where the exception of `_leave` was raised in a callback, which ignores it."""
    if isinstance(ignored.exc_value, SystemExit):
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM)).start()
    else:
        sys.__unraisablehook__(ignored)
