# %% [markdown]
# ## The Transformer block
#
# Attention and the feed-forward network, each behind a layer norm, each added to what went in.

# %%
import torch.nn as nn


class TransformerBlock(nn.Module):
    """One block with the norms in front (pre-norm).

    Args:
        embed_dim: E, the width of the input and of the output.
        num_heads: H, the number of heads.
        ff_dim: the inner width of the feed-forward network; 4 * E if it is not given.
        dropout: the rate of the dropout, which acts in training only.

    Its parts are called attention, feed_forward, norm1 and norm2. With a = attention(norm1(x)):
    first x + a, then the feed-forward network of norm2 of that, added to it again.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, mask=None):
        """Apply the block to x, shape (B, S, E), under a mask as for MultiHeadAttention.

        Returns:
            shape (B, S, E).
        """
        raise NotImplementedError
