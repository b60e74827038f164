"""Spread the submissions of a run over a cluster: `process_pool.spread` with other machines behind it.

The host's own processes read, check and keep what comes back: nothing else of the host looks at what a worker
has sent.
"""

import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from graders.batch.grade_all import KeptResult, NotSent
from graders.batch.process_pool import PoolProcess, WorkerDied
from graders.classroom.intake.download import Entry
from graders.cluster.addresses import Cluster
from graders.cluster.connection import ClusterAnswer, ClusterConnection
from graders.cluster.machine_report import MachineReport
from graders.cluster.message import pack
from graders.cluster.packed_submission import NotPacked, pack_submission
from graders.cluster.read_answer import BadAnswer, NotGraded
from graders.cluster.run_settings import RunSettings
from graders.language import number, tr
from graders.sandbox.limits import GB
from graders.submission.resource_bounds import bound_memory

WINDOW = 4  # submissions under way for each slot: those that wait are at hand when a slot is free
WINDOW_BYTES = 256_000_000  # of all that are under way: the scheduler holds them in its memory
ATTEMPTS = 2  # on workers; then the host tries
READING_S = 300.0  # for one answer, on a busy machine
MEMORY_BYTES = GB  # to read one
TICK_S = 1.0

Reading = KeptResult | BadAnswer | NotGraded
Receive = Callable[[tuple[Entry, bytes]], Reading]
_Reader = PoolProcess[tuple[Entry, bytes], Reading]


@dataclass
class _Attempt:
    entry: Entry
    message: bytes
    number: int = 1
    worker: str = ""
    body: bytes = b""


def spread(
    entries: Sequence[Entry],
    receive: Receive,
    jobs: int,
    cluster: Cluster,
    run: RunSettings,
    here: MachineReport,
) -> Iterator[tuple[Entry, KeptResult | WorkerDied | NotSent]]:
    """Yield each submission with its result, in the order in which they are done.

    `WorkerDied` where no worker could grade it, `NotSent` where it is not sent at all.

    Args:
        entries: started in this order.
        receive: called in a process of this host with what a worker has answered; it keeps the result.
        jobs: how many such processes there are at most.
        cluster: where the workers are.
        run: what they must know.
        here: the host's own report, to which theirs are compared.

    Raises:
        ClusterLost: the scheduler is gone, or there is no worker that may grade.
    """
    with ClusterConnection(cluster, run, here) as connected:
        under_way = _SentSubmissions(connected, run.key)
        readers = _Readers(receive, jobs)
        waiting = deque(entries)
        try:
            while waiting or under_way.attempts:
                while waiting and under_way.has_room:
                    entry = waiting.popleft()
                    try:
                        under_way.submit(entry)
                    except NotPacked as reason:
                        yield entry, NotSent(str(reason))
                ready = wait([connected.channel, *readers.channels], TICK_S)
                for item, reading in readers.answers(ready):
                    if (settled := under_way.settle(item, reading)) is not None:
                        yield settled
                answer = connected.hear() if connected.channel in ready else None
                if answer and (given_up := under_way.take(answer, readers)) is not None:
                    yield given_up
                connected.require_workers()
        finally:
            readers.end()


class _SentSubmissions:
    """The submissions that were sent and are not settled."""

    def __init__(self, connected: ClusterConnection, run: str) -> None:
        self._connected, self._run = connected, run
        self._count = self._bytes = 0
        self.attempts: dict[int, _Attempt] = {}

    @property
    def has_room(self) -> bool:
        """Whether one more may be sent."""
        return len(self.attempts) < WINDOW * self._connected.slots and self._bytes < WINDOW_BYTES

    def submit(self, entry: Entry) -> None:
        """Send a submission.

        Raises:
            NotPacked: it cannot be sent.
        """
        if entry.in_time is not None:
            raise NotPacked("two states of it are compared")
        header = {"run": self._run, "id": entry.id, "name": entry.path.name}
        attempt = _Attempt(entry, pack(header, pack_submission(entry.path)))
        self._count += 1
        self.attempts[self._count] = attempt
        self._bytes += len(attempt.message)
        self._send(self._count, attempt)

    def take(self, answer: ClusterAnswer, readers: "_Readers") -> tuple[Entry, WorkerDied] | None:
        """Have an answer read, or try again; the submission and why, if no worker can grade it."""
        attempt = self.attempts.get(answer.item)
        if attempt is None:
            return None
        attempt.worker = answer.worker
        if not answer.worker:
            return self._forget(answer.item, tr("the workers that had it were lost"))
        if answer.problem:
            return self._try_again(answer.item, BadAnswer(tr("its answer is no bytes, or too many")))
        readers.read(answer.item, (attempt.entry, answer.body))
        return None

    def settle(
        self, item: int, reading: Reading | WorkerDied
    ) -> tuple[Entry, KeptResult | WorkerDied] | None:
        """The submission's result, or why there is none; None if it is tried once more."""
        if isinstance(reading, KeptResult):
            attempt = self.attempts.pop(item)
            self._bytes -= len(attempt.message)
            return attempt.entry, reading
        if isinstance(reading, WorkerDied):  # what the worker sent has ended the process that read it
            reading = BadAnswer(tr("its answer could not be read: {reason}", reason=reading))
        return self._try_again(item, reading)

    def _try_again(self, item: int, reason: BadAnswer | NotGraded) -> tuple[Entry, WorkerDied] | None:
        attempt = self.attempts[item]
        if isinstance(reason, BadAnswer):
            self._connected.refuse(attempt.worker, tr("{id}: {why}", id=attempt.entry.id, why=reason))
        if attempt.number == ATTEMPTS:
            return self._forget(item, str(reason))
        attempt.number += 1
        self._send(item, attempt)
        return None

    def _forget(self, item: int, why: str) -> tuple[Entry, WorkerDied]:
        attempt = self.attempts.pop(item)
        self._bytes -= len(attempt.message)
        return attempt.entry, WorkerDied(why)

    def _send(self, item: int, attempt: _Attempt) -> None:
        key = f"softmark-{attempt.entry.key or uuid.uuid4()}"
        if attempt.number > 1:
            key = f"{key}-{attempt.number}"
        self._connected.submit(item, key, attempt.message, attempt.worker or None)


class _Readers:
    """The host's processes that read answers, each one at a time."""

    def __init__(self, receive: Receive, jobs: int) -> None:
        self._receive, self._jobs = receive, jobs
        self._waiting: deque[tuple[int, tuple[Entry, bytes]]] = deque()
        self._idle: list[_Reader] = []
        self._busy: dict[int, _Reader] = {}

    @property
    def channels(self) -> list[Connection]:
        """Those on which a reading may come."""
        return [reader.channel for reader in self._busy.values()]

    def read(self, item: int, answer: tuple[Entry, bytes]) -> None:
        """Have an answer read as soon as a process is free."""
        self._waiting.append((item, answer))
        self._start()

    def answers(self, ready: list[Any]) -> Iterator[tuple[int, Reading | WorkerDied]]:
        """What was read.

        Raises:
            OSError: a result could not be written.
        """
        for item, reader in list(self._busy.items()):
            if reader.channel in ready:
                reading = reader.answer()
                del self._busy[item]
                if not isinstance(reading, WorkerDied):
                    self._idle.append(reader)
                self._start()
                yield item, reading
            elif reader.patience.is_over():
                reader.kill(tr("it took more than {seconds} s", seconds=number(READING_S, ".0f")))

    def end(self) -> None:
        """End all."""
        readers = [*self._idle, *self._busy.values()]
        for reader in readers:
            reader.stop()
        for reader in readers:
            reader.end()

    def _start(self) -> None:
        while self._waiting and len(self._busy) < self._jobs:
            others = [*self._idle, *self._busy.values()]
            reader = self._idle.pop() if self._idle else _Reader(self._receive, _bound, others)
            item, answer = self._waiting.popleft()
            self._busy[item] = reader
            reader.give(answer, READING_S)


def _bound() -> None:
    bound_memory(MEMORY_BYTES)
