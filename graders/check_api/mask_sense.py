"""How code reads a mask: which values hide a key, and along which axes.

One check of an exercise is about the values, and one about the axes; all others use the reading that holds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import torch
from torch import Tensor

from graders.check_api.candidate import Raised
from graders.check_api.strategies.attention_masks import additive
from graders.language import tr, translatable

HIDDEN_BELOW = -1.0  # in an additive mask: what is added where a key is hidden is far below


class Sense(Enum):
    """The values of a mask that hide a key; the text says so."""

    TRUE_HIDES = translatable("True hides a key")
    ONE_HIDES = translatable("1 hides a key, 0 shows it")
    TRUE_ALLOWS = translatable("True allows a key, False hides it")
    ONE_ALLOWS = translatable("1 allows a key, 0 hides it")
    ADDS = translatable("the mask is added to the scores: a large negative number hides a key, 0 shows it")

    @property
    def says(self) -> str:
        """Its text in the reader's language."""
        return tr(str(self.value))

    @property
    def is_bool(self) -> bool:
        """Whether its masks are of bools."""
        return self in (Sense.TRUE_HIDES, Sense.TRUE_ALLOWS)


class MaskNotTaken(Raised):
    """A mask has values that differ along axes which the code's masks do not have: it cannot be asked for."""

    def __init__(self) -> None:
        super().__init__("", "MaskNotTaken")


class Form(Enum):
    """The axes of the masks that code takes; the text says so. B sequences, S positions."""

    AS_GIVEN = ""
    SQUARE = "(S, S)"
    FOUR_AXES = "(B, 1, S, S)"
    PER_SEQUENCE = "(B, S, S)"
    PER_KEY = "(B, S)"


@dataclass(frozen=True)
class Reading:
    """How code reads its mask.

    Attributes:
        sense: the values that hide a key.
        form: the axes.
        further: the axes of the further masks, where they are others; None for the same.
        needed: whether it raises without a mask.
        filled: whether it raises where arguments beside the mask are left out.
        proven: whether the mask acts so; False where it hides nothing, but the code answers.
    """

    sense: Sense
    form: Form = Form.AS_GIVEN
    further: Form | None = None
    needed: bool = False
    filled: bool = False
    proven: bool = True


_MAKE: dict[Sense, Callable[[Tensor, torch.dtype], Tensor]] = {
    Sense.TRUE_HIDES: lambda hidden, _: hidden,
    Sense.ONE_HIDES: lambda hidden, _: hidden.long(),
    Sense.TRUE_ALLOWS: lambda hidden, _: ~hidden,
    Sense.ONE_ALLOWS: lambda hidden, _: (~hidden).long(),
    Sense.ADDS: lambda hidden, dtype: additive(hidden, dtype=dtype),
}


@dataclass(frozen=True)
class MaskArgument:
    """The mask among the arguments of an exercise's symbol. A checks file has one as `mask` of its `Options`.

    Attributes:
        place: its index among the arguments.
        sense: as the exercise says it.
        check: the name of the check that fails if the mask is read in another sense.
        inputs: the indices of the arguments that hold what the mask hides, (..., S) or (..., S, E). The first
            argument has the queries.
        shapes: the name of the check that fails if masks are taken along other axes alone; that on the sense,
            where the exercise has masks of one shape. Empty where no other axes are tried: then a mask that
            must be given fails the check on the sense.
        also: the indices of further masks, which are read in the same way.
        memory: the index of the argument that holds what the further masks hide.
        beside: the indices of arguments that may be left out; zero where code asks for them beside a mask.
        heads: whether masks of the exercise may differ between heads, and broadcast to (B, H, Sq, Sk);
            otherwise they broadcast to (B, Sq, Sk).
    """

    place: int
    sense: Sense
    check: str
    inputs: tuple[int, ...] = (0,)
    shapes: str = ""
    also: tuple[int, ...] = ()
    memory: int = 1
    beside: tuple[int, ...] = ()
    heads: bool = True

    @property
    def broadcasts(self) -> bool:
        """Whether the exercise has masks of several shapes."""
        return self.shapes not in ("", self.check)

    def as_read(self, args: Sequence[Any], reading: Reading) -> list[Any]:
        """The arguments with the mask as code reads it; with one that hides nothing, where it needs one.

        Raises:
            MaskNotTaken: the mask differs between heads or queries, where code has one value for all.
        """
        args = list(args)
        for place, keys in self._masks if reading.needed else ():
            args += [None] * (place + 1 - len(args))
            if args[place] is None:
                args[place] = self.hiding(self._nothing_hidden(args, keys))
        for place in self.beside if reading.filled and isinstance(args[0], Tensor) else ():
            if len(args) > place and args[place] is None:
                args[place] = torch.zeros_like(args[0])
        return self.in_sense(self.in_form(args, reading.form, reading.further), reading.sense)

    @property
    def _masks(self) -> tuple[tuple[int, int], ...]:
        """The index of each mask, and of the argument that holds what it hides."""
        return (self.place, self.inputs[0]), *((place, self.memory) for place in self.also)

    def in_sense(self, args: Sequence[Any], sense: Sense) -> list[Any]:
        """The arguments with the mask in another sense; as they are where it has values of neither kind."""
        args = list(args)
        for place in (self.place, *self.also):
            mask = args[place] if len(args) > place else None
            if sense is self.sense or not isinstance(mask, Tensor) or self._is_mixed(mask):
                continue
            dtype = next(
                (a.dtype for a in args if isinstance(a, Tensor) and a.is_floating_point()), torch.float32
            )
            args[place] = _MAKE[sense](self.hidden(mask), dtype)
        return args

    def in_form(self, args: Sequence[Any], own: Form, further: Form | None = None) -> list[Any]:
        """The arguments with the mask along other axes, and further masks along these or further ones.

        Raises:
            MaskNotTaken: see `as_read`.
        """
        args = list(args)
        for place, keys in self._masks:
            mask = args[place] if len(args) > place else None
            form = (further or own) if place in self.also else own
            if form is Form.AS_GIVEN or not isinstance(args[0], Tensor):
                continue
            if not isinstance(mask, Tensor) or mask.dim() < 2:
                continue
            if len(self.inputs) == 1:
                batch, length = args[keys].shape[:2]
                mask = mask if self.heads else _with_one_head(mask)
                args[place] = _in_form(mask, form, batch, args[0].shape[1], length)
            elif args[0].dim() == 4 and mask.dim() <= 4:  # queries, keys and values (B, H, S, D)
                rows, length = args[0].shape[-2], args[keys].shape[-2]
                args[place] = _in_form(mask, form, args[0].shape[0], rows, length)
        return args

    def hidden(self, mask: Tensor) -> Tensor:
        """A bool mask, True = hidden, from one in the exercise's sense."""
        if self.sense is Sense.ADDS:
            return mask < HIDDEN_BELOW
        return mask.bool() if self.sense in (Sense.TRUE_HIDES, Sense.ONE_HIDES) else ~mask.bool()

    def hiding(self, hidden: Tensor) -> Tensor:
        """A mask in the exercise's sense, from a bool mask, True = hidden."""
        return _MAKE[self.sense](hidden, torch.float32)

    def _nothing_hidden(self, args: Sequence[Any], keys: int) -> Tensor:
        """A bool mask that hides nothing, in the shape of the exercise's own.

        Where the box keeps the queries, their sizes are not known here: one value for all broadcasts.
        """
        if not isinstance(args[0], Tensor):
            return torch.zeros(1, 1, dtype=torch.bool)
        if len(self.inputs) > 1:  # queries, keys and values
            return torch.zeros(args[0].shape[-2], args[keys].shape[-2], dtype=torch.bool)
        batch, length = args[keys].shape[:2]
        shape = (batch, 1, args[0].shape[1], length) if self.shapes else (batch, length)
        hidden = torch.zeros(shape, dtype=torch.bool)
        return hidden if self.heads else hidden[:, 0]

    def _is_mixed(self, mask: Tensor) -> bool:
        return self.sense is Sense.ADDS and bool(((mask != 0) & (mask >= HIDDEN_BELOW)).any())


def _with_one_head(mask: Tensor) -> Tensor:
    """(B, 1, Sq, Sk) from a mask that broadcasts to (B, Sq, Sk)."""
    return mask.reshape((1,) * (3 - mask.dim()) + tuple(mask.shape))[:, None]


def _in_form(mask: Tensor, form: Form, batch: int, rows: int, length: int) -> Tensor:
    """A mask that broadcasts to (B, H, Sq, Sk) along the axes of a form, if it has the same values there."""
    by_head = mask.reshape((1,) * (4 - mask.dim()) + tuple(mask.shape)).expand(batch, -1, rows, length)
    first_head, first_query = by_head[:, :1], by_head[:, :1, :1]
    if not torch.equal(first_head.expand_as(by_head), by_head):
        if form is Form.FOUR_AXES:
            return mask
        raise MaskNotTaken
    if form is Form.SQUARE:
        if not torch.equal(first_head[:1].expand_as(first_head), first_head):
            raise MaskNotTaken
        return first_head[0, 0].contiguous()
    if form is Form.PER_KEY:
        if not torch.equal(first_query.expand_as(first_head), first_head):
            raise MaskNotTaken
        return first_query[:, 0, 0].contiguous()
    return (first_head if form is Form.FOUR_AXES else first_head[:, 0]).contiguous()
