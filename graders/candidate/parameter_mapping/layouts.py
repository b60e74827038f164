"""The forms in which a module may keep the reference's parameters: turned, by head, several in one.

A form makes one tensor of the parameters that it holds. Rows are outputs, as in nn.Linear:
(outputs, inputs). E model width, H heads, D = E / H.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from graders.language import translatable


@dataclass(frozen=True)
class Layout:
    """How `count` parameters become one.

    `says` is for people, and English until it is said, `turned` tells that inputs come first, as in x @ W.
    """

    says: str
    count: int
    make: Callable[[Sequence[Tensor], int], Tensor]
    turned: bool = False

    def fits(self, parts: Sequence[Tensor], heads: int, shape: tuple[int, ...]) -> bool:
        """Whether these parts in this form have this shape."""
        try:
            return tuple(self.make(parts, heads).shape) == shape
        except (RuntimeError, IndexError):
            return False


def _by_head(part: Tensor, heads: int) -> Tensor:
    return part.reshape(heads, part.shape[0] // heads, *part.shape[1:])


def _turned(part: Tensor) -> Tensor:
    if part.dim() != 2:
        raise IndexError("only a matrix can be turned")
    return part.T


def _in_turns(parts: Sequence[Tensor], heads: int) -> Tensor:
    return torch.cat([_by_head(part, heads) for part in parts], 1)


def _columns(part: Tensor, heads: int) -> Tensor:
    return _by_head(_turned(part), heads)  # (H, D, outputs): the rows of x @ W that a head's output meets


ONE = (
    Layout(translatable("as it is"), 1, lambda p, _: p[0]),
    Layout(translatable("turned"), 1, lambda p, _: _turned(p[0]), turned=True),
    Layout(translatable("with an axis of one in front"), 1, lambda p, _: p[0][None]),
    Layout(translatable("with two axes of one in front"), 1, lambda p, _: p[0][None, None]),
    Layout(translatable("head by head"), 1, lambda p, h: _by_head(p[0], h)),
    Layout(
        translatable("head by head, turned"), 1, lambda p, h: _by_head(p[0], h).transpose(1, 2), turned=True
    ),
    Layout(
        translatable("head by head, inputs first"),
        1,
        lambda p, h: _by_head(p[0], h).permute(2, 0, 1),
        turned=True,
    ),
    Layout(translatable("head by head from its columns"), 1, lambda p, h: _columns(p[0], h).transpose(1, 2)),
    Layout(
        translatable("head by head from its columns, turned"), 1, lambda p, h: _columns(p[0], h), turned=True
    ),
    Layout(
        translatable("head by head from its columns, outputs first"),
        1,
        lambda p, h: _columns(p[0], h).permute(2, 0, 1),
    ),
)


def _several(count: int) -> tuple[Layout, ...]:
    stacked: tuple[tuple[str, str, Callable[[Sequence[Tensor], int], Tensor]], ...] = (
        (
            translatable("one below the other"),
            translatable("one below the other, turned"),
            lambda p, _: torch.cat(list(p)),
        ),
        (
            translatable("in turns, head by head"),
            translatable("in turns, head by head, turned"),
            lambda p, h: _in_turns(p, h).flatten(0, 1),
        ),
        (
            translatable("in turns, row by row"),
            translatable("in turns, row by row, turned"),
            lambda p, _: torch.stack(list(p), 1).flatten(0, 1),
        ),
    )
    return (
        *(Layout(says, count, make) for says, _, make in stacked),
        *(
            Layout(says, count, lambda p, h, make=make: _turned(make(p, h)), turned=True)  # type: ignore[misc]
            for _, says, make in stacked
        ),
        Layout(translatable("one behind the other"), count, lambda p, _: torch.stack(list(p))),
        Layout(
            translatable("one behind the other, turned"),
            count,
            lambda p, _: torch.stack([_turned(part) for part in p]),
            turned=True,
        ),
        Layout(translatable("head by head, one below the other"), count, _in_turns),
        Layout(
            translatable("head by head, one below the other, turned"),
            count,
            lambda p, h: _in_turns(p, h).transpose(1, 2),
            turned=True,
        ),
    )


SEVERAL = {count: _several(count) for count in (2, 3)}
FORMS = {1: ONE, **SEVERAL}
