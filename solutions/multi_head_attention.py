"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.concat_heads import concat_heads, concat_heads__interleaved, concat_heads__without_transpose
from solutions.scaled_dot_product_attention import (
    scaled_dot_product_attention,
    scaled_dot_product_attention__mask_after_softmax,
    scaled_dot_product_attention__mask_inverted,
    scaled_dot_product_attention__softmax_over_queries,
    scaled_dot_product_attention__unscaled,
)
from solutions.split_heads import split_heads, split_heads__strided, split_heads__without_transpose


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} is not divisible by num_heads {num_heads}")
        self.num_heads = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention(Q, K, V, mask)

    def split(self, x):
        return split_heads(x, self.num_heads)

    def join(self, x):
        return concat_heads(x)

    def forward(self, x, mask=None):
        Q, K, V = (self.split(layer(x)) for layer in (self.W_q, self.W_k, self.W_v))  # (B, H, S, D) each
        output, weights = self.attend(Q, K, V, mask)
        return self.W_o(self.join(output)), weights


class MultiHeadAttention__unscaled(MultiHeadAttention):
    """The scores are not scaled; look at what they should be divided by before the softmax."""

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention__unscaled(Q, K, V, mask)


class MultiHeadAttention__scaled_by_embed_dim(MultiHeadAttention):
    """The scale is taken from the whole width E; it belongs to the width D of one head."""

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention(Q / math.sqrt(self.num_heads), K, V, mask)


class MultiHeadAttention__softmax_over_queries(MultiHeadAttention):
    """The softmax runs over the queries; each query shares its weight among the keys."""

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention__softmax_over_queries(Q, K, V, mask)


class MultiHeadAttention__softmax_over_heads(MultiHeadAttention):
    """The softmax runs over the heads; each query shares its weight among the keys."""

    def attend(self, Q, K, V, mask):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = scores.softmax(1)
        return weights @ V, weights


class MultiHeadAttention__mask_inverted(MultiHeadAttention):
    """The mask is read the other way round: True means masked."""

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention__mask_inverted(Q, K, V, mask)


class MultiHeadAttention__mask_ignored(MultiHeadAttention):
    """The mask has no effect."""

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention(Q, K, V)


class MultiHeadAttention__mask_after_softmax(MultiHeadAttention):
    """The mask acts after the softmax, so that the weights no longer sum to one."""

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention__mask_after_softmax(Q, K, V, mask)


class MultiHeadAttention__mask_on_queries(MultiHeadAttention):
    """The mask is applied to rows instead of columns: it hides queries, not keys."""

    def attend(self, Q, K, V, mask):
        if mask is not None and mask.shape[-2] == mask.shape[-1]:
            mask = mask.transpose(-2, -1) & ~torch.eye(mask.shape[-1], dtype=torch.bool)
        return scaled_dot_product_attention(Q, K, V, mask)


class MultiHeadAttention__mask_of_first_head(MultiHeadAttention):
    """The mask only acts in the first head."""

    def attend(self, Q, K, V, mask):
        if mask is not None:
            mask = mask.expand(*Q.shape[:-1], K.shape[-2]).clone()
            mask[:, 1:] = False
        return scaled_dot_product_attention(Q, K, V, mask)


class MultiHeadAttention__joined_without_transpose(MultiHeadAttention):
    """The heads are joined by reading the memory in another shape: positions and heads mix."""

    def join(self, x):
        return concat_heads__without_transpose(x)


class MultiHeadAttention__joined_interleaved(MultiHeadAttention):
    """The columns of the heads are interleaved when they are joined."""

    def join(self, x):
        return concat_heads__interleaved(x)


class MultiHeadAttention__split_without_transpose(MultiHeadAttention):
    """The heads are split by reading the memory in another shape: positions and heads mix."""

    def split(self, x):
        return split_heads__without_transpose(x, self.num_heads)


class MultiHeadAttention__strided_heads(MultiHeadAttention):
    """The heads take every H-th column, consistently when splitting and joining."""

    def split(self, x):
        return split_heads__strided(x, self.num_heads)

    def join(self, x):
        return concat_heads__interleaved(x)


class MultiHeadAttention__one_head(MultiHeadAttention):
    """There is one head of the whole width, whatever num_heads says."""

    def forward(self, x, mask=None):
        heads, self.num_heads = self.num_heads, 1
        if mask is not None and mask.dim() == 4:
            mask = mask[:, :1]
        output, weights = super().forward(x, mask)
        self.num_heads = heads
        return output, weights.expand(-1, heads, -1, -1)


class MultiHeadAttention__without_output_projection(MultiHeadAttention):
    """The joined heads come back without the last projection W_o."""

    def forward(self, x, mask=None):
        Q, K, V = (self.split(layer(x)) for layer in (self.W_q, self.W_k, self.W_v))
        output, weights = self.attend(Q, K, V, mask)
        return self.join(output), weights


class MultiHeadAttention__keys_from_queries(MultiHeadAttention):
    """Queries and keys come from the same projection."""

    def forward(self, x, mask=None):
        Q, K, V = (self.split(layer(x)) for layer in (self.W_q, self.W_q, self.W_v))
        output, weights = self.attend(Q, K, V, mask)
        return self.W_o(self.join(output)), weights


class MultiHeadAttention__values_not_projected(MultiHeadAttention):
    """The values are the input itself, not its projection by W_v."""

    def forward(self, x, mask=None):
        Q, K = (self.split(layer(x)) for layer in (self.W_q, self.W_k))
        output, weights = self.attend(Q, K, self.split(x), mask)
        return self.W_o(self.join(output)), weights


class MultiHeadAttention__keys_and_values_swapped(MultiHeadAttention):
    """Keys and values are mixed up."""

    def forward(self, x, mask=None):
        Q, K, V = (self.split(layer(x)) for layer in (self.W_q, self.W_v, self.W_k))
        output, weights = self.attend(Q, K, V, mask)
        return self.W_o(self.join(output)), weights


class MultiHeadAttention__without_bias(MultiHeadAttention):
    """The linear layers have no bias."""

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        for layer in (self.W_q, self.W_k, self.W_v, self.W_o):
            layer.bias = None


class MultiHeadAttention__in_a_list(MultiHeadAttention):
    """The layers are kept in a plain list, where PyTorch does not find their parameters."""

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.layers = [self.W_q, self.W_k, self.W_v]
        del self.W_q, self.W_k, self.W_v

    def forward(self, x, mask=None):
        output, weights = self.attend(*(self.split(layer(x)) for layer in self.layers), mask)
        return self.W_o(self.join(output)), weights


class MultiHeadAttention__without_weights(MultiHeadAttention):
    """Only the output comes back."""

    def forward(self, x, mask=None):
        return super().forward(x, mask)[0]


class MultiHeadAttention__mean_of_weights(MultiHeadAttention):
    """The weights that come back are averaged over the heads."""

    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights.mean(1)


class MultiHeadAttention__residual(MultiHeadAttention):
    """The input is added to the output; that is the block's work."""

    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return x + output, weights


class MultiHeadAttention__dropout(MultiHeadAttention):
    """Dropout acts in evaluation too."""

    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return nn.functional.dropout(output, 0.1), weights


class MultiHeadAttention__always_causal(MultiHeadAttention):
    """The future is always masked, also when no mask is given."""

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return super().forward(x, mask)


class MultiHeadAttention__accepts_any_width(MultiHeadAttention):
    """A width that the heads do not divide is not refused at construction."""

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, 1)
        self.num_heads = num_heads


class MultiHeadAttention__half_precision(MultiHeadAttention):
    """The attention is computed in half precision."""

    def attend(self, Q, K, V, mask):
        output, weights = scaled_dot_product_attention(Q.bfloat16(), K.bfloat16(), V.bfloat16(), mask)
        return output.to(Q.dtype), weights.to(Q.dtype)


class MultiHeadAttention__detached(MultiHeadAttention):
    """The weights are cut off from the gradients: queries and keys learn nothing."""

    def attend(self, Q, K, V, mask):
        _, weights = scaled_dot_product_attention(Q, K, V, mask)
        return weights.detach() @ V, weights
