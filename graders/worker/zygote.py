"""The warm interpreter: imports torch once, then forks one child per submission. Run by path, in the box.

    python zygote.py CONTROL

`CONTROL` is a socket's descriptor. The first message on it is JSON with the settings; each further one
asks for a fork and brings its descriptors: channel, output, status, leash (see `cage.warden`), and a
`cgroup.procs` file for each control group.
"""

import functools
import gc
import json
import os
import signal
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import cage
import serve
import torch

MESSAGE_LIMIT = 1 << 20
DESCRIPTORS = 4  # of a fork, before those of control groups


def main() -> None:
    """Serve forks until the host closes the control socket."""
    control = socket.socket(fileno=int(sys.argv[1]))
    settings = json.loads(control.recv(MESSAGE_LIMIT))
    if not _readable(settings["uid"]):
        sys.exit(f"Python lies where only its owner may read: {sys.base_prefix}")
    _warm_up()
    if settings["walled"]:
        cage.leave_root(settings["uid"])
    if settings["several"]:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # wardens are reaped by the kernel
    control.send(b"ready")
    while descriptors := _receive(control):
        warden = os.fork()
        if warden == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            fixed, groups = descriptors[:DESCRIPTORS], descriptors[DESCRIPTORS:]
            reply_bytes = settings["limits"]["reply_bytes"]
            run = functools.partial(serve.serve, device=settings["device"], reply_bytes=reply_bytes)
            cage.warden(settings, *fixed, groups, run=run)
        for descriptor in descriptors:
            os.close(descriptor)
        if not settings["several"]:  # no two submissions side by side where only a filter parts them
            os.waitpid(warden, 0)


def _warm_up() -> None:
    torch.set_num_threads(1)  # a fork is safe only where no operation ever ran on several threads
    torch.nn.functional.gelu(torch.ones(2, 2, requires_grad=True) @ torch.ones(2, 2)).sum().backward()
    gc.collect()
    gc.freeze()  # a collection in a child would copy the parent's pages


def _readable(uid: int | None) -> bool:
    """Whether Python's own files can still be read by the user who is about to run student code."""
    process = os.fork()
    if process == 0:
        if uid is not None:
            os.setresuid(uid, uid, uid)
        os._exit(0 if os.access(json.__file__, os.R_OK) else 1)
    return os.waitpid(process, 0)[1] == 0


def _receive(control: socket.socket) -> list[int]:
    _, descriptors, _, _ = socket.recv_fds(control, 16, 16)
    return list(descriptors)


if __name__ == "__main__":
    main()
