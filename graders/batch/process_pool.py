"""Work spread over processes. One that dies costs what it had in hand; the others go on undisturbed."""

import contextlib
import multiprocessing
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NoReturn, TypeVar

from graders.worker.syscalls import die_with_parent

TICK_S = 5.0  # between two looks at the clock
END_S = 10.0  # how long a process may take to put things in order when its work is done

T = TypeVar("T")
R = TypeVar("R")


class WorkerDied(Exception):
    """The process that had an item in hand ended before its work did, or took too long. Text for staff."""


def spread(
    items: Sequence[T],
    work: Callable[[T], R],
    jobs: int,
    begin: Callable[[], None] = lambda: None,
    patience: float = float("inf"),
) -> Iterator[tuple[T, R | WorkerDied]]:
    """Each item with what `work` makes of it, in the order in which they are done.

    Processes are forked, so `work` may rest on anything that is in memory now; items and answers cross.
    What `work` raises is raised here, and ends it all.

    Args:
        items: begun in this order.
        work: called in one of the processes.
        jobs: how many processes there are at most.
        begin: called once in each.
        patience: seconds after which a process is taken for hung, and is killed.
    """
    left = list(reversed(items))
    team: list[_Process[T, R]] = []
    dismissed: list[_Process[T, R]] = []
    try:
        while left or team:
            while left and len(team) < jobs:
                team.append(_Process(work, begin, [*team, *dismissed]))
                team[-1].give(left.pop())
            for process in _ready(team, patience):
                item, answer = process.item, process.answer()
                if isinstance(answer, WorkerDied):
                    team.remove(process)
                yield item, answer  # before the next begins: who is interrupted then has counted this one
                if isinstance(answer, WorkerDied):
                    continue
                if left:
                    process.give(left.pop())
                else:
                    team.remove(process)
                    dismissed.append(process)
                    process.dismiss()
    finally:
        for process in team:
            process.stop()
        for process in (*team, *dismissed):
            process.end()


def _ready(team: "list[_Process[T, R]]", patience: float) -> "list[_Process[T, R]]":
    """Those that have answered or ended, at least one."""
    while True:
        come = wait([process.channel for process in team], TICK_S)
        for process in team:
            if process.channel not in come and time.monotonic() - process.since > patience:
                process.kill(f"it took more than {patience:.0f} s")
        if come:
            return [process for process in team if process.channel in come]


class _Process(Generic[T, R]):
    """A forked process with one item in hand."""

    item: T
    since: float

    def __init__(self, work: Callable[[T], R], begin: Callable[[], None], others: "list[Any]") -> None:
        context = multiprocessing.get_context("fork")
        self.channel, theirs = context.Pipe()
        self._why = ""
        # Whoever holds our end of a channel would keep its process from noticing that we are gone.
        not_its = [self.channel, *(other.channel for other in others)]
        self._process = context.Process(target=_serve, args=(theirs, not_its, work, begin), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()

    def give(self, item: T) -> None:
        """Have the item worked on."""
        self.item, self.since = item, time.monotonic()
        with contextlib.suppress(ConnectionError):  # it is dead: `answer` says so
            self.channel.send(item)

    def answer(self) -> R | WorkerDied:
        """What was made of the item.

        Raises:
            Exception: what the work raised.
        """
        try:
            well, value = self.channel.recv()
        except (EOFError, OSError):
            return self._death()
        if not well:
            raise value
        answer: R = value
        return answer

    def dismiss(self) -> None:
        """There is no more work: it puts things in order and ends."""
        self.channel.close()

    def stop(self) -> None:
        """Have it put things in order and end in the midst of its work."""
        self._process.terminate()

    def kill(self, why: str) -> None:
        """End it at once."""
        self._why = why
        self._process.kill()

    def end(self) -> None:
        """Wait for its end, and leave nothing of it."""
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
        return WorkerDied(f"the process ended with {how}{self._why and f': {self._why}'}")


def _serve(channel: Connection, not_ours: list[Connection], work: Any, begin: Callable[[], None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, which then ends us
    signal.signal(signal.SIGTERM, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    die_with_parent()
    for other in not_ours:
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
        channel.send(answer)  # what cannot cross ends this process, and is told as its death


def _leave(*_: object) -> NoReturn:
    sys.exit(1)  # by an exception, so that boxes are closed on the way out
