"""Take from this Python what macOS or Windows does not have, and from the programs that it starts.

A folder beside this file is put on PYTHONPATH; its `sitecustomize.py` calls one of the two functions. Files
of softmark alone miss functions and modules: Python's library and other packages do the same by other means
there, and choose these by `sys.platform`, which stays. softmark does not ask it on a student's way.
"""

import builtins
import errno
import io
import os
import select
import signal
import socket
import subprocess
import time
import types
from collections.abc import Container
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
OURS = tuple(str(ROOT / name) + os.sep for name in ("graders", "reports", "softmark_worker"))
LINUX_ALONE = {
    os: "sched_getaffinity sched_setaffinity memfd_create pidfd_open posix_fadvise setns unshare eventfd",
    signal: "pidfd_send_signal",
    select: "epoll",
    time: "CLOCK_BOOTTIME",
}
NOT_ON_WINDOWS = {
    os: "fork forkpty register_at_fork getuid geteuid getgid getegid getresuid setresuid setresgid setgroups "
    "uname setsid getpgid getsid killpg wait3 wait4 waitid readv writev preadv pwritev pread pwrite sysconf "
    "getloadavg set_blocking posix_spawn openpty chown lchown mkfifo statvfs nice "
    "O_NOFOLLOW O_NONBLOCK O_DIRECTORY O_CLOEXEC",
    signal: "SIGKILL SIGALRM SIGUSR1 SIGUSR2 SIGCHLD SIGHUP SIGPIPE SIGXCPU SIGXFSZ setitimer getitimer "
    "alarm pthread_sigmask pthread_kill sigwait",
    select: "poll",
    socket: "AF_UNIX send_fds recv_fds",
    time: "clock_gettime clock_getres CLOCK_MONOTONIC CLOCK_REALTIME",
}
NO_SUCH_MODULE = {"fcntl", "resource", "pwd", "grp", "termios", "pty", "tty"}
PROC = ("/proc", "/sys", "/dev/shm")


def macos() -> None:
    """No sockets that keep messages apart, no /proc, no calls of Linux alone. Nothing forks."""
    _let_ours_miss(LINUX_ALONE)
    _hide_proc()
    _fork_nothing()
    pair = socket.socketpair

    def socketpair(*arguments: Any, **named: Any) -> Any:
        if socket.SOCK_SEQPACKET in (*arguments, *named.values()):
            raise OSError(errno.EPROTONOSUPPORT, os.strerror(errno.EPROTONOSUPPORT))
        return pair(*arguments, **named)

    socket.socketpair = socketpair  # type: ignore[assignment]


def windows() -> None:
    """No fork, Unix sockets, users or waiting for pipes, few signals, and no modules about these."""
    _hide_proc()
    _start_programs_as_windows_does()
    _fork_nothing()
    _let_ours_miss(
        {module: f"{LINUX_ALONE.get(module, '')} {names}" for module, names in NOT_ON_WINDOWS.items()},
        NO_SUCH_MODULE,
    )

    def wait_for_sockets(*_: object) -> None:
        raise OSError(10038, "an operation was attempted on something that is not a socket")

    select.select = wait_for_sockets  # type: ignore[assignment]


class _Poorer(types.ModuleType):
    """A module without some of its names."""

    def __init__(self, module: types.ModuleType, missing: set[str]) -> None:
        super().__init__(module.__name__)
        self.__dict__.update(_module=module, _missing=missing)

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__["_missing"]:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self.__dict__["_module"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_module"], name, value)


def _let_ours_miss(names: dict[Any, str], modules: Container[str] = ()) -> None:
    """Let files of softmark import these modules without these names, and some modules not at all."""
    poorer = {module.__name__: _Poorer(module, {*words.split()}) for module, words in names.items()}
    import_ = builtins.__import__

    def guarded(name: str, scope: Any = None, *more: Any, **named: Any) -> Any:
        scope = named.pop("globals", scope)
        if str((scope or {}).get("__file__", "")).startswith(OURS):
            if name in modules:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)
            if name in poorer:
                return poorer[name]
        return import_(name, scope, *more, **named)

    builtins.__import__ = guarded  # type: ignore[assignment]


def _hide_proc() -> None:
    """Let ours find nothing there; a debugger or Python itself still may."""
    for module, name in (
        (builtins, "open"),
        (io, "open"),
        (os, "open"),
        (os, "stat"),
        (os, "listdir"),
        (os, "scandir"),
    ):
        setattr(module, name, _without_proc(getattr(module, name)))


def _without_proc(function: Any) -> Any:
    def guarded(path: Any = ".", *arguments: Any, **named: Any) -> Any:
        if isinstance(path, (str, os.PathLike)) and os.fspath(path).startswith(PROC):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
        return function(path, *arguments, **named)

    return guarded


def _fork_nothing() -> None:
    def fork() -> int:
        raise RuntimeError("this simulation forks nothing")

    os.fork = os.forkpty = fork  # type: ignore[assignment]


def _start_programs_as_windows_does() -> None:
    start, number = subprocess.Popen.__init__, signal.SIGKILL

    def __init__(self: Any, args: Any, *more: Any, **named: Any) -> None:  # noqa: N807
        for name in ("pass_fds", "preexec_fn"):
            if named.get(name):
                raise ValueError(f"{name} is not supported on Windows platforms")
        if named.get("env") is not None and "SYSTEMROOT" not in named["env"]:
            raise OSError("Python does not start without SYSTEMROOT")
        named.pop("start_new_session", None)  # it means nothing there
        named.pop("creationflags", None)
        start(self, args, *more, **named)

    def kill(self: Any) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    subprocess.Popen.__init__ = __init__  # type: ignore[method-assign]
    subprocess.Popen.kill = subprocess.Popen.terminate = kill  # type: ignore[method-assign]
