"""Bound the time and memory of reading a submission, beyond the limits of the single steps."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from graders.language import tr
from graders.submission.decode import Unreadable

SECONDS = 20.0  # of CPU time; a notebook of 60 MB takes one or two
PATIENCE = 3  # wall-clock limit / CPU limit: students are not charged for a busy machine
BYTES = 1_000_000_000  # more than in use at the start; 20 MB of code's JSON take half of this as lists
TICK_S = 0.25  # seconds between two checks; repeated, since a library may swallow the exception


class _Late(BaseException):
    """The time is over. Not an Exception, which a library could catch with `except Exception`."""


@contextmanager
def bound_resources(seconds: float = SECONDS, size: int = BYTES) -> Iterator[None]:
    """Limit the `with` block to so many seconds, and to so many bytes more than are in use now.

    Both bounds are in force in the main thread only, that of memory on Linux alone, that of time not on
    Windows. A call into C (`ast.parse`, `json.loads`)
    cannot be interrupted, so callers limit the length of a text before they parse it.

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
    except (MemoryError, SystemError):  # SystemError: CPython sometimes fails without naming the reason
        message = tr(
            "What was handed in takes too much memory to read: "
            "hand in only the notebook or module with your answers, with its outputs cleared."
        )
        raise Unreadable(message) from None
    except RecursionError:
        message = tr("What was handed in is nested too deeply to be read: write it flatter.")
        raise Unreadable(message) from None


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    if not (_in_main_thread() and hasattr(signal, "setitimer")):
        yield
        return
    armed = True
    started, worked = time.monotonic(), time.process_time()

    def check_time(_: int, frame: FrameType | None) -> None:
        late = time.process_time() - worked >= seconds or time.monotonic() - started >= seconds * PATIENCE
        if armed and late and not _is_cleanup(frame):
            raise _Late

    before = signal.signal(signal.SIGALRM, check_time)
    left, interval = signal.setitimer(signal.ITIMER_REAL, min(seconds, TICK_S), TICK_S)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            # Restore the previous timer with the time that it has left; at once if that is over.
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - started), 0.001), interval)


def _is_cleanup(frame: FrameType | None) -> bool:
    # Set-up and clean-up code must not be interrupted, above all not the code of this file.
    code = frame.f_code if frame else None
    return code is not None and (code.co_name in ("__enter__", "__exit__") or code.co_filename == __file__)


@contextmanager
def _memory(size: int) -> Iterator[None]:
    in_use = _in_use()
    if in_use is None or not _in_main_thread():
        yield
        return
    import resource

    # RLIMIT_DATA bounds private writable memory, where Python objects live. RLIMIT_AS would also count the
    # gigabytes that threads and shared libraries reserve and never touch.
    before = resource.getrlimit(resource.RLIMIT_DATA)
    bound_memory(size)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def bound_memory(size: int) -> None:
    """From now on, let this process have at most so many bytes more than are in use now; Linux only.

    Where it asks for more, Python raises MemoryError and PyTorch RuntimeError.
    """
    in_use = _in_use()
    if in_use is None:
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    ceilings = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([in_use + size, *ceilings]), hard))


def _in_use() -> int | None:
    """Bytes of this process that RLIMIT_DATA counts; None where no limit can be set on them."""
    try:
        import resource  # Windows does not have this module

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (ImportError, OSError):  # macOS has no /proc
        return None
    return pages * resource.getpagesize()
