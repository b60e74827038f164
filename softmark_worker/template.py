"""The template: a process that has imported torch, and forks a warm interpreter for each box.

Its argument is a socket's descriptor. Each message on it asks for an interpreter: JSON, and the descriptors
of the interpreter's control socket and of its errors. With `"holder"` in the JSON the interpreter enters the
namespaces of a program that bubblewrap started; then two more descriptors come, on which bubblewrap and that
program report. The answer goes to the interpreter's control socket: its process id and a pidfd.

The template runs outside of any box, but never sees student code, and is started with the environment of a
box: nothing of the host is in its memory, so nothing of it can be found in an interpreter's.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from softmark_worker import enter_box, fork_server, syscalls, warm_up

MESSAGE_LIMIT = 1 << 20


def main(control: str) -> None:
    """Serve on the socket of this descriptor."""
    serve(int(control))


def serve(descriptor: int) -> None:
    """Fork interpreters until every host has closed its end of the control socket."""
    os.setsid()  # Ctrl-C reaches only the host, which then ends its children in order
    sys.dont_write_bytecode = True
    # Not ignored: the kernel would forget what boxes took of the processor, and `time softmark` not show it.
    # A handler alone would not do: what ends just before the template waits for a message would lie there
    # until the next one, and keep the first process of its namespace from ending.
    ended, writer = os.pipe()
    for end in (ended, writer):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    warm_up.warm_up()
    control = socket.socket(fileno=descriptor)
    while True:
        ready, _, _ = select.select([control.fileno(), ended], [], [])
        _wait_for_ended(ended)
        if control.fileno() not in ready:
            continue
        text, descriptors, _, _ = socket.recv_fds(control, MESSAGE_LIMIT, 4)
        if not text:
            return
        if os.fork() == 0:
            signal.set_wakeup_fd(-1)
            control.close()
            for end in (ended, writer):
                os.close(end)
            _run_or_exit(json.loads(text), descriptors)
        for other in descriptors:
            os.close(other)


def _wait_for_ended(ended: int) -> None:
    """Take away every child that has ended; `ended` was written to when one did."""
    with contextlib.suppress(BlockingIOError):
        while os.read(ended, 4096):
            pass
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _run_or_exit(asked: dict[str, Any], descriptors: list[int]) -> None:
    """In a process of its own: start the interpreter, and end with it or before it."""
    control, errors, *reports = descriptors
    enter_box.redirect(errors)
    try:
        if asked["holder"]:
            enter_box.join_namespaces(*reports)
        pid = syscalls.fork_beside()
        if pid:
            _send_pid(control, pid)
        else:
            enter_box.give_up_rights(asked)
            enter_box.rename_folders(asked["folders"])
            fork_server.serve_forks(socket.socket(fileno=control))
    except enter_box.HolderLost:
        pass  # bubblewrap has said why
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        os._exit(0)


def _send_pid(control: int, pid: int) -> None:
    with socket.socket(fileno=control) as host:
        socket.send_fds(host, [b"%d" % pid], [os.pidfd_open(pid)])
