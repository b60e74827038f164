"""What a submission's code prints: the beginning is kept, and too much of it ends the process."""

import re

from graders.language import tr
from graders.results.limit import Limit
from graders.results.result import Outcome
from graders.sandbox.limits import Limits, format_size
from graders.sandbox.process_lost import ProcessLost

_FRAME = re.compile(r'^  File "(.*)", line (\d{1,7}) in ', re.MULTILINE)  # as faulthandler prints it


class PrintedOutput:
    """The printed bytes of one process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._kept = bytearray()
        self._count = 0

    def add(self, chunk: bytes) -> None:
        """Keep what there is room for.

        Raises:
            ProcessLost: the code has printed more than it may.
        """
        self._count += len(chunk)
        self._kept += chunk[: max(0, self._limits.output_kept - len(self._kept))]
        if self._count > self._limits.output_bytes:
            raise ProcessLost(
                Outcome.FAILED,
                tr("the code printed more than {most}", most=format_size(self._limits.output_bytes)),
                limit=Limit.OUTPUT,
            )

    def take(self) -> str:
        """What was printed since the last call of this method."""
        text = self._kept.decode(errors="replace")
        self._kept.clear()
        return text

    def __len__(self) -> int:
        return len(self._kept)

    def cut(self, start: int) -> str:
        """What was kept from `start` on, which is then no longer kept."""
        text = self._kept[start:].decode(errors="replace")
        del self._kept[start:]
        return text


def read_frames(traceback: str) -> list[tuple[str, int]]:
    """The file names and lines of a traceback, in its order."""
    return [(file, int(line)) for file, line in _FRAME.findall(traceback)]
