"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    attention = 4 * (dim * dim + dim)
    network = (dim * ff_dim + ff_dim) + (ff_dim * dim + dim)
    layer = attention + network + 2 * 2 * dim
    embeddings = (vocab_size + positions + types) * dim + 2 * dim
    return embeddings + layers * layer + (0 if tied else vocab_size * dim)


def count_model__never_tied(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The last layer counts even where it shares the words' table: those weights count twice. Look at tied.

    fr: La dernière couche compte même lorsqu'elle partage la table des mots : ces poids comptent deux fois.
    Regardez tied.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, False)


def count_model__always_tied(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The last layer never counts: without tied it has weights of its own.

    fr: La dernière couche ne compte jamais : sans tied, elle a des poids à elle.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types)


def count_model__tied_the_other_way(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """tied is read the other way round: shared weights count once, others twice.

    fr: tied est lu à l'envers : des poids partagés comptent une fois, les autres deux.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, not tied)


def count_model__bias_of_the_last_layer(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """V too many where the last layer has weights of its own: here it has no bias.

    fr: Il y en a V de trop là où la dernière couche a des poids à elle : ici, elle n'a pas de biais.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) + (0 if tied else vocab_size)


def count_model__without_positions(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The positions' table is missing: it is learned, a row for each position.

    fr: Il manque la table des positions : elle est apprise, une ligne par position.
    """
    return count_model(vocab_size, dim, layers, ff_dim, 0, types, tied)


def count_model__without_types(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The table of segment types is missing. Where does types go?

    fr: Il manque la table des types de segment. Où va types ?
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, 0, tied)


def count_model__always_two_types(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """There are always two segment types, as in BERT. Where does types go?

    fr: Il y a toujours deux types de segment, comme dans BERT. Où va types ?
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, 2, tied)


def count_model__without_words(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The words' table is missing: it has a row for each word.

    fr: Il manque la table des mots : elle a une ligne par mot.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) - vocab_size * dim


def count_model__without_norm_of_embeddings(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """Two times E is missing: a norm follows the embeddings too.

    fr: Il manque deux fois E : une norme suit aussi les embeddings.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) - 2 * dim


def count_model__final_norm(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """Two times E is too much: here no norm follows the last layer.

    fr: Il y a deux fois E de trop : ici, aucune norme ne suit la dernière couche.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) + 2 * dim


def count_model__pooler(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """E * E + E is too much, as much as BERT's pooler has; it is not counted here.

    fr: Il y a E * E + E de trop, autant que dans le pooler de BERT ; il n'est pas compté ici.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) + dim * dim + dim


def count_model__gains_alone(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """Every norm lacks its shift: it has a gain and a shift, E values each.

    fr: Il manque le décalage de chaque norme : elle a un gain et un décalage, de E valeurs chacun.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) - (2 * layers + 1) * dim


def count_model__four_vectors_less(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """Each layer lacks four times E: as much as its two norms hold, and as much as the four biases of its
    attention. Look for both.

    fr: Il manque quatre fois E par couche : autant que contiennent ses deux normes, et autant que les quatre
    biais de son attention. Cherchez les deux.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) - layers * 4 * dim


def count_model__without_biases_of_the_network(
    vocab_size, dim, layers, ff_dim, positions, types=0, tied=True
):
    """Each layer lacks F + E: both layers of the feed-forward network have a bias.

    fr: Il manque F + E par couche : les deux couches du réseau feed-forward ont un biais.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) - layers * (ff_dim + dim)


def count_model__without_output_projection(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """Each layer lacks E * E + E: attention has four layers, the last one joins the heads.

    fr: Il manque E * E + E par couche : l'attention a quatre couches, dont la dernière réunit les têtes.
    """
    whole = count_model(vocab_size, dim, layers, ff_dim, positions, types, tied)
    return whole - layers * (dim * dim + dim)


def count_model__always_four_times(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The inner width is taken to be 4 * E, whatever ff_dim says.

    fr: La largeur intérieure est prise égale à 4 * E, quoi que dise ff_dim.
    """
    return count_model(vocab_size, dim, layers, 4 * dim, positions, types, tied)


def count_model__one_layer(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """One layer is counted, whatever layers says.

    fr: Une seule couche est comptée, quoi que dise layers.
    """
    return count_model(vocab_size, dim, 1, ff_dim, positions, types, tied)


def count_model__embeddings_in_each_layer(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The embeddings are counted once for each layer. Look at the parentheses of the product.

    fr: Les embeddings sont comptés une fois par couche. Regardez les parenthèses du produit.
    """
    embeddings = count_model(vocab_size, dim, 0, ff_dim, positions, types)
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) + (layers - 1) * embeddings


def count_model__in_millions(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The answer is in millions; the number itself is due.

    fr: La réponse est en millions ; on attend le nombre lui-même.
    """
    return count_model(vocab_size, dim, layers, ff_dim, positions, types, tied) / 1e6


def count_model__a_float(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The answer is a float. Look for a division with /.

    fr: La réponse est un float. Cherchez une division avec /.
    """
    return float(count_model(vocab_size, dim, layers, ff_dim, positions, types, tied))


def count_model__a_tensor(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The answer is a tensor; an int is due.

    fr: La réponse est un tenseur ; un int est attendu.
    """
    return torch.tensor(count_model(vocab_size, dim, layers, ff_dim, positions, types, tied))
