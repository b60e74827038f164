"""Import PyTorch once for a command and for its boxes, in a process that has the environment of a box.

This module is run by path, before any other of ours: the template that it forks has nothing else in memory,
and so has every interpreter of a box.
"""

import os
import socket
import sys
from pathlib import Path

WORKER = Path(__file__).parents[1] / "worker"
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
            sys.path.insert(0, str(WORKER))
            import template

            template.serve(LOWEST)
        finally:
            os._exit(0)
    theirs.close()
    return ours
