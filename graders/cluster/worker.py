"""Run a worker: it waits for runs, and ends with its scheduler."""

import asyncio
import os
import platform
from pathlib import Path
from typing import Any

from distributed import Worker

from graders.cluster import tasks
from graders.cluster.addresses import Address
from graders.cluster.certificates import WORKER, security
from graders.cluster.dask_settings import run_until_told, set_up
from graders.cluster.worker_folder import worker_folder

DEATH_S = 60  # a worker that finds no scheduler for so long ends


class _Worker(Worker):
    def start_http_server(self, *_: Any, **__: Any) -> None:
        """None is started: it would listen without a password."""


async def run_worker(
    address: Address, slots: int, certificates: Path | None, unsafe: bool, started: Any
) -> None:
    """Work for a scheduler until it ends, or this is cancelled.

    Args:
        address: the scheduler's.
        slots: how many submissions are graded at the same time.
        certificates: the folder of them; for `tcp`, None.
        unsafe: whether to grade without a box.
        started: called with the worker's address once the scheduler knows it.

    Raises:
        NoCertificates: they are not there.
        OSError: there is no scheduler.
        TimeoutError: the same.
    """
    set_up()
    tasks.set_up(asyncio.get_running_loop(), unsafe)
    with worker_folder() as folder:
        worker = _Worker(
            str(address),
            nthreads=slots,
            name=f"{platform.node()}-{os.getpid()}",
            host=address.host if not address.encrypted else None,
            memory_limit=0,  # the box's limits hold; Dask must neither pause nor end a worker
            local_directory=str(folder),
            security=security(WORKER, certificates),
            death_timeout=DEATH_S,
            dashboard=False,
        )
        try:
            async with worker:
                started(worker.address)
                await worker.finished()  # type: ignore[no-untyped-call]
        finally:
            tasks.close()


def run(address: Address, slots: int, certificates: Path | None, unsafe: bool, started: Any) -> None:
    """The same, until Ctrl-C."""
    run_until_told(run_worker(address, slots, certificates, unsafe, started))
