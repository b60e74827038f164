"""An outer bound on what reading may cost: what the limits of its steps let through ends here."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from graders.language import tr
from graders.submission.decode import Unreadable

SECONDS = 20.0  # of work; the longest honest notebook takes less than one
PATIENCE = 3  # times as long it may take by the wall clock: a busy machine is no fault of the student's
BYTES = 1_000_000_000  # beyond what is in use; JSON of 20 MB takes half of it as Python's lists
AGAIN_S = 0.25  # between two looks at the clock; a library may swallow an exception, but not all


class _Late(BaseException):
    """The clock struck. No Exception, since `except Exception` in a library would take it for its own."""


@contextmanager
def bound_resources(seconds: float = SECONDS, size: int = BYTES) -> Iterator[None]:
    """Let what is inside work for so many seconds, and use so many bytes more than are in use now.

    Both bounds hold on Linux in the main thread; elsewhere only the limits inside do. One call into C
    (`ast.parse`, `json.loads`) is never cut short, so texts are short enough before they get there.

    Raises:
        Unreadable: a bound was reached, or the code is nested more deeply than Python can follow.
    """
    try:
        with _memory(size), _clock(seconds):
            yield
    except _Late:
        message = tr(
            "What was handed in takes too long to read: "
            "hand in only the notebook or module with your answers, with its outputs cleared."
        )
        raise Unreadable(message) from None
    except (MemoryError, SystemError):  # the latter where Python's own code forgets to say why it failed
        message = tr(
            "What was handed in takes too much memory to read: "
            "hand in only the notebook or module with your answers, with its outputs cleared."
        )
        raise Unreadable(message) from None
    except RecursionError:
        message = tr("What was handed in is nested too deeply to be read: write it flatter.")
        raise Unreadable(message) from None


def _enforced() -> bool:
    return sys.platform == "linux" and threading.current_thread() is threading.main_thread()


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    if not _enforced():
        yield
        return
    armed = True
    started, worked = time.monotonic(), time.process_time()

    def strike(_: int, frame: FrameType | None) -> None:
        late = time.process_time() - worked >= seconds or time.monotonic() - started >= seconds * PATIENCE
        if armed and late and not _puts_in_order(frame):
            raise _Late

    before = signal.signal(signal.SIGALRM, strike)
    left, interval = signal.setitimer(signal.ITIMER_REAL, min(seconds, AGAIN_S), AGAIN_S)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            # Whoever set a timer before gets it at the time it asked for, or at once.
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - started), 0.001), interval)


def _puts_in_order(frame: FrameType | None) -> bool:
    # What sets things up or puts them back must not be cut short, this file's code least of all.
    code = frame.f_code if frame else None
    return code is not None and (code.co_name in ("__enter__", "__exit__") or code.co_filename == __file__)


@contextmanager
def _memory(size: int) -> Iterator[None]:
    if not _enforced():
        yield
        return
    import resource  # Linux has it, Windows has not

    # Private writable memory, which is what data structures are made of. Not the address space: that
    # counts the gigabytes which threads and shared libraries reserve and never touch.
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    ceilings = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([_in_use() + size, *ceilings]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _in_use() -> int:
    """Bytes of this process that count as data."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[5])
    return pages * resource.getpagesize()
