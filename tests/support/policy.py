"""Texts of students that are right, for tests that change one thing in them, and what a result says of it."""

from collections.abc import Callable

from graders.results.result import Outcome, Result

Grade = Callable[[str, str], Result]  # an exercise and a text give a result

ATTENTION = """
    import math, torch
    import torch.nn as nn
    import torch.nn.functional as F

    def scaled_dot_product_attention(Q, K, V, mask=None):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        return weights @ V, weights

    class MultiHeadAttention(nn.Module):
        def __init__(self, embed_dim, num_heads):
            super().__init__()
            assert embed_dim % num_heads == 0
            self.num_heads = num_heads
            self.W_q = nn.Linear(embed_dim, embed_dim)
            self.W_k = nn.Linear(embed_dim, embed_dim)
            self.W_v = nn.Linear(embed_dim, embed_dim)
            self.W_o = nn.Linear(embed_dim, embed_dim)

        def heads(self, x):
            return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

        def forward(self, x, mask=None):
            Q, K, V = self.heads(self.W_q(x)), self.heads(self.W_k(x)), self.heads(self.W_v(x))
            output, weights = scaled_dot_product_attention(Q, K, V, mask)
            output = self.W_o(output.transpose(1, 2).flatten(2))
            return output, weights
"""
FEED_FORWARD = """
    class FeedForward(nn.Module):
        def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
            super().__init__()
            ff_dim = ff_dim or 4 * embed_dim
            self.linear1, self.linear2 = nn.Linear(embed_dim, ff_dim), nn.Linear(ff_dim, embed_dim)
            self.dropout = nn.Dropout(dropout)

        def forward(self, x):
            return self.linear2(self.dropout(F.gelu(self.linear1(x))))
"""
BLOCK = f"""{ATTENTION}{FEED_FORWARD}
    class TransformerBlock(nn.Module):
        def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
            super().__init__()
            self.attention = MultiHeadAttention(embed_dim, num_heads)
            self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
            self.norm1 = nn.LayerNorm(embed_dim, eps=1e-5)
            self.norm2 = nn.LayerNorm(embed_dim, eps=1e-5)

        def forward(self, x, mask=None):
            x = x + self.attention(self.norm1(x), mask)[0]
            return x + self.feed_forward(self.norm2(x))
"""
NETWORK = f"""
    import torch, torch.nn as nn, torch.nn.functional as F
{FEED_FORWARD}"""
MASK = "import torch\ndef causal_mask(seq_len):\n    return "

# The check that compares with the reference, under the same weights: it fails if any number differs.
EQUALITY = {"computes_what_the_reference_computes"}
MASKED = {"obeys_masks_of_every_shape", "ignores_what_is_masked", "does_not_look_ahead"}


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def failing(result: Result) -> dict[str, str | None]:
    """The checks that cost points, with their messages."""
    return {f.check: f.message for f in result.exercises[0].findings if f.outcome is not Outcome.PASSED}


def remarks(result: Result) -> str:
    sentences = [remark.says for remark in result.remarks]
    return "\n".join([*sentences, *(f.message or "" for f in result.exercises[0].findings)])


def mistakes(result: Result) -> set[str]:
    return {f.mistake.name for f in result.exercises[0].findings if f.mistake}


def whole(result: Result) -> bool:
    [exercise] = result.exercises
    return exercise.outcome is Outcome.PASSED and exercise.points == exercise.max_points
