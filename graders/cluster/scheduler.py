"""Run Dask's scheduler: no dashboard, no HTTP; without certificates on the loopback alone."""

import tempfile
from pathlib import Path
from typing import Any

from distributed import Scheduler

from graders.cluster.addresses import Address
from graders.cluster.certificates import SCHEDULER, security
from graders.cluster.dask_settings import run_until_told, set_up
from graders.sandbox.limits import GB
from graders.submission.resource_bounds import bound_memory

MEMORY_BYTES = 4 * GB  # a worker may send more than it says: that ends one answer, and not the machine


class _Scheduler(Scheduler):
    def start_http_server(self, *_: Any, **__: Any) -> None:
        """None is started: it would listen without a password."""

    def erred_on(self, key: str) -> list[str]:
        """The workers on which a task has raised, or with which it was lost."""
        task = self.tasks.get(key)
        return sorted(task.erred_on) if task and task.erred_on else []


async def run_scheduler(address: Address, certificates: Path | None, started: Any) -> None:
    """Run a scheduler until it is cancelled.

    Args:
        address: where it listens.
        certificates: the folder of them; for `tcp`, None.
        started: called with the address once it listens; a port 0 is then the one that was free.

    Raises:
        NoCertificates: they are not there.
        OSError: it cannot listen there.
    """
    set_up()
    bound_memory(MEMORY_BYTES)
    with tempfile.TemporaryDirectory(prefix="softmark-scheduler-") as folder:
        scheduler = _Scheduler(
            host=str(address),
            port=address.port,
            security=security(SCHEDULER, certificates),
            local_directory=folder,
            dashboard=False,
        )
        scheduler.handlers["erred_on"] = scheduler.erred_on
        async with scheduler:
            started(scheduler.address)
            await scheduler.finished()  # type: ignore[no-untyped-call]


def run(address: Address, certificates: Path | None, started: Any) -> None:
    """The same, until Ctrl-C."""
    run_until_told(run_scheduler(address, certificates, started))
