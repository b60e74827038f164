"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = ("sum_of_squares", "without_root", "over_the_sequence")
SMALL = (
    "eps_outside_the_root",
    "eps_in_the_count",
    "without_eps",
    "ignores_eps",
    "with_bias",
    "detached",
    "changes_its_input",
)


class RMSNorm(nn.Module):
    epsilons = (1e-5, 1e-8, 1e-12)

    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        # Nothing but its epsilon is used: softmark knows by it which other epsilons are right too.
        self.holder = nn.RMSNorm(dim, eps, elementwise_affine=False)

    @property
    def eps(self):
        return self.holder.eps

    def mean_square(self, x):
        return x.pow(2).mean(-1, keepdim=True)

    def root(self, x):
        return (self.mean_square(x) + self.eps).sqrt()

    def gain(self, normed):
        return normed * self.weight

    def forward(self, x):
        return self.gain(x / self.root(x))


class RMSNorm__without_root(RMSNorm):
    """The input is divided by the mean of the squares itself. What does the R of RMS stand for?

    fr: L'entrée est divisée par la moyenne des carrés elle-même. Que signifie le R de RMS ?
    """

    def root(self, x):
        return self.mean_square(x) + self.eps


class RMSNorm__sum_of_squares(RMSNorm):
    """The squares are summed: each position gets length 1. What does the M of RMS stand for?

    fr: Les carrés sont sommés : chaque position reçoit la longueur 1. Que signifie le M de RMS ?
    """

    def mean_square(self, x):
        return x.pow(2).sum(-1, keepdim=True)


class RMSNorm__mean_of_absolute_values(RMSNorm):
    """The mean of the absolute values is taken. Look at what is averaged, and what is done afterwards.

    fr: C'est la moyenne des valeurs absolues qui est prise. Regardez ce qui est moyenné, et ce qui suit.
    """

    def root(self, x):
        return x.abs().mean(-1, keepdim=True) + self.eps


class RMSNorm__subtracts_the_mean(RMSNorm):
    """The mean is subtracted, as in LayerNorm. RMSNorm leaves it where it is.

    fr: La moyenne est soustraite, comme dans LayerNorm. RMSNorm la laisse en place.
    """

    def forward(self, x):
        return super().forward(x - x.mean(-1, keepdim=True))


class RMSNorm__divides_by_the_standard_deviation(RMSNorm):
    """The input is divided by its standard deviation, which measures from the mean. RMS measures from 0.

    fr: L'entrée est divisée par son écart type, mesuré depuis la moyenne. La RMS se mesure depuis 0.
    """

    def mean_square(self, x):
        return x.var(-1, keepdim=True, unbiased=False)


class RMSNorm__over_the_sequence(RMSNorm):
    """The mean goes over the positions of a sequence. Look at the axis: each position has a norm of its own.

    fr: La moyenne porte sur les positions d'une séquence. Regardez l'axe : chaque position a sa propre norme.
    """

    def mean_square(self, x):
        return x.pow(2).mean(-2, keepdim=True)


class RMSNorm__over_everything(RMSNorm):
    """One mean is taken over the whole tensor. Which axis does the norm belong to?

    fr: Une seule moyenne est prise sur tout le tenseur. À quel axe la norme appartient-elle ?
    """

    def mean_square(self, x):
        return x.pow(2).mean()


class RMSNorm__eps_outside_the_root(RMSNorm):
    """The epsilon is added after the root. The contract says what it is added to.

    fr: L'epsilon est ajouté après la racine. Le contrat dit à quoi il s'ajoute.
    """

    def root(self, x):
        return self.mean_square(x).sqrt() + self.eps


class RMSNorm__eps_in_the_count(RMSNorm):
    """The epsilon is added to the number of columns: a position of zeros still becomes NaN. Look at what the
    contract adds it to.

    fr: L'epsilon est ajouté au nombre de colonnes : une position de zéros devient quand même NaN. Regardez à
    quoi le contrat l'ajoute.
    """

    def root(self, x):
        return (x.pow(2).sum(-1, keepdim=True) / (x.shape[-1] + self.eps)).sqrt()


class RMSNorm__without_eps(RMSNorm):
    """There is no epsilon: a position of zeros becomes NaN.

    fr: Il n'y a pas d'epsilon : une position de zéros devient NaN.
    """

    def root(self, x):
        return self.mean_square(x).sqrt()


class RMSNorm__ignores_eps(RMSNorm):
    """The epsilon is always the same small number, whatever is asked for. Where does the argument eps go?

    fr: L'epsilon est toujours le même petit nombre, quoi qu'on demande. Où va l'argument eps ?
    """

    def __init__(self, dim, eps=1e-6):
        super().__init__(dim)


class RMSNorm__without_weight(RMSNorm):
    """The weight is there and is not used: the output must be multiplied by it.

    fr: Le poids est là mais ne sert pas : la sortie doit être multipliée par lui.
    """

    def gain(self, normed):
        return normed


class RMSNorm__weight_first(RMSNorm):
    """The weight is multiplied in before the norm, which takes part of it away again. Look at the order.

    fr: Le poids est multiplié avant la norme, qui en retire une partie. Regardez l'ordre.
    """

    def forward(self, x):
        weighted = self.gain(x)
        return weighted / self.root(weighted)


class RMSNorm__one_plus_weight(RMSNorm):
    """The output is multiplied by 1 + weight. Here the weight begins at one, and stands alone.

    fr: La sortie est multipliée par 1 + weight. Ici, le poids part de un et agit seul.
    """

    def gain(self, normed):
        return normed * (1 + self.weight)


class RMSNorm__with_bias(RMSNorm):
    """A bias is added, as in LayerNorm. RMSNorm has none.

    fr: Un biais est ajouté, comme dans LayerNorm. RMSNorm n'en a pas.
    """

    def __init__(self, dim, eps=1e-6):
        super().__init__(dim, eps)
        self.bias = nn.Parameter(torch.zeros(dim))

    def gain(self, normed):
        return super().gain(normed) + self.bias


class RMSNorm__detached(RMSNorm):
    """The root is cut off from the gradients. Look for detach, no_grad or data.

    fr: La racine est coupée des gradients. Cherchez detach, no_grad ou data.
    """

    def root(self, x):
        return super().root(x).detach()


class RMSNorm__changes_its_input(RMSNorm):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.div_(self.root(x).data)
        return output


class RMSNorm__one_gain(RMSNorm):
    """The weight is one number for all columns; there is one for each column. Look at its shape.

    fr: Le poids est un seul nombre pour toutes les colonnes ; il y en a un par colonne. Regardez sa forme.
    """

    def __init__(self, dim, eps=1e-6):
        super().__init__(dim, eps)
        self.weight = nn.Parameter(torch.ones(1))


class RMSNorm__half_precision(RMSNorm):
    """The norm is computed in half precision, which rounds to two or three digits. To compute in float32 is
    fine.

    fr: La norme est calculée en demi-précision, qui arrondit à deux ou trois chiffres. Calculer en float32
    convient.
    """

    def forward(self, x):
        return self.gain((x / self.root(x)).bfloat16().to(x.dtype))
