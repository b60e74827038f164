"""How softmark sets Dask up, in the scheduler, in workers and in the client: few ports, few messages."""

import asyncio
import logging
import signal
from collections.abc import Coroutine
from typing import Any

import dask

SETTINGS: dict[str, Any] = {
    "distributed.scheduler.allowed-failures": 1,  # a task whose worker is lost runs once more elsewhere
    "distributed.scheduler.worker-ttl": "60s",  # a worker that says nothing for so long is lost
    "distributed.scheduler.http.routes": [],
    "distributed.scheduler.preload": [],
    "distributed.scheduler.active-memory-manager.start": False,  # no answer is kept twice
    "distributed.scheduler.unknown-task-duration": "2s",
    "distributed.worker.http.routes": [],
    "distributed.worker.preload": [],
    "distributed.worker.profile.enabled": False,
    "distributed.client.preload": [],
    "distributed.comm.compression": False,
    "distributed.comm.timeouts.connect": "20s",
    "distributed.comm.timeouts.tcp": "30s",
    "distributed.diagnostics.nvml": False,
    "distributed.diagnostics.computations.nframes": 0,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "60s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.large-graph-warning-threshold": "1GB",
}
QUIET = ("distributed", "tornado", "asyncio")


def run_until_told(work: Coroutine[Any, Any, None]) -> None:
    """Run until it ends, or until Ctrl-C or SIGTERM: then it cleans up.

    Raises:
        KeyboardInterrupt: it was told to end.
    """

    async def run() -> None:
        task = asyncio.ensure_future(work)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        await task

    try:
        asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def set_up() -> None:
    """Use these settings in this process, whatever Dask's own files say, and keep Dask silent."""
    dask.config.set(SETTINGS)
    # Dask gives some of the loggers below these three a level of their own: without theirs too, all bytes
    # that a stranger sends to the port would print a traceback.
    for name in [*QUIET, *logging.root.manager.loggerDict]:
        if name.partition(".")[0] in QUIET:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
