"""Bytes of strangers on a scheduler's port: it goes on, and says nothing, since they could fill a disk."""

import asyncio
import random
import socket
import struct
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from graders.cli.main import main
from tests.support.clusters import loopback_cluster

pytestmark = [pytest.mark.programs]


def frames(count: int, size: int) -> bytes:
    """The beginning of a message of Dask's that says so much of itself, and nothing after it."""
    return struct.pack(f"<Q{1 + count}Q", 8 * (1 + count) + count * size, count, *[size] * count)


STRANGE = {
    "nothing": b"",
    "a page's request": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "the beginning of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a frame of an exabyte": frames(1, 1 << 60),
    "a frame of more than the memory that is allowed": frames(1, 5 << 30),
    "a frame of a negative size": struct.pack("<QQq", 16, 1, -1),
    "a thousand frames of a gigabyte": frames(1_000, 1 << 30),
    "a message that is none": frames(1, 40) + b"\xff" * 40,
    **{f"random bytes, {size}": random.Random(size).randbytes(size) for size in (1, 8, 900, 70_000)},
}


async def ask_who_is_there(address: str) -> dict[str, Any]:
    """What a scheduler answers to an honest client."""
    from distributed.core import rpc

    async with rpc(address) as scheduler:
        answer: dict[str, Any] = await asyncio.wait_for(scheduler.identity(), 30)
        return answer


def test_what_is_no_message_ends_its_connection_alone_and_is_not_printed(tmp_path: Path):
    with loopback_cluster(tmp_path / "cluster") as cluster:
        words = ["cluster", "scheduler", "--address", "tcp://127.0.0.1:0"]
        scheduler = cluster.fork(main, words)
        address = scheduler.await_line(r"listens at (\S+)")[1]
        port = int(address.rpartition(":")[2])
        said = scheduler.says()
        with ExitStack() as held:
            for data in STRANGE.values():
                stranger = held.enter_context(socket.create_connection(("127.0.0.1", port)))
                stranger.sendall(data)  # and says no more, until the scheduler has answered somebody else
            assert asyncio.run(ask_who_is_there(address))["workers"] == {}
        assert asyncio.run(ask_who_is_there(address))["workers"] == {}
        assert scheduler.says()[len(said) :].count("Traceback") == 0
        assert scheduler.process.poll() is None
