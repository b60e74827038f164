"""What a level of isolation needs of a system before it is worth trying: Linux alone has all of it."""

import os
import socket
from functools import cache

from graders.sandbox.isolation.causes import Cause
from graders.sandbox.isolation.level import IsolationLevel


def find_missing(level: IsolationLevel) -> Cause | None:
    """What this system lacks for a level, whatever is installed; None where the level is worth trying."""
    return None if level is IsolationLevel.PROCESS or can_fork_boxes() else Cause.NO_FORKED_BOXES


def first_level() -> IsolationLevel:
    """The level that is tried first here."""
    return next(level for level in IsolationLevel if find_missing(level) is None)


@cache
def can_fork_boxes() -> bool:
    """Whether a warm interpreter can be asked to fork: by messages on a socket that carry descriptors."""
    needed = (hasattr(os, "fork"), hasattr(os, "getuid"), hasattr(socket, "send_fds"))
    try:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    except (AttributeError, OSError):  # Windows has no such sockets, macOS none that keep messages apart
        return False
    ours.close()
    theirs.close()
    return all(needed)
