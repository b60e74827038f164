"""The model that a student's function is given: the host answers each of its calls.

Nothing here tells what it will answer: no table, no loss. So only a call gives these, and the host knows
itself how often and with what the model was called. In which mode, and whether with gradients, is what this
process says.
"""

import builtins
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn

QUESTION = "lent"  # by which the host knows that a lent model asks
Ask = Callable[[str, list[Any]], list[Any]]


class Said(int):
    """A size that a model says, as an attribute or as a method: `model.get_block_size()`."""

    def __call__(self) -> int:
        """The size."""
        return int(self)


class Lent(nn.Module):
    """A module whose answers come from the host.

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

    def tell(self, path: str, value: Any) -> None:
        """Have it say a size where code reads one: `block_size`, or `config.block_size`."""
        owner: Any = self
        for name in path.split(".")[:-1]:
            if not hasattr(owner, name):
                setattr(owner, name, SimpleNamespace())
            owner = getattr(owner, name)
        setattr(owner, path.split(".")[-1], Said(value) if type(value) is int else value)

    def _answer(self, idx: Tensor, other: Tensor | None) -> Tensor:
        tracked = torch.is_grad_enabled() and self.scale.requires_grad
        given = [None if value is None else value.detach().cpu() for value in (idx, other)]
        succeeded, answer = self._ask(QUESTION, [self.number, *given, self.training, tracked])
        if succeeded:
            numbers: Tensor = answer.to(self.scale.device) * self.scale
            return numbers
        raise getattr(builtins, answer[0], RuntimeError)(answer[1])


class LentModel(Lent):
    """A language model.

    With `words`, its logits are zeros of so many words and the host answers the loss alone. Without, the host
    answers the logits. Without targets the logits alone come back or, with `pair`, (logits, None).
    """

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Any:
        """(logits (B, T, V), loss), or the logits where there are no targets."""
        if self.words is not None:
            logits = self.scale.new_zeros(1).expand(*idx.shape, self.words)
            return logits if targets is None else (logits, self._answer(idx, targets))
        logits = self._answer(idx, targets)
        if targets is None:
            return (logits, None) if self.pair else logits
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


class LentTranslator(Lent):
    """A model with an encoder and a decoder whose answers come from the host, the memory too.

    It takes masks by any names, as models do for which code was written elsewhere: none hides anything here.
    """

    def encode(self, src: Tensor, *_masks: Any, **_named: Any) -> Tensor:
        """The memory (B, S, E) for ids (B, S)."""
        return self._answer(src, None)

    def decode(self, tgt: Tensor, memory: Tensor, *_masks: Any, **_named: Any) -> Tensor:
        """Logits (B, T, V) for ids (B, T) and a memory."""
        return self._answer(tgt, memory)

    def forward(self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """Logits (B, T, V) for ids (B, S) and (B, T)."""
        return self.decode(tgt, self.encode(src, src_mask), src_mask)


SHELLS: dict[str, type[Lent]] = {"LentModel": LentModel, "LentTranslator": LentTranslator}
