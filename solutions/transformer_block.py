"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

from solutions.feed_forward import FeedForward
from solutions.multi_head_attention import MultiHeadAttention


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
        self.norm1 = nn.LayerNorm(embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)
        self.dropout = nn.Dropout(dropout)

    def attend(self, x, mask):
        return self.dropout(self.attention(x, mask)[0])

    def feed(self, x):
        return self.dropout(self.feed_forward(x))

    def forward(self, x, mask=None):
        x = x + self.attend(self.norm1(x), mask)
        return x + self.feed(self.norm2(x))


class TransformerBlock__post_norm(TransformerBlock):
    """The norms stand behind the sums (post-norm); here they belong in front of each part."""

    def forward(self, x, mask=None):
        x = self.norm1(x + self.attend(x, mask))
        return self.norm2(x + self.feed(x))


class TransformerBlock__without_first_norm(TransformerBlock):
    """The attention gets the input without its norm."""

    def forward(self, x, mask=None):
        x = x + self.attend(x, mask)
        return x + self.feed(self.norm2(x))


class TransformerBlock__without_second_norm(TransformerBlock):
    """The feed-forward network gets its input without its norm."""

    def forward(self, x, mask=None):
        x = x + self.attend(self.norm1(x), mask)
        return x + self.feed(x)


class TransformerBlock__shared_norm(TransformerBlock):
    """Both parts use the same norm."""

    def forward(self, x, mask=None):
        x = x + self.attend(self.norm1(x), mask)
        return x + self.feed(self.norm1(x))


class TransformerBlock__without_first_residual(TransformerBlock):
    """The input is not added to the attention's answer."""

    def forward(self, x, mask=None):
        x = self.attend(self.norm1(x), mask)
        return x + self.feed(self.norm2(x))


class TransformerBlock__without_second_residual(TransformerBlock):
    """The feed-forward network's answer is not added to what went into it."""

    def forward(self, x, mask=None):
        x = x + self.attend(self.norm1(x), mask)
        return self.feed(self.norm2(x))


class TransformerBlock__residual_of_the_norm(TransformerBlock):
    """What is added is the normalised input, not the input itself."""

    def forward(self, x, mask=None):
        x = self.norm1(x)
        x = x + self.attend(x, mask)
        return x + self.feed(self.norm2(x))


class TransformerBlock__second_residual_from_the_start(TransformerBlock):
    """The second sum adds the block's input, not what the first sum gave."""

    def forward(self, x, mask=None):
        middle = x + self.attend(self.norm1(x), mask)
        return x + self.feed(self.norm2(middle))


class TransformerBlock__parallel(TransformerBlock):
    """Both parts work on the input side by side, not one after the other."""

    def forward(self, x, mask=None):
        return x + self.attend(self.norm1(x), mask) + self.feed(self.norm2(x))


class TransformerBlock__feed_forward_first(TransformerBlock):
    """The feed-forward network comes before the attention."""

    def forward(self, x, mask=None):
        x = x + self.feed(self.norm2(x))
        return x + self.attend(self.norm1(x), mask)


class TransformerBlock__mask_lost(TransformerBlock):
    """The mask does not reach the attention."""

    def forward(self, x, mask=None):
        return super().forward(x)


class TransformerBlock__norm_over_positions(TransformerBlock):
    """The norm runs over the positions, not over the features of each."""

    def forward(self, x, mask=None):
        normed = nn.functional.layer_norm(x.transpose(1, 2), x.shape[1:2]).transpose(1, 2)
        x = x + self.attend(normed * self.norm1.weight + self.norm1.bias, mask)
        return x + self.feed(self.norm2(x))


class TransformerBlock__unbiased_norm(TransformerBlock):
    """The norm divides by the unbiased standard deviation (n - 1), not by that of the features (n)."""

    def unbiased(self, norm, x):
        centred = x - x.mean(-1, keepdim=True)
        deviation = (centred.square().sum(-1, keepdim=True) / max(x.shape[-1] - 1, 1) + norm.eps).sqrt()
        return centred / deviation * norm.weight + norm.bias

    def forward(self, x, mask=None):
        x = x + self.attend(self.unbiased(self.norm1, x), mask)
        return x + self.feed(self.unbiased(self.norm2, x))


class TransformerBlock__large_eps(TransformerBlock):
    """The norms' eps is 1e-3, far too large for small inputs."""

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm1.eps = self.norm2.eps = 1e-3


class TransformerBlock__returns_weights(TransformerBlock):
    """The block returns the attention weights too; one tensor is due."""

    def forward(self, x, mask=None):
        return super().forward(x, mask), None


class TransformerBlock__dropout_in_evaluation(TransformerBlock):
    """Dropout acts in evaluation too."""

    def attend(self, x, mask):
        return nn.functional.dropout(self.attention(x, mask)[0], self.dropout.p)


class TransformerBlock__without_dropout(TransformerBlock):
    """Dropout never acts."""

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, 0.0)


class TransformerBlock__ff_dim_ignored(TransformerBlock):
    """The inner width is 4 * E, whatever ff_dim says."""

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, None, dropout)


class TransformerBlock__always_causal(TransformerBlock):
    """The future is always masked, also when no mask is given."""

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return super().forward(x, mask)


class TransformerBlock__detached(TransformerBlock):
    """The attention's answer is cut off from the gradients."""

    def attend(self, x, mask):
        return super().attend(x, mask).detach()
