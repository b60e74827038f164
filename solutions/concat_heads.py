"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""


def concat_heads(x):
    return x.transpose(1, 2).flatten(2)


def concat_heads__without_transpose(x):
    """The memory is only read in another shape: positions and heads mix. Look at which axes must be
    neighbours first.

    fr: La mémoire est seulement relue sous une autre forme : positions et têtes se mélangent. Regardez quels
    axes doivent d'abord être voisins.
    """
    batch, heads, length, width = x.shape
    return concat_heads(x.reshape(batch, length, heads, width).transpose(1, 2))


def concat_heads__view_without_contiguous(x):
    """view is asked of a transposed tensor, which lies in memory in another order. Look at what the error
    message proposes.

    fr: view est appelé sur un tenseur transposé, rangé autrement en mémoire. Regardez ce que propose le
    message d'erreur.
    """
    batch, heads, length, width = x.shape
    return x.transpose(1, 2).view(batch, length, heads * width)


def concat_heads__views_its_argument(x):
    """view is asked of x itself. Heads come from a transpose and lie in memory in another order. Look at what
    the error message proposes.

    fr: view est appelé sur x lui-même. Les têtes viennent d'un transpose et sont rangées autrement en
    mémoire. Regardez ce que propose le message d'erreur.
    """
    return concat_heads(x.view(-1, *x.shape[2:]).view(x.shape))


def concat_heads__few_heads(x):
    """Only the first 64 heads are joined. Which number in the code should be a size of x?

    fr: Seules les 64 premières têtes sont réunies. Quel nombre du code devrait être une taille de x ?
    """
    return concat_heads(x[:, :64])


def concat_heads__interleaved(x):
    """The columns of the heads are interleaved, not side by side. Look at the order of H and D before they
    are merged.

    fr: Les colonnes des têtes sont entrelacées au lieu d'être côte à côte. Regardez l'ordre de H et D avant
    leur fusion.
    """
    return x.permute(0, 2, 3, 1).flatten(2)


def concat_heads__reversed(x):
    """The heads come in reverse order. Look at where head 0 ends up.

    fr: Les têtes viennent dans l'ordre inverse. Regardez où arrive la tête 0.
    """
    return concat_heads(x.flip(1))


def concat_heads__along_positions(x):
    """The heads are put one after the other along the sequence. Look at which axis should become longer.

    fr: Les têtes sont mises bout à bout le long de la séquence. Regardez quel axe doit s'allonger.
    """
    return x.flatten(1, 2)


def concat_heads__not_merged(x):
    """The last two axes are still apart: (B, S, H, D). Look at how many axes the answer should have.

    fr: Les deux derniers axes sont encore séparés : (B, S, H, D). Regardez combien d'axes la réponse doit
    avoir.
    """
    return concat_heads(x).unflatten(-1, (x.shape[1], -1))


def concat_heads__widths_before_positions(x):
    """Columns and positions are swapped: (B, H*D, S). Look at what should be the last axis.

    fr: Les colonnes et les positions sont échangées : (B, H*D, S). Regardez quel doit être le dernier axe.
    """
    return concat_heads(x).transpose(1, 2)


def concat_heads__mean(x):
    """The heads are averaged, not put side by side. Look at what should happen to the axis of the heads.

    fr: Les têtes sont moyennées au lieu d'être mises côte à côte. Regardez ce que doit devenir l'axe des
    têtes.
    """
    return concat_heads(x.mean(1, keepdim=True).expand_as(x))


def concat_heads__sum(x):
    """The heads are added up, so that only D columns are left. Look at how wide the answer should be.

    fr: Les têtes sont additionnées, si bien qu'il ne reste que D colonnes. Regardez quelle largeur doit avoir
    la réponse.
    """
    return x.sum(1)


def concat_heads__only_batch_one(x):
    """All sequences of the batch get the first one's columns. Look for an index 0 or a 1 where B should
    stand.

    fr: Toutes les séquences du lot reçoivent les colonnes de la première. Cherchez un indice 0 ou un 1 à la
    place de B.
    """
    return concat_heads(x[:1].expand_as(x))


def concat_heads__half_precision(x):
    """The values pass through half precision on the way. Look for a cast (.half(), .bfloat16()).

    fr: Les valeurs passent par la demi-précision. Cherchez une conversion (.half(), .bfloat16()).
    """
    return concat_heads(x.bfloat16().to(x.dtype))


def concat_heads__detached(x):
    """The result is cut off from the gradients. Look for .detach(), .data, NumPy or a new tensor made of
    numbers.

    fr: Le résultat est coupé des gradients. Cherchez .detach(), .data, NumPy ou un tenseur refait à partir de
    nombres.
    """
    return concat_heads(x).detach()


def concat_heads__changes_its_input(x):
    """The caller's tensor is changed. Look for assignments into x and for methods that end in an underscore.

    fr: Le tenseur de l'appelant est modifié. Cherchez les affectations dans x et les méthodes qui finissent
    par un tiret bas.
    """
    joined = concat_heads(x).clone()
    x.data.mul_(0)
    return joined
