"""What Dask calls on a worker, in threads: bytes in, bytes out. Nothing is raised: Dask would pickle it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from graders.cluster.grading import GradingEnded, GradingProcess
from graders.cluster.message import pack, unpack
from graders.cluster.statuses import FAILED

KEPT = 2  # runs for which a process is kept: one that has ended, and one that goes on from there
T = TypeVar("T")

_loop: asyncio.AbstractEventLoop
_unsafe = False
_runs: dict[str, tuple[bytes, GradingProcess]] = {}


def set_up(loop: asyncio.AbstractEventLoop, unsafe: bool) -> None:
    """Prepare a worker: `loop` is that of its main thread; if `unsafe`, it may grade without a box."""
    global _loop, _unsafe
    _loop, _unsafe = loop, unsafe


def report(message: bytes) -> bytes:
    """What this machine is, once it is ready to grade for the run whose settings the message holds."""
    try:
        header, run = unpack(message)
        return _in_main_thread(_grading, str(header["run"]), run).report()
    except Exception as error:
        return _failed(error)


def grade(message: bytes) -> bytes:
    """The answer to the submission that the message holds."""
    try:
        name = str(unpack(message)[0]["run"])
        return _in_main_thread(_grading, name, None).grade(message)
    except Exception as error:
        return _failed(error)


def close() -> None:
    """End all processes that grade, as the worker ends."""
    while _runs:
        _runs.popitem()[1][1].close()


def _grading(name: str, run: bytes | None) -> GradingProcess:
    """The process for a run; a new one if there is none yet, or it has ended.

    Raises:
        KeyError: the run is not known here.
    """
    known = _runs.pop(name, None)
    if known is None and run is None:
        raise KeyError(f"this worker does not know the run {name}")
    if known is None or known[1].has_ended:
        settings = known[0] if known else run
        assert settings is not None
        if known:
            known[1].close()
        known = settings, GradingProcess(settings, _unsafe)
    _runs[name] = known  # the last one is the one that was used last
    while len(_runs) > KEPT:
        _runs.pop(next(iter(_runs)))[1].close()
    return known[1]


def _in_main_thread(call: Callable[..., T], *arguments: Any) -> T:
    async def called() -> T:
        return call(*arguments)

    started: Coroutine[Any, Any, T] = called()
    return asyncio.run_coroutine_threadsafe(started, _loop).result()


def _failed(error: Exception) -> bytes:
    why = "the process that grades has ended" if isinstance(error, GradingEnded) else repr(error)
    return pack({"status": FAILED, "why": why[:2000]})
