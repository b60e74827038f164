# %% [markdown] lang="en"
# ## An LSTM cell
#
# A step of an RNN writes over its whole state. An LSTM has a second state, the cell c, and three gates
# that say what of it is forgotten, what is written and what is shown: while a gate is open, a value can
# stay for long.

# %% [markdown] lang="fr"
# ## Une cellule LSTM
#
# Un pas de RNN récrit tout son état. Un LSTM a un second état, la cellule c, et trois portes qui disent
# ce qui en est oublié, ce qui y est écrit et ce qui en est montré : tant qu'une porte est ouverte, une
# valeur peut y rester longtemps.

# %%
import torch
import torch.nn as nn


class LSTMCell(nn.Module):
    """One step of an LSTM.

        i = sigmoid(W_i x + U_i h)      f = sigmoid(W_f x + U_f h)
        g = tanh(W_g x + U_g h)         o = sigmoid(W_o x + U_o h)
        c' = f * c + i * g              h' = o * tanh(c')

    Args:
        input_size: I, the width of the input.
        hidden_size: H, the width of both states.

    W_i, W_f, W_g, W_o are linear layers from I to H, U_i, U_f, U_g, U_o from H to H. All have a bias;
    since the biases of W and U are added, one of each pair alone is accepted too. Layers may be joined,
    in any order of the gates: PyTorch's order is i, f, g, o.

    fr: Un pas d'un LSTM.

        i = sigmoid(W_i x + U_i h)      f = sigmoid(W_f x + U_f h)
        g = tanh(W_g x + U_g h)         o = sigmoid(W_o x + U_o h)
        c' = f * c + i * g              h' = o * tanh(c')

    Args:
        input_size: I, la largeur de l'entrée.
        hidden_size: H, la largeur des deux états.

    W_i, W_f, W_g, W_o sont des couches linéaires de I vers H, U_i, U_f, U_g, U_o de H vers H. Toutes ont un
    biais ; puisque les biais de W et de U s'ajoutent, un seul de chaque paire est accepté aussi. Les couches
    peuvent être réunies, dans n'importe quel ordre des portes : celui de PyTorch est i, f, g, o.
    """

    def __init__(self, input_size, hidden_size):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, h=None, c=None):
        """Make one step and return both new states.

        Args:
            x: shape (B, I).
            h: what the step before has shown, shape (B, H); zeros where it is None.
            c: the cell before, shape (B, H); zeros where it is None.

        Returns:
            (h', c'): each of shape (B, H).

        fr: Fait un pas et renvoie les deux nouveaux états.

        Args:
            x: de forme (B, I).
            h: ce que le pas précédent a montré, de forme (B, H) ; des zéros s'il vaut None.
            c: la cellule d'avant, de forme (B, H) ; des zéros si elle vaut None.

        Returns:
            (h', c') : chacun de forme (B, H).
        """
        raise NotImplementedError
