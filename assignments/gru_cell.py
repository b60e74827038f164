# %% [markdown] lang="en"
# ## A GRU cell
#
# A GRU does with one state and two gates what an LSTM does with two states and three: one gate says how
# much of the old state stays, the other how much of it the new one may see.

# %% [markdown] lang="fr"
# ## Une cellule GRU
#
# Un GRU fait avec un état et deux portes ce qu'un LSTM fait avec deux états et trois portes : une porte dit
# quelle part de l'ancien état reste, l'autre ce que le nouveau peut en voir.

# %%
import torch
import torch.nn as nn


class GRUCell(nn.Module):
    """One step of a GRU, with the reset gate after the product, as in PyTorch.

        r = sigmoid(W_r x + U_r h)
        z = sigmoid(W_z x + U_z h)
        n = tanh(W_n x + r * (U_n h))
        h' = (1 - z) * n + z * h

    Args:
        input_size: I, the width of the input.
        hidden_size: H, the width of the state.

    W_r, W_z, W_n are linear layers from I to H, U_r, U_z, U_n from H to H. All have a bias; that of U_n is
    multiplied by r as well. Of the biases of W_r and U_r, and of W_z and U_z, one alone is accepted too.
    Layers may be joined, in any order of the gates. Some texts exchange z and 1 - z in the last line:
    that is accepted too. Others multiply h by r before U_n: that is another cell, and not the one that is
    asked for here.

    fr: Un pas d'un GRU, avec la porte de remise à zéro après le produit, comme dans PyTorch.

        r = sigmoid(W_r x + U_r h)
        z = sigmoid(W_z x + U_z h)
        n = tanh(W_n x + r * (U_n h))
        h' = (1 - z) * n + z * h

    Args:
        input_size: I, la largeur de l'entrée.
        hidden_size: H, la largeur de l'état.

    W_r, W_z, W_n sont des couches linéaires de I vers H, U_r, U_z, U_n de H vers H. Toutes ont un biais ;
    celui de U_n est multiplié par r lui aussi. Des biais de W_r et U_r, et de W_z et U_z, un seul est
    accepté aussi. Les couches peuvent être réunies, dans n'importe quel ordre des portes. Certains textes
    échangent z et 1 - z dans la dernière ligne : c'est accepté aussi. D'autres multiplient h par r avant
    U_n : c'est une autre cellule, et non celle qui est demandée ici.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, h=None):
        """Make one step and return the new state.

        Args:
            x: shape (B, I).
            h: the state before, shape (B, H); zeros where it is None.

        Returns:
            h': shape (B, H).

        fr: Fait un pas et renvoie le nouvel état.

        Args:
            x: de forme (B, I).
            h: l'état d'avant, de forme (B, H) ; des zéros s'il vaut None.

        Returns:
            h' : de forme (B, H).
        """
        raise NotImplementedError
