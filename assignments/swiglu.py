# %% [markdown] lang="en"
# ## SwiGLU
#
# The feed-forward network of Llama has three layers. Two of them widen each position side by side: one makes
# the gate, which goes through SiLU, the other what passes it. Their product goes through the third layer.

# %% [markdown] lang="fr"
# ## SwiGLU
#
# Le réseau feed-forward de Llama a trois couches. Deux d'entre elles élargissent chaque position côte à
# côte : l'une fait la porte, qui passe par SiLU, l'autre ce qui la traverse. Leur produit passe par la
# troisième couche.

# %%
import torch.nn as nn


class SwiGLU(nn.Module):
    """down_proj(silu(gate_proj(x)) * up_proj(x)), applied to each position.

    Args:
        dim: E, the width of the input and of the output.
        hidden_dim: F, the width between the layers, as it is: no 2/3 of it, and no multiple.

    Its linear layers, all without bias, are called gate_proj and up_proj, from E to F, and down_proj, from F
    to E. SiLU is x * sigmoid(x). Under other names, any of the two layers may be the gate.

    fr: down_proj(silu(gate_proj(x)) * up_proj(x)), appliqué à chaque position.

    Args:
        dim: E, la largeur de l'entrée et de la sortie.
        hidden_dim: F, la largeur entre les couches, telle quelle : ni ses 2/3, ni un multiple.

    Ses couches linéaires, toutes sans biais, s'appellent gate_proj et up_proj, de E vers F, et down_proj, de
    F vers E. SiLU est x * sigmoid(x). Sous d'autres noms, l'une ou l'autre des deux couches peut être la
    porte.
    """

    def __init__(self, dim, hidden_dim):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the network to x, shape (B, S, E), and return the same shape.

        fr: Applique le réseau à x, de forme (B, S, E), et renvoie la même forme.
        """
        raise NotImplementedError
