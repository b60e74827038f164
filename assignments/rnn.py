# %% [markdown] lang="en"
# ## A recurrent network
#
# Before Transformers, a sequence was read one position after the other: a state is carried along, and each
# position changes it. Nothing of the past is seen but what the state has kept.

# %% [markdown] lang="fr"
# ## Un réseau récurrent
#
# Avant les Transformers, une séquence se lisait une position après l'autre : un état passe de l'une à la
# suivante, et chaque position le change. Du passé, on ne voit que ce que l'état a gardé.

# %%
import torch
import torch.nn as nn


class RNN(nn.Module):
    """h_t = tanh(W_x x_t + W_h h_(t-1)), for each position t of a sequence, from the first to the last.

    Args:
        input_size: I, the width of the input.
        hidden_size: H, the width of the state.

    W_x is a linear layer from I to H, W_h one from H to H. Both have a bias, as in PyTorch; since the two
    are added, one bias alone is accepted too, and so is one layer that gets x_t and h_(t-1) side by side.

    fr: h_t = tanh(W_x x_t + W_h h_(t-1)), pour chaque position t d'une séquence, de la première à la
    dernière.

    Args:
        input_size: I, la largeur de l'entrée.
        hidden_size: H, la largeur de l'état.

    W_x est une couche linéaire de I vers H, W_h une de H vers H. Les deux ont un biais, comme dans PyTorch ;
    puisqu'ils s'ajoutent, un seul biais est accepté aussi, et de même une seule couche qui reçoit x_t et
    h_(t-1) côte à côte.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, h0=None):
        """Read the sequences of x and return the state after each position, and the last one.

        Args:
            x: shape (B, S, I), S >= 1.
            h0: the state before the first position, shape (B, H); zeros where it is None.

        Returns:
            (outputs, h): outputs has shape (B, S, H), outputs[:, t] is the state after position t; h, shape
            (B, H), is the state after the last position.

        fr: Lit les séquences de x et renvoie l'état après chaque position, et le dernier.

        Args:
            x: de forme (B, S, I), S >= 1.
            h0: l'état avant la première position, de forme (B, H) ; des zéros s'il vaut None.

        Returns:
            (sorties, h) : sorties est de forme (B, S, H), sorties[ :, t] est l'état après la position t ;
            h, de forme (B, H), est l'état après la dernière position.
        """
        raise NotImplementedError
