"""The warm interpreter: imports torch once, then forks one child per submission. Run by path, in the box.

    python zygote.py CONTROL RUNG

`CONTROL` is a socket's descriptor. Each message on it is JSON with the limits and brings four
descriptors: channel, output, status, leash (see `cage.warden`).
"""

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


def main() -> None:
    """Serve forks until the host closes the control socket."""
    control = socket.socket(fileno=int(sys.argv[1]))
    nested = sys.argv[2] == "nested"
    _warm_up()
    if nested:
        cage.leave_root()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # wardens are reaped by the kernel
    control.send(b"ready")
    while message := _receive(control):
        limits, descriptors = message
        if os.fork() == 0:
            control.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            cage.warden(limits, nested, *descriptors, run=serve.serve)
        for descriptor in descriptors:
            os.close(descriptor)


def _warm_up() -> None:
    torch.set_num_threads(1)  # a fork is safe only where no operation ever ran on several threads
    torch.nn.functional.gelu(torch.ones(2, 2, requires_grad=True) @ torch.ones(2, 2)).sum().backward()
    gc.collect()
    gc.freeze()  # a collection in a child would copy the parent's pages


def _receive(control: socket.socket) -> tuple[dict[str, int], list[int]] | None:
    text, descriptors, _, _ = socket.recv_fds(control, 4096, 4)
    return (json.loads(text), descriptors) if text else None


if __name__ == "__main__":
    main()
