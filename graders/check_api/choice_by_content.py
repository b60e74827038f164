"""Whether a model chooses among ids by what they are: that is what attention does, and no fixed mixing.

Without attention, what earlier ids tell a later one passes a state that is the same whichever id reads it: a
sum, a mean, weights by position, a convolution, the state of a recurrent network. Take the derivatives of all
answers by small changes of the ids that are read, a row for each id that reads and each number of its answer,
a column for each change. The rank of this matrix is at most the width of that state. With attention each
reader weighs the ids anew, and the rank grows with the number of ids.

A small change of an id is another id, whose row in every table of the vocabulary is nearly the same. So the
derivatives are differences of answers that the host has asked for; nothing that the code says counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import torch
from torch import Tensor

from graders.check_api.candidate import Candidate, Raised
from graders.check_api.language_models import LanguageModel
from graders.check_api.properties import first_tensor
from graders.check_api.strategies.sentence_pairs import Pairs, Translator
from graders.check_api.strategies.tensors import normal, weights
from graders.check_api.strategies.token_ids import Text

READ, READERS, CHANGES = 8, 8, 44  # ids that are read, ids that read them, small changes of the former
PADDING = 2  # ids at the beginning of the vocabulary that some models take for padding
VOCABULARY = PADDING + READ + READERS + CHANGES
WIDTH = 8  # of the model
STATE = 4 * WIDTH  # the widest state that is no choice: two for a recurrent network, more for a hidden layer
GAIN = 1.0  # of the weights: with larger ones attention looks at one id alone
STEP = 0.01  # of a change, in ratio to the spread of the table
SEEN = 1e-6  # of the largest derivative: below it, a change is not seen at all
# Attention: 6e-6 to 1e-2 of the largest singular value, and 4 to 250 times what rounding and curvature add. A
# narrow state: 4e-9 at most, or up to 2e-7 where that is less than half of what they add.
LEAST, OVER_NOISE = 3e-7, 3.0

TRIES = 2  # seeds of parameters: under some of them, attention may look at nearly the same ids whoever looks
HEADS = 2

Answer = Callable[[Tensor], Tensor]  # ids (N, READ + 1), the last of which reads, to what it answers (N, R)
Load = Callable[[Mapping[str, Tensor]], Any]


@dataclass(frozen=True)
class _Differences:
    """Half the differences between answers to opposite changes, and what is not linear in them: (Q R, M)."""

    linear: Tensor
    rest: Tensor


def text_with_readers(seed: int) -> Text:
    """A draw for `language_model_chooses`: the same ids in each row, and another one that reads them."""
    config = {
        "vocab_size": VOCABULARY,
        "block_size": READ + 2,
        "n_embd": WIDTH,
        "n_head": HEADS,
        "n_layer": 1,
    }
    return Text(config, _with_readers(), seed=seed)


def pairs_with_readers(seed: int) -> Pairs:
    """A draw for `translator_chooses`: one source in each row, and targets that differ in the last id."""
    sizes = {"src_vocab": VOCABULARY, "tgt_vocab": VOCABULARY, "max_len": READ + 2}
    config = {**sizes, "embed_dim": WIDTH, "num_heads": HEADS, "num_layers": 1}
    targets = _with_readers()
    return Pairs(config, targets[:, :-1].contiguous(), targets, seed=seed)


def language_model_chooses(candidate: Candidate, draw: Text) -> bool | None:
    """Whether which earlier ids count depends on the last one; None where too few of them are seen."""
    model = LanguageModel(candidate, draw)
    return _chooses(model, lambda ids: _kept(first_tensor(model(ids))[:, -1]), draw.seed)


def translator_chooses(candidate: Candidate, draw: Pairs) -> dict[str, Callable[[], bool | None]]:
    """The same for the target and its past, for the target and the source, and within the source, by name.

    The last one needs `encode`.
    """
    translator = Translator(candidate, draw)
    beside = draw.src[0]

    def target(ids: Tensor) -> Tensor:
        return _kept(translator(beside.repeat(len(ids), 1), ids)[:, -1])

    def source(ids: Tensor) -> Tensor:
        return _kept(translator(ids[:, :-1].contiguous(), ids[:, [-1, -1]].contiguous())[:, -1])

    def memory(ids: Tensor) -> Tensor:
        return translator.encode(ids)[:, -1]

    asked = {"target": target, "source": source, "memory": memory}
    return {name: partial(_chooses, translator.module, answer, draw.seed) for name, answer in asked.items()}


class _Loaded(Protocol):
    """A module whose parameters can be set."""

    @property
    def frozen(self) -> frozenset[str]:
        """The names of its parameters that are not learnt."""

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its parameters."""

    def load(self, parameters: Mapping[str, Tensor], dtype: Any = None) -> Any:
        """Set them."""


def _chooses(module: _Loaded, answer: Answer, seed: int) -> bool | None:
    shapes = {name: shape for name, shape in module.shapes().items() if name not in module.frozen}
    found: bool | None = None
    for other in range(seed, seed + TRIES):
        try:
            found = _is_choice(shapes, partial(module.load, dtype=torch.float64), answer, other)
        except Raised:  # in float64, which another check is about
            found = _is_choice(shapes, partial(module.load, dtype=torch.float32), answer, other)
        if found is not False:
            break
    return found


def _is_choice(shapes: Mapping[str, tuple[int, ...]], load: Load, answer: Answer, seed: int) -> bool | None:
    """Whether which ids count depends on the id that reads them; None where too few of them are seen.

    Args:
        shapes: of the parameters that are learnt, of a model with `VOCABULARY` ids and of `WIDTH`.
        load: sets the model's parameters.
        answer: the model's answers.
        seed: of its parameters.
    """
    found = _differences(weights(shapes, seed, gain=GAIN, dtype=torch.float64), load, answer, seed)
    if not (found.linear.isfinite().all() and found.rest.isfinite().all()):
        return None
    sizes = found.linear.norm(dim=0)
    seen = sizes > SEEN * sizes.max()
    if int(seen.sum()) <= STATE:
        return None
    scale = sizes[seen]
    values, noise = (torch.linalg.svdvals(part[:, seen] / scale) for part in (found.linear, found.rest))
    return bool(values[STATE] > max(LEAST * values[0], OVER_NOISE * noise[STATE]))


def _differences(parameters: Mapping[str, Tensor], load: Load, answer: Answer, seed: int) -> _Differences:
    plain = _with_readers()
    changed = plain[:, None].repeat(1, CHANGES, 1)
    changes = torch.arange(CHANGES)
    changed[:, changes, changes % READ] = PADDING + READ + READERS + changes
    effects = []
    for sign in (1, -1):
        load({name: _with_neighbours(value, sign, seed) for name, value in parameters.items()})
        answers = answer(torch.cat([plain, changed.flatten(0, 1)])).double()
        # Another layer may be as wide as the vocabulary, too: what changes for all ids is no effect of one.
        before, after = answers[:READERS, None], answers[READERS:].unflatten(0, (READERS, CHANGES))
        effects.append(after - before)
    parts = (effects[0] - effects[1], effects[0] + effects[1])
    return _Differences(*(part.movedim(1, -1).flatten(0, -2) / (2 * STEP) for part in parts))


def _with_readers() -> Tensor:
    """Ids (READERS, READ + 1): in each row those that are read, then one that reads them."""
    readers = torch.arange(PADDING + READ, PADDING + READ + READERS)
    return torch.cat([(PADDING + torch.arange(READ)).repeat(READERS, 1), readers[:, None]], 1)


def _with_neighbours(table: Tensor, sign: int, seed: int) -> Tensor:
    """A parameter in which, along each axis of the vocabulary, the last ids are near those that are read."""
    for axis, size in enumerate(table.shape):
        if size == VOCABULARY:
            rows = table.movedim(axis, 0).clone()
            near = rows[PADDING + torch.arange(CHANGES) % READ]
            moved = normal(*near.shape, seed=seed, dtype=torch.float64) * float(table.std(correction=0))
            rows[-CHANGES:] = near + sign * STEP * moved
            table = rows.movedim(0, axis)
    return table


def _kept(answers: Tensor) -> Tensor:
    """Logits (N, VOCABULARY) without those of the near ids, whose rows in the last layer change too."""
    return answers[:, :-CHANGES]
