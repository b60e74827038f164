"""Sizes that much code fixes: a constructor without an argument for one is judged at its usual value.

One check of an exercise is about that size being free; all others use draws in which it has the usual value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor

TIMES = 4  # as wide as the model: the usual inner width of a feed-forward network


@dataclass(frozen=True)
class UsualSize:
    """A size among the arguments of a constructor, for `sizes` of `Options` where much code fixes it.

    Attributes:
        argument: its name in the contract.
        check: the name of the check that fails if the constructor has no argument for it.
        formula: its usual value, as the message says it.
        usual: the usual value, from the configuration of a draw.
        default_check: the name of the check on the size's default, if there is one.
        width: the name of the model's width, of which the usual value is four times.
        ids: the field of a draw whose ids are below the size, if it counts rows of a table.
        states: the field of a draw whose last axis has that size.
        own: whether the value is that of code which has another than the usual.
        fits: the name of the argument that gets the usual value instead, where this one keeps its own: the
            model's width, for the width of a head.
    """

    argument: str
    check: str
    formula: str
    usual: Callable[[Mapping[str, Any]], int]
    default_check: str = ""
    width: str = ""
    ids: str = ""
    states: str = ""
    own: bool = False
    fits: str = ""

    @property
    def key(self) -> str:
        """Tells draws with this value from those with another."""
        return f"{self.argument}={self.formula}" if self.own else self.argument

    def always(self, value: int) -> "UsualSize":
        """The size of code in which it always has this value."""
        return _with_value(self, str(value), value, 0)

    def times(self, own: int, usual: int) -> "UsualSize":
        """The size of code in which it is `own` where it usually is `usual`, and otherwise in proportion."""
        share = Fraction(TIMES * own, usual)
        return _with_value(self, f"{share} * {self.width}" if share != 1 else self.width, own, usual)


@cache
def _with_value(size: UsualSize, formula: str, own: int, usual: int) -> UsualSize:
    return replace(size, formula=formula, usual=partial(_own_value, size.usual, own, usual), own=True)


def _own_value(usually: Callable[..., int], own: int, usual: int, config: Mapping[str, Any]) -> int:
    return usually(config) * own // usual if usual else own


def inner_width(
    argument: str, width: str, check: str, default: int = 0, default_check: str = ""
) -> UsualSize:
    """The inner width of a feed-forward network, usually four times the model's.

    Args:
        argument: the name of the inner width.
        width: the name of the model's width.
        check: the name of the check that fails if there is no argument for the inner width.
        default: the model's width in draws that leave it out.
        default_check: the name of the check on the inner width where none is given.
    """
    formula = f"{TIMES} * {width}"
    return UsualSize(argument, check, formula, partial(_four_times, width, default), default_check, width)


def memory_width(argument: str, width: str, check: str, states: str) -> UsualSize:
    """The width of a memory, usually the model's.

    Args:
        argument: its name.
        width: the name of the model's width.
        check: the name of the check that fails if there is no argument for it.
        states: the field of a draw that is the memory.
    """
    return UsualSize(argument, check, width, partial(_as_wide, width), states=states)


def head_width(argument: str, width: str, heads: str, check: str, states: str) -> UsualSize:
    """The width of a head, usually the model's shared by all heads.

    Args:
        argument: its name.
        width: the name of the model's width, which is made so many times as large.
        heads: the name of the number of heads.
        check: the name of the check that fails if there is no argument for it.
        states: the field of a draw that is as wide as the model.
    """
    usual = partial(_all_heads, argument, heads)
    return UsualSize(argument, check, f"{width} / {heads}", usual, states=states, fits=width)


def usual_number(argument: str, value: int, check: str, ids: str = "") -> UsualSize:
    """A size that usually is one number.

    Args:
        argument: its name.
        value: the number.
        check: the name of the check that fails if there is no argument for it.
        ids: the field of a draw whose ids are below the size.
    """
    return UsualSize(argument, check, str(value), partial(_number, value), ids=ids)


def _number(value: int, _: Mapping[str, Any]) -> int:
    return value


def _as_wide(width: str, config: Mapping[str, Any]) -> int:
    return int(config[width])


def _all_heads(argument: str, heads: str, config: Mapping[str, Any]) -> int:
    return int(config[argument]) * int(config[heads])


def _four_times(width: str, default: int, config: Mapping[str, Any]) -> int:
    return TIMES * int(config.get(width, default))


def at_usual_sizes(draw: Any, sizes: Sequence[UsualSize]) -> Any:
    """The draw with these sizes of its configuration at their usual values; as it is if it has none."""
    if not hasattr(draw, "config"):
        return draw
    usual = {size.fits or size.argument: size.usual(draw.config) for size in sizes}
    tables = [size for size in sizes if size.ids and getattr(draw, size.ids, None) is not None]
    fitting = {size.ids: getattr(draw, size.ids) % usual[size.argument] for size in tables}
    as_wide = [size for size in sizes if size.states and hasattr(draw, size.states)]
    fitting |= {size.states: _widen(getattr(draw, size.states), size.usual(draw.config)) for size in as_wide}
    return replace(draw, config={**draw.config, **usual}, **fitting)


def _widen(states: Tensor, width: int) -> Tensor:
    """States with so many columns: the first ones, or all and some of them again."""
    return states[..., torch.arange(width) % states.shape[-1]]
