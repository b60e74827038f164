"""The process that speaks to Dask for the host: bytes in, bytes out, and no pickle accepted.

    python -P -m graders.cluster.dask_client CHANNEL

`CHANNEL` is the descriptor of a socket to the host. The host itself imports nothing of Dask, has no thread,
since it forks, and reads nothing from the network. It says first what to connect to, then `admit` and
`refuse` (a worker) and `submit` (a submission). It is told `joined`, `report` and `gone` (of a worker),
`answer` (to a submission), `ended`.
"""

import asyncio
import contextlib
import signal
import sys
import traceback
import uuid
from collections.abc import Coroutine
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from graders.cluster.refuse_pickles import refuse_pickles

refuse_pickles()  # before Dask is imported

from distributed import Client, Future, Status, wait

from graders.cluster import tasks
from graders.cluster.certificates import CLIENT, NoCertificates, security
from graders.cluster.dask_settings import set_up
from graders.cluster.message import pack, unpack
from graders.cluster.statuses import BAD, LOST, UNREACHABLE
from graders.sandbox.limits import GB
from graders.submission.resource_bounds import bound_memory
from softmark_worker.syscalls import die_with_parent

TICK_S = 0.5  # between two looks at which workers there are
CONNECT_S = 15
ANSWER_S = 20  # for the scheduler to say which workers there are
TRIES = 6  # to fetch an answer whose worker is lost meanwhile
MOST_BYTES = 32_000_000  # of an answer; a result has 30 to 100 KB
MEMORY_BYTES = 2 * GB  # of this process: what a worker lies about in size ends one answer
DESERIALIZERS = ["dask", "msgpack"]


class _Client(Client):
    """Dask's client, without what it would unpickle or print of what workers say."""

    def _handle_task_erred(self, key: Any = None, exception: Any = None, traceback: Any = None) -> None:  # noqa: ARG002
        super()._handle_task_erred(key=key, exception="it raised")  # type: ignore[no-untyped-call]

    async def _handle_event(self, topic: Any, event: Any) -> None:
        """Workers can have a client print, or warn with a pickle."""


@dataclass
class _Submission:
    """A submission that the host waits for: its task's key, the task's argument, the worker to avoid."""

    key: str
    message: bytes
    avoid: str | None = None
    workers: frozenset[str] = frozenset()
    watch: "asyncio.Task[None] | None" = None


@dataclass(frozen=True)
class _WorkerAnswer:
    """An answer and the worker that gave it; `problem` says what is wrong with it."""

    problem: str
    worker: str = ""
    body: bytes = b""


@dataclass
class _Conversation:
    """Between the host and Dask."""

    channel: Connection
    client: Client
    name: str
    settings: bytes
    seen: set[str] = field(default_factory=set)
    admitted: set[str] = field(default_factory=set)
    submissions: dict[int, _Submission] = field(default_factory=dict)
    unsent: list[int] = field(default_factory=list)
    running: "set[asyncio.Task[None]]" = field(default_factory=set)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    failure: BaseException | None = None

    @property
    def scheduler(self) -> Any:
        """Dask's way to ask the scheduler."""
        return self.client.scheduler

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        """Send to the host."""
        self.channel.send_bytes(pack(header, body))

    async def hold(self) -> str:
        """Until the scheduler or the host ends; returns why."""
        asyncio.get_running_loop().add_reader(self.channel.fileno(), self._read)
        while not self.ended.is_set():
            workers = await self._workers()
            if workers is None:
                return LOST
            self._look(workers)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.ended.wait(), TICK_S)
        if self.failure is None:
            return "the host has closed it"
        if await self._workers() is None:  # then all else fails, too
            return LOST
        raise self.failure

    async def _workers(self) -> dict[str, Any] | None:
        """What the scheduler says of its workers, by address; None if it is gone."""
        if self.client.status != "running":
            return None
        try:
            identity = await asyncio.wait_for(self.scheduler.identity(n_workers=-1), ANSWER_S)
        except (OSError, TimeoutError):
            return None
        workers: dict[str, Any] = identity["workers"]
        return workers

    def _read(self) -> None:
        try:
            while self.channel.poll():
                self._hear(*unpack(self.channel.recv_bytes()))
            self._submit_all()
        except (EOFError, OSError):
            self.ended.set()

    def _start(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Start work beside this; where it fails, all of this does."""
        task = asyncio.create_task(work)
        self.running.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: "asyncio.Task[None]") -> None:
        self.running.discard(task)
        if not task.cancelled() and (failure := task.exception()):
            self.failure = failure
            self.ended.set()

    def _hear(self, header: dict[str, Any], body: bytes) -> None:
        worker = header.get("worker")
        if header["op"] == "admit" and worker in self.seen:
            self.admitted.add(worker)
        elif header["op"] == "refuse":
            self.admitted.discard(worker)
        elif header["op"] == "submit":
            number = header["item"]
            self.submissions[number] = _Submission(header["key"], body, header["avoid"])
            self.unsent.append(number)

    def _look(self, workers: dict[str, Any]) -> None:
        """Ask new workers for their reports, and take tasks from those that have gone."""
        for address in self.seen.difference(workers):
            self.seen.discard(address)
            self.admitted.discard(address)
            self.send({"op": "gone", "worker": address})
        for address in set(workers).difference(self.seen):
            if workers[address]["status"] == Status.running.name:
                self.seen.add(address)
                about = {"name": str(workers[address]["name"]), "slots": workers[address]["nthreads"]}
                self.send({"op": "joined", "worker": address, **about})
                self._start(self._ask_for_report(address))
        for number, submission in self.submissions.items():
            if submission.watch and not submission.workers & self.seen:
                submission.watch.cancel()
                submission.watch = None
                submission.key = f"{submission.key}-again"
                self.unsent.append(number)
        self._submit_all()

    async def _ask_for_report(self, address: str) -> None:
        future = self.client.submit(
            tasks.report,
            pack({"run": self.name}, self.settings),
            key=f"softmark-report-{uuid.uuid4()}",
            workers=[address],
            priority=10,
        )
        fetched = await self._fetch(future)
        future.release()
        if address in self.seen:
            self.send({"op": "report", "worker": address, "problem": fetched.problem}, fetched.body)

    def _submit_all(self) -> None:
        """Give Dask what waits, as soon as a worker is admitted."""
        if not self.admitted:
            return
        for number in self.unsent:
            submission = self.submissions[number]
            others = self.admitted - {submission.avoid}
            submission.workers = frozenset(others or self.admitted)
            future = self.client.submit(
                tasks.grade, submission.message, key=submission.key, workers=list(submission.workers)
            )
            submission.watch = self._start(self._watch(number, future))
        self.unsent = []

    async def _watch(self, number: int, future: Future[bytes]) -> None:
        try:
            fetched = await self._fetch(future)
        finally:
            future.release()  # what is kept would be computed again if its worker were lost
        del self.submissions[number]
        header = {"op": "answer", "item": number, "problem": fetched.problem, "worker": fetched.worker}
        self.send(header, fetched.body)

    async def _fetch(self, future: Future[bytes]) -> _WorkerAnswer:
        """What a task has returned, and which worker holds it."""
        scheduler, key = self.scheduler, future.key
        for attempt in range(TRIES):
            await wait([future])
            if future.status == "error":
                return await self._explain_error(str(key))
            if holders := (await scheduler.who_has(keys=[key])).get(key):
                size = (await scheduler.nbytes(keys=[key], summary=False))[key]
                if size > MOST_BYTES:
                    return _WorkerAnswer(BAD, holders[0])
                try:
                    answer = await scheduler.gather(keys=[key])
                except Exception:  # a pickle, or more than the memory of this process or of the scheduler
                    return _WorkerAnswer(BAD, holders[0])
                if answer["status"] == "OK":
                    body = answer["data"][key]
                    is_bytes = type(body) is bytes and len(body) <= MOST_BYTES
                    return _WorkerAnswer("", holders[0], body) if is_bytes else _WorkerAnswer(BAD, holders[0])
            await asyncio.sleep(0.1 * 2**attempt)  # its worker is lost; Dask will say so
        return _WorkerAnswer(LOST)

    async def _explain_error(self, key: str) -> _WorkerAnswer:
        """A worker that is there has raised, as no honest one does; or too many were lost with the task."""
        with contextlib.suppress(AttributeError, TypeError, ValueError):  # a scheduler that is not ours
            raised = self.seen.intersection(await self.scheduler.erred_on(key=key))
            return _WorkerAnswer(BAD, raised.pop()) if raised else _WorkerAnswer(LOST)
        return _WorkerAnswer(LOST)


async def _converse(channel: Connection) -> str:
    """Connect as the host asks, and speak for it; returns why that ended."""
    header, settings = unpack(channel.recv_bytes())
    folder = header["certificates"]
    try:
        client = await _Client(  # type: ignore[no-untyped-call]
            header["address"],
            asynchronous=True,
            security=security(CLIENT, Path(folder) if folder else None),
            deserializers=DESERIALIZERS,
            timeout=CONNECT_S,
        )
    except (OSError, TimeoutError, NoCertificates) as error:
        return f"{UNREACHABLE} {error}"
    try:
        return await _Conversation(channel, client, header["run"], settings).hold()
    finally:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(client.close(timeout=1), 2)


def main(channel: Connection) -> None:
    """Speak for the host until it closes the channel, or ends."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the host handles Ctrl-C
    set_up()
    bound_memory(MEMORY_BYTES)
    try:
        why = asyncio.run(_converse(channel))
    except Exception as error:
        why = "".join(traceback.format_exception(error))
    with contextlib.suppress(OSError):
        channel.send_bytes(pack({"op": "ended", "why": why[:10_000]}))


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
