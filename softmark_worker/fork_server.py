"""The warm interpreter: imports torch once, then forks one child per submission. Runs in the box.

Its argument is a socket's descriptor. The first message on it is JSON with the settings; each further one
asks for a fork, with files or without (`wire`), and brings its descriptors: channel, output, status,
kill pipe (see `child`), and a `cgroup.procs` file for each control group.
"""

import functools
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from softmark_worker import answer_requests, child, warm_up, wire

MESSAGE_LIMIT = 1 << 20
DESCRIPTORS = 4  # sent for a fork, before those of control groups


def main(control: str) -> None:
    """Serve on the socket of this descriptor."""
    warm_up.warm_up()
    serve_forks(socket.socket(fileno=int(control)))


def serve_forks(control: socket.socket) -> None:
    """Serve forks until the host closes the control socket."""
    settings = json.loads(control.recv(MESSAGE_LIMIT))
    if not _readable(settings["uid"]):
        sys.stderr.write(json.dumps({"says": "python_not_readable", "folder": sys.base_prefix}))
        return
    if settings["walled"]:
        child.leave_root(settings["uid"])
    settings["ids"] = os.getuid(), os.getgid()
    warm_up.import_libraries(settings["libraries"])
    wakeup = _wake_on_child()
    control.send(b"ready")
    processes: dict[int, child.ChildProcess] = {}  # by the descriptor of their kill pipe
    dying: set[int] = set()  # their kill pipe is closed: select would report it each time
    while True:
        # One submission at a time where only a filter separates them.
        open_to_more = settings["several"] or not processes
        waiting = [wakeup, *(processes.keys() - dying), *([control.fileno()] if open_to_more else [])]
        ready, _, _ = select.select(waiting, [], [])
        for kill_pipe in set(ready) & processes.keys():
            if not processes[kill_pipe].obey():
                dying.add(kill_pipe)
        if wakeup in ready:
            os.read(wakeup, 64)
        if control.fileno() in ready and not _fork(control, settings, processes):
            break
        for kill_pipe, process in list(processes.items()):
            if process.has_ended():
                del processes[kill_pipe]
                dying.discard(kill_pipe)
    for process in processes.values():
        process.kill()


def _fork(control: socket.socket, settings: dict[str, Any], processes: dict[int, child.ChildProcess]) -> bool:
    """Start a process, as the host asks; False where the host is gone."""
    asked, descriptors, _, _ = socket.recv_fds(control, 16, 16)
    if not descriptors:
        return False
    (channel, output, status, kill_pipe), groups = descriptors[:DESCRIPTORS], descriptors[DESCRIPTORS:]
    limits = settings["limits"] | ({"file_bytes": 0} if asked == wire.WITHOUT_FILES else {})
    run = functools.partial(
        answer_requests.serve_channel, device=settings["device"], reply_bytes=limits["reply_bytes"]
    )
    try:
        process = child.start(
            settings=settings | {"limits": limits},
            channel=channel,
            output=output,
            status=status,
            kill_pipe=kill_pipe,
            groups=groups,
            run=run,
        )
    except OSError:
        for descriptor in descriptors:
            os.close(descriptor)
    else:
        processes[process.kill_pipe] = process
    return True


def _wake_on_child() -> int:
    """A descriptor that can be read when a child has ended."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def _readable(uid: int | None) -> bool:
    """Whether Python's own files can still be read by the user who is about to run student code."""
    process = os.fork()
    if process == 0:
        if uid is not None:
            os.setresuid(uid, uid, uid)
        os._exit(0 if os.access(json.__file__, os.R_OK) else 1)
    return os.waitpid(process, 0)[1] == 0
