"""The layouts in which a module may keep the reference's parameters: transposed, by head, several in one.

A layout makes one tensor of one or more of the reference's parameters. Their rows are outputs, as in
nn.Linear: (outputs, inputs). E model width, H heads, D = E / H.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from graders.language import translatable


@dataclass(frozen=True)
class Layout:
    """How `count` parameters become one.

    `description` is an English message, translated when it is shown. `transposed` means that inputs come
    first, as in x @ W.
    """

    description: str
    count: int
    make: Callable[[Sequence[Tensor], int], Tensor]
    transposed: bool = False

    def fits(self, parts: Sequence[Tensor], heads: int, shape: tuple[int, ...]) -> bool:
        """Whether these parts in this layout have this shape."""
        try:
            return tuple(self.make(parts, heads).shape) == shape
        except (RuntimeError, IndexError):
            return False

    def take_apart(self, value: Tensor, shape: tuple[int, ...], heads: int) -> list[Tensor]:
        """The parts, each of shape `shape`, of which `make` makes `value`."""
        size = math.prod(shape)
        places = torch.arange(self.count * size).reshape(self.count, *shape)
        flat = torch.empty(self.count * size, dtype=value.dtype)
        flat[self.make(list(places), heads).reshape(-1)] = value.reshape(-1)
        return list(flat.reshape(self.count, *shape))


def _split_rows(part: Tensor, heads: int) -> Tensor:
    return part.reshape(heads, part.shape[0] // heads, *part.shape[1:])


def _transpose(part: Tensor) -> Tensor:
    if part.dim() != 2:
        raise IndexError("only a matrix can be transposed")
    return part.T


def _as_convolution(matrix: Tensor) -> Tensor:
    if matrix.dim() != 2:
        raise IndexError("only a matrix is the weight of a convolution")
    return matrix[..., None]


def _on_a_grid(matrix: Tensor) -> Tensor:
    if matrix.dim() != 2:
        raise IndexError("only a matrix is a table")
    return matrix[None, :, None]


def _interleave_heads(parts: Sequence[Tensor], heads: int) -> Tensor:
    return torch.cat([_split_rows(part, heads) for part in parts], 1)


def _interleave_rows_of_heads(parts: Sequence[Tensor], heads: int) -> Tensor:
    """(D, parts, H, ...): the first row of every head, part by part, then the second, and so on."""
    return torch.stack([_split_rows(part, heads) for part in parts]).movedim(2, 0)


def _all_heads(parts: Sequence[Tensor], heads: int) -> Tensor:
    """(parts, H, D, inputs)."""
    return torch.stack([_split_rows(part, heads) for part in parts])


def _split_columns(part: Tensor, heads: int) -> Tensor:
    return _split_rows(
        _transpose(part), heads
    )  # (H, D, outputs): the rows of x @ W that multiply a head's output


OF_ONE = (
    Layout(translatable("as it is"), 1, lambda p, _: p[0]),
    Layout(translatable("transposed"), 1, lambda p, _: _transpose(p[0]), transposed=True),
    Layout(translatable("with a first axis of size 1"), 1, lambda p, _: p[0][None]),
    Layout(translatable("with two first axes of size 1"), 1, lambda p, _: p[0][None, None]),
    Layout(translatable("as a convolution of width 1"), 1, lambda p, _: _as_convolution(p[0])),
    Layout(translatable("with axes of size 1 before its rows and behind"), 1, lambda p, _: _on_a_grid(p[0])),
    Layout(translatable("head by head"), 1, lambda p, h: _split_rows(p[0], h)),
    Layout(
        translatable("head by head, transposed"),
        1,
        lambda p, h: _split_rows(p[0], h).transpose(1, 2),
        transposed=True,
    ),
    Layout(
        translatable("head by head, with a first axis of size 1"), 1, lambda p, h: _split_rows(p[0], h)[None]
    ),
    Layout(
        translatable("head by head, transposed, with a first axis of size 1"),
        1,
        lambda p, h: _split_rows(p[0], h).transpose(1, 2)[None],
        transposed=True,
    ),
    Layout(
        translatable("head by head, inputs first"),
        1,
        lambda p, h: _split_rows(p[0], h).permute(2, 0, 1),
        transposed=True,
    ),
    Layout(
        translatable("head by head, transposed, with an axis of size 1 behind the heads"),
        1,
        lambda p, h: _split_rows(p[0], h).transpose(1, 2)[:, None],
        transposed=True,
    ),
    Layout(
        translatable("head by head from its columns"), 1, lambda p, h: _split_columns(p[0], h).transpose(1, 2)
    ),
    Layout(
        translatable("head by head from its columns, transposed"),
        1,
        lambda p, h: _split_columns(p[0], h),
        transposed=True,
    ),
    Layout(
        translatable("head by head from its columns, outputs first"),
        1,
        lambda p, h: _split_columns(p[0], h).permute(2, 0, 1),
    ),
)


def _layouts_by_part_and_head(count: int) -> tuple[Layout, ...]:
    """With an axis for the parts and one for the heads, as einsum and einmix have them."""
    return (
        Layout(translatable("one after the other, each head by head"), count, _all_heads),
        Layout(
            translatable("one after the other, each head by head, transposed"),
            count,
            lambda p, h: _all_heads(p, h).movedim(3, 2),
            transposed=True,
        ),
        Layout(
            translatable("one after the other, each head by head, inputs first"),
            count,
            lambda p, h: _all_heads(p, h).movedim(3, 1),
            transposed=True,
        ),
        Layout(
            translatable("inputs first, then one after the other, head by head"),
            count,
            lambda p, h: _all_heads(p, h).movedim(3, 0),
            transposed=True,
        ),
    )


def _layouts_of_several(count: int) -> tuple[Layout, ...]:
    stacked: tuple[tuple[str, str, Callable[[Sequence[Tensor], int], Tensor]], ...] = (
        (
            translatable("one below the other"),
            translatable("one below the other, transposed"),
            lambda p, _: torch.cat(list(p)),
        ),
        (
            translatable("interleaved, head by head"),
            translatable("interleaved, head by head, transposed"),
            lambda p, h: _interleave_heads(p, h).flatten(0, 1),
        ),
        (
            translatable("interleaved, row by row"),
            translatable("interleaved, row by row, transposed"),
            lambda p, _: torch.stack(list(p), 1).flatten(0, 1),
        ),
        (
            translatable("the rows of all heads interleaved, part by part"),
            translatable("the rows of all heads interleaved, part by part, transposed"),
            lambda p, h: _interleave_rows_of_heads(p, h).flatten(0, 2),
        ),
        (
            translatable("the rows of all heads interleaved, head by head"),
            translatable("the rows of all heads interleaved, head by head, transposed"),
            lambda p, h: _interleave_rows_of_heads(p, h).transpose(1, 2).flatten(0, 2),
        ),
    )
    return (
        *(Layout(description, count, make) for description, _, make in stacked),
        *(
            Layout(description, count, lambda p, h, make=make: _transpose(make(p, h)), transposed=True)  # type: ignore[misc]
            for _, description, make in stacked
        ),
        Layout(
            translatable("one below the other, as a convolution of width 1"),
            count,
            lambda p, _: _as_convolution(torch.cat(list(p))),
        ),
        Layout(translatable("stacked along a new first axis"), count, lambda p, _: torch.stack(list(p))),
        Layout(
            translatable("stacked along a new first axis, transposed"),
            count,
            lambda p, _: torch.stack([_transpose(part) for part in p]),
            transposed=True,
        ),
        Layout(translatable("head by head, one below the other"), count, _interleave_heads),
        Layout(
            translatable("head by head, one below the other, transposed"),
            count,
            lambda p, h: _interleave_heads(p, h).transpose(1, 2),
            transposed=True,
        ),
        *_layouts_by_part_and_head(count),
    )


OF_SEVERAL = {count: _layouts_of_several(count) for count in (2, 3, 4)}
LAYOUTS = {1: OF_ONE, **OF_SEVERAL}
