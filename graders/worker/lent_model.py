"""The model that a student's function is given: the host answers each of its calls.

Nothing here tells what it will answer: no table, no loss. So only a call gives these, and the host knows
itself how often and with what the model was called. In which mode, and whether with gradients, is what this
process says.
"""

import builtins
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

QUESTION = "lent"  # by which the host knows that a lent model asks
Ask = Callable[[str, list[Any]], list[Any]]


class LentModel(nn.Module):
    """A language model whose answers come from the host.

    With `words`, its logits are zeros of so many words and the host answers the loss alone. Without, the host
    answers the logits. Without targets the logits alone come back or, with `pair`, (logits, None).

    `ask` sends a question and returns whether it succeeded, and the answer.
    """

    def __init__(self, number: int, ask: Ask, words: int | None = None, pair: bool = False) -> None:
        super().__init__()
        # What it answers has gradients, as any model's answer has.
        self.scale = nn.Parameter(torch.ones(()))
        self.number = number
        self.words = words
        self.pair = pair
        self._ask = ask

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Any:
        """(logits (B, T, V), loss), or the logits where there are no targets."""
        if self.words is not None:
            logits = self.scale.new_zeros(1).expand(*idx.shape, self.words)
            return logits if targets is None else (logits, self._answer(idx, targets))
        logits = self._answer(idx, targets)
        if targets is None:
            return (logits, None) if self.pair else logits
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())

    def _answer(self, idx: Tensor, targets: Tensor | None) -> Tensor:
        tracked = torch.is_grad_enabled() and self.scale.requires_grad
        given = [None if ids is None else ids.detach().cpu() for ids in (idx, targets)]
        succeeded, answer = self._ask(QUESTION, [self.number, *given, self.training, tracked])
        if succeeded:
            numbers: Tensor = answer.to(self.scale.device) * self.scale
            return numbers
        raise getattr(builtins, answer[0], RuntimeError)(answer[1])
