"""What the warm interpreter reports on a submission's process: a line of JSON each."""

import json
import os
import selectors
import time
from typing import Any

WORKED = "worked"  # the key of a report on CPU time, which comes when it is asked for


class StatusReports:
    """Reads reports from a pipe, and keeps apart those on CPU time."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._bytes = b""
        self._unread: list[dict[str, Any]] = []

    def take(self, seconds: float, *, on_work: bool = False) -> dict[str, Any] | None:
        """The next report; empty if the interpreter is gone, None if none comes in time.

        Args:
            seconds: how long to wait for it.
            on_work: whether one on CPU time is wanted, or one of the others.
        """
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._descriptor, selectors.EVENT_READ)
            while not (reports := [r for r in self._unread if (WORKED in r) is on_work]):
                if not selector.select(max(0.0, until - time.monotonic())):
                    return None
                chunk = os.read(self._descriptor, 4096)
                if not chunk:
                    return {}
                *lines, self._bytes = (self._bytes + chunk).split(b"\n")
                self._unread += [dict(json.loads(line)) for line in lines]
        self._unread.remove(reports[0])
        return reports[0]
