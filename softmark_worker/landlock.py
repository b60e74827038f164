"""Landlock: restrict for good what this process may open (landlock(7)).

Written by hand, since no maintained library supports its scopes. The names are those of linux/landlock.h.
"""

import ctypes
import os
import stat
from collections.abc import Iterable

from softmark_worker.syscalls import call

# The same numbers on every architecture.
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_CREATE_RULESET_VERSION = 1
LANDLOCK_RULE_PATH_BENEATH = 1

ACCESS_FS_EXECUTE, ACCESS_FS_WRITE_FILE, ACCESS_FS_READ_FILE, ACCESS_FS_READ_DIR = 1, 2, 4, 8
ACCESS_FS_TRUNCATE, ACCESS_FS_IOCTL_DEV = 1 << 14, 1 << 15
ACCESS_NET_BIND_TCP, ACCESS_NET_CONNECT_TCP = 1, 2
SCOPE_ABSTRACT_UNIX_SOCKET, SCOPE_SIGNAL = 1, 2

# Rights on files that each version of the interface supports: it refuses others with EINVAL.
_FS_OF_VERSION = (0, (1 << 13) - 1, (1 << 14) - 1, (1 << 15) - 1, (1 << 15) - 1, (1 << 16) - 1)
_OF_A_FILE = (
    ACCESS_FS_EXECUTE | ACCESS_FS_WRITE_FILE | ACCESS_FS_READ_FILE | ACCESS_FS_TRUNCATE | ACCESS_FS_IOCTL_DEV
)
_READING = ACCESS_FS_EXECUTE | ACCESS_FS_READ_FILE | ACCESS_FS_READ_DIR


class _Ruleset(ctypes.Structure):
    """struct landlock_ruleset_attr."""

    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    """struct landlock_path_beneath_attr."""

    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def version() -> int:
    """The version of the kernel's Landlock; 0 where it has none."""
    try:
        number: int = call("syscall", LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)
    except OSError:
        return 0
    return number


def restrict(read: Iterable[str], write: Iterable[str]) -> None:
    """Allow reading below `read`, all below `write`, and no TCP, signals or sockets to other processes.

    Missing paths are skipped. So is what the kernel's version does not support:
    TCP before version 4, the scope before version 6.

    Raises:
        OSError: the kernel has no Landlock, or refuses.
    """
    known = version()
    files = _FS_OF_VERSION[min(known, len(_FS_OF_VERSION) - 1)]
    network = ACCESS_NET_BIND_TCP | ACCESS_NET_CONNECT_TCP if known >= 4 else 0
    scope = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL if known >= 6 else 0
    rules = _Ruleset(files, network, scope)
    size = ctypes.sizeof(rules) if known >= 6 else 16 if known >= 4 else 8
    ruleset = call("syscall", LANDLOCK_CREATE_RULESET, ctypes.byref(rules), size, 0)
    for paths, rights in ((read, files & _READING), (write, files)):
        for path in paths:
            _allow(ruleset, path, rights)
    call("syscall", LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    folder = stat.S_ISDIR(os.fstat(place).st_mode)
    rule = _Beneath(rights if folder else rights & _OF_A_FILE, place)
    call("syscall", LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    os.close(place)
