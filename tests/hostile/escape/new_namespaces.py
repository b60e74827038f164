"""Makes namespaces of its own, in which it is root, and mounts something there.

outcome: raised
says: no namespace
bites: open
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
KINDS = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000, "ipc": 0x8000000, "time": 0x80}


def attempt():
    if libc.unshare(KINDS["user"]) == 0:
        return "a user namespace"
    for name, flag in KINDS.items():
        if libc.unshare(flag) == 0 or libc.unshare(flag | KINDS["user"]) == 0:
            return f"a namespace of kind {name}"
    for name in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup"):
        for pid in ("1", "2", str(os.getppid())):
            try:
                if libc.setns(os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY), 0) == 0:
                    return f"somebody's namespace of kind {name}"
            except OSError:
                pass
    return ""


def attack():
    # In a fork, so that what it makes does not change the process that answers.
    reader, writer = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        return attempt()
    if pid == 0:
        os.write(writer, attempt().encode() or b" ")
        os._exit(0)
    os.waitpid(pid, 0)
    return os.read(reader, 100).decode().strip()


SEEN = []


def concat_heads(x):
    if not SEEN:
        SEEN.append(attack())
    raise ValueError("softmark-harm: " + SEEN[0] if SEEN[0] else "no namespace")
