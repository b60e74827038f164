"""What can be chosen about the box in which code runs."""

from dataclasses import dataclass

from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits

USUAL_LIMITS = Limits()


@dataclass(frozen=True, kw_only=True)
class BoxOptions:
    """What can be chosen about the box, and about the numbers that go into it.

    Attributes:
        level: of isolation; None is the best one that holds on this machine.
        limits: of time, memory and the rest.
        device: `cpu` or `cuda`.
        dtype: `float32` or `float64` for draws in this precision alone; None draws in both.
        unsafe: whether other people's code may run without a wall around it, with all rights of this user.
    """

    level: IsolationLevel | None = None
    limits: Limits = USUAL_LIMITS
    device: str = "cpu"
    dtype: str | None = None
    unsafe: bool = False


BEST_BOX = BoxOptions()  # that holds on this machine
