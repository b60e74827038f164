"""Leaves shared memory, semaphores and queues that outlive every process.

outcome: raised
says: seen:
bites: open
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
KEY, CREATE = 0x50F70000, 0o1000 | 0o600


def leave():
    # In namespaces of its own all this goes with it; the test looks whether any is left.
    for number in range(3):
        libc.shmget(KEY + number, 4096, CREATE)
        libc.semget(KEY + number, 1, CREATE)
        libc.msgget(KEY + number, CREATE)
    for folder in ("/dev/shm", "/dev/mqueue"):
        try:
            os.close(os.open(f"{folder}/softmark-trace", os.O_CREAT | os.O_WRONLY))
        except OSError:
            pass


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(leave())
    raise ValueError("seen: all is left")
