"""Draws for language models, and what they may answer with.

B sequences, T positions, V words. A model gives logits (B, T, V), and with targets the pair (logits, loss).
Two habits are as right: a pair whose second element is None where there are no targets, and logits of shape
(B * T, V) beside a loss.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from graders.check_api.check import Module, Target, Violation, agree, kind, require, shaped, targets, tensor
from graders.check_api.properties import first_tensor
from graders.check_api.strategies.module_inputs import Given, ids
from graders.check_api.strategies.tensors import seeds, sizes
from graders.language import tr, translatable

PAIR = translatable("remark: a pair comes back also where no targets are given; its first element was judged")
MOVED = 1e-5  # of the greatest value: some ten times float32's rounding, far below any influence
FLAT = translatable(
    "remark: beside the loss the logits are flattened to (B * T, V); they were judged as (B, T, V)"
)


@dataclass(frozen=True, eq=False)
class Text(Given):
    """Ids (B, T) and the ids (B, T) that are to be predicted at each position, or none."""

    idx: Tensor
    targets: Tensor | None = None
    dtype: torch.dtype = field(default=torch.float32, kw_only=True)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(B, T, V) of the logits."""
        batch, length = self.idx.shape
        return batch, length, self.config["vocab_size"]

    @property
    def alone(self) -> list[Any]:
        """The arguments without targets."""
        return [self.idx]

    def read(self, answer: Any) -> Any:
        """An answer in its plain form, where it has one that is as right; else as it is."""
        pair = isinstance(answer, tuple | list) and len(answer) == 2
        if pair and self.targets is None and (answer[1] is None or _one_number(answer[1])):
            return answer[0]
        if pair and self.targets is not None and isinstance(answer[0], Tensor):
            batch, length, words = self.shape
            if tuple(answer[0].shape) == (batch * length, words):
                return answer[0].reshape(self.shape), answer[1]
        return answer


def following(words: Tensor, config: dict[str, Any], seed: int) -> Text:
    """Ids (B, T + 1) as a draw: each position's target is the id behind it."""
    return Text(config, words[:, :-1].contiguous(), words[:, 1:].contiguous(), seed=seed)


@st.composite
def texts(
    draw: st.DrawFn,
    /,
    targeted: bool | None = False,
    least: int = 1,
    batch: st.SearchStrategy[int] | None = None,
    dtype: torch.dtype = torch.float32,
    **config: st.SearchStrategy[Any],
) -> Text:
    """A configuration with `vocab_size`, ids of any length and perhaps targets.

    Args:
        draw: Hypothesis'.
        targeted: whether there are targets: always (True), never, or at times.
        least: bounds the length from below.
        batch: how many sequences there are.
        dtype: of the whole comparison.
        config: sizes of the configuration, by name; where `block_size` is one, it bounds the length.
    """
    chosen = {"vocab_size": draw(sizes(3, 12)), **{name: draw(value) for name, value in config.items()}}
    length = draw(sizes(least, min(chosen.get("block_size", 6), 6)))
    count, seed = draw(batch or sizes(1, 3)), draw(seeds())
    words = ids(count, length, vocabulary=chosen["vocab_size"], seed=seed)
    targeted = draw(st.booleans()) if targeted is None else targeted
    due = ids(count, length, vocabulary=chosen["vocab_size"], seed=seed + 1) if targeted else None
    return Text(chosen, words, due, dtype=dtype, seed=seed)


def logits_of(answer: Any, draw: Text) -> tuple[Tensor, str | None]:
    """The logits (B, T, V) of an answer without targets, and a remark if there is one.

    Raises:
        Violation: the answer is something else.
    """
    judged = draw.read(answer)
    logits = tensor(judged, tr("the logits"))
    shaped(logits, draw.shape, tr("the logits"))
    return logits, None if judged is answer else tr(PAIR)


def both_of(answer: Any, draw: Text) -> tuple[Tensor, Tensor, str | None]:
    """The logits (B, T, V) and the loss of an answer with targets, and a remark if there is one.

    Raises:
        Violation: the answer is something else.
    """
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Violation(
            tr("with targets the answer should be the pair (logits, loss), but is {kind}", kind=_said(answer))
        )
    require(
        not (_one_number(answer[0]) and isinstance(answer[1], Tensor) and answer[1].dim() > 1),
        tr("logits and loss are swapped: the logits come first"),
    )
    logits, loss = draw.read(answer)
    logits = tensor(logits, tr("the first of the pair, the logits,"))
    shaped(logits, draw.shape, tr("the logits"))
    loss = tensor(loss, tr("the second of the pair, the loss,"))
    shaped(loss, (), tr("the loss"))
    return logits, loss, None if logits is answer[0] else tr(FLAT)


def loss_agrees(loss: Tensor, logits: Tensor, draw: Text) -> None:
    """Require a loss to be the mean cross-entropy, in nats, of the logits that came with it.

    Raises:
        Violation: it is another number.
    """
    assert draw.targets is not None
    agree(loss, due(logits, draw.targets), what=tr("the loss"))


def due(logits: Tensor, following: Tensor) -> Target:
    """The mean cross-entropy of logits (B, T, V), in nats, for the ids (B, T) that follow."""

    def compute(scores: Tensor) -> list[Tensor]:
        return [functional.cross_entropy(scores.flatten(0, 1), following.flatten())]

    [target] = targets(compute, [logits.detach()])
    return target


def moves(before: Tensor, after: Tensor) -> bool:
    """Whether two answers differ by more than rounding; what is no number does not count."""
    return bool((_apart(before, after) > MOVED * _scale(before)).any())


def influences(module: Module, words: Tensor, vocabulary: int) -> Tensor:
    """Who sees whom: whether the logits at position t move with the id at position s, as bools (T, T).

    Args:
        module: gives logits for ids.
        words: ids of one sequence, (T).
        vocabulary: V.
    """
    length = len(words)
    changed = words.repeat(length, 1)
    changed += torch.eye(length, dtype=words.dtype)
    before = logits_for(module, words[None].contiguous(), vocabulary)
    after = logits_for(module, changed % vocabulary, vocabulary)
    return (_apart(before, after) > MOVED * _scale(before)).any(-1).T


def logits_for(module: Module, words: Tensor, vocabulary: int) -> Tensor:
    """The logits (B, T, V) for ids (B, T).

    Raises:
        Violation: there are none.
    """
    logits = tensor(first_tensor(module(words)), tr("the logits"))
    if tuple(logits.shape) != (*words.shape, vocabulary):
        raise Violation(tr("these are no logits"))
    return logits


def probabilities(logits: Tensor) -> bool:
    """Whether what should be scores is none below 0 and sums to 1."""
    sums = logits.sum(-1)
    return bool((logits >= 0).all()) and torch.allclose(sums, torch.ones_like(sums), atol=1e-3)


def _one_number(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dim() == 0


def _said(answer: Any) -> str:
    """What came instead of a pair."""
    return tr("one tensor") if isinstance(answer, Tensor) else kind(answer)


def _apart(before: Tensor, after: Tensor) -> Tensor:
    return (after.detach().double() - before.detach().double()).abs()


def _scale(before: Tensor) -> float:
    return max(1.0, float(before.detach().nan_to_num(0.0, 0.0, 0.0).abs().max()))
