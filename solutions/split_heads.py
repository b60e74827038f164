"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def split_heads__without_transpose(x, num_heads):
    """The memory is only read in another shape: positions and heads mix. Look at how the head's axis gets to
    its place.

    fr: La mémoire est seulement relue sous une autre forme : positions et têtes se mélangent. Regardez
    comment l'axe des têtes arrive à sa place.
    """
    batch, length, width = x.shape
    return x.reshape(batch, num_heads, length, width // num_heads)


def split_heads__strided(x, num_heads):
    """Head h takes every H-th column; it should get a block of neighbours. Look at the order of H and D as E
    is split.

    fr: La tête h prend une colonne sur H ; elle doit recevoir un bloc de colonnes voisines. Regardez l'ordre
    de H et D quand E est découpé.
    """
    regrouped = x.unflatten(-1, (-1, num_heads)).transpose(-2, -1).flatten(-2)
    return split_heads(regrouped, num_heads)


def split_heads__not_transposed(x, num_heads):
    """The heads stand behind the positions: (B, S, H, D). Look at which axis should come second.

    fr: Les têtes viennent après les positions : (B, S, H, D). Regardez quel axe doit être le deuxième.
    """
    return split_heads(x, num_heads).transpose(1, 2)


def split_heads__few_heads(x, num_heads):
    """There are 64 heads at most. Which number in the code should be a size of the arguments?

    fr: Il y a 64 têtes au plus. Quel nombre du code devrait être une taille des arguments ?
    """
    return split_heads(x, num_heads)[:, :64]


def split_heads__heads_first(x, num_heads):
    """The heads stand before the batch: (H, B, S, D). Look at which axis should come first.

    fr: Les têtes viennent avant le lot : (H, B, S, D). Regardez quel axe doit être le premier.
    """
    return split_heads(x, num_heads).transpose(0, 1)


def split_heads__widths_before_positions(x, num_heads):
    """The last two axes are swapped: (B, H, D, S). Look at what the last axis of a head should be.

    fr: Les deux derniers axes sont échangés : (B, H, D, S). Regardez ce que doit être le dernier axe d'une
    tête.
    """
    return split_heads(x, num_heads).transpose(-2, -1)


def split_heads__heads_of_width_num_heads(x, num_heads):
    """num_heads is taken for the width of a head: there are D heads of width H. Look at which of the two is E
    / H.

    fr: num_heads est pris pour la largeur d'une tête : il y a D têtes de largeur H. Regardez lequel des deux
    vaut E / H.
    """
    return split_heads(x, x.shape[-1] // num_heads)


def split_heads__joined_with_the_batch(x, num_heads):
    """Batch and heads are one axis: (B*H, S, D). Look at how many axes the answer should have.

    fr: Le lot et les têtes ne font qu'un axe : (B*H, S, D). Regardez combien d'axes la réponse doit avoir.
    """
    return split_heads(x, num_heads).flatten(0, 1)


def split_heads__whole_width_for_each(x, num_heads):
    """Every head gets the whole embedding; each should get its own E / H columns. Look at the last axis.

    fr: Chaque tête reçoit tout l'embedding ; chacune doit recevoir ses E / H colonnes. Regardez le dernier
    axe.
    """
    return x.unsqueeze(1).expand(-1, num_heads, -1, -1)


def split_heads__reversed(x, num_heads):
    """The heads come in reverse order. Look at which columns head 0 gets.

    fr: Les têtes viennent dans l'ordre inverse. Regardez quelles colonnes reçoit la tête 0.
    """
    return split_heads(x, num_heads).flip(1)


def split_heads__a_list(x, num_heads):
    """The heads come back as a list of tensors; one tensor is due. Look at what puts them together along a
    new axis.

    fr: Les têtes sont renvoyées dans une liste ; un seul tenseur est attendu. Regardez ce qui les réunit
    selon un nouvel axe.
    """
    return list(split_heads(x, num_heads).unbind(1))


def split_heads__detached(x, num_heads):
    """The heads are cut off from the gradients. Look for .detach(), .data, NumPy or a new tensor made of
    numbers.

    fr: Les têtes sont coupées des gradients. Cherchez .detach(), .data, NumPy ou un tenseur refait à partir
    de nombres.
    """
    return split_heads(x, num_heads).detach()


def split_heads__only_batch_one(x, num_heads):
    """All sequences of the batch get the first one's heads. Look for an index 0 or a 1 where B should stand.

    fr: Toutes les séquences du lot reçoivent les têtes de la première. Cherchez un indice 0 ou un 1 à la
    place de B.
    """
    return split_heads(x[:1].expand_as(x), num_heads)


def split_heads__half_precision(x, num_heads):
    """The values pass through half precision on the way. Look for a cast (.half(), .bfloat16()).

    fr: Les valeurs passent par la demi-précision. Cherchez une conversion (.half(), .bfloat16()).
    """
    return split_heads(x.bfloat16().to(x.dtype), num_heads)


def split_heads__changes_its_input(x, num_heads):
    """The caller's tensor is changed. Look for assignments into x and for methods that end in an underscore.

    fr: Le tenseur de l'appelant est modifié. Cherchez les affectations dans x et les méthodes qui finissent
    par un tiret bas.
    """
    apart = split_heads(x, num_heads).clone()
    x.data.zero_()
    return apart
