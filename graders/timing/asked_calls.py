"""Calls of which the host knows the answers: random arguments, and what the projections of their answers are.

They are made once in a process, from numbers that no submission can know, and asked of every submission.
"""

import functools
from dataclasses import dataclass

import torch
from torch import Tensor

from graders.check_api.check import Check
from graders.check_api.timed_call import Timed
from graders.timing.contestant import CallArguments, draw_arguments
from softmark_worker.argument_shapes import as_arguments

KEPT = 64  # sets of calls
TOLERANCE = 2e-4  # of a projection, relative to the size of the answer


class Differs(Exception):
    """An answer is not the one that is due."""


@dataclass(frozen=True)
class AskedCalls:
    """Calls, the projections of the answers that are due, and how large these answers are."""

    arguments: CallArguments
    due: Tensor
    sizes: Tensor

    def require_due(self, projections: Tensor) -> None:
        """Require that the projections are those of the answers that are due.

        Args:
            projections: a row for each call, a column for each tensor of the answer; the first counts.

        Raises:
            Differs: they are not.
        """
        if projections.dim() != 2 or len(projections) != len(self.due) or not projections.shape[1]:
            raise Differs
        if not bool(((projections[:, 0] - self.due).abs() <= TOLERANCE * self.sizes).all()):
            raise Differs


@functools.lru_cache(maxsize=KEPT)
def ask(check: Check, length: int, width: int, calls: int, number: int) -> AskedCalls:
    """Calls of one length; those of another `number` have other arguments.

    Args:
        check: with `grows_as`; its function describes a call, its `answer` gives the answer that is due.
        length: positions.
        width: columns.
        calls: how many.
        number: of the request, among those with the same calls.
    """
    del number
    return make_calls(check, length, width, calls)


def make_calls(
    check: Check, length: int, width: int, calls: int = 1, *, overlapping: bool = False
) -> AskedCalls:
    """New calls of one length, which nobody keeps; for `overlapping` see `draw_arguments`."""
    timed: Timed = check.body(length, width)
    assert check.answer is not None
    arguments = draw_arguments(timed, calls, torch.float32, overlapping=overlapping)
    due, sizes = [], []
    for row in arguments.offsets.tolist():
        values = [
            arguments.pool[at : at + torch.Size(shape).numel()].view(shape)
            for at, shape in zip(row, timed.shapes, strict=True)
        ]
        inputs = as_arguments(values, timed.inputs)
        with torch.no_grad():
            answer = check.answer(*inputs, *timed.further).double().flatten()
        due.append(torch.dot(answer, arguments.pool[: answer.numel()].double()))
        sizes.append(answer.norm())
    return AskedCalls(arguments, torch.stack(due), torch.stack(sizes))
