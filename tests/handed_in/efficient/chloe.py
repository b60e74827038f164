"""Rien de fait."""

# %% [markdown]
# # Efficient attention: windows, hashes and what they cost
#
# Replace each `raise NotImplementedError` by your code. Keep the names and the arguments; you may add functions and
# classes of your own. Only the definitions that an exercise needs are graded: experiments, plots and
# training loops may stay in the notebook.
#
# **Before you start**, once, in a terminal in this folder: `pip install -r requirements.txt`.
#
# **Check your work** as often as you like. In the notebook, run the next cell once, and after each exercise its cell
# `%check`: it says what is correct and, where something is not, shows the smallest case. In a terminal,
# `softmark check efficient.ipynb` does the same for all exercises, and `softmark check efficient.py` for the module.
#
# **Hand in** as `README.md` says.

# %% [markdown]
# ## The local mask
#
# Full attention compares each position with every other: the matrix of scores is square, and long texts make
# it huge. Often the neighbours are enough. Longformer's local attention shows each position a window around
# itself.

# %%
def local_mask(seq_len, window):
    """Which positions each position must not see: all that are more than `window` away.

    Args:
        seq_len: S, the number of positions.
        window: the number of positions that are seen on EACH side. With 2, a position sees the two to its
            left, the two to its right, and itself; with 0, itself alone. The window ends where the sequence
            ends.

    Returns:
        a bool tensor of shape (S, S), True = masked: row i says which positions position i must not see.
    """
    raise NotImplementedError

# %% [markdown]
# ## Global tokens
#
# With windows alone, the ends of a long text never meet. Longformer lets some tokens chosen in advance see
# all others, and all others see them: the question of a reader, say, or the first token that stands for the
# whole text.

# %%
def global_mask(local, is_global):
    """The local mask with global tokens: they see all positions, and all positions see them.

    Args:
        local: bool of shape (S, S), True = masked: row i says which positions position i must not see.
        is_global: bool of shape (B, S), True = a global token. Each sequence has its own, or none.

    Returns:
        a bool tensor of shape (B, S, S), True = masked: what `local` masks, unless the query or the key is
        global.
    """
    raise NotImplementedError

# %% [markdown]
# ## Attention that is really local
#
# A mask over the S x S scores gives the right values and saves nothing.

# %%
def local_attention(Q, K, V, window):
    """Attend from each position to those at most `window` away, and build no S x S matrix.

    Memory and time grow as S, not as S * S.
    """
    raise NotImplementedError

# %% [markdown]
# ## How far a stack of windows sees
#
# One layer sees its window alone. But what it sees has seen windows of its own in the layer below.

# %%
def receptive_field(layers, window):
    """How many positions of the input a position of the last layer depends on, far from both ends.

    Args:
        layers: the number of layers of local attention, one upon the other; 0 is the input itself.
        window: the number of positions that each layer sees on EACH side of a position, beside the position
            itself.

    Returns:
        an int. The position itself counts: receptive_field(1, 2) is 5.
    """
    raise NotImplementedError

# %% [markdown]
# ## Hashing into buckets
#
# In a softmax only the largest scores count. Reformer looks for them by a hash that puts vectors of nearly
# one direction into one bucket: random directions are drawn, and a vector goes to the one with which its
# product is largest. A single hash may separate neighbours, so there are several rounds, each with directions
# of its own.

# %%
def lsh_buckets(x, rotations):
    """The bucket of each vector in each round: the index of its largest product with a direction.

    In a round, a vector x is multiplied by the n / 2 directions R of that round, and [xR, -xR] has n entries:
    the products first, then their opposites. The bucket is the index of the largest one. So that buckets of
    different rounds have different numbers, those of round r are r * n up to r * n + n - 1; the first round
    is 0.

    Args:
        x: (..., S, D), a vector for each position, with any number of leading axes. No vector is zero.
        rotations: (D, n_rounds, n / 2), the directions, drawn before: here nothing is random.

    Returns:
        an int64 tensor of shape (..., n_rounds, S).
    """
    raise NotImplementedError

# %% [markdown]
# ## Attention within buckets
#
# Reformer compares a query with the keys of its own bucket alone. Queries and keys are the same vectors, so
# that both fall into the same buckets; keys are then brought to length 1. A vector is most like itself, which
# would hide all others: it is left out where anything else is seen.

# %%
def lsh_attention(qk, v, buckets, causal=False):
    """Attention of each position to those of its bucket, in one or several rounds.

    The queries are qk, the keys are qk divided by its length: k_j = qk_j / |qk_j|. The score of a query i and
    a key j is their product q_i . k_j; it is not divided by sqrt(D). In a round, a query sees the keys whose
    bucket is its own, but not itself, and with `causal` only those before it. The weights of a round are the
    softmax of the scores of what is seen in it.

    The rounds are averaged with weights that sum to 1 and are proportional to exp(logsumexp(scores)) of each
    round, as in Reformer: a round counts as much as it has found, and one in which nothing is seen does not
    count. This is one softmax over all that is seen in all rounds, in which a key that is seen in two rounds
    stands twice.

    A query that sees no other key in any round sees itself: its output is its own value.

    Args:
        qk: (..., S, D), queries and keys at once, with any number of leading axes. No vector is zero.
        v: (..., S, Dv), the values.
        buckets: int64 of shape (..., n_rounds, S), the bucket of each position in each round. Numbers are
            compared within a round alone.
        causal: whether a query sees earlier positions only.

    Returns:
        the output, (..., S, Dv).
    """
    raise NotImplementedError

# %% [markdown]
# ## Axial positions
#
# A table with a vector for each position is huge for a long text. Reformer lays the positions out on a grid,
# and learns a small table for the rows of the grid and another for its columns.

# %%
import torch
from torch import nn


class AxialPositions(nn.Module):
    """Learned vectors for l1 * l2 positions, from two tables: E1 with l1 rows, E2 with l2.

    The vector of position j is row j % l1 of E1, followed by row j // l1 of E2. (Libraries may count the
    other way round, with j // l2 for E1 and j % l2 for E2; here it is as the course says.)

    Args:
        l1: the number of rows of E1.
        l2: the number of rows of E2. There are vectors for l1 * l2 positions.
        d1: the width of E1.
        d2: the width of E2. A position's vector is d1 + d2 wide.

    The two tables are its only parameters: l1 * d1 + l2 * d2 numbers, and not l1 * l2 * (d1 + d2).
    """

    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        raise NotImplementedError

    def forward(self, seq_len):
        """The vectors of the first positions.

        Args:
            seq_len: S, an int, l1 * l2 at most; more than that is an error, of any type.

        Returns:
            a tensor of shape (S, d1 + d2), whose row j is the vector of position j.
        """
        raise NotImplementedError

# %% [markdown]
# ## What full attention costs
#
# The matrix of the scores is square. Twice the text takes four times the work, and four times the memory.

# %%
def attention_cost(seq_len, embed_dim, num_heads):
    """What full attention over one sequence costs: two products of matrices, and its scores in memory.

    Two products are counted, for all heads together: Q K^T, and the weights times V. A multiplication counts
    as one operation and an addition as another, so that an (n, k) matrix times a (k, m) one takes 2 * n * k *
    m. Nothing else counts: no projection, no scale, no softmax. There is one sequence, and no mask.

    Args:
        seq_len: S, the number of positions, of queries as of keys.
        embed_dim: E, the width of all heads together.
        num_heads: H; each head has the width D = E / H, for queries, keys and values.

    Returns:
        (flops, bytes), two ints: the operations of both products, and the memory of the scores of all heads,
        (H, S, S), in float32, which takes 4 bytes a number. The weights are not counted beside them.
    """
    raise NotImplementedError
