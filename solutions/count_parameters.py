"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch

from solutions.transformer_block import TransformerBlock


def count_parameters(embed_dim, num_heads, ff_dim):
    block = TransformerBlock(embed_dim, num_heads, ff_dim)
    return sum(parameter.numel() for parameter in block.parameters())


def count_parameters__without_feed_forward_bias(embed_dim, num_heads, ff_dim):
    """The biases of the feed-forward network are missing. Look at what nn.Linear holds beside its matrix.

    fr: Il manque les biais du réseau feed-forward. Regardez ce que nn.Linear contient outre sa matrice.
    """
    return count_parameters(embed_dim, num_heads, ff_dim) - embed_dim - ff_dim


def count_parameters__without_any_bias(embed_dim, num_heads, ff_dim):
    """No linear layer has its bias: only matrices are counted. Look at what nn.Linear holds beside its
    matrix.

    fr: Aucune couche linéaire n'a son biais : seules les matrices sont comptées. Regardez ce que nn.Linear
    contient outre sa matrice.
    """
    return count_parameters(embed_dim, num_heads, ff_dim) - 5 * embed_dim - ff_dim


def count_parameters__feed_forward_biases_mixed_up(embed_dim, num_heads, ff_dim):
    """Both biases of the feed-forward network are counted as F. Look at the width that each layer gives.

    fr: Les deux biais du réseau feed-forward sont comptés pour F. Regardez la largeur que donne chaque
    couche.
    """
    return count_parameters(embed_dim, num_heads, ff_dim) + ff_dim - embed_dim


def count_parameters__three_projections(embed_dim, num_heads, ff_dim):
    """One of the attention's four layers is missing. Look at what comes after the heads are joined.

    fr: Il manque une des quatre couches de l'attention. Regardez ce qui vient après la réunion des têtes.
    """
    return count_parameters(embed_dim, num_heads, ff_dim) - embed_dim * (embed_dim + 1)


def count_parameters__one_feed_forward_layer(embed_dim, num_heads, ff_dim):
    """Only one layer of the feed-forward network is counted. Look at how it comes back from F to E.

    fr: Une seule couche du réseau feed-forward est comptée. Regardez comment il revient de F à E.
    """
    return count_parameters(embed_dim, num_heads, ff_dim) - ff_dim * embed_dim - embed_dim


def count_parameters__one_norm(embed_dim, num_heads, ff_dim):
    """Two times E is missing: a block has two norms, each with a gain and a bias. Look at what each norm
    holds.

    fr: Il manque deux fois E : un bloc a deux normes, chacune avec un gain et un biais. Regardez ce que
    contient chaque norme.
    """
    return count_parameters(embed_dim, num_heads, ff_dim) - 2 * embed_dim


def count_parameters__three_norms(embed_dim, num_heads, ff_dim):
    """Two times E is too much: a block has two norms, and none after the last sum. Look at how many norms you
    count.

    fr: Il y a deux fois E de trop : un bloc a deux normes, et aucune après la dernière somme. Regardez
    combien de normes vous comptez.
    """
    return count_parameters(embed_dim, num_heads, ff_dim) + 2 * embed_dim


def count_parameters__without_norms_or_attention_bias(embed_dim, num_heads, ff_dim):
    """Four times E is missing: as much as the two norms hold, and as much as the attention's four biases.
    Look for both.

    fr: Il manque quatre fois E : autant que contiennent les deux normes, et autant que les quatre biais de
    l'attention. Cherchez les deux.
    """
    return count_parameters(embed_dim, num_heads, ff_dim) - 4 * embed_dim


def count_parameters__per_head(embed_dim, num_heads, ff_dim):
    """The attention's layers are counted once per head; the heads share them out. Look at the factor H.

    fr: Les couches de l'attention sont comptées une fois par tête ; les têtes se les partagent. Regardez le
    facteur H.
    """
    attention = 4 * (embed_dim * embed_dim + embed_dim)
    return count_parameters(embed_dim, num_heads, ff_dim) + (num_heads - 1) * attention


def count_parameters__of_one_head(embed_dim, num_heads, ff_dim):
    """The attention's layers are counted as wide as one head. Look at how many columns all heads have
    together.

    fr: Les couches de l'attention sont comptées pour la largeur d'une seule tête. Regardez combien de
    colonnes ont toutes les têtes ensemble.
    """
    missing = embed_dim - embed_dim // num_heads
    return count_parameters(embed_dim, num_heads, ff_dim) - 4 * missing * (embed_dim + 1)


def count_parameters__always_four_times(embed_dim, num_heads, ff_dim):
    """The inner width is taken to be 4 * E, whatever ff_dim says. Look at whether ff_dim is used.

    fr: La largeur intérieure est prise égale à 4 * E, quel que soit ff_dim. Regardez si ff_dim est utilisé.
    """
    return count_parameters(embed_dim, num_heads, 4 * embed_dim)


def count_parameters__a_float(embed_dim, num_heads, ff_dim):
    """The answer is a float. Look for a division with /.

    fr: La réponse est un float. Cherchez une division avec /.
    """
    return float(count_parameters(embed_dim, num_heads, ff_dim))


def count_parameters__a_tensor(embed_dim, num_heads, ff_dim):
    """The answer is a tensor; an int is due. Look at what turns a tensor of one value into a number.

    fr: La réponse est un tenseur ; un int est attendu. Regardez ce qui change un tenseur d'une valeur en
    nombre.
    """
    return torch.tensor(count_parameters(embed_dim, num_heads, ff_dim))


def count_parameters__printed(embed_dim, num_heads, ff_dim):
    """Nothing comes back: the number is only printed or kept. Look for the return.

    fr: Rien n'est renvoyé : le nombre est seulement affiché ou gardé. Cherchez le return.
    """
    count_parameters(embed_dim, num_heads, ff_dim)
