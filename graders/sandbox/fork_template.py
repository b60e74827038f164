"""Import PyTorch once for a command and for its boxes, in a process that has the environment of a box.

This module is run by path, before any other of ours: the template that it forks has nothing else in memory,
and so has every interpreter of a box.
"""

import os
import runpy
import socket
from pathlib import Path

START = Path(__file__).parents[2] / "softmark_worker" / "start.py"
LOWEST = 3  # descriptors below are input, output and errors


def import_torch_and_fork_template() -> socket.socket | None:
    """Import PyTorch and fork the process that will fork the interpreters; our end of its control socket.

    Returns:
        None where PyTorch is not found.
    """
    try:
        import torch  # noqa: F401
    except ImportError:
        return None
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        try:
            os.dup2(theirs.fileno(), LOWEST)
            os.closerange(LOWEST + 1, 65536)
            runpy.run_path(str(START))["load_package"]()
            from softmark_worker import template

            template.serve(LOWEST)
        finally:
            os._exit(0)
    theirs.close()
    return ours
