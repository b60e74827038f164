"""How the cost of a call may grow with the length of its input: the criterion of a check `grows_as=`."""

from collections.abc import Callable
from dataclasses import dataclass

HALFWAY = 0.5  # between the exponent that is due and the next one, which is wrong


@dataclass(frozen=True)
class Growth:
    """The exponents that are due: memory grows as S**memory, time as S**time, beside constants.

    Wrong is what grows with one S more. The bound between both lies halfway.

    Attributes:
        too_much_memory: the name of the known mistake whose memory and time grow with the next exponent.
        too_much_time: the name of the one whose time does, with the memory that is due.
        products: of a length and a width, the multiplications and additions that a time of the next exponent
            is for: what takes less time than these is no mistake.
        memory: the exponent of the peak memory.
        time: the exponent of the CPU time.
    """

    too_much_memory: str
    too_much_time: str
    products: Callable[[int, int], float]
    memory: int = 1
    time: int = 1

    @property
    def mistakes(self) -> tuple[str, str]:
        """The names of the known mistakes that a wrong exponent shows."""
        return self.too_much_memory, self.too_much_time


def bound(due: int) -> float:
    """The exponent from which on a growth is wrong."""
    return due + HALFWAY
