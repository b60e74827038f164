"""Sizes that code fixes: it is judged at the value that it has, which is the usual one or one that is found.

One check of an exercise is about that size being free; all others use draws in which it has the code's value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache, partial, reduce
from typing import Any

import torch
from torch import Tensor

WIDEST_MODEL = 512  # columns, where heads have their own number of them: there are fewer heads then
WIDEST_HEAD = 16  # columns, where code has its own number of heads: a single one may be much wider
# Limits within which some code works.
EVEN, FULL, ONE_LENGTH, SAME, PER_HEAD = "even", "full", "one length", "same length", "per head"
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
        shared: of a number of heads, the name of the width that they share.
        sharing: of a model's width, the name of the number of heads that share it.
        positions: whether it counts positions: a draw that needs more than the code has keeps its own.
        is_width: whether it is the model's width.
        along: of a number of positions, the field of a draw that has them on its second axis.
        is_bound: whether it only bounds others, so that code need not take it.
        as_long_as: of a number of positions that no argument tells, the field that has it in much code.
        limit: EVEN for a width whose share of each head is even, FULL for as many positions as a draw has,
            ONE_LENGTH for draws that all have as many positions as the code, SAME for two inputs of one
            length, PER_HEAD for a model's width of so many columns for each head.
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
    shared: str = ""
    sharing: str = ""
    positions: bool = False
    is_width: bool = False
    along: str = ""
    is_bound: bool = False
    as_long_as: str = ""
    limit: str = ""

    @property
    def is_usual(self) -> bool:
        """Whether it has a value in most code; else it is found, and `usual` gives it then."""
        return bool(self.formula)

    @property
    def is_of_draws(self) -> bool:
        """Whether it is the length of an input itself: no argument of the constructor."""
        return self.positions and self.along == self.argument

    @property
    def key(self) -> str:
        """Tells draws with this value from those with another."""
        return f"{self.argument}={self.formula} {self.limit}".strip() if self.own else self.argument

    def always(self, value: int) -> "UsualSize":
        """The size of code in which it always has this value."""
        return _with_value(self, str(value), value, 0)

    def limited(self) -> "UsualSize":
        """The size of code that works at the full length, at one for both inputs, or at even widths alone."""
        limit = SAME if self.as_long_as else FULL if self.positions else EVEN
        return replace(self, formula=limit, own=True, limit=limit)

    def of_one_length(self, value: int) -> "UsualSize":
        """The number of positions of code that answers inputs of this length alone."""
        return replace(self.always(value), limit=ONE_LENGTH)

    def per_head(self, columns: int) -> "UsualSize":
        """The model's width of code whose heads have so many columns, whatever is asked for."""
        return _with_width_of_heads(self, columns)

    def times(self, own: int, usual: int) -> "UsualSize":
        """The size of code in which it is `own` where it usually is `usual`, and otherwise in proportion."""
        share = Fraction(TIMES * own, usual)
        return _with_value(self, f"{share} * {self.width}" if share != 1 else self.width, own, usual)


@cache
def _with_value(size: UsualSize, formula: str, own: int, usual: int) -> UsualSize:
    return replace(size, formula=formula, usual=partial(_own_value, size.usual, own, usual), own=True)


@cache
def _with_width_of_heads(size: UsualSize, columns: int) -> UsualSize:
    usual = partial(_so_wide_heads, columns, size.sharing)
    return replace(size, formula=f"{columns} * {size.sharing}", usual=usual, own=True, limit=PER_HEAD)


def _so_wide_heads(columns: int, heads: str, config: Mapping[str, Any]) -> int:
    return columns * int(config[heads])


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


def heads_of_keys(argument: str, heads: str, check: str) -> UsualSize:
    """The number of heads of keys and values that queries share, usually as many as there are queries' own.

    Args:
        argument: its name.
        heads: the name of the number of query heads.
        check: the name of the check that fails if there is no argument for it.
    """
    return UsualSize(argument, check, heads, partial(_as_wide, heads))


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


def number_of_heads(argument: str, width: str, check: str, states: str = "") -> UsualSize:
    """A number of heads, which has no usual value. Where code fixes it, it divides the width that is drawn.

    Args:
        argument: its name.
        width: the name of the width that the heads share.
        check: the name of the check that fails if there is no argument for it.
        states: the fields of a draw that are as wide, as in `x memory`.
    """
    return UsualSize(argument, check, "", _not_found, states=states, shared=width)


def model_width(argument: str, check: str, states: str = "", heads: str = "") -> UsualSize:
    """The model's width, which has no usual value.

    Args:
        argument: its name.
        check: the name of the check that fails if there is no argument for it.
        states: the fields of a draw that are as wide, as in `x memory`.
        heads: the name of the number of heads that share it; where they cannot, there are fewer.
    """
    return UsualSize(argument, check, "", _not_found, states=states, sharing=heads, is_width=True)


def heads_and_width(heads: str, width: str, check: str, states: str = "") -> tuple[UsualSize, UsualSize]:
    """The number of heads, and the width that they share: two sizes, for one check.

    Args:
        heads: the name of the number.
        width: the name of the width.
        check: the name of the check that fails if there is no argument for one of them.
        states: the fields of a draw that are as wide, as in `x memory`.
    """
    return number_of_heads(heads, width, check, states), model_width(width, check, states, heads)


def number_of_parts(argument: str, check: str, ids: str = "") -> UsualSize:
    """A number of layers, words or classes, which has no usual value.

    Args:
        argument: its name.
        check: the name of the check that fails if there is no argument for it.
        ids: the field of a draw whose ids are below the number, if it counts words or classes.
    """
    return UsualSize(argument, check, "", _not_found, ids=ids)


def number_of_positions(
    argument: str, check: str, along: str = "input_ids", *, is_bound: bool = False
) -> UsualSize:
    """A number of positions, which has no usual value.

    Args:
        argument: its name.
        check: the name of the check that fails if there is no argument for it.
        along: the field of a draw that has positions on its second axis.
        is_bound: whether code may do without it.
    """
    return UsualSize(argument, check, "", _not_found, positions=True, along=along, is_bound=is_bound)


def only_length(field: str, check: str) -> UsualSize:
    """The number of positions of an input, where some code answers one number alone and no argument tells it.

    Args:
        field: that of a draw, with its positions on the second axis.
        check: the name of the check that fails for such code.
    """
    return UsualSize(field, check, "", _not_found, positions=True, along=field, is_bound=True)


def length_of(field: str, as_long_as: str, check: str) -> UsualSize:
    """The number of positions of an input, where some code works only if another input has as many.

    Args:
        field: that of a draw, with its positions on the second axis.
        as_long_as: the field of the other one.
        check: the name of the check that fails for such code.
    """
    return UsualSize(field, check, "", _not_found, along=field, is_bound=True, as_long_as=as_long_as)


def _not_found(_: Mapping[str, Any]) -> int:
    raise ValueError("the size has no usual value, and its own is not found")


def _number(value: int, _: Mapping[str, Any]) -> int:
    return value


def _as_wide(width: str, config: Mapping[str, Any]) -> int:
    return int(config[width])


def _all_heads(argument: str, heads: str, config: Mapping[str, Any]) -> int:
    return int(config[argument]) * int(config[heads])


def _four_times(width: str, default: int, config: Mapping[str, Any]) -> int:
    return TIMES * int(config.get(width, default))


def at_usual_sizes(draw: Any, sizes: Sequence[UsualSize]) -> Any:
    """The draw with these sizes of its configuration at their values; as it is if it has no configuration."""
    if not hasattr(draw, "config"):
        return draw
    config = dict(draw.config)
    lengths = [size for size in sizes if size.as_long_as]
    of_one = [size for size in sizes if size.is_of_draws and size.limit == ONE_LENGTH]
    sizes = [s for s in sizes if s not in lengths and _applies(s, config)]
    for size in sorted(sizes, key=lambda size: (not size.sharing, not size.shared)):
        config |= _limit(size, draw, config) or _fit(size, config, {other.argument for other in sizes})
    changed: dict[str, Any] = {"config": config}
    for size in [*sizes, *of_one]:
        if size.ids and getattr(draw, size.ids, None) is not None:
            changed[size.ids] = _below(getattr(draw, size.ids), config[size.argument])
        for name in size.states.split():
            if getattr(draw, name, None) is not None:
                changed[name] = _widen(getattr(draw, name), _width_of_states(size, config))
        if size.limit == ONE_LENGTH and getattr(draw, size.along, None) is not None:
            changed |= _with_length(draw, changed, size.usual(config), size.along)
        if size.shared and size.argument in draw.config:
            changed |= _masks_of(draw, int(draw.config[size.argument]), config[size.argument])
        if size.limit == PER_HEAD:
            changed |= _masks_of(draw, int(draw.config[size.sharing]), config[size.sharing])
    changed_draw = replace(draw, **changed)
    return reduce(_at_same_length, lengths, changed_draw)


def _applies(size: UsualSize, config: Mapping[str, Any]) -> bool:
    """Whether a configuration has what a size is limited in."""
    needed = {size.argument, size.sharing} if size.limit == PER_HEAD else {size.argument}
    return not size.limit or needed <= config.keys()


def _width_of_states(size: UsualSize, config: Mapping[str, Any]) -> int:
    """The width of the states that belong to a size, which a draw without states may leave out."""
    return int(config[size.shared or size.argument] if size.shared or size.limit else size.usual(config))


def _limit(size: UsualSize, draw: Any, config: Mapping[str, Any]) -> dict[str, int]:
    """The size of a configuration within its limit; {} where it has none."""
    if not size.limit:
        return {}
    if size.limit == ONE_LENGTH:
        return {size.argument: size.usual(config)}
    if size.limit == PER_HEAD:
        columns = size.usual({size.sharing: 1})
        heads = min(int(config[size.sharing]), max(1, WIDEST_MODEL // columns))
        return {size.argument: columns * heads, size.sharing: heads}
    given, value = getattr(draw, size.along, None), int(config[size.argument])
    if size.limit == FULL:
        return {size.argument: value if given is None else given.shape[1]}
    return {size.argument: value * 2 if value // int(config.get(size.sharing, 1)) % 2 else value}


def _fit(size: UsualSize, config: Mapping[str, Any], fixed: set[str]) -> dict[str, int]:
    """The sizes of a configuration that change where this one has its value: heads have to share a width."""
    value = size.usual(config)
    if size.positions:
        value = max(value, int(config.get(size.argument, value)))
    if size.fits:
        return {size.fits: value}
    if size.shared and size.shared in config and size.shared not in fixed:
        own = int(config[size.shared]) // int(config.get(size.argument, value))
        return {size.argument: value, size.shared: value * min(max(own, 1), WIDEST_HEAD)}
    if size.sharing in config and size.sharing not in fixed:
        heads = next(n for n in range(int(config[size.sharing]), 0, -1) if value % n == 0)
        return {size.argument: value, size.sharing: heads}
    return {size.argument: value}


def _masks_of(draw: Any, before: int, heads: int) -> dict[str, Tensor]:
    """The masks of each head, for another number of heads: the first ones, or all and some of them again."""
    masks = {f.name: getattr(draw, f.name) for f in fields(draw) if "mask" in f.name}
    return {
        name: mask[:, torch.arange(heads) % before]
        for name, mask in masks.items()
        if isinstance(mask, Tensor) and mask.dim() == 4 and mask.shape[1] == before > 1
    }


def _at_same_length(draw: Any, size: UsualSize) -> Any:
    """The draw whose input is as long as another one: its first positions, or all and some of them again."""
    before, due = getattr(draw, size.along), getattr(draw, size.as_long_as).shape[1]
    at = torch.arange(due) % before.shape[1]
    masks = {f.name: getattr(draw, f.name) for f in fields(draw) if f.name in _masks_on(size.along)}
    on_keys = {
        name: mask[..., at]
        for name, mask in masks.items()
        if isinstance(mask, Tensor) and mask.shape[-1] == before.shape[1] > 1
    }
    return replace(draw, **{size.along: before[:, at], **on_keys})


def _masks_on(field: str) -> tuple[str, ...]:
    """The names of a mask that hides positions of an input: its own, else the only one."""
    return f"{field}_mask", "mask"


def _with_length(draw: Any, changed: Mapping[str, Any], length: int, along: str) -> dict[str, Tensor]:
    """The ids of a draw, and what it has beside them for each position, with so many positions."""
    values = {f.name: changed.get(f.name, getattr(draw, f.name)) for f in fields(draw)}
    before = values[along].shape[1]
    rows = {
        n: v
        for n, v in values.items()
        if isinstance(v, Tensor) and v.dim() == values[along].dim() and v.shape[1] == before
    }
    at = torch.arange(length) % before
    longer = {name: value[:, at] for name, value in rows.items()}
    masks = {n: v for n, v in values.items() if "mask" in n and isinstance(v, Tensor) and n not in rows}
    return longer | {name: _mask_at(mask, before, at) for name, mask in masks.items()}


def _mask_at(mask: Tensor, before: int, at: Tensor) -> Tensor:
    """A mask at these positions, along each of its last two axes that has as many as before."""
    for axis in range(-min(mask.dim(), 2), 0):
        mask = mask.index_select(axis, at) if mask.shape[axis] == before > 1 else mask
    return mask


def _below(ids: Tensor, number: int) -> Tensor:
    """Ids below a number; what is no id, as -100 among labels, stays."""
    return torch.where(ids < 0, ids, ids % number)


def _widen(states: Tensor, width: int) -> Tensor:
    """States with so many columns: the first ones, or all and some of them again."""
    return states[..., torch.arange(width) % states.shape[-1]]
