"""Two, three or four mistakes at once are named, in code with parameters of its own; and none in doubt."""

import contextlib
import math

import pytest
import torch
from torch import nn
from torch.nn import functional

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.layouts import LAYOUTS
from graders.candidate.parameter_mapping.mapping import ParameterMapping, ParameterRule, Undecidable
from graders.check_api.check import Violation
from graders.course.reference import reference
from graders.diagnosis.other_mappings import with_usual_fused_layers
from graders.diagnosis.stages import stages_of
from graders.judging.draws import Draws
from tests.diagnosis.test_by_values import Attention, taking
from tests.diagnosis.test_diagnose import EXERCISES
from tests.support.at_night import at_night


def named(draws: Draws, exercise: str, symbol: type) -> set[str]:
    """The mistakes in the only explanation; nothing where there is none."""
    known_mistakes = draws.known_mistakes(EXERCISES[exercise])
    assert known_mistakes is not None
    mapping_draws = draws.mapping_draws(EXERCISES[exercise])
    candidate = LocalCandidate(symbol, lambda: mapping_draws)
    with contextlib.suppress(Violation, Undecidable):  # its parameters do not fit
        candidate.with_reference_weights(mapping_draws[0])
    found = known_mistakes.identify(candidate)
    assert len(found) < 2
    return {mistake.name.partition("__")[2] for explanation in found for mistake in explanation}


class CausalOfAllColumns(Attention):
    """As in many tutorials: always causal, scaled by the whole width, and no other mask is looked at."""

    def scale(self, scores, width):
        return scores / math.sqrt(width * self.heads)

    def hide(self, scores, mask):
        length = scores.shape[-1]
        return scores.masked_fill(torch.ones(length, length, dtype=torch.bool).triu(1), -math.inf)


class ActivatedAndNormed(Attention):
    def split(self, x):
        return (torch.relu(projected) for projected in super().split(x))

    def forward(self, x, mask=None):
        return functional.layer_norm(x + super().forward(x, mask), x.shape[-1:])


class JoinedWithAnotherMask(Attention):
    """It mixes positions, so that no hidden position can show which sense its mask has."""

    def hide(self, scores, mask):
        return scores if mask is None else scores.masked_fill(mask == 0, -1e9)

    def join(self, x):
        return x.reshape(x.shape[0], x.shape[2], -1)


class UnheardAndUnscaled(Attention):
    """One known mistake beside one that nobody here has thought of."""

    def scale(self, scores, width):
        return torch.tanh(scores)


@pytest.mark.parametrize(
    ("made", "names"),
    [
        (CausalOfAllColumns, {"always_causal", "scaled_by_embed_dim", "mask_ignored"}),
        (ActivatedAndNormed, {"activated_projections", "residual_and_norm"}),
        (JoinedWithAnotherMask, {"joined_without_transpose", "mask_inverted"}),
        (UnheardAndUnscaled, set()),
    ],
)
def test_several_mistakes_of_an_attention_are_named(made: type, names: set[str], draws: Draws):
    assert named(draws, "multi_head_attention", taking(made)) == names


class OneLayerForAll(nn.Module):
    """One layer for queries, keys and values, unscaled."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads = num_heads
        self.layer, self.last = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        heads = self.layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = heads @ heads.mT
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        return self.last((scores.softmax(-1) @ heads).transpose(1, 2).flatten(2))


class WithoutLastLayer(Attention):
    def __init__(self, width, heads):
        super().__init__(width, heads)
        del self.proj

    def forward(self, x, mask=None):
        q, k, v = self.split(x)
        return self.join(self.hide(q @ k.mT / math.sqrt(q.shape[-1]), mask).softmax(-1) @ v)


class GainOfHeads(nn.Module):
    """A norm without a mean, with a gain for each head that does not begin with ones."""

    def __init__(self, heads, width):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((heads, 1, width), 0.5))

    def forward(self, x):
        return functional.normalize(x, dim=-1) * math.sqrt(x.shape[-1]) * self.gamma


class WithNormedHeads(Attention):
    def __init__(self, width, heads):
        super().__init__(width, heads)
        self.of_queries, self.of_keys = (GainOfHeads(heads, width // heads) for _ in range(2))

    def split(self, x):
        q, k, v = super().split(x)
        return self.of_queries(q), self.of_keys(k), v

    def scale(self, scores, width):
        return scores


@pytest.mark.parametrize(
    ("made", "names"),
    [
        (OneLayerForAll, {"shared_projection", "unscaled"}),
        (taking(WithoutLastLayer), {"without_output_projection"}),
        (taking(WithNormedHeads), {"normalises_queries_and_keys", "unscaled"}),
    ],
)
def test_mistakes_with_other_parameters_than_the_reference_are_named(
    made: type, names: set[str], draws: Draws
):
    assert named(draws, "multi_head_attention", made) == names


class MadeAtEachCall(WithoutLastLayer):
    """Random weights in float32, and the scores as they are."""

    def forward(self, x, mask=None):
        q, k, v = self.split(x)
        last = nn.Linear(x.shape[-1], x.shape[-1])
        return last(self.join(self.hide(q @ k.mT, mask).softmax(-1) @ v))


class DroppedAndUnscaled(Attention):
    """Dropout that is always on, where ours is, and the scores as they are."""

    def scale(self, scores, width):
        return scores

    def share(self, scores):
        return scores.softmax(-1)

    def forward(self, x, mask=None):
        return functional.dropout(super().forward(x, mask), 0.1)


class DroppedElsewhere(DroppedAndUnscaled):
    def forward(self, x, mask=None):
        return Attention.forward(self, functional.dropout(x, 0.1), mask)


@pytest.mark.parametrize(
    ("made", "names"),
    [
        at_night(MadeAtEachCall, {"output_layer_made_in_forward", "unscaled"}),
        (DroppedAndUnscaled, {"dropout", "unscaled"}),
        (DroppedElsewhere, set()),
    ],
)
def test_mistakes_are_named_in_code_that_is_random(made: type, names: set[str], draws: Draws):
    assert named(draws, "multi_head_attention", taking(made)) == names


class Block(nn.Module):
    """Norms behind the sums, one SiLU, and eps as in none of ours; biases and names of its own."""

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        inner = ff_dim or 4 * embed_dim
        self.n1, self.n2 = nn.LayerNorm(embed_dim, eps=1e-6), nn.LayerNorm(embed_dim, eps=1e-6)
        self.mix = Attention(embed_dim, num_heads)
        self.a, self.b = nn.Linear(embed_dim, inner), nn.Linear(inner, embed_dim)

    def forward(self, x, mask=None):
        x = self.n1(x + self.mix(x, mask))
        return self.n2(x + self.b(functional.silu(self.a(x))))


def test_mistakes_of_a_whole_and_of_its_part_are_named_together(draws: Draws):
    assert named(draws, "transformer_block", Block) == {"post_norm", "silu"}


class BatchNotFirst(Block):
    """Of its two mistakes the one in the attention runs along the batch; float64 is refused."""

    def forward(self, x, mask=None):
        x = x + functional.linear(x, torch.zeros(x.shape[-1], x.shape[-1]))
        x = self.n1(x + self.mix(x.transpose(0, 1)).transpose(0, 1))
        return self.n2(x + self.b(functional.gelu(self.a(x))))


@pytest.mark.nightly  # at each push one mistake is, in test_by_values.py
def test_several_mistakes_are_named_where_float64_is_refused(draws: Draws):
    assert named(draws, "transformer_block", BatchNotFirst) >= {"post_norm", "batch_not_first"}


class LayerWithFusedHeads(nn.Module):
    """Queries, keys and values in one layer, head by head; joined without a transpose, and ReLU."""

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.heads = num_heads
        self.qkv = nn.Linear(hidden_size, 3 * hidden_size, bias=False)
        self.last = nn.Linear(hidden_size, hidden_size, bias=False)
        self.up, self.down = (
            nn.Linear(hidden_size, intermediate_size),
            nn.Linear(intermediate_size, hidden_size),
        )
        self.n1, self.n2 = nn.LayerNorm(hidden_size), nn.LayerNorm(hidden_size)

    def forward(self, x, attention_mask=None):
        q, k, v = self.qkv(x).unflatten(-1, (self.heads, -1)).transpose(1, 2).chunk(3, -1)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = scores if attention_mask is None else scores + attention_mask
        x = self.n1(x + self.last((scores.softmax(-1) @ v).reshape(x.shape)))
        return self.n2(x + self.down(functional.relu(self.up(x))))


def test_the_order_in_a_fused_layer_is_tried_where_gradients_tell_another():
    # Under one seed of four no order is found, and nothing is named.
    tried = [named(Draws(seed), "bert_layer", LayerWithFusedHeads) for seed in (1, 2)]
    assert {frozenset(names) for names in tried if names} == {frozenset({"relu", "joined_without_transpose"})}


def test_parameters_of_the_module_itself_are_in_no_fused_layer():
    rules = tuple(ParameterRule(name, (name,), LAYOUTS[1][0]) for name in ("E1", "E2"))
    assert [*with_usual_fused_layers(ParameterMapping(rules))] == []


def test_masked_draws_come_last_and_those_with_least_to_see_first():
    draws = EXERCISES["transformer_block"].diagnostic_draws(1)
    block = reference("transformer_block", "TransformerBlock")(**draws[0].config)
    stages = stages_of(draws, {name: tuple(value.shape) for name, value in block.named_parameters()})
    assert "attention.W_o.weight" in stages[0].silenced
    assert "feed_forward.linear2.weight" in stages[0].silenced
    masked = [stage.masked for stage in stages]
    assert masked == sorted(masked)
    assert any(masked)
