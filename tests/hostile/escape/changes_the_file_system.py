"""Mounts, unmounts, moves its root and makes what is read-only writable.

outcome: raised
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
BIND, REMOUNT, MOVE, DETACH = 4096, 32, 8192, 2


def attack():
    os.makedirs("/tmp/there", exist_ok=True)
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
    return ""


FOUND = attack()


def concat_heads(x):
    raise ValueError("softmark-harm: " + FOUND if FOUND else "all is as it was")
