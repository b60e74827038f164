"""Draws for language models, and the accepted forms of their answers.

B sequences, T positions, V words. A model returns logits (B, T, V), and with targets the pair (logits, loss).
Two other forms are accepted: a pair whose second element is None where there are no targets, and logits of
shape (B * T, V) with a loss.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from graders.check_api.candidate import Module
from graders.check_api.check import Target, Violation, agree, kind, require, shaped, targets, tensor
from graders.check_api.properties import first_tensor
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import BATCH, ids, lengths, seeds, several, sizes
from graders.language import tr, translatable

PAIR = translatable("remark: a pair comes back also where no targets are given; its first element was judged")
MOVED = (
    1e-5  # relative to the largest value: ten times float32's rounding or more, far below any real influence
)
FLAT = translatable(
    "remark: beside the loss the logits are flattened to (B * T, V); they were judged as (B, T, V)"
)


@dataclass(frozen=True, eq=False)
class Text(Given):
    """Ids (B, T) and the ids (B, T) to predict at each position (`targets`), or None."""

    idx: Tensor
    targets: Tensor | None = None
    dtype: torch.dtype = field(default=torch.float32, kw_only=True)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape (B, T, V) of the logits."""
        batch, length = self.idx.shape
        return batch, length, self.config["vocab_size"]

    @property
    def alone(self) -> list[Any]:
        """The arguments without targets."""
        return [self.idx]

    def normalise(self, answer: Any) -> Any:
        """An answer of an accepted form in the usual form; any other answer unchanged."""
        pair = isinstance(answer, tuple | list) and len(answer) == 2
        if pair and self.targets is None and (answer[1] is None or _one_number(answer[1])):
            return answer[0]
        if pair and self.targets is not None and isinstance(answer[0], Tensor):
            batch, length, words = self.shape
            if tuple(answer[0].shape) == (batch * length, words):
                return answer[0].reshape(self.shape), answer[1]
        return answer


@st.composite
def texts(
    draw: st.DrawFn,
    /,
    targeted: bool | None = False,
    least: int = 2,
    most: int = 6,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
    **config: st.SearchStrategy[Any],
) -> Text:
    """A configuration with `vocab_size`, ids and perhaps targets.

    Args:
        draw: passed by Hypothesis.
        targeted: whether there are targets: always (True), never (False) or sometimes (None).
        least: minimum length.
        most: maximum length.
        dtype: in which everything is compared.
        corner: what there is one of alone: "batch" (sequences) or "length" (positions).
        config: further sizes of the configuration, by name.
    """
    chosen = {"vocab_size": draw(sizes(3, 12)), **{name: draw(value) for name, value in config.items()}}
    length = draw(lengths(least, most, corner))
    count, seed = draw(several(alone=corner == BATCH)), draw(seeds())
    words = ids(count, length, vocabulary=chosen["vocab_size"], seed=seed)
    targeted = draw(st.booleans()) if targeted is None else targeted
    due = ids(count, length, vocabulary=chosen["vocab_size"], seed=seed + 1) if targeted else None
    return Text(chosen, words, due, dtype=dtype, seed=seed)


def logits_of(answer: Any, draw: Text) -> tuple[Tensor, str | None]:
    """The logits (B, T, V) of an answer without targets, and a remark if there is one.

    Raises:
        Violation: the answer has another form.
    """
    normalised = draw.normalise(answer)
    logits = tensor(normalised, tr("the logits"))
    _require_logits(logits, draw)
    return logits, None if normalised is answer else tr(PAIR)


def both_of(answer: Any, draw: Text) -> tuple[Tensor, Tensor, str | None]:
    """The logits (B, T, V) and the loss of an answer with targets, and a remark if there is one.

    Raises:
        Violation: the answer has another form.
    """
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Violation(
            tr(
                "with targets the answer should be the pair (logits, loss), but is {kind}",
                kind=_describe(answer),
            )
        )
    require(
        not (_one_number(answer[0]) and isinstance(answer[1], Tensor) and answer[1].dim() > 1),
        tr("logits and loss are swapped: the logits come first"),
    )
    logits, loss = draw.normalise(answer)
    logits = tensor(logits, tr("the first of the pair, the logits,"))
    _require_logits(logits, draw)
    loss = tensor(loss, tr("the second of the pair, the loss,"))
    shaped(loss, (), tr("the loss"))
    return logits, loss, None if logits is answer[0] else tr(FLAT)


def loss_agrees(loss: Tensor, logits: Tensor, draw: Text) -> None:
    """Require a loss to be the mean cross-entropy, in nats, of the logits in the same answer.

    Raises:
        Violation: it is another number.
    """
    assert draw.targets is not None
    agree(loss, due(logits, draw.targets), value_name=tr("the loss"))


def due(logits: Tensor, next_ids: Tensor) -> Target:
    """A target for the mean cross-entropy, in nats, of logits (B, T, V) for the next ids (B, T)."""

    def compute(scores: Tensor) -> list[Tensor]:
        return [functional.cross_entropy(scores.flatten(0, 1), next_ids.flatten())]

    [target] = targets(compute, [logits.detach()])
    return target


def moves(before: Tensor, after: Tensor) -> bool:
    """Whether two answers differ by more than rounding, not counting NaN."""
    return bool((_difference(before, after) > MOVED * _scale(before)).any())


def influences(module: Module, words: Tensor, vocabulary: int) -> Tensor:
    """Which positions see which, as bools (T, T): whether the logits at position t change with the id at s.

    Args:
        module: a language model.
        words: the ids of one sequence, (T).
        vocabulary: V.
    """
    length = len(words)
    changed = words.repeat(length, 1)
    changed += torch.eye(length, dtype=words.dtype)
    before = logits_for(module, words.repeat(2, 1), vocabulary)[:1]  # one alone is for another check
    after = logits_for(module, changed % vocabulary, vocabulary)
    return (_difference(before, after) > MOVED * _scale(before)).any(-1).T


def logits_for(module: Module, words: Tensor, vocabulary: int) -> Tensor:
    """The logits (B, T, V) for ids (B, T).

    Raises:
        Violation: the output has another shape, or is not of floats.
    """
    logits = tensor(first_tensor(module(words)), tr("the logits"))
    if tuple(logits.shape) != (*words.shape, vocabulary) or not logits.is_floating_point():
        raise Violation(tr("these are no logits"))
    return logits


def are_probabilities(logits: Tensor) -> bool:
    """Whether the logits are probabilities: none is below 0, and their sum is 1."""
    sums = logits.sum(-1)
    return bool((logits >= 0).all()) and torch.allclose(sums, torch.ones_like(sums), atol=1e-3)


def _require_logits(logits: Tensor, draw: Text) -> None:
    shaped(logits, draw.shape, tr("the logits"))
    require(
        logits.is_floating_point(),
        tr("the logits should be floats, but their dtype is {dtype}", dtype=logits.dtype),
    )


def _one_number(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dim() == 0


def _describe(answer: Any) -> str:
    """A description of an answer that should be a pair."""
    return tr("one tensor") if isinstance(answer, Tensor) else kind(answer)


def _difference(before: Tensor, after: Tensor) -> Tensor:
    return (after.detach().double() - before.detach().double()).abs()


def _scale(before: Tensor) -> float:
    return max(1.0, float(before.detach().nan_to_num(0.0, 0.0, 0.0).abs().max()))
