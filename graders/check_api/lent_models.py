"""Models of ours that a student's function is given, and the record of how it called them.

What they answer is computed here, in the host's process: in the box there is a shell that asks for it
(`softmark_worker/lent_model.py`). So a function that reads the model instead of calling it finds nothing.
`Candidate.make_model` makes one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from softmark_worker.lent_model import QUESTION, SHELLS, Lent

SHAPES = 20  # different shapes of ids that are recorded
CALLS = 5_000  # of one model
IDS = 1 << 16  # in one call


class Refused(Exception):
    """The question is none that a lent model asks, or it is too large."""


@dataclass(frozen=True)
class CallLog:
    """How a lent model was called. What the student's process alone can know is a hint, not a proof.

    Attributes:
        calls: the number of calls.
        in_training: the number of calls in training mode, as that process says.
        tracked: the number of calls with gradients enabled, as that process says.
        shapes: the different shapes of the ids that it got.
        training: whether it is in training mode now, as that process says.
        encoded: the number of sequences that it encoded, if it has an encoder.
        asked: the ids (B, T) of its calls, if it keeps them.
    """

    calls: int
    in_training: int
    tracked: int
    shapes: tuple[tuple[int, ...], ...]
    training: bool
    encoded: int = 0
    asked: tuple[Tensor, ...] = ()

    @property
    def longest(self) -> int:
        """The length of the longest sequence of ids that it got."""
        return max((shape[-1] for shape in self.shapes if shape), default=0)


class ModelAnswers:
    """What a lent model answers, and the record of its calls."""

    shell = "LentModel"  # the class of which the student's process has one
    words: int | None = None  # the width of logits that are zeros
    pair = False

    def __init__(self) -> None:
        self.calls = self.in_training = self.tracked = self.encoded = 0
        self.shapes: list[tuple[int, ...]] = []
        self.asked: list[Tensor] = []

    def answer(self, idx: Tensor, other: Tensor | None, training: bool, tracked: bool) -> Tensor:
        """The answer to a call, which is recorded; `other` is checked."""
        with torch.no_grad():
            answer = self.compute(idx, other, training)
        self.calls += 1
        self.in_training += training
        self.tracked += tracked
        if tuple(idx.shape) not in self.shapes and len(self.shapes) < SHAPES:
            self.shapes.append(tuple(idx.shape))
        return answer

    def check_other(self, other: Any, idx: Tensor) -> Tensor | None:
        """What a call may have beside its ids: targets."""
        return _check_targets(other, idx)

    def compute(self, idx: Tensor, targets: Tensor | None, training: bool) -> Tensor:
        """The answer to a call."""
        raise NotImplementedError

    def log(self, training: bool) -> CallLog:
        """The record, with the model's present mode."""
        shapes = tuple(self.shapes)
        called = self.calls, self.in_training, self.tracked, shapes, training, self.encoded
        return CallLog(*called, tuple(self.asked))


class TableModel(ModelAnswers):
    """A language model whose next id depends on every given id and its position.

    `table` (C, V) holds the logits of C states; the state at a position depends on all ids up to it. With
    targets it answers (logits, loss); without, the logits alone or, with `pair`, (logits, None).
    """

    def __init__(self, table: Tensor, pair: bool = False) -> None:
        super().__init__()
        self.table = table
        self.pair = pair

    def compute(self, idx: Tensor, targets: Tensor | None, training: bool) -> Tensor:  # noqa: ARG002
        """Logits (B, T, V) for ids (B, T)."""
        return logits(self.table, idx)


class ScriptedLossModel(ModelAnswers):
    """Answers scripted losses, so the result reveals which calls were made.

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
        self.losses = losses
        self.words = words
        self.gains = training, shift, size
        self.place = place

    def compute(self, idx: Tensor, targets: Tensor | None, training: bool) -> Tensor:
        """The loss."""
        if targets is None:
            raise Refused("targets")
        in_training, shift, size = self.gains
        loss = self.losses[self.calls % len(self.losses)]
        loss = loss * idx[:, 0].to(loss.dtype).mean() if self.place else loss
        loss = loss + in_training * training + size * (idx.shape[0] + idx.shape[1] / 64)
        return loss + shift * (targets - idx).to(loss.dtype).mean() if shift else loss


class TranslationModel(ModelAnswers):
    """A model with an encoder and a decoder, whose next id depends on the source and on every given id.

    `table` (C, V) holds the logits of C states; the state at a position depends on the whole memory and on
    all ids up to it.
    """

    shell = "LentTranslator"

    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table = table

    def check_other(self, other: Any, idx: Tensor) -> Tensor | None:
        """What a call may have beside its ids: the memory of as many sequences."""
        if other is None:
            return None
        if not isinstance(other, Tensor) or other.dim() != 3 or not other.is_floating_point():
            raise TypeError("the decoder takes a memory of shape (B, S, E)")
        if other.numel() > IDS or idx.dim() != 2 or len(idx) != len(other):
            raise ValueError("the decoder takes as many sequences of ids as of the memory")
        return other

    def compute(self, idx: Tensor, memory: Tensor | None, training: bool) -> Tensor:  # noqa: ARG002
        """The memory (B, S, E) for a source (B, S); with a memory, logits (B, T, V) for ids (B, T)."""
        if memory is None:
            self.encoded += len(idx)
            return memory_of(idx)
        return logits_after(self.table, idx, memory)


class RecallModel(ModelAnswers):
    """Recalls the first id of a sequence, for the first `right[T]` sequences of each length T.

    For the others, and in training mode, it answers in turn the symbol after it (from 1 to `symbols`) and the
    id before it. Its answer stands at the last position. At all others the blank, 0, is the likeliest, but
    for two of three that it does not recall, where the symbol is. It keeps what it was asked.
    """

    def __init__(self, symbols: int, right: Mapping[int, int]) -> None:
        super().__init__()
        self.symbols, self.right = symbols, dict(right)
        self.seen: dict[int, int] = {}
        self.kept = 0

    def compute(self, idx: Tensor, targets: Tensor | None, training: bool) -> Tensor:  # noqa: ARG002
        """Logits (B, T, symbols + 2) for ids (B, T)."""
        ids = idx if idx.dim() == 2 else idx[None]
        length, before = ids.shape[1], self.seen.get(ids.shape[1], 0)
        self.seen[length] = before + len(ids)
        self.kept += ids.numel()
        if self.kept <= IDS:
            self.asked.append(ids)
        number, first = before + torch.arange(len(ids)), ids[:, 0]
        recalls = (number < self.right.get(length, 0)) & (not training)
        wrong = torch.where(number % 2 == 0, first % self.symbols + 1, first - 1)
        elsewhere = torch.where(recalls | (number % 3 == 0), 0, first)
        said = elsewhere[:, None].repeat(1, length)
        said[:, -1] = torch.where(recalls, first, wrong)
        answer = 3.0 * nn.functional.one_hot(said.clamp(0, self.symbols + 1), self.symbols + 2)
        return answer if idx.dim() == 2 else answer[0]


KINDS = {kind.__name__: kind for kind in (TableModel, ScriptedLossModel, TranslationModel, RecallModel)}


class LentModels:
    """The models that one candidate was lent; it answers what they ask from the box."""

    def __init__(self) -> None:
        self._models: dict[int, ModelAnswers] = {}

    def lend(self, kind: str, config: Mapping[str, Any]) -> tuple[int, ModelAnswers]:
        """A new model, with the number under which it is asked for."""
        number = len(self._models)
        self._models[number] = KINDS[kind](**config)
        return number, self._models[number]

    def answer(self, question: str, value: Any) -> list[Any]:
        """Whether an untrusted question has an answer, and the answer, or an error's type and text.

        Never raises.
        """
        try:
            return [True, self._answer(question, value)]
        except Exception as error:  # ours or torch's, about ids that student code chose
            return [False, [type(error).__name__, str(error)[:300]]]

    def _answer(self, question: str, value: Any) -> Tensor:
        if question != QUESTION or type(value) is not list or len(value) != 5:
            raise Refused(question)
        number, idx, other, training, tracked = value
        model = self._models.get(number) if type(number) is int else None
        if model is None or type(training) is not bool or type(tracked) is not bool:
            raise Refused(question)
        if model.calls >= CALLS:
            raise Refused("too many calls")
        return model.answer(_check_ids(idx), model.check_other(other, idx), training, tracked)


def _check_ids(idx: Any) -> Tensor:
    """Ids that are no more than a call may have: the host pays for what it computes from them."""
    if not isinstance(idx, Tensor):
        raise TypeError("the model takes ids as a tensor")
    if idx.dim() > 2 or idx.numel() > IDS:
        raise ValueError("the model takes ids of shape (B, T)")
    return idx


def _check_targets(targets: Any, idx: Tensor) -> Tensor | None:
    if targets is None:
        return None
    _check_ids(targets)
    if targets.shape != idx.shape and torch.broadcast_shapes(targets.shape, idx.shape).numel() > IDS:
        raise ValueError("the model takes targets of the shape of its ids")
    return targets  # type: ignore[no-any-return]


def make_local(kind: str, config: dict[str, Any]) -> tuple[Lent, ModelAnswers]:
    """One of the models in this process, for code of ours (references and known mistakes)."""
    models = LentModels()
    number, answers = models.lend(kind, config)
    return SHELLS[answers.shell](number, models.answer, answers.words, answers.pair), answers


def logits(table: Tensor, idx: Tensor) -> Tensor:
    """The logits (B, T, V) that a `TableModel` with this table gives for ids (B, T)."""
    place = torch.arange(1, idx.shape[1] + 1)
    states: Tensor = table[((idx * place).cumsum(1) + place) % len(table)]
    return states


def memory_of(src: Tensor) -> Tensor:
    """The memory (B, S, E) that a `TranslationModel` makes of ids (B, S): whole numbers, as floats."""
    place = torch.arange(1, src.shape[1] + 1)
    return torch.stack([(src + 1) * place % 11, (src + 3) * place % 7], dim=-1).float()


def logits_after(table: Tensor, idx: Tensor, memory: Tensor) -> Tensor:
    """The logits (B, T, V) that a `TranslationModel` with this table gives for ids (B, T) and a memory."""
    place = torch.arange(1, idx.shape[1] + 1)
    seen = memory.nan_to_num(0, 0, 0).clamp(-99, 99).sum((1, 2)).round().long()[:, None]
    states: Tensor = table[((idx * place).cumsum(1) + place + seen) % len(table)]
    return states
