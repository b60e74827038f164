"""One submission's process: start, isolate, watch and kill it, and report how it ended.

Runs in the warm interpreter. A kill pipe comes from the host: when its other end closes, on purpose or
because the host died, the process and everything it started are killed. A `t` on it asks how long the process
has worked and waited for a processor, another byte asks the process to print where it is. The status pipe
tells the host, in a line of JSON each, that the process has started, that a step of its isolation failed,
how long it has worked and waited, and how it ended.
"""

import contextlib
import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from softmark_worker import processor_time, syscalls
from softmark_worker.lock_down import (
    CHANNEL,
    NAMESPACES,
    WHERE,
    Settings,
    descriptors,
    enter,
    lock_down,
    map_users,
    tasks,
)


@dataclass(frozen=True)
class ChildProcess:
    """A student's process. `nested`: it is pid 1 of namespaces of its own."""

    pid: int
    status: int
    kill_pipe: int
    nested: bool

    def obey(self) -> bool:
        """Do what the host asks on the kill pipe; False once it is closed."""
        asked = os.read(self.kill_pipe, 1)
        if asked == b"t":
            _say(self.status, **processor_time.read_times(self.pid))
        elif asked:
            _signal(self.pid, WHERE)
        if asked:
            return True
        self.kill()
        return False

    def kill(self) -> None:
        """Kill the process and everything that it started."""
        # If nested, the kernel kills everything in its namespaces with it.
        _signal(self.pid, signal.SIGKILL)
        if not self.nested:
            _signal(-self.pid, signal.SIGKILL)

    def has_ended(self) -> bool:
        """Whether the process is gone; the first time that it is, report to the host how it ended."""
        if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return False
        waited = processor_time.waiting_seconds(self.pid)  # the kernel forgets it with the process
        _, code, usage = os.wait4(self.pid, 0)
        self.kill()
        cpu_s = round(usage.ru_utime + usage.ru_stime, 4)
        _say(
            self.status,
            exit=os.waitstatus_to_exitcode(code),
            cpu_s=cpu_s,
            waited=waited,
            max_rss_kb=usage.ru_maxrss,
        )
        os.close(self.status)
        os.close(self.kill_pipe)
        return True


def start(
    settings: Settings,
    channel: int,
    output: int,
    status: int,
    kill_pipe: int,
    groups: list[int],
    run: Callable[[int], None],
) -> ChildProcess:
    """Start a process that isolates itself and then calls `run` with the descriptor of its channel.

    Raises:
        OSError: no process could be started; the host has been told.
    """
    nested = settings["namespaces"]
    try:
        others = 0 if nested else tasks()
        pid = syscalls.fork_into(NAMESPACES) if nested else os.fork()
    except OSError as error:
        _say(status, **_failure(error))
        raise
    if pid == 0:
        _student(
            settings=settings,
            channel=channel,
            output=output,
            status=status,
            groups=groups,
            others=others,
            run=run,
        )
    _say(status, forked=True, pid=pid)
    for descriptor in (channel, output, *groups):
        os.close(descriptor)
    return ChildProcess(pid, status, kill_pipe, nested)


def leave_root(uid: int | None) -> None:
    """Become the user `uid`, if one is given, and stop other processes of the user from tracing this one."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    syscalls.dumpable(False)


def _student(
    settings: Settings,
    channel: int,
    output: int,
    status: int,
    groups: list[int],
    others: int,
    run: Callable[[int], None],
) -> None:
    uid, gid = settings["ids"]
    with _or_end(status):
        enter(groups)
        status = descriptors(channel, output, status)
    with _or_end(status):
        if settings["namespaces"]:
            map_users(uid, gid)
        lock_down(settings, others)
        os.close(status)
    # From here on student code has no descriptor on which to fake such a report.
    try:
        run(CHANNEL)
    finally:
        os._exit(0)


@contextlib.contextmanager
def _or_end(status: int) -> Iterator[None]:
    """End the process with a report when a step of the isolation fails."""
    try:
        yield
    except BaseException as error:
        with contextlib.suppress(OSError):
            _say(status, **_failure(error))
        os._exit(1)


def _failure(error: BaseException) -> dict[str, Any]:
    """The text of an error and, of an `OSError`, its number and the system call or file."""
    text = f"{type(error).__name__}: {error}"[:500]
    return {"failed": text, "errno": getattr(error, "errno", None), "call": getattr(error, "filename", None)}


def _signal(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


def _say(status: int, **fields: Any) -> None:
    """Write a line of JSON to the host, which may be gone."""
    with contextlib.suppress(BrokenPipeError):
        os.write(status, json.dumps(fields).encode() + b"\n")
