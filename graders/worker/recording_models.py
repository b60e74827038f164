"""Models of ours that are passed to a student's function and record how it calls them.

They are in the student's process, where student code can read and change them. So their records explain an
answer, and decide only where forging them would gain next to nothing.
"""

from typing import Any

import torch
from torch import Tensor, nn

SHAPES = 20  # different shapes of ids that are recorded


class RecordingModel(nn.Module):
    """Records how often the model was called, in which mode, with gradients or without."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = self.in_training = self.tracked = 0
        self.shapes: list[list[int]] = []

    def note(self, idx: Tensor, answer: Tensor) -> None:
        """Record a call."""
        self.calls += 1
        self.in_training += self.training
        self.tracked += answer.requires_grad
        if list(idx.shape) not in self.shapes and len(self.shapes) < SHAPES:
            self.shapes.append(list(idx.shape))

    def call_log(self) -> dict[str, Any]:
        """The record of the calls, and the model's present mode."""
        return {
            "calls": self.calls,
            "in_training": self.in_training,
            "tracked": self.tracked,
            "shapes": self.shapes,
            "training": self.training,
        }


class TableModel(RecordingModel):
    """A language model whose next id depends on every given id and its position.

    `table` (C, V) holds the logits of C states; the state at a position depends on all ids up to it. With
    targets it answers (logits, loss); without, the logits alone or, with `pair`, (logits, None).
    """

    def __init__(self, table: Tensor, pair: bool = False) -> None:
        super().__init__()
        self.table = nn.Parameter(table)
        self.pair = pair

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Any:
        """Logits (B, T, V) for ids (B, T)."""
        place = torch.arange(1, idx.shape[1] + 1, device=idx.device)
        logits = self.table[((idx * place).cumsum(1) + place) % len(self.table)]
        self.note(idx, logits)
        if targets is None:
            return (logits, None) if self.pair else logits
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


class ScriptedLossModel(RecordingModel):
    """Returns scripted losses, so the result reveals which calls were made.

    The loss of call n is `losses[n % len(losses)]`, multiplied by the mean of the first ids if `place`. Added
    are `training` in training mode, `shift` times the mean of targets - idx, and `size` times B + T / 64.
    The logits are zeros of shape (B, T, words).
    """

    def __init__(
        self,
        losses: Tensor,
        words: int,
        training: float = 0.0,
        shift: float = 0.0,
        size: float = 0.0,
        place: bool = False,
    ) -> None:
        super().__init__()
        self.losses = nn.Parameter(losses)
        self.words = words
        self.gains = training, shift, size
        self.place = place

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Any:
        """(logits (B, T, V), loss), or the logits where there are no targets."""
        logits = self.losses.new_zeros(1).expand(*idx.shape, self.words)
        if targets is None:
            return logits
        training, shift, size = self.gains
        loss = self.losses[self.calls % len(self.losses)]
        loss = loss * idx[:, 0].to(loss.dtype).mean() if self.place else loss
        loss = loss + training * self.training + size * (idx.shape[0] + idx.shape[1] / 64)
        loss = loss + shift * (targets - idx).to(loss.dtype).mean()
        self.note(idx, loss)
        return logits, loss
