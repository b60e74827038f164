"""What a comparison accepts and yet says: a remark, which costs no points.

`Check.judge` gathers what is noticed while a check runs, so that no check has to hand it on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_remarks: ContextVar[list[str] | None] = ContextVar("remarks", default=None)


def notice(remark: str) -> None:
    """Say a remark on the answer that is judged; nothing where none is gathered."""
    gathered = _remarks.get()
    if gathered is not None:
        gathered.append(remark)


@contextmanager
def gather_remarks() -> Iterator[list[str]]:
    """What is noticed inside the block."""
    gathered: list[str] = []
    token = _remarks.set(gathered)
    try:
        yield gathered
    finally:
        _remarks.reset(token)
