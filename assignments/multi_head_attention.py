# %% [markdown]
# ## Multi-head attention
#
# Several attentions in parallel, each on its own slice of the projected input, joined and projected again.

# %%
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """Self-attention with several heads.

    Args:
        embed_dim: E, the width of the input and of the output.
        num_heads: H, the number of heads; an E that H does not divide is an error at construction.

    The linear layers W_q, W_k, W_v and W_o all have a bias.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, mask=None):
        """Attend from each position of x to all of them.

        Args:
            x: shape (B, S, E).
            mask: None, or a bool tensor that broadcasts to (B, H, S, S); True = masked.

        Returns:
            (output, weights): shapes (B, S, E) and (B, H, S, S).
        """
        raise NotImplementedError
