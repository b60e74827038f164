"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""


def x(x):
    return x - x.mean(-1, keepdim=True)


def x__mean_alone(x):
    """The mean itself is returned. What should it be subtracted from?

    fr: C'est la moyenne elle-même qui est renvoyée. De quoi faut-il la soustraire ?
    """
    return x - x(x)


def x__over_the_sequence(x):
    """The mean goes over the positions of a sequence. Look at the axis: each position has its own mean.

    fr: La moyenne porte sur les positions d'une séquence. Regardez l'axe : chaque position a la sienne.
    """
    return x(x.mT).mT


def x__over_everything(x):
    """One mean is taken over the whole tensor. Which axis does the mean belong to?

    fr: Une seule moyenne est prise sur tout le tenseur. À quel axe appartient-elle ?
    """
    return x - x.mean()


def x__subtracts_the_median(x):
    """The median is subtracted. Half of the values lie below it, which is not so for the mean.

    fr: C'est la médiane qui est soustraite. La moitié des valeurs est en dessous, mais pas pour la moyenne.
    """
    return x - x.median(-1, keepdim=True).values


def x__detached(x):
    """The mean is cut off from the gradients. Look for detach, no_grad or data.

    fr: La moyenne est coupée des gradients. Cherchez detach, no_grad ou data.
    """
    return x - x.mean(-1, keepdim=True).detach()


def x__changes_its_input(x):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """
    output = x(x)
    x.data.copy_(output.data)
    return output
