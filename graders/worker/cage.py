"""The warden: forks one submission's process, waits for it, kills it with everything it started.

Runs inside the box, between the warm interpreter's fork and the student's first line.
"""

import contextlib
import json
import os
import select
import signal
from collections.abc import Callable, Iterator
from typing import Any

import kernel
from enclose import CHANNEL, WHERE, Settings, descriptors, enclose, enter, own_namespaces, tasks


def warden(
    settings: Settings,
    channel: int,
    output: int,
    status: int,
    leash: int,
    groups: list[int],
    run: Callable[[int], None],
) -> None:
    """Fork the student's process, wait for it, report on `status` how it ended. Never returns.

    The host holds the other end of `leash`: when that end closes, on purpose or because the host
    died, the student's process and everything it started are killed. A byte on it asks the student's
    process to print where it is.
    """
    nested = settings["namespaces"]
    with _or_end(status):
        wakeup = _wake_on_child()
        others = 0 if nested else tasks()
        if nested:
            own_namespaces()
        student = os.fork()
        if student == 0:
            _student(settings, channel, output, status, groups, others, run)
        _say(status, forked=True)
        for descriptor in (channel, output, *groups):
            os.close(descriptor)
        _report(status, *_wait(student, wakeup, leash, nested))
    os._exit(0)


def leave_root(uid: int | None) -> None:
    """Become the user `uid`, where one is given, and close this process to others of the same user."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    kernel.dumpable(False)


def _student(
    settings: Settings,
    channel: int,
    output: int,
    status: int,
    groups: list[int],
    others: int,
    run: Callable[[int], None],
) -> None:
    with _or_end(status):
        enter(groups)
        status = descriptors(channel, output, status)
    with _or_end(status):
        enclose(settings, others)
        os.close(status)
    # From here on no descriptor is left on which a failure of ours could be claimed.
    try:
        run(CHANNEL)
    finally:
        os._exit(0)


@contextlib.contextmanager
def _or_end(status: int) -> Iterator[None]:
    """End the process with a report when a step of the cage fails."""
    try:
        yield
    except BaseException as error:
        with contextlib.suppress(OSError):
            _say(status, failed=f"{type(error).__name__}: {error}"[:500])
        os._exit(1)


def _wake_on_child() -> int:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer)
    return reader


def _wait(student: int, wakeup: int, leash: int, nested: bool) -> tuple[int, Any]:
    while True:
        ready, _, _ = select.select([wakeup, leash], [], [])
        if leash in ready:
            if os.read(leash, 1):
                _signal(student, WHERE)
                continue
            _kill(student, nested)
            _, code, usage = os.wait4(student, 0)
            return code, usage
        os.read(wakeup, 64)
        pid, code, usage = os.wait4(student, os.WNOHANG)
        if pid == student:
            _kill(student, nested)
            return code, usage


def _kill(student: int, nested: bool) -> None:
    # Nested, the student is pid 1 of its namespace: the kernel ends everything in it with it.
    _signal(student, signal.SIGKILL)
    if not nested:
        _signal(-student, signal.SIGKILL)


def _signal(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def _report(status: int, code: int, usage: Any) -> None:
    cpu_s = round(usage.ru_utime + usage.ru_stime, 4)
    _say(status, exit=os.waitstatus_to_exitcode(code), cpu_s=cpu_s, max_rss_kb=usage.ru_maxrss)


def _say(status: int, **fields: Any) -> None:
    """One line of JSON for the host: that it forked, that a step failed, or how it ended."""
    os.write(status, json.dumps(fields).encode() + b"\n")
