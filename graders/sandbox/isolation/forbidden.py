"""What no submission may do. Handed to the box as text, as a submission is, and called there by name.

Each function tries and returns what it got: something falsy where it was refused. None of them does
harm where it succeeds, since this also runs where the isolation fails.
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
    """Read files of the host: the paths of those that could be."""
    found = []
    for path in paths:
        with contextlib.suppress(OSError), open(path, "rb") as file:
            found += [path] if file.read(1) else []
    return found


def read_environment(known: list[str]) -> list[str]:
    """See a variable that the box did not set: the names of such."""
    return sorted(set(os.environ) - set(known))


def connect(addresses: list[tuple[int, str]]) -> list[str]:
    """Connect to servers of the host: the addresses where one answered."""
    found: list[str] = []
    for port, name in addresses:
        servers: dict[int, Any] = {socket.AF_INET: ("127.0.0.1", port), socket.AF_UNIX: "\0" + name}
        for family, address in servers.items():
            with contextlib.suppress(OSError), socket.socket(family) as client:
                client.settimeout(1)
                client.connect(address)
                found.append(str(address))
    return found


def fork(_: None) -> int:
    """Start a process by fork."""
    process = os.fork()
    if process == 0:
        os._exit(0)
    return process


def execute(_: None) -> int:
    """Start a program that goes on by itself."""
    return subprocess.Popen(["/usr/bin/env", "true"], start_new_session=True).pid


def signal_others(_: None) -> list[int]:
    """Send signals to the parent and to everybody: signal 0, which asks whether one might."""
    found = []
    for process in (os.getppid(), -1):
        with contextlib.suppress(OSError):
            os.kill(process, 0)
            found.append(process)
    return found


def write_files(folders: list[str]) -> list[str]:
    """Write outside of the scratch folder: the folders where a file could be made."""
    found = []
    for folder in folders:
        path = f"{folder}/softmark-was-here"
        with contextlib.suppress(OSError):
            with open(path, "w"):
                found.append(folder)
            os.unlink(path)
    return found


def take_memory(size: int) -> int:
    """Have much memory of one's own."""
    return len(bytearray(size))


def share_memory(size: int) -> int:
    """Have much memory that is shared, which some limits do not count."""
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
    """What every submission may: import a module for the first time, and compute. True where it can."""
    import plistlib  # noqa: F401 (one that nothing else imports)

    import torch

    return bool((torch.ones(2, 2, device=device) @ torch.ones(2, 2, device=device) == 2).all())
