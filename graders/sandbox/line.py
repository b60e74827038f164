"""The line to one submission's process: it carries requests and replies, and tells how the process fares.

There are two: `SocketLine` to a process that a warm interpreter has forked, and `PipeLine` to a program that
was started for the submission alone, which needs no more of a system than pipes.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from graders.sandbox.own_time import OwnTime, RequestTime
from graders.sandbox.printed import PrintedOutput
from softmark_worker import wire

WHERE_S, QUIET_S = 0.5, 0.1  # own seconds for the traceback of a process, and after its last line

Frame = tuple[memoryview | bytes, memoryview | bytearray]  # its header and its body


class Late(Exception):
    """The time of a request is over."""


class Line(Protocol):
    """What `StudentProcess` needs of a line.

    Attributes:
        printed: what the code has printed.
        pid: the process id by which timing finds the process; None as long as it is not known.
        charge: is called with the number of bytes of a reply that have arrived.
    """

    printed: PrintedOutput
    pid: int | None
    charge: Callable[[int], None]

    def has_arrived(self) -> bool:
        """Whether bytes arrived that nobody has asked for; the end of the line does not count."""

    def exchange(self, request: list[wire.Buffer], time: RequestTime) -> Frame:
        """Send a request and wait for a frame; meanwhile, read what the code prints.

        Raises:
            Late: no frame came in time.
            ProcessLost: the process ended, printed too much, or replied before it had read the request.
            Refused: the frame is longer than allowed, or bytes follow it.
        """

    def read_time(self) -> Mapping[str, Any] | None:
        """How long the process has worked and waited for a processor; None where nobody says."""

    def where(self, own: OwnTime) -> list[tuple[str, int]]:
        """Where a process that does not answer is running: file names and lines, innermost first."""

    def close(self) -> None:
        """Kill the process and what it started, as far as that is in sight."""
