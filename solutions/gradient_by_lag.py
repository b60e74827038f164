"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
SMALL = ("accumulates", "changes_its_input")


def gradient_of(model, x, loss=lambda outputs: outputs[:, -1].sum()):
    """The gradient of a loss of the outputs, for x."""
    x = x.detach().clone().requires_grad_()
    return torch.autograd.grad(loss(model(x)[0]), x)[0]


def norms_of(gradient, over=-1):
    """The norm at each lag, by sequence: (B, S)."""
    return gradient.norm(dim=over).flip(-1)


def gradient_by_lag(model, x):
    return norms_of(gradient_of(model, x)).mean(0)


def gradient_by_lag__from_the_first_position(model, x):
    """The norms are in the order of positions: the first is that of the largest lag. At which end is lag 0?

    fr: Les normes sont dans l'ordre des positions : la première est celle du plus grand décalage. À quel bout
    se trouve le décalage 0 ?
    """
    return gradient_by_lag(model, x).flip(0)


def gradient_by_lag__of_all_outputs(model, x):
    """The gradient is that of all outputs together. Only the last output is asked for: the others see x too.

    fr: Le gradient est celui de toutes les sorties ensemble. Seule la dernière est demandée : les autres
    voient x aussi.
    """
    return norms_of(gradient_of(model, x, lambda outputs: outputs.sum())).mean(0)


def gradient_by_lag__of_one_column(model, x):
    """The gradient is that of one value of the last output. The sum of all its values is asked for.

    fr: Le gradient est celui d'une seule valeur de la dernière sortie. La somme de toutes est demandée.
    """
    return norms_of(gradient_of(model, x, lambda outputs: outputs[:, -1, 0].sum())).mean(0)


def gradient_by_lag__of_the_mean(model, x):
    """The gradient is that of the mean of the last output, so that it is smaller by B times H. Take the sum.

    fr: Le gradient est celui de la moyenne de la dernière sortie, donc B fois H fois plus petit. Prenez la
    somme.
    """
    return norms_of(gradient_of(model, x, lambda outputs: outputs[:, -1].mean())).mean(0)


def gradient_by_lag__of_the_squares(model, x):
    """The gradient is that of the squares of the last output, as of a loss. The sum of its values is
    asked for.

    fr: Le gradient est celui des carrés de la dernière sortie, comme pour une perte. La somme de ses valeurs
    est demandée.
    """
    return norms_of(gradient_of(model, x, lambda outputs: outputs[:, -1].pow(2).sum())).mean(0)


def gradient_by_lag__norm_over_the_batch(model, x):
    """One norm is taken over all sequences together. Look at the axes: each sequence has its own, then comes
    the mean.

    fr: Une seule norme est prise sur toutes les séquences ensemble. Regardez les axes : chaque séquence a la
    sienne, puis vient la moyenne.
    """
    return norms_of(gradient_of(model, x), (0, 2))


def gradient_by_lag__sum_over_the_batch(model, x):
    """The norms of all sequences are summed. Their mean is asked for.

    fr: Les normes de toutes les séquences sont sommées. Leur moyenne est demandée.
    """
    return norms_of(gradient_of(model, x)).sum(0)


def gradient_by_lag__first_sequence_alone(model, x):
    """The norms are those of the first sequence. The mean over all sequences is asked for.

    fr: Les normes sont celles de la première séquence. La moyenne sur toutes les séquences est demandée.
    """
    return norms_of(gradient_of(model, x))[0]


def gradient_by_lag__mean_before_the_norm(model, x):
    """The gradients of the sequences are averaged before the norm is taken, so that they cancel each other.

    fr: Les gradients des séquences sont moyennés avant de prendre la norme, si bien qu'ils se compensent.
    """
    return norms_of(gradient_of(model, x).mean(0))


def gradient_by_lag__each_sequence(model, x):
    """The norms of each sequence come back, (B, S). The mean over the sequences, (S,), is asked for.

    fr: Les normes de chaque séquence sont renvoyées, (B, S). La moyenne sur les séquences, (S,), est
    demandée.
    """
    return norms_of(gradient_of(model, x))


def gradient_by_lag__squared(model, x):
    """The squares are summed, and no root is taken. What is a Euclidean norm?

    fr: Les carrés sont sommés, sans racine. Qu'est-ce qu'une norme euclidienne ?
    """
    return norms_of(gradient_of(model, x)).pow(2).mean(0)


def gradient_by_lag__absolute_values(model, x):
    """The absolute values are summed. The Euclidean norm is the root of the sum of the squares.

    fr: Les valeurs absolues sont sommées. La norme euclidienne est la racine de la somme des carrés.
    """
    return gradient_of(model, x).abs().sum(-1).flip(-1).mean(0)


def gradient_by_lag__mean_of_absolute_values(model, x):
    """The absolute values are averaged over E. The Euclidean norm is the root of the sum of the squares.

    fr: Les valeurs absolues sont moyennées sur E. La norme euclidienne est la racine de la somme des carrés.
    """
    return gradient_of(model, x).abs().mean(-1).flip(-1).mean(0)


def gradient_by_lag__largest_value(model, x):
    """The largest value of each gradient is taken. The Euclidean norm takes all of them.

    fr: C'est la plus grande valeur de chaque gradient qui est prise. La norme euclidienne les prend toutes.
    """
    return gradient_of(model, x).abs().amax(-1).flip(-1).mean(0)


def gradient_by_lag__relative_to_lag_0(model, x):
    """All norms are divided by the one at lag 0. The norms themselves are asked for.

    fr: Toutes les normes sont divisées par celle du décalage 0. Ce sont les normes mêmes qui sont demandées.
    """
    norms = gradient_by_lag(model, x)
    return norms / norms[0]


def gradient_by_lag__adds_up_lags(model, x):
    """Each norm is the sum of those up to its lag: gradients of several passes add up in x.grad. Where is
    it set to zero?

    fr: Chaque norme est la somme de celles jusqu'à son décalage : les gradients de plusieurs passes
    s'ajoutent dans x.grad. Où est-il remis à zéro ?
    """
    return gradient_by_lag(model, x).cumsum(0)


def gradient_by_lag__without_lag_0(model, x):
    """There is no norm for lag 0, the last position itself. S norms are due.

    fr: Il n'y a pas de norme pour le décalage 0, la dernière position elle-même. S normes sont attendues.
    """
    return gradient_by_lag(model, x)[1:]


def gradient_by_lag__of_the_weights(model, x):
    """The norm is that of the gradient of the weights, which is a sum over all positions and shows no
    lag. The gradient for x is asked for.

    fr: La norme est celle du gradient des poids, qui est une somme sur toutes les positions et ne montre
    aucun décalage. Le gradient pour x est demandé.
    """
    loss = model(x)[0][:, -1].sum()
    gradients = torch.autograd.grad(loss, [*model.parameters()], allow_unused=True)
    total = sum(g.pow(2).sum() for g in gradients if g is not None).sqrt()
    return total.repeat(x.shape[1])


def gradient_by_lag__of_the_outputs(model, x):
    """The norms are those of the outputs, not of a gradient. What does torch.autograd.grad give?

    fr: Les normes sont celles des sorties, et non d'un gradient. Que donne torch.autograd.grad ?
    """
    return norms_of(model(x)[0].detach()).mean(0)


def gradient_by_lag__logarithm(model, x):
    """The logarithms of the norms come back, as one would draw them. The norms themselves are asked for.

    fr: Les logarithmes des normes sont renvoyés, comme on les dessinerait. Ce sont les normes mêmes qui sont
    demandées.
    """
    return gradient_by_lag(model, x).log()


def gradient_by_lag__accumulates(model, x):
    """A second call with the same x adds its gradient to that of the first: x.grad is never set to zero.
    Work on a copy of x, or clear x.grad.

    fr: Un second appel avec le même x ajoute son gradient à celui du premier : x.grad n'est jamais remis à
    zéro. Travaillez sur une copie de x, ou videz x.grad.
    """
    x.requires_grad_()
    model(x)[0][:, -1].sum().backward()
    return norms_of(x.grad).mean(0).clone()


def gradient_by_lag__changes_its_input(model, x):
    """The caller's x is changed: something is computed in place on it.

    fr: Le x de l'appelant est modifié : un calcul se fait en place sur lui.
    """
    norms = gradient_by_lag(model, x)
    x.data.mul_(0.5)
    return norms
