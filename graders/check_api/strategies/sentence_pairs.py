"""Draws for models with an encoder and a decoder, and the reading of their answers.

B batch, Ss length of the source, St length of the target.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.candidate import Called, Candidate, Module
from graders.check_api.compare import require, shaped, tensor
from graders.check_api.properties import first_tensor
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import (
    BATCH,
    FULL,
    LENGTH,
    ids,
    normal,
    seeds,
    several,
    sizes,
    weights,
)
from graders.check_api.strategies.token_ids import moves
from graders.language import tr

WORDS = 2  # the first id that is mostly no padding
TWICE = [0, 0]  # the first sequence, two times: one alone is for another check


@dataclass(frozen=True, eq=False)
class Pairs(Given):
    """Sources (B, Ss), targets (B, St), and a bool mask (B, 1, 1, Ss), True = masked, or none."""

    src: Tensor
    tgt: Tensor
    src_mask: Tensor | None = None
    dtype: torch.dtype = field(default=torch.float32, kw_only=True)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape (B, St, V) of the logits."""
        batch, length = self.tgt.shape
        return batch, length, self.config["tgt_vocab"]


def paired(config: dict[str, int], batch: int, source: int, target: int, seed: int) -> Pairs:
    """Sources and targets of these lengths, without a mask."""
    src = ids(batch, source, vocabulary=config["src_vocab"], seed=seed)
    return Pairs(config, src, ids(batch, target, vocabulary=config["tgt_vocab"], seed=seed + 1), seed=seed)


@st.composite
def pairs(
    draw: st.DrawFn,
    least: int = 2,
    fewest: int = 1,
    layers: int = 2,
    length: int | None = None,
    corner: str = "",
) -> Pairs:
    """A small model with sources and targets, of other lengths than one another.

    `least` is the minimum of both lengths. Layers go from `fewest` to `layers`. The width is even for two
    heads and for three. `length` is the longer length, if given. `corner` names what there is one of alone,
    "batch", "num_heads" or "length" (of the source or of the target); with "full" one is as long as the model
    takes.
    """
    count = 1 if corner == "num_heads" else draw(sizes(2, 3))
    longest = length or draw(sizes(least + 1, 6))
    shorter = 1 if corner == LENGTH else draw(sizes(least, longest - 1))
    vocabulary = draw(sizes(5, 9))
    config = {
        "src_vocab": vocabulary,
        "tgt_vocab": vocabulary + draw(sizes(1, 4)),
        "embed_dim": 12 * draw(sizes(1, 2)),
        "num_heads": count,
        "num_layers": draw(sizes(fewest, layers)),
        "max_len": longest if corner == FULL else longest + draw(sizes(1, 2)),
    }
    source, target = (longest, shorter) if draw(st.booleans()) else (shorter, longest)
    return paired(config, draw(several(alone=corner == BATCH)), source, target, draw(seeds()))


def without_padding(draw: Pairs) -> Pairs:
    """The same without the ids that some models take for padding."""
    src, tgt = (
        WORDS + ids % (draw.config[name] - WORDS)
        for ids, name in ((draw.src, "src_vocab"), (draw.tgt, "tgt_vocab"))
    )
    return replace(draw, src=src, tgt=tgt)


def with_another_last_id(tgt: Tensor, draw: Pairs) -> Tensor:
    """Targets (B, St) `without_padding` with another last id, which is none either."""
    changed = tgt.clone()
    changed[:, -1] = WORDS + (changed[:, -1] + 1 - WORDS) % (draw.config["tgt_vocab"] - WORDS)
    return changed


class Translator:
    """A student's model with random weights; it is called as the module is, and its logits are checked."""

    def __init__(self, candidate: Candidate, draw: Pairs, **changes: Any) -> None:
        """Build the module."""
        self.config = {**draw.config, **changes}
        self.module: Module = candidate.with_random_weights(draw.seed, **self.config)
        self._candidate = candidate
        self._methods: dict[str, Called] = {}

    def __call__(self, *arguments: Tensor | None) -> Tensor:
        """The logits (B, St, V) for sources, targets and perhaps a mask.

        Raises:
            Violation: the answer is of another form.
        """
        tgt = arguments[1]
        assert tgt is not None
        return self.read(self.module(*arguments), tgt)

    def read(self, answer: Any, tgt: Tensor) -> Tensor:
        """The logits in an answer: itself, or its first element.

        Raises:
            Violation: there are none.
        """
        logits = tensor(first_tensor(answer), tr("the logits"))
        shaped(logits, (*tgt.shape, self.config["tgt_vocab"]), tr("the logits"))
        message = tr("the logits should be floats, but their dtype is {dtype}", dtype=logits.dtype)
        require(logits.is_floating_point(), message)
        return logits

    def encode(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """The memory (B, Ss, E).

        Raises:
            Violation: it is no tensor of this shape.
        """
        memory = tensor(first_tensor(self._method("encode")(src, src_mask)), tr("the memory"))
        shaped(memory, (*src.shape, self.config["embed_dim"]), tr("the memory"))
        return memory

    def decode(self, tgt: Tensor, memory: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """The logits (B, St, V) that the decoder gives.

        Raises:
            Violation: the answer is of another form.
        """
        return self.read(self._method("decode")(tgt, memory, src_mask), tgt)

    def _method(self, name: str) -> Called:
        if name not in self._methods:
            self._methods[name] = self._candidate.method_of(self.module, name)
        return self._methods[name]

    def answers_its_input(self, draw: Pairs, before: Tensor | None = None, repeated: bool = False) -> None:
        """Require signs that the model computes: others for other sequences and other weights.

        The module keeps the other weights.

        Args:
            draw: what it is asked.
            before: its logits for that, where they are known.
            repeated: whether two calls were compared already.

        Raises:
            Violation: a sign is missing.
        """
        before = (self(draw.src, draw.tgt) if before is None else before).detach()
        if not repeated:
            again = self(draw.src, draw.tgt)
            require(not moves(before, again), tr("a second call gives another answer"))
        src, tgt = (draw.src + 1) % self.config["src_vocab"], (draw.tgt + 1) % self.config["tgt_vocab"]
        require(moves(before, self(src, tgt)), tr("the output does not depend on {what}", what="src, tgt"))
        frozen = self.module.frozen
        learned = {name: shape for name, shape in self.module.shapes().items() if name not in frozen}
        self.module.load(weights(learned, draw.seed + 1))
        message = tr("other weights give the same output: the layers are not used")
        require(moves(before, self(draw.src, draw.tgt)), message)


def find_shared_layers(candidate: Candidate, draw: Pairs) -> str:
    """The half in which a further layer has no weights of its own: "encode", "decode", or "" for neither.

    The matrices that the last layer adds get other values: both halves should then answer otherwise. Where a
    matrix changes neither, a layer is not used, which is for another check to say.

    Args:
        candidate: the student's class.
        draw: sources and targets of a model with two layers at least.
    """
    translator, fewer = Translator(candidate, draw), {"num_layers": draw.config["num_layers"] - 1}
    known = candidate.construct(**{**draw.config, **fewer}).shapes()
    shapes = translator.module.shapes()
    added = {name: shape for name, shape in shapes.items() if name not in known and len(shape) > 1}
    memory = normal(*draw.src.shape, draw.config["embed_dim"], seed=draw.seed)
    halves: dict[str, Callable[[], Tensor]] = {
        "encode": lambda: translator.encode(draw.src).detach(),
        "decode": lambda: translator.decode(draw.tgt, memory).detach(),
    }
    before = {half: answer() for half, answer in halves.items()}
    translator.module.load(weights(added, draw.seed + 2))
    idle = [half for half, answer in halves.items() if not moves(before[half], answer())]
    if len(idle) != 1 or not added:
        return ""
    [other] = halves.keys() - idle
    for name, shape in added.items():
        last = halves[other]()
        translator.module.load(weights({name: shape}, draw.seed + 3))
        if not moves(last, halves[other]()):
            return ""
    return idle[0]


def source_influences(translator: Translator, draw: Pairs) -> Tensor:
    """Which logits see which positions of the first source, as bools (St, Ss)."""
    src, tgt = _each_changed(draw.src[0], draw.config["src_vocab"]), draw.tgt[:1]
    before = translator(draw.src[TWICE], tgt.repeat(2, 1))
    return _differs(before, translator(src, tgt.repeat(len(src), 1)))


def target_influences(translator: Translator, draw: Pairs) -> Tensor:
    """Which logits see which positions of the first target, as bools (St, St)."""
    src, tgt = draw.src[:1], _each_changed(draw.tgt[0], draw.config["tgt_vocab"])
    before = translator(src.repeat(2, 1), draw.tgt[TWICE])
    return _differs(before, translator(src.repeat(len(tgt), 1), tgt))


def memory_influences(translator: Translator, draw: Pairs) -> Tensor:
    """Which positions of the memory see which positions of the first source, as bools (Ss, Ss)."""
    before = translator.encode(draw.src[TWICE])
    return _differs(before, translator.encode(_each_changed(draw.src[0], draw.config["src_vocab"])))


def looks(translator: Translator, draw: Pairs) -> Tensor:
    """Which logits look at which positions of the memory of the first source, as bools (St, Ss)."""
    memory, tgt = translator.encode(draw.src[TWICE]), draw.tgt[TWICE]
    length, width = memory.shape[1:]
    moved = torch.eye(length)[..., None] * normal(width, seed=draw.seed)
    before = translator.decode(tgt, memory)
    return _differs(before, translator.decode(tgt[:1].repeat(length, 1), memory[:1] + moved))


def _each_changed(words: Tensor, vocabulary: int) -> Tensor:
    """The ids of one sequence, once with another id at each position, (S, S)."""
    length = len(words)
    return (words.repeat(length, 1) + torch.eye(length, dtype=words.dtype)) % vocabulary


def _differs(before: Tensor, after: Tensor) -> Tensor:
    rows = [[moves(before[0, row], one[row]) for one in after] for row in range(before.shape[1])]
    return torch.tensor(rows)
