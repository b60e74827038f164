"""The host's side of the process that speaks to Dask, and which workers grade for the run."""

import contextlib
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Self

from graders.batch.errors import MachinesLost
from graders.cluster.addresses import Cluster
from graders.cluster.machine_report import MachineReport, objections, read_report
from graders.cluster.message import pack, unpack
from graders.cluster.statuses import LOST, UNREACHABLE
from graders.language import tr, translatable
from graders.safe_text import safe_text

if TYPE_CHECKING:  # it imports PyTorch, and this is imported before the command line is parsed
    from graders.cluster.run_settings import RunSettings

END_S = 5.0
PATIENCE_S = 30.0  # without a worker that may grade
REPORT_S = 600.0  # in which a worker must have become ready
MOST_SLOTS = 256  # of one worker


class ClusterLost(MachinesLost):
    """There is no scheduler, or no worker that may grade. Text for whoever started the run."""


@dataclass(frozen=True)
class ClusterAnswer:
    """What came back for an item, from a worker; `problem` says what is wrong with it, if anything."""

    item: int
    worker: str
    body: bytes
    problem: str


@dataclass
class _KnownWorker:
    """A worker of the cluster: as sentences call it, its slots, since when its report is awaited."""

    name: str
    slots: int
    since: float
    admitted: bool = False
    refused: bool = False


class ClusterConnection:
    """A connection for one run: use it in a `with` block, which ends the process."""

    def __init__(self, cluster: Cluster, run: "RunSettings", here: MachineReport) -> None:
        """A connection for a run, whose host is the machine `here`."""
        self._cluster, self._run, self._here = cluster, run, here
        self._workers: dict[str, _KnownWorker] = {}
        self._idle_since = time.monotonic()

    def __enter__(self) -> Self:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "graders.cluster.dask_client", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # workers may have it print
                stderr=subprocess.DEVNULL,
            )
        self.channel = Connection(ours.detach())
        folder = self._cluster.certificates
        header = {
            "address": str(self._cluster.address),
            "certificates": str(folder.absolute()) if folder else None,
            "run": self._run.key,
        }
        self._send(header, self._run.to_json())
        return self

    def __exit__(self, *_: object) -> None:
        self.channel.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def slots(self) -> int:
        """How many submissions the admitted workers grade at the same time."""
        return sum(worker.slots for worker in self._workers.values() if worker.admitted)

    def submit(self, item: int, key: str, message: bytes, avoid: str | None) -> None:
        """Have a submission graded by an admitted worker; by another one than `avoid`, if there is one."""
        self._send({"op": "submit", "item": item, "key": key, "avoid": avoid}, message)

    def hear(self) -> ClusterAnswer | None:
        """Read a message, and admit or refuse workers; the answer, if it is one.

        Raises:
            ClusterLost: the scheduler is gone.
        """
        try:
            header, body = unpack(self.channel.recv_bytes())
        except (EOFError, OSError):
            raise _lost("", self._cluster) from None
        worker = str(header.get("worker"))
        if header["op"] == "answer":
            return ClusterAnswer(header["item"], worker, body, header["problem"])
        if header["op"] == "ended":
            raise _lost(str(header["why"]), self._cluster)
        if header["op"] == "joined":
            name = safe_text(f"{header['name']} ({worker})", limit=200)
            slots = min(max(1, int(header["slots"])), MOST_SLOTS)
            self._workers[worker] = _KnownWorker(name, slots, time.monotonic())
        elif header["op"] == "gone" and (gone := self._workers.pop(worker, None)):
            if gone.admitted:
                self._cluster.say(tr("{worker} is gone", worker=gone.name))
        elif header["op"] == "report" and worker in self._workers:
            self._judge(worker, body)
        return None

    def refuse(self, worker: str, why: str) -> None:
        """Give a worker nothing more, and say so."""
        known = self._workers.get(worker)
        if known and not known.refused:
            known.admitted, known.refused = False, True
            self._send({"op": "refuse", "worker": worker})
            self._cluster.say(tr("{worker} is refused: {why}", worker=known.name, why=why))

    def require_workers(self) -> None:
        """Require that there is an admitted worker, or that one may still come.

        Raises:
            ClusterLost: there has been none for too long.
        """
        now = time.monotonic()
        unready = [w for w in self._workers.values() if not w.admitted and not w.refused]
        if self.slots or any(now - worker.since < REPORT_S for worker in unready):
            self._idle_since = now
        elif now - self._idle_since > PATIENCE_S:
            sentence = translatable("{address} has no worker that may grade for this run")
            raise ClusterLost(tr(sentence, address=self._cluster.address))

    def _judge(self, worker: str, body: bytes) -> None:
        known = self._workers[worker]
        try:
            report = read_report(body)
        except ValueError:
            self.refuse(worker, tr("it gave no report of itself"))
            return
        if why := objections(report, self._here):
            self.refuse(worker, "; ".join(why))
            return
        known.admitted = True
        self._send({"op": "admit", "worker": worker})
        sentence = translatable("{worker} grades, {n} at a time")
        self._cluster.say(tr(sentence, worker=known.name, n=known.slots))

    def _send(self, header: dict[str, Any], body: bytes = b"") -> None:
        with contextlib.suppress(OSError):  # it has ended: `hear` says so
            self.channel.send_bytes(pack(header, body))


def _lost(why: str, cluster: Cluster) -> ClusterLost:
    """What to say where the process that speaks to Dask has ended, for the reason that it gives."""
    kind, _, reason = why.partition(" ")
    if kind == UNREACHABLE:
        sentence = translatable("no scheduler answers at {address}: {reason}")
    elif kind == LOST:
        sentence = translatable("the scheduler at {address} has ended")
    else:
        sentence = translatable("the connection to {address} has failed: {reason}")
        reason = why
    return ClusterLost(tr(sentence, address=cluster.address, reason=safe_text(reason.strip(), limit=2000)))
