"""Another user's program on the same machine, with secrets in every place where a program can have some.

    python bystander.py FOLDER TOKEN...

It is run by path and needs only the standard library. It prints a line when it is ready, and ends when its
standard input is closed.
"""

import ctypes
import mmap
import os
import secrets
import select
import socket
import sys
import tempfile
from pathlib import Path

SIZE = 4096
IPC_PRIVATE, IPC_CREAT, IPC_RMID = 0, 0o1000, 0


def main() -> None:
    """Hold secrets, and send one to every client that connects."""
    home, tokens = Path(sys.argv[1]), iter(sys.argv[2:])
    os.chdir(home)
    (home / "notes.txt").write_text(next(tokens))
    kept = [_deleted_file(next(tokens)), _memory_file(next(tokens)), _shared(next(tokens))]
    servers = {
        _listening(socket.AF_INET, ("127.0.0.1", 0)): next(tokens),
        _listening(socket.AF_UNIX, str(home / "socket")): next(tokens),
        _listening(socket.AF_UNIX, f"\0softmark-{secrets.token_hex(8)}"): next(tokens),
    }
    print("ready", flush=True)  # noqa: T201
    while sys.stdin not in (ready := select.select([sys.stdin, *servers], [], [])[0]):
        for server in ready:
            connection, _ = server.accept()
            connection.sendall(servers[server].encode())
            connection.close()
    del kept


def _listening(family: int, address: tuple[str, int] | str) -> socket.socket:
    server = socket.socket(family)
    server.bind(address)
    server.listen()
    return server


def _deleted_file(token: str) -> object:
    file = tempfile.TemporaryFile()  # noqa: SIM115 (open for as long as the program runs)
    file.write(token.encode())
    file.flush()
    return file


def _memory_file(token: str) -> object:
    if not hasattr(os, "memfd_create"):
        return None
    descriptor = os.memfd_create("notes")
    os.write(descriptor, token.encode())
    return mmap.mmap(descriptor, len(token))


def _shared(token: str) -> object:
    """A System V segment, already marked for removal when this process ends."""
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    number = libc.shmget(IPC_PRIVATE, SIZE, IPC_CREAT | 0o600)
    if number < 0:
        return None
    place = libc.shmat(number, None, 0)
    libc.shmctl(number, IPC_RMID, None)
    ctypes.memmove(place, token.encode(), len(token))
    return place


if __name__ == "__main__":
    main()
