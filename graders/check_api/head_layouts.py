"""Accepted layouts of a language model's last layer, `lm_head`: tied to the words' table, or with a bias.

Each is as right as a separate layer without bias, and the reference is given the layout that the student's
module has.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from graders.check_api.candidate import Candidate
from graders.check_api.parameter_counts import count_grouped_attention
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.strategies.module_inputs import Tokens
from graders.check_api.variation import Varied
from graders.language import translatable

TIED = translatable("remark: lm_head shares its weights with word_embeddings, which is accepted")
BIASED = translatable("remark: lm_head has a bias, which was not asked for and is accepted")
BOTH = translatable(
    "remark: lm_head shares its weights with word_embeddings, which is accepted; "
    "remark: lm_head has a bias, which was not asked for and is accepted"
)


def _tie(model: Any) -> None:
    model.lm_head.weight = getattr(model, "embeddings", model).word_embeddings.weight


def _bias(model: Any) -> None:
    model.lm_head.bias = nn.Parameter(torch.zeros(model.lm_head.out_features))


def _tie_and_bias(model: Any) -> None:
    _tie(model)
    _bias(model)


@dataclass(frozen=True)
class HeadLayout:
    """An accepted layout of the last layer: how to give it to the reference, and the remark about it."""

    adapt: Callable[[Any], None] | None
    remark: str | None


SEPARATE = HeadLayout(None, None)
TIED_LAYOUT = HeadLayout(_tie, TIED)
HEAD_LAYOUTS = (SEPARATE, TIED_LAYOUT, HeadLayout(_bias, BIASED), HeadLayout(_tie_and_bias, BOTH))


def count_parameters(config: dict[str, int], layout: HeadLayout = SEPARATE, matrices: bool = False) -> int:
    """The number of parameters of a model, or of those in its matrices."""
    words = config["vocab_size"]
    width, in_matrices, in_vectors = (_count_llama if "num_kv_heads" in config else _count_gpt)(config)
    tied, biased = layout.adapt in (_tie, _tie_and_bias), layout.adapt in (_bias, _tie_and_bias)
    in_matrices += words * width * (1 if tied else 2)
    return in_matrices + (0 if matrices else in_vectors + (words if biased else 0))


def _count_gpt(config: dict[str, int]) -> tuple[int, int, int]:
    """The width of a GPT, and the values in its matrices and its vectors beside those of words."""
    width, inner, layers = (config[n] for n in ("hidden_size", "intermediate_size", "num_layers"))
    in_matrices = config["max_position_embeddings"] * width + layers * (4 * width + 2 * inner) * width
    return width, in_matrices, 2 * width + layers * (9 * width + inner)


def _count_llama(config: dict[str, int]) -> tuple[int, int, int]:
    """The same for a Llama: no positions, three layers in a feed-forward network, norms without a shift."""
    width, layers = config["dim"], config["num_layers"]
    attention = count_grouped_attention(width, config["num_heads"], config["num_kv_heads"])
    return width, layers * (attention + 3 * width * config["hidden_dim"]), (2 * layers + 1) * width


def layout_of(candidate: Candidate, config: dict[str, int], **given: int) -> HeadLayout:
    """The layout of the student's last layer, by the number of parameters; SEPARATE where no number fits."""
    parameters = candidate.construct(**(given or config)).parameters().values()
    for alone in (False, True):  # where biases are missing, the matrices alone
        count = sum(p.numel() for p in parameters if p.dim() > 1 or not alone)
        if fitting := [layout for layout in HEAD_LAYOUTS if count_parameters(config, layout, alone) == count]:
            return fitting[0]
    return SEPARATE


@dataclass(frozen=True, eq=False)
class Answers:
    """The reference's answers for each layout of the last layer; each is computed when it is first needed."""

    draw: Tokens
    reference: Any
    compute: Callable[..., ReferenceAnswer]
    kept: dict[HeadLayout, ReferenceAnswer] = field(default_factory=dict)

    def to(self, candidate: Candidate) -> ReferenceAnswer:
        """The answer for the layout that the student's module has."""
        layout = layout_of(candidate, self.draw.config)
        if layout not in self.kept:
            self.kept[layout] = self.compute(self.draw, self.reference, adapt=layout.adapt)
        return self.kept[layout]


def answers(draw: Tokens, reference: Any, with_gradients: bool = False) -> Answers:
    """The reference's answers, and with `with_gradients` its gradients."""
    compute = reference_answer_with_gradients if with_gradients else reference_answer
    return Answers(draw, reference, compute, {SEPARATE: compute(draw, reference)})


def at_layout(candidate: Candidate, answer: Answers | Varied) -> Any:
    """The answer for the layout that the student's module has, from those for all layouts."""
    if isinstance(answer, Varied):
        return Varied(answer.answer.to(candidate), answer.plain.to(candidate))
    return answer.to(candidate)
