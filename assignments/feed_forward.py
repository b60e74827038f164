# %% [markdown]
# ## The feed-forward network
#
# The same two layers for every position by itself.

# %%
import torch.nn as nn


class FeedForward(nn.Module):
    """Two linear layers with an activation between them, applied to each position.

    Args:
        embed_dim: E, the width of the input and of the output.
        ff_dim: F, the width between the layers; 4 * E if it is not given.
        dropout: the rate of the dropout, which acts in training only.

    The layers are called linear1 and linear2; the activation is GELU.
    """

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the network to x, shape (B, S, E), and return the same shape."""
        raise NotImplementedError
