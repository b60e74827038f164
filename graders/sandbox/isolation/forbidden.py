"""What no submission may do. The self-test loads this file in a box and calls its functions by name.

Each function attempts one thing and returns a falsy value if it was refused. An attempt that succeeds does
no harm, since the self-test also runs where the isolation fails.
"""

import contextlib
import mmap
import os
import socket
import subprocess
import threading
from typing import Any


def attempt(name: str, fact: Any) -> Any:
    """Try one of the functions below."""
    try:
        return globals()[name](fact)
    except (OSError, MemoryError, RuntimeError, OverflowError):
        return None


def read_files(paths: list[str]) -> list[str]:
    """Read files of the host: the paths that could be read."""
    readable = []
    for path in paths:
        with contextlib.suppress(OSError), open(path, "rb") as file:
            readable += [path] if file.read(1) else []
    return readable


def read_environment(allowed_names: list[str]) -> list[str]:
    """Read the environment: the names of variables that the box did not set."""
    return sorted(set(os.environ) - set(allowed_names))


def connect(addresses: list[tuple[int, str]]) -> list[str]:
    """Connect to servers of the host: the addresses where one answered."""
    answering: list[str] = []
    for port, name in addresses:
        servers: dict[int, Any] = {socket.AF_INET: ("127.0.0.1", port), socket.AF_UNIX: "\0" + name}
        for family, address in servers.items():
            with contextlib.suppress(OSError), socket.socket(family) as client:
                client.settimeout(1)
                client.connect(address)
                answering.append(str(address))
    return answering


def fork(_: None) -> int:
    """Start a process by fork."""
    process = os.fork()
    if process == 0:
        os._exit(0)
    return process


def execute(_: None) -> int:
    """Start a program that outlives this process."""
    return subprocess.Popen(["/usr/bin/env", "true"], start_new_session=True).pid


def signal_others(_: None) -> list[int]:
    """Send signal 0, which only tests the permission, to the parent and to all processes."""
    allowed = []
    for process in (os.getppid(), -1):
        with contextlib.suppress(OSError):
            os.kill(process, 0)
            allowed.append(process)
    return allowed


def write_files(folders: list[str]) -> list[str]:
    """Write outside of the scratch folder: the folders where a file could be created."""
    writable = []
    for folder in folders:
        path = f"{folder}/softmark-was-here"
        with contextlib.suppress(OSError):
            with open(path, "w"):
                writable.append(folder)
            os.unlink(path)
    return writable


def take_memory(size: int) -> int:
    """Allocate private memory."""
    return len(bytearray(size))


def share_memory(size: int) -> int:
    """Allocate shared memory, which some limits do not count."""
    with mmap.mmap(-1, size) as memory:
        return len(memory)


def start_threads(count: int) -> int:
    """Start more threads than allowed."""
    threads, stop = [], threading.Event()
    try:
        for _ in range(count):
            threads.append(threading.Thread(target=stop.wait))
            threads[-1].start()
    finally:
        stop.set()
    return len(threads)


def flood(size: int) -> int:
    """Print more than allowed."""
    for _ in range(size // 1000):
        print("x" * 1000)
    return size


def work(device: str) -> bool:
    """What every submission may do: import a new module, and compute. True if both work."""
    import plistlib  # noqa: F401 (one that nothing else imports)

    import torch

    return bool((torch.ones(2, 2, device=device) @ torch.ones(2, 2, device=device) == 2).all())
