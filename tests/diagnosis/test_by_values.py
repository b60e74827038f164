"""Three harmless deviations at once do not hide one real mistake, and no name is given in doubt."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional

from graders.candidate.local_candidate import LocalCandidate
from graders.course.reference import reference
from graders.judging.draws import Draws
from tests.diagnosis.test_diagnose import EXERCISES, named


class Attention(nn.Module):
    """Right but for this: no biases, dropout on the weights, any width, the output alone, other names."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.proj = nn.Linear(width, width, bias=False)

    def split(self, x):
        return (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))

    def scale(self, scores, width):
        return scores / torch.sqrt(torch.tensor(width, dtype=torch.float32))

    def hide(self, scores, mask):
        return scores if mask is None else scores.masked_fill(mask, -1e9)

    def share(self, scores):
        return functional.dropout(scores.softmax(-1), 0.1, self.training)

    def join(self, x):
        return x.transpose(1, 2).flatten(2)

    def forward(self, x, mask=None):
        q, k, v = self.split(x)
        weights = self.share(self.hide(self.scale(q @ k.mT, q.shape[-1]), mask))
        return self.proj(self.join(weights @ v))


class Unscaled(Attention):
    def scale(self, scores, width):
        return scores


class ScaledByWidth(Attention):
    def scale(self, scores, width):
        return scores / width


class SoftmaxOverQueries(Attention):
    def share(self, scores):
        return functional.dropout(scores.softmax(-2), 0.1, self.training)


class MaskIgnored(Attention):
    def hide(self, scores, mask):
        return scores


class JoinedWithoutTranspose(Attention):
    def join(self, x):
        return x.reshape(x.shape[0], x.shape[2], -1)


class KeysFromQueries(Attention):
    def split(self, x):
        q, _, v = super().split(x)
        return q, q, v


class NotProjectedBack(Attention):
    def forward(self, x, mask=None):
        return nn.functional.linear(super().forward(x, mask), torch.linalg.inv(self.proj.weight))


class Unheard(Attention):
    """A mistake that nobody here has thought of."""

    def scale(self, scores, width):
        return torch.tanh(scores) / width**0.25


def taking(attention: type) -> type:
    """The same class with the arguments of the exercise."""

    class Taking(attention):
        def __init__(self, embed_dim, num_heads):
            super().__init__(embed_dim, num_heads)

    return Taking


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (Unscaled, "MultiHeadAttention__unscaled"),
        (ScaledByWidth, "MultiHeadAttention__scaled_by_head_width"),
        (SoftmaxOverQueries, "MultiHeadAttention__softmax_over_queries"),
        (MaskIgnored, "MultiHeadAttention__mask_ignored"),
        (JoinedWithoutTranspose, "MultiHeadAttention__joined_without_transpose"),
        (KeysFromQueries, "MultiHeadAttention__keys_from_queries"),
        (NotProjectedBack, "MultiHeadAttention__output_projection_unused"),
        (Attention, None),
        (Unheard, None),
    ],
)
def test_harmless_deviations_do_not_hide_a_mistake_of_an_attention(
    made: type, name: str | None, draws: Draws
):
    assert named(draws, "multi_head_attention", taking(made)) == name


class Network(nn.Module):
    """Right but for this: no biases, dropout in other places, a pair as its answer, other names."""

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.up = nn.Linear(embed_dim, ff_dim or 4 * embed_dim, bias=False)
        self.down = nn.Linear(ff_dim or 4 * embed_dim, embed_dim, bias=False)
        self.dropout = nn.Dropout(dropout)

    def activate(self, x):
        return functional.gelu(x, approximate="tanh")

    def forward(self, x):
        return self.dropout(self.down(self.activate(self.dropout(self.up(x))))), None


class Silu(Network):
    def activate(self, x):
        return functional.silu(x)


class TanhInstead(Network):
    def activate(self, x):
        return torch.tanh(x)


class NoActivation(Network):
    def activate(self, x):
        return x


class Residual(Network):
    def forward(self, x):
        return x + super().forward(x)[0], None


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (Silu, "FeedForward__silu"),
        (TanhInstead, "FeedForward__tanh"),
        (NoActivation, "FeedForward__without_activation"),
        (Residual, "FeedForward__residual"),
        (Network, None),
    ],
)
def test_harmless_deviations_do_not_hide_a_mistake_of_a_network(made: type, name: str | None, draws: Draws):
    assert named(draws, "feed_forward", made) == name


def with_a_first_axis(Q, K, V, mask=None):
    """Nothing is scaled; the output alone, with a leading axis too many."""
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    return (scores.softmax(-1) @ V)[None]


def test_a_leading_axis_of_size_1_hides_no_mistake(draws: Draws):
    name = named(draws, "scaled_dot_product_attention", with_a_first_axis)
    assert name == "scaled_dot_product_attention__unscaled"


class BlockInOnePiece(nn.Module):
    """A block with names of its own, without biases, that gives a pair."""

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        inner = ff_dim or 4 * embed_dim
        self.attention = Attention(embed_dim, num_heads)
        self.up = nn.Linear(embed_dim, inner, bias=False)
        self.down = nn.Linear(inner, embed_dim, bias=False)
        self.ln1, self.ln2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.drop = nn.Dropout(dropout)

    def feed(self, x):
        return self.down(self.drop(functional.gelu(self.up(x))))

    def forward(self, x, mask=None):
        x = x + self.attention(self.ln1(x), mask)
        return x + self.feed(self.ln2(x)), None


class BlockWithSilu(BlockInOnePiece):
    def feed(self, x):
        return self.down(self.drop(functional.silu(self.up(x))))


class BlockThatIsUnscaled(BlockInOnePiece):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.attention = Unscaled(embed_dim, num_heads)


class PostNormBlock(BlockInOnePiece):
    def forward(self, x, mask=None):
        x = self.ln1(x + self.attention(x, mask))
        return self.ln2(x + self.feed(x)), None


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (BlockWithSilu, "FeedForward__silu"),
        (BlockThatIsUnscaled, "MultiHeadAttention__unscaled"),
        (PostNormBlock, "TransformerBlock__post_norm"),
        (BlockInOnePiece, None),
    ],
)
def test_a_mistake_of_a_part_is_named_in_the_whole(made: type, name: str | None, draws: Draws):
    assert named(draws, "transformer_block", made) == name


class BlockThatRefusesDouble(BlockWithSilu):
    """A constant of float32 is multiplied in it, which raises in float64."""

    def forward(self, x, mask=None):
        return super().forward(x + functional.linear(x, torch.zeros(x.shape[-1], x.shape[-1])), mask)


def test_a_mistake_of_a_part_is_named_where_float64_is_refused(draws: Draws):
    assert named(draws, "transformer_block", BlockThatRefusesDouble) == "FeedForward__silu"


class LayerMadeInForward(nn.Module):
    """Its last layer is of float32 at every call, and its input of float64 in the diagnostic draws."""

    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.heads = num_heads
        self.q, self.k, self.v = (nn.Linear(hidden_size, hidden_size) for _ in range(3))

    def forward(self, x, attention_mask=None):
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if attention_mask is not None:
            scores = scores + attention_mask
        return nn.Linear(x.shape[-1], x.shape[-1])((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


def test_a_layer_that_is_made_in_forward_is_named(draws: Draws):
    known_mistakes = draws.known_mistakes(EXERCISES["bert_attention"])
    assert known_mistakes is not None
    [[mistake]] = known_mistakes.identify(LocalCandidate(LayerMadeInForward))
    assert mistake.name == "MultiHeadSelfAttention__output_layer_made_in_forward"


@pytest.mark.slow
def test_the_last_position_is_named_with_its_axis_too(draws: Draws):
    model = reference("gpt_model", "SimpleGPTModel")
    made = type("LastOnly", (model,), {"give": lambda _self, logits: (logits[:, [-1]], None)})
    assert named(draws, "gpt_model", made) == "SimpleGPTModel__last_position_only"


class NormWithoutEps(nn.Module):
    """Of public code: no epsilon anywhere, and what divides is detached."""

    def __init__(self, dim):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True).detach()
        deviation = centred.std(-1, keepdim=True, unbiased=False).detach()
        return centred / deviation * self.weight + self.bias


def test_a_mistake_that_needs_another_epsilon_too_gives_way_to_one_that_does_not(draws: Draws):
    assert named(draws, "layer_norm", NormWithoutEps) == "LayerNorm__without_eps"


class NormWithItsOwnEps(nn.Module):
    """A position of zeros stays zeros: it has an epsilon, whatever is asked for."""

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.gamma * centred / (centred.pow(2).mean(-1, keepdim=True) + 1e-11).sqrt() + self.beta


def test_code_that_answers_as_is_due_where_a_mistake_gives_nan_does_not_make_it(draws: Draws):
    assert named(draws, "layer_norm", NormWithItsOwnEps) != "LayerNorm__without_eps"


class OnAGrid(nn.Module):
    """Of public code: the library's order, tables with axes of size 1, and a leading axis in the answer."""

    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.size = l1, l2
        self.rows = nn.Parameter(torch.randn(1, l1, 1, d1))
        self.columns = nn.Parameter(torch.randn(1, 1, l2, d2))

    def forward(self, seq_len):
        assert seq_len <= self.size[0] * self.size[1]
        parts = [table.expand(1, *self.size, -1).flatten(1, 2) for table in (self.rows, self.columns)]
        return torch.cat(parts, -1)[:, :seq_len]


def test_a_leading_axis_and_tables_on_a_grid_hide_no_mistake(draws: Draws):
    assert named(draws, "axial_positions", OnAGrid) == "AxialPositions__other_order"
