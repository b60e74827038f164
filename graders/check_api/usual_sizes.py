"""Sizes that much code fixes: a constructor without an argument for one is judged at its usual value.

One check of an exercise is about that size being free; all others use draws in which it has the usual value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

TIMES = 4  # as wide as the model: the usual inner width of a feed-forward network


@dataclass(frozen=True)
class UsualSize:
    """A size among the arguments of a constructor. A checks file has those that much code fixes as `SIZES`.

    Attributes:
        argument: its name in the contract.
        check: the name of the check that fails if the constructor has no argument for it.
        formula: its usual value, as the message says it.
        usual: the usual value, from the configuration of a draw.
    """

    argument: str
    check: str
    formula: str
    usual: Callable[[Mapping[str, Any]], int]


def inner_width(argument: str, width: str, check: str, default: int = 0) -> UsualSize:
    """The inner width of a feed-forward network, usually four times the model's.

    Args:
        argument: the name of the inner width.
        width: the name of the model's width.
        check: the name of the check that fails if there is no argument for the inner width.
        default: the model's width in draws that leave it out.
    """
    return UsualSize(argument, check, f"{TIMES} * {width}", lambda config: TIMES * config.get(width, default))


def at_usual_sizes(draw: Any, sizes: Sequence[UsualSize]) -> Any:
    """The draw with these sizes of its configuration at their usual values; as it is if it has none."""
    if not hasattr(draw, "config"):
        return draw
    usual = {size.argument: size.usual(draw.config) for size in sizes}
    return replace(draw, config={**draw.config, **usual})
