"""The template: a process that has imported torch, and forks a warm interpreter for each box.

Its argument is a socket's descriptor. Each message on it asks for an interpreter: JSON, and the descriptors
of the interpreter's control socket and of its errors. With `"holder"` in the JSON the interpreter enters the
namespaces of a program that bubblewrap started; then two more descriptors come, on which bubblewrap and that
program report. The answer goes to the interpreter's control socket: its process id and a pidfd.

The template runs outside of any box, but never sees student code, and is started with the environment of a
box: nothing of the host is in its memory, so nothing of it can be found in an interpreter's.
"""

import json
import os
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
    # The kernel takes away what has ended, whatever the template does: a process that lies there keeps the
    # first one of its namespace from ending.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    warm_up.warm_up()
    control = socket.socket(fileno=descriptor)
    while True:
        text, descriptors, _, _ = socket.recv_fds(control, MESSAGE_LIMIT, 4)
        if not text:
            return
        if os.fork() == 0:
            control.close()
            _run_or_exit(json.loads(text), descriptors)
        for other in descriptors:
            os.close(other)


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
