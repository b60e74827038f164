"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def lsh_buckets(x, rotations):
    products = torch.einsum("...sd,drn->...rsn", x, rotations)
    buckets = torch.cat([products, -products], dim=-1).argmax(-1)  # (..., R, S)
    n_rounds, n_buckets = rotations.shape[1], 2 * rotations.shape[2]
    return buckets + n_buckets * torch.arange(n_rounds).unsqueeze(1)


def _numbered(buckets, rotations):
    """Buckets within each round, with the numbers of their rounds."""
    n_rounds, n_buckets = rotations.shape[1], 2 * rotations.shape[2]
    return buckets + n_buckets * torch.arange(n_rounds).unsqueeze(1)


def _products(x, rotations):
    return torch.einsum("...sd,drn->...rsn", x, rotations)


def lsh_buckets__few_rounds(x, rotations):
    """Only the first 64 rounds are hashed. Which number in the code should be a size of the arguments?

    fr: Seuls les 64 premiers tours sont hachés. Quel nombre du code devrait être une taille des arguments ?
    """
    return lsh_buckets(x, rotations[:, :64])


def lsh_buckets__without_opposites(x, rotations):
    """Only xR is looked at, so that half of the buckets stay empty: what stands behind it in [xR, -xR]?

    fr: Seul xR est regardé, si bien que la moitié des seaux restent vides : qu'y a-t-il derrière lui dans
    [xR, -xR] ?
    """
    return _numbered(_products(x, rotations).argmax(-1), rotations)


def lsh_buckets__by_magnitude(x, rotations):
    """The largest product is found without its sign, so that opposite vectors share a bucket. They are as far
    apart as can be.

    fr: Le plus grand produit est cherché sans son signe, si bien que des vecteurs opposés partagent un seau.
    Ils sont aussi éloignés que possible.
    """
    return _numbered(_products(x, rotations).abs().argmax(-1), rotations)


def lsh_buckets__opposites_first(x, rotations):
    """Each vector is where its opposite belongs: -xR stands in front of xR, or the smallest entry is taken.

    fr: Chaque vecteur est là où devrait être son opposé : -xR est devant xR, ou c'est le plus petit élément
    qui est pris.
    """
    return lsh_buckets(-x, rotations)


def lsh_buckets__interleaved(x, rotations):
    """Each product stands beside its opposite: [xR, -xR] has all products first, then all opposites.

    fr: Chaque produit est à côté de son opposé : [xR, -xR] a d'abord tous les produits, puis tous les
    opposés.
    """
    products = _products(x, rotations)
    return _numbered(torch.stack([products, -products], -1).flatten(-2).argmax(-1), rotations)


def lsh_buckets__sign_bits(x, rotations):
    """The signs of the products make a binary number, which is another hash. Here one direction wins: the one
    with the largest product.

    fr: Les signes des produits forment un nombre binaire, ce qui est un autre hachage. Ici, une seule
    direction l'emporte : celle du plus grand produit.
    """
    products = _products(x, rotations)
    bits = (products > 0).long() * 2 ** torch.arange(products.shape[-1])
    return _numbered(bits.sum(-1), rotations)


def lsh_buckets__probabilities(x, rotations):
    """The answer holds a softmax over the buckets, not the number of one. A hash decides.

    fr: La réponse contient un softmax sur les seaux, et non le numéro de l'un d'eux. Un hachage tranche.
    """
    products = _products(x, rotations)
    return torch.cat([products, -products], dim=-1).softmax(-1)


def lsh_buckets__rounds_share_numbers(x, rotations):
    """Every round begins with bucket 0, so that buckets of different rounds have the same numbers. Look at
    what round r adds.

    fr: Chaque tour commence par le seau 0, si bien que des seaux de tours différents ont les mêmes numéros.
    Regardez ce qu'ajoute le tour r.
    """
    return lsh_buckets(x, rotations) % (2 * rotations.shape[-1])


def lsh_buckets__rounds_half_apart(x, rotations):
    """Rounds are n / 2 numbers apart, so that the buckets of neighbouring rounds overlap. How many buckets
    has a round?

    fr: Les tours sont espacés de n / 2 numéros, si bien que les seaux de tours voisins se recouvrent. Combien
    de seaux a un tour ?
    """
    buckets, half = lsh_buckets(x, rotations), rotations.shape[-1]
    return buckets - half * torch.arange(rotations.shape[1]).unsqueeze(1)


def lsh_buckets__numbered_from_one(x, rotations):
    """The buckets are numbered from 1; the first one is 0.

    fr: Les seaux sont numérotés à partir de 1 ; le premier est 0.
    """
    return lsh_buckets(x, rotations) + 1


def lsh_buckets__first_directions_for_all(x, rotations):
    """All rounds have the directions of the first one, so that they say the same. Which axis of rotations are
    the rounds?

    fr: Tous les tours ont les directions du premier, si bien qu'ils disent la même chose. Quel axe de
    rotations est celui des tours ?
    """
    return lsh_buckets(x, rotations[:, :1].expand_as(rotations))


def lsh_buckets__rounds_reversed(x, rotations):
    """The rounds come in the opposite order. Look for a flip, or for a list that is read from its end.

    fr: Les tours viennent dans l'ordre inverse. Cherchez un flip, ou une liste lue depuis la fin.
    """
    return lsh_buckets(x, rotations.flip(1))


def lsh_buckets__axes_of_rotations_mixed(x, rotations):
    """Directions of different rounds are mixed. Look at a reshape of rotations that should be a transpose.

    fr: Des directions de tours différents sont mélangées. Regardez un reshape de rotations qui devrait être
    une transposition.
    """
    width, n_rounds, half = rotations.shape
    return lsh_buckets(x, rotations.reshape(width, half, n_rounds).transpose(1, 2))


def lsh_buckets__rounds_last(x, rotations):
    """The shape is (..., S, n_rounds): the rounds should stand in front of the positions.

    fr: La forme est (..., S, n_rounds) : les tours devraient être devant les positions.
    """
    return lsh_buckets(x, rotations).transpose(-2, -1)


def lsh_buckets__flattened(x, rotations):
    """All rounds stand one after the other in a single axis. Here they have an axis of their own.

    fr: Tous les tours se suivent sur un seul axe. Ici, ils ont leur propre axe.
    """
    return lsh_buckets(x, rotations).flatten(-2)


def lsh_buckets__of_floats(x, rotations):
    """The buckets are floats. Look at their dtype: a number of a bucket is an index.

    fr: Les seaux sont des float. Regardez leur dtype : le numéro d'un seau est un indice.
    """
    return lsh_buckets(x, rotations).float()


def lsh_buckets__changes_x(x, rotations):
    """The caller's x is normalised in place. Look for operations in place: /=, methods that end in an
    underscore.

    fr: x de l'appelant est normalisé en place. Cherchez les opérations en place : /=, les méthodes qui
    finissent par un tiret bas.
    """
    buckets = lsh_buckets(x, rotations)
    x.div_(x.norm(dim=-1, keepdim=True))
    return buckets


def lsh_buckets__one_leading_axis(x, rotations):
    """Vectors of three axes alone, (B, S, D), are hashed; there may be any number of leading axes.

    fr: Seuls des vecteurs à trois axes, (B, S, D), sont hachés ; le nombre d'axes de tête est libre.
    """
    _batch, _length, _width = x.shape
    return lsh_buckets(x, rotations)
