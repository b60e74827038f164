"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "root_mean_square",
    "one_gamma",
    "unbiased",
)
SMALL = (
    "without_eps",
    "ignores_eps",
    "detached",
    "changes_its_input",
)


class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(dim))
        self.beta = nn.Parameter(torch.zeros(dim))
        # Nothing but its epsilon is used: softmark knows by it which other epsilons are right too.
        self.holder = nn.LayerNorm(dim, eps, elementwise_affine=False)

    @property
    def eps(self):
        return self.holder.eps

    def centred(self, x):
        return x - x.mean(-1, keepdim=True)

    def variance(self, x):
        return self.centred(x).pow(2).mean(-1, keepdim=True)

    def deviation(self, x):
        return (self.variance(x) + self.eps).sqrt()

    def scale_and_shift(self, normed):
        return normed * self.gamma + self.beta

    def forward(self, x):
        return self.scale_and_shift(self.centred(x) / self.deviation(x))


class LayerNorm__unbiased(LayerNorm):
    """The variance divides by E - 1. Look at the argument unbiased (or correction) of var and std.

    fr: La variance divise par E - 1. Regardez l'argument unbiased (ou correction) de var et de std.
    """

    def variance(self, x):
        return x.var(-1, keepdim=True)


class LayerNorm__unbiased_deviation(LayerNorm):
    """The standard deviation divides by E - 1. Look at the argument unbiased (or correction) of std.

    fr: L'écart type divise par E - 1. Regardez l'argument unbiased (ou correction) de std.
    """

    def deviation(self, x):
        return x.std(-1, keepdim=True) + self.eps


class LayerNorm__without_root(LayerNorm):
    """The input is divided by the variance itself. What is between the variance and the standard deviation?

    fr: L'entrée est divisée par la variance elle-même. Qu'y a-t-il entre la variance et l'écart type ?
    """

    def deviation(self, x):
        return self.variance(x) + self.eps


class LayerNorm__sum_of_squares(LayerNorm):
    """The squared differences are summed and not averaged: each position gets length 1.

    fr: Les carrés des écarts sont sommés et non moyennés : chaque position reçoit la longueur 1.
    """

    def variance(self, x):
        return self.centred(x).pow(2).sum(-1, keepdim=True)


class LayerNorm__mean_of_absolute_values(LayerNorm):
    """The mean of the absolute differences is taken. Look at what is averaged, and what is done afterwards.

    fr: C'est la moyenne des écarts absolus qui est prise. Regardez ce qui est moyenné, et ce qui suit.
    """

    def deviation(self, x):
        return self.centred(x).abs().mean(-1, keepdim=True) + self.eps


class LayerNorm__mean_kept(LayerNorm):
    """The mean is not subtracted from what is divided. Look at the numerator.

    fr: La moyenne n'est pas soustraite de ce qui est divisé. Regardez le numérateur.
    """

    def forward(self, x):
        return self.scale_and_shift(x / self.deviation(x))


class LayerNorm__root_mean_square(LayerNorm):
    """There is no mean: the input is divided by the root of its mean square, as in RMSNorm.

    fr: Il n'y a pas de moyenne : l'entrée est divisée par sa moyenne quadratique, comme dans RMSNorm.
    """

    def centred(self, x):
        return x


class LayerNorm__centres_only(LayerNorm):
    """The mean is subtracted, but nothing is divided: the variance stays what it is.

    fr: La moyenne est soustraite, mais rien n'est divisé : la variance reste ce qu'elle est.
    """

    def deviation(self, x):
        return torch.ones_like(x[..., :1])


class Over(LayerNorm):
    """Mean and variance over other axes than the last."""

    axes: tuple[int, ...] = ()

    def centred(self, x):
        return x - x.mean(self.axes, keepdim=True)

    def variance(self, x):
        return self.centred(x).pow(2).mean(self.axes, keepdim=True)


class LayerNorm__over_the_sequence(Over):
    """Mean and variance go over the positions of a sequence. Look at the axis: each position has its own.

    fr: Moyenne et variance portent sur les positions d'une séquence. Regardez l'axe : chaque position a les
    siennes.
    """

    axes = (1,)


class LayerNorm__over_the_batch(Over):
    """Mean and variance go over the batch, so that one sequence changes another. Look at the axis.

    fr: Moyenne et variance portent sur le lot, si bien qu'une séquence en change une autre. Regardez l'axe.
    """

    axes = (0,)


class LayerNorm__batch_norm(Over):
    """Mean and variance of each column go over all positions of all sequences: that is a batch norm. Look at
    the axis.

    fr: La moyenne et la variance de chaque colonne portent sur toutes les positions de toutes les séquences :
    c'est une batch norm. Regardez l'axe.
    """

    axes = (0, 1)


class LayerNorm__over_a_sequence_whole(Over):
    """Mean and variance go over positions and columns together. Look at the axes: each position has its own.

    fr: Moyenne et variance portent sur les positions et les colonnes ensemble. Regardez les axes : chaque
    position a les siennes.
    """

    axes = (1, 2)


class LayerNorm__over_everything(Over):
    """One mean and one variance are taken over the whole tensor. Which axis does the norm belong to?

    fr: Une seule moyenne et une seule variance sont prises sur tout le tenseur. À quel axe la norme
    appartient-elle ?
    """

    axes = (0, 1, 2)


class LayerNorm__without_eps(LayerNorm):
    """There is no epsilon: a position whose values are all the same becomes NaN.

    fr: Il n'y a pas d'epsilon : une position dont toutes les valeurs sont égales devient NaN.
    """

    @property
    def eps(self):
        return 0.0


class LayerNorm__ignores_eps(LayerNorm):
    """The epsilon is always the default, whatever is asked for. Where does the argument eps go?

    fr: L'epsilon est toujours celui par défaut, quoi qu'on demande. Où va l'argument eps ?
    """

    def __init__(self, dim, eps=1e-5):
        super().__init__(dim)


class LayerNorm__eps_multiplied(LayerNorm):
    """The deviation is multiplied by the epsilon, which is to be added to it. Look at the sign between them.

    fr: L'écart type est multiplié par l'epsilon, alors qu'il faut l'y ajouter. Regardez le signe entre
    les deux.
    """

    def deviation(self, x):
        return self.variance(x).sqrt() * self.eps


class LayerNorm__eps_in_the_numerator(LayerNorm):
    """The epsilon is added to the whole fraction and not to what divides. Look at the parentheses.

    fr: L'epsilon est ajouté à la fraction entière, et non au dénominateur. Regardez les parenthèses.
    """

    def forward(self, x):
        return self.scale_and_shift(self.centred(x) / self.variance(x).sqrt() + self.eps)


class LayerNorm__without_gamma(LayerNorm):
    """gamma is there and is not used: each column is to be multiplied by its own.

    fr: gamma est là mais ne sert pas : chaque colonne doit être multipliée par le sien.
    """

    def scale_and_shift(self, normed):
        return normed + self.beta


class LayerNorm__without_beta(LayerNorm):
    """beta is there and is not used: it is to be added to each column.

    fr: beta est là mais ne sert pas : il doit être ajouté à chaque colonne.
    """

    def scale_and_shift(self, normed):
        return normed * self.gamma


class LayerNorm__shift_first(LayerNorm):
    """beta is added before gamma multiplies, so that it is multiplied too. Look at the order.

    fr: beta est ajouté avant que gamma ne multiplie, si bien qu'il est multiplié aussi. Regardez l'ordre.
    """

    def scale_and_shift(self, normed):
        return (normed + self.beta) * self.gamma


class LayerNorm__learns_nothing(LayerNorm):
    """There are no parameters: gamma and beta are to be learned. Look at nn.Parameter.

    fr: Il n'y a pas de paramètres : gamma et beta doivent être appris. Regardez nn.Parameter.
    """

    def __init__(self, dim, eps=1e-5):
        super().__init__(dim, eps)
        del self.gamma, self.beta

    def scale_and_shift(self, normed):
        return normed


class LayerNorm__one_gamma(LayerNorm):
    """gamma and beta are one number each; each column has its own. Look at their shapes.

    fr: gamma et beta sont un seul nombre chacun ; chaque colonne a les siens. Regardez leurs formes.
    """

    def __init__(self, dim, eps=1e-5):
        super().__init__(dim, eps)
        self.gamma, self.beta = nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))


class LayerNorm__detached(LayerNorm):
    """Mean and variance are cut off from the gradients. Look for detach, no_grad or data.

    fr: La moyenne et la variance sont coupées des gradients. Cherchez detach, no_grad ou data.
    """

    def centred(self, x):
        return x - x.mean(-1, keepdim=True).detach()

    def deviation(self, x):
        return super().deviation(x).detach()


class LayerNorm__changes_its_input(LayerNorm):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.sub_(x.mean(-1, keepdim=True).data)
        return output
