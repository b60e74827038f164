"""What a comparison accepts and yet says: a remark, which costs no points; and what was compared with what.

`Check.judge` gathers what is noticed while a check runs, so that no check has to hand it on.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from torch import Tensor

_remarks: ContextVar[list[str] | None] = ContextVar("remarks", default=None)
_compared: ContextVar[set[int] | None] = ContextVar("compared", default=None)


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


def note_compared(*answers: object) -> None:
    """Note that answers of the same code are compared with one another."""
    places = _compared.get()
    if places is not None:
        places.update(place_in_memory(answer) for answer in answers if isinstance(answer, Tensor))


@contextmanager
def gather_compared() -> Iterator[set[int]]:
    """Where in memory the answers lie that are compared inside the block; a view lies where its whole is."""
    places: set[int] = set()
    token = _compared.set(places)
    try:
        yield places
    finally:
        _compared.reset(token)


def place_in_memory(answer: Tensor) -> int:
    """Where in memory the values of a tensor lie."""
    return answer.untyped_storage().data_ptr()
