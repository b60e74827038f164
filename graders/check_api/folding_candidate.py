"""Code that takes one number of leading axes alone: one check fails, the others fold the axes.

`torch.bmm` takes (B, S, D), and `B, H, S, D = Q.shape` four axes. What attends to each entry of leading axes
by itself answers the same however they are folded into one.
"""

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from graders.check_api.candidate import Candidate, Gradients, ObservedCall, Raised, Seeded
from graders.check_api.leading_axes import LeadingAxes

FEW = 2  # entries along a leading axis
TRIED = (3, 4)  # axes that code may ask for, the last two among them
_taken: "weakref.WeakKeyDictionary[Any, int]" = weakref.WeakKeyDictionary()  # by candidate
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class _Transposed:
    """What is sent as a transpose leaves it, and its values."""

    values: Tensor
    sent: Any


class FoldingCandidate:
    """A candidate that is asked with folded leading axes where it raises under those of the draw."""

    def __init__(self, candidate: Candidate, axes: LeadingAxes) -> None:
        self._candidate, self._axes = candidate, axes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._candidate, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The answer, with the leading axes of the arguments."""
        return self._ask(lambda given: self._candidate(*given, **kwargs), args, _unfold)

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        """The answer, and the arguments as they are after the call."""

        def unfold(call: ObservedCall, lead: torch.Size) -> ObservedCall:
            return replace(call, answer=_unfold(call.answer, lead), args=_as_given(call.args, args))

        return self._ask(lambda given: self._candidate.observed_call(*given, **kwargs), args, unfold)

    def seeded(self, seed: int, *args: Any) -> Seeded:
        """The answer of a call under a seed."""

        def unfold(call: Seeded, lead: torch.Size) -> Seeded:
            return replace(call, answer=_unfold(call.answer, lead), args=_as_given(call.args, args))

        return self._ask(lambda given: self._candidate.seeded(seed, *given), args, unfold)

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """The gradients for the arguments, each of its argument's shape."""

        def ask(given: Sequence[Any]) -> Gradients:
            axes = given[0].dim()
            folded = [u if u is None or u.dim() == axes else _fold(u, axes) for u in upstream]
            return self._candidate.gradients(*given, upstream=folded)

        def unfold(call: Gradients, lead: torch.Size) -> Gradients:
            return replace(call, answer=_unfold(call.answer, lead), inputs=_as_given(call.inputs, args))

        return self._ask(ask, args, unfold)

    def transposed(self, values: Tensor, first: int, second: int) -> Any:
        """Values as a transpose leaves them in memory."""
        return _Transposed(values, self._candidate.transposed(values, first, second))

    def _ask(
        self,
        ask: Callable[[Sequence[Any]], Answer],
        args: Sequence[Any],
        unfold: Callable[[Answer, torch.Size], Answer],
    ) -> Answer:
        given = [value.values if isinstance(value, _Transposed) else value for value in args]
        lead = given[0].shape[:-2]
        taken = _taken.get(self._candidate)
        if taken is not None and taken != given[0].dim():
            return unfold(ask(self._folded(given, taken)), lead)
        try:
            return ask([value.sent if isinstance(value, _Transposed) else value for value in args])
        except Raised as raised:
            if any(isinstance(value, _Transposed) for value in args) and not self._raises(ask, given):
                raise  # its axes are taken, but not as they lie in memory
            if self._takes_few_along_each(given):
                raise  # so many axes are taken, but not so many entries
            for axes in TRIED:
                try:
                    answer = unfold(ask(self._folded(given, axes)), lead)
                except (Raised, RuntimeError):
                    continue
                _taken[self._candidate] = axes
                return answer
            raise raised

    def _takes_few_along_each(self, given: Sequence[Any]) -> bool:
        """Whether as many leading axes are taken where few entries lie along each; False where no more do."""
        lead = given[0].shape[:-2]
        if all(entries <= FEW for entries in lead):
            return False
        few = list(given)
        for place in range(self._axes.values):
            few[place] = given[place][tuple(slice(FEW) for _ in lead)].contiguous()
        if self._axes.mask is not None and len(few) > self._axes.mask:
            few[self._axes.mask] = None
        return not self._raises(lambda args: self._candidate(*args), few)

    @staticmethod
    def _raises(ask: Callable[[Sequence[Any]], Answer], given: Sequence[Any]) -> bool:
        try:
            ask(given)
        except Raised:
            return True
        return False

    def _folded(self, args: Sequence[Any], axes: int) -> list[Any]:
        folded, place_of_mask = list(args), self._axes.mask
        if place_of_mask is not None and isinstance(mask := next(iter(args[place_of_mask:]), None), Tensor):
            whole = mask.expand(*args[0].shape[:-1], args[1].shape[-2])
            folded[place_of_mask] = _fold(whole, axes)
        for place in range(self._axes.values):
            folded[place] = _fold(args[place], axes)
        return folded


def _fold(value: Tensor, axes: int) -> Tensor:
    """The same values with so many axes, the last two as they are."""
    return value.reshape(-1, *[1] * (axes - 3), *value.shape[-2:]).contiguous()


def _unfold(answer: Any, lead: torch.Size) -> Any:
    """The answer's tensors with these leading axes."""
    if isinstance(answer, tuple | list):
        return type(answer)(_unfold(part, lead) for part in answer)
    whole = isinstance(answer, Tensor) and answer.dim() >= 2 and answer.shape[:-2].numel() == lead.numel()
    return answer.reshape(*lead, *answer.shape[-2:]) if whole else answer


def _as_given(values: Sequence[Any], given: Sequence[Any]) -> list[Any]:
    """Tensors after a call with the shapes of the arguments; what was expanded is as it was given."""
    pairs = zip(values, [*given, *[None] * len(values)], strict=False)
    return [
        value.reshape(arg.shape)
        if isinstance(value, Tensor) and isinstance(arg, Tensor) and value.numel() == arg.numel()
        else arg
        if isinstance(arg, Tensor) and isinstance(value, Tensor)
        else value
        for value, arg in pairs
    ]
