"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch.nn import functional

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "full_matrix",
    "every_key",
    "everything_seen",
    "one_sided",
    "unscaled",
)
SMALL = (
    "detached",
    "changes_its_input",
    "needs_a_long_text",
    "with_weights",
)

ROWS = 32  # queries at a time: one by one, Python's own time would hide how the arithmetic grows


def local_attention(Q, K, V, window):
    hidden = outside(Q.shape[-2], window)
    return mix(scores_of(Q, neighbours(K, window)), neighbours(V, window), hidden)


def neighbours(x, window):
    """The 2 * window + 1 neighbours of each position, zeros beyond the ends: (B, H, S, D, 2 * window + 1)."""
    return functional.pad(x, (0, 0, window, window)).unfold(2, 2 * window + 1, 1)


def outside(length, window):
    """Which neighbours lie beyond the ends: (S, 2 * window + 1)."""
    place = torch.arange(length)[:, None] + torch.arange(-window, window + 1)
    return (place < 0) | (place >= length)


def scores_of(Q, keys):
    return torch.einsum("bhsd,bhsdn->bhsn", Q, keys) / math.sqrt(Q.shape[-1])


def mix(scores, values, hidden):
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    return torch.einsum("bhsn,bhsdn->bhsd", weights, values)


def attend_densely(Q, K, V, hidden):
    scores = (Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])).masked_fill(hidden, -math.inf)
    return scores.softmax(-1) @ V


def distances(length):
    return torch.arange(length)[:, None] - torch.arange(length)


def local_attention__full_matrix(Q, K, V, window):
    """The memory grows as S * S: scores, or a mask, of all pairs of positions are there at once, and most of
    them serve nothing. Which keys can a query see at all? Take only these to it.

    fr: La mémoire croît comme S * S : les scores, ou un masque, de toutes les paires de positions sont là à
    la fois, et presque tous ne servent à rien. Quelles clés une requête peut-elle voir ? N'amenez que
    celles-là.
    """
    return attend_densely(Q, K, V, distances(Q.shape[-2]).abs() > window)


def local_attention__every_key(Q, K, V, window):
    """Each query is compared with all S keys, and most scores are masked: no S x S matrix is kept, but the
    time grows as S * S. How many keys can a query see?

    fr: Chaque requête est comparée aux S clés, et la plupart des scores sont masqués : aucune matrice S x S
    n'est gardée, mais le temps croît comme S * S. Combien de clés une requête peut-elle voir ?
    """
    place = torch.arange(Q.shape[-2])
    few = place.split(ROWS)
    rows = [attend_densely(Q[:, :, i], K, V, (i[:, None] - place).abs() > window) for i in few]
    return torch.cat(rows, 2)


def local_attention__narrow_windows(Q, K, V, window):
    """Windows end at 64 positions. Which number in the code should be an argument?

    fr: Les fenêtres s'arrêtent à 64 positions. Quel nombre du code devrait être un argument ?
    """
    return local_attention(Q, K, V, min(window, 64))


def local_attention__views_its_arguments(Q, K, V, window):
    """view is asked of Q, K or V. Heads come from a transpose and lie in memory in another order. Look at
    what the error message proposes.

    fr: view est appelé sur Q, K ou V. Les têtes viennent d'un transpose et sont rangées autrement en mémoire.
    Regardez ce que propose le message d'erreur.
    """
    Q, K, V = (x.view(-1, *x.shape[2:]).view(x.shape) for x in (Q, K, V))
    return local_attention(Q, K, V, window)


def local_attention__multiples_of_the_window_alone(Q, K, V, window):
    """A length that the window does not divide is refused. The last block may be shorter than the others.

    fr: Une longueur que la fenêtre ne divise pas est refusée. Le dernier bloc peut être plus court que les
    autres.
    """
    if Q.shape[-2] % max(window, 1):
        raise ValueError("the length must be a multiple of the window")
    return local_attention(Q, K, V, window)


def local_attention__window_as_total_width(Q, K, V, window):
    """The window is taken as the whole width: each side sees half of it. It is due on EACH side.

    fr: La fenêtre est prise pour la largeur totale : chaque côté n'en voit que la moitié. Elle est due de
    CHAQUE côté.
    """
    return local_attention(Q, K, V, window // 2)


def local_attention__window_too_narrow(Q, K, V, window):
    """The positions at distance `window` itself are not seen: the window is one too narrow on each side. Look
    at where you compare with < instead of <=, or at the end of a slice.

    fr: Les positions à la distance `window` exactement ne sont pas vues : il manque une position de chaque
    côté. Regardez où vous comparez avec < au lieu de <=, ou la fin d'une tranche.
    """
    return local_attention(Q, K, V, max(window - 1, 0))


def local_attention__window_too_wide(Q, K, V, window):
    """One position too many is seen on each side. Count the positions that are at most `window` away.

    fr: Une position de trop est vue de chaque côté. Comptez les positions à une distance d'au plus `window`.
    """
    return local_attention(Q, K, V, window + 1)


def local_attention__without_right_end(Q, K, V, window):
    """The last position of each window is missing: i - window up to i + window - 1 is seen. The end of a
    slice is not part of it.

    fr: Il manque la dernière position de chaque fenêtre : on voit de i - window à i + window - 1. La fin
    d'une tranche n'en fait pas partie.
    """
    if window == 0:
        return local_attention(Q, K, V, 0)
    distance = distances(Q.shape[-2])
    return attend_densely(Q, K, V, (distance > window) | (distance <= -window))


def local_attention__one_sided(Q, K, V, window):
    """Only what lies before is seen, as in a causal attention: the window is due on both sides.

    fr: Seul ce qui précède est vu, comme dans une attention causale : la fenêtre est due des deux côtés.
    """
    distance = distances(Q.shape[-2])
    return attend_densely(Q, K, V, (distance > window) | (distance < 0))


def local_attention__ends_wrap(Q, K, V, window):
    """The first positions see the last ones, as if the text were a ring. Look for roll, or for an index that
    may be negative.

    fr: Les premières positions voient les dernières, comme si le texte était un anneau. Cherchez roll, ou un
    indice qui peut être négatif.
    """
    length = Q.shape[-2]
    distance = distances(length).abs()
    return attend_densely(Q, K, V, torch.minimum(distance, length - distance) > window)


def local_attention__padding_gets_weight(Q, K, V, window):
    """The zeros beyond both ends are keys like any other: a score of zero gets weight in the softmax. Mask
    what is not there.

    fr: Les zéros au-delà des deux bouts sont des clés comme les autres : un score de zéro reçoit du poids
    dans le softmax. Masquez ce qui n'existe pas.
    """
    hidden = torch.zeros(Q.shape[-2], 2 * window + 1, dtype=torch.bool)
    return mix(scores_of(Q, neighbours(K, window)), neighbours(V, window), hidden)


def local_attention__ends_repeated(Q, K, V, window):
    """Beyond both ends stands the first or last position, again and again, with weight each time. Look for
    clamp, or for padding that replicates.

    fr: Au-delà des deux bouts se trouve la première ou la dernière position, répétée, avec du poids à chaque
    fois. Cherchez clamp, ou un padding qui réplique.
    """
    place = torch.arange(Q.shape[-2])[:, None] + torch.arange(-window, window + 1)
    near = place.clamp(0, Q.shape[-2] - 1)
    keys, values = (x[:, :, near].transpose(-1, -2) for x in (K, V))
    return mix(scores_of(Q, keys), values, torch.zeros_like(near, dtype=torch.bool))


def local_attention__last_chunk_dropped(Q, K, V, window):
    """What is left behind the last whole chunk is dropped, and its answer is zero. The length need not be a
    multiple of the chunk.

    fr: Ce qui reste après le dernier morceau entier est abandonné, et sa réponse est nulle. La longueur n'est
    pas forcément un multiple de celle d'un morceau.
    """
    size = max(window, 1)
    whole = Q.shape[-2] // size * size
    output = torch.zeros_like(V)
    if whole:
        output[:, :, :whole] = local_attention(Q[:, :, :whole], K[:, :, :whole], V[:, :, :whole], window)
    return output


def local_attention__chunk_alone(Q, K, V, window):
    """Each chunk sees itself alone: what is near, but in the next chunk, is not seen. Chunks need their
    neighbours.

    fr: Chaque morceau ne voit que lui-même : ce qui est proche mais dans le morceau voisin n'est pas vu. Les
    morceaux ont besoin de leurs voisins.
    """
    chunk = torch.arange(Q.shape[-2]) // max(window, 1)
    apart = chunk[:, None] != chunk
    return attend_densely(Q, K, V, apart | (distances(Q.shape[-2]).abs() > window))


def local_attention__whole_chunks(Q, K, V, window):
    """Each position sees all of its chunk and of both neighbours, which is up to twice the window. Within the
    chunks, mask what is too far away.

    fr: Chaque position voit tout son morceau et les deux voisins, soit jusqu'à deux fois la fenêtre. À
    l'intérieur des morceaux, masquez ce qui est trop loin.
    """
    chunk = torch.arange(Q.shape[-2]) // max(window, 1)
    far = (chunk[:, None] - chunk).abs() > (window > 0)
    return attend_densely(Q, K, V, far)


def local_attention__needs_a_long_text(Q, K, V, window):
    """There is an error where the text is shorter than the window. S may be any length.

    fr: Il y a une erreur quand le texte est plus court que la fenêtre. S peut avoir n'importe quelle
    longueur.
    """
    if Q.shape[-2] < window:
        raise ValueError("the text is shorter than the window")
    return local_attention(Q, K, V, window)


def local_attention__window_masked(Q, K, V, window):
    """The mask is the other way round: what is near is hidden, and the rest is seen.

    fr: Le masque est à l'envers : ce qui est proche est caché, et le reste est vu.
    """
    return attend_densely(Q, K, V, distances(Q.shape[-2]).abs() <= window)


def local_attention__masked_with_0(Q, K, V, window):
    """What lies outside the window has the score 0, and so it gets weight: a softmax makes 1 of 0, and 0 of
    minus infinity.

    fr: Ce qui est hors de la fenêtre a le score 0, et reçoit donc du poids : un softmax fait 1 de 0, et 0 de
    moins l'infini.
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    return scores.masked_fill(distances(Q.shape[-2]).abs() > window, 0).softmax(-1) @ V


def local_attention__everything_seen(Q, K, V, window):
    """The window has no effect: every position sees all others.

    fr: La fenêtre n'a aucun effet : chaque position voit toutes les autres.
    """
    return local_attention(Q, K, V, Q.shape[-2])


def local_attention__unscaled(Q, K, V, window):
    """The scores are not scaled. Look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle. Regardez par quoi il faut les diviser avant le softmax.
    """
    return local_attention(Q * math.sqrt(Q.shape[-1]), K, V, window)


def local_attention__scaled_by_window(Q, K, V, window):
    """The scores are divided by the square root of how many keys are seen; it belongs to the width D. Look at
    which axis you measure.

    fr: Les scores sont divisés par la racine du nombre de clés vues ; l'échelle vient de la largeur D.
    Regardez quel axe vous mesurez.
    """
    return local_attention(Q * math.sqrt(Q.shape[-1] / (2 * window + 1)), K, V, window)


def local_attention__keys_averaged(Q, K, V, window):
    """The values near are averaged, whatever the scores are. Look at what the softmax gets.

    fr: Les valeurs proches sont moyennées, quels que soient les scores. Regardez ce que reçoit le softmax.
    """
    return local_attention(0 * Q, K, V, window)


def local_attention__with_weights(Q, K, V, window):
    """The weights come back beside the output, which alone is asked for.

    fr: Les poids sont renvoyés à côté de la sortie, seule demandée.
    """
    hidden = outside(Q.shape[-2], window)
    scores = scores_of(Q, neighbours(K, window)).masked_fill(hidden, -math.inf)
    return local_attention(Q, K, V, window), scores.softmax(-1)


def local_attention__detached(Q, K, V, window):
    """The keys get no gradient. Look for detach, data or torch.tensor.

    fr: Les clés ne reçoivent pas de gradient. Cherchez detach, data ou torch.tensor.
    """
    return local_attention(Q, K.detach(), V, window)


def local_attention__heads_mixed(Q, K, V, window):
    """All heads attend with the keys of the first one. Look at what you index along the heads.

    fr: Toutes les têtes utilisent les clés de la première. Regardez ce que vous indexez le long des têtes.
    """
    return local_attention(Q, K[:, :1].expand_as(K), V, window)


def local_attention__changes_its_input(Q, K, V, window):
    """The caller's Q is changed. Look for operations in place, such as /= or masked_fill_.

    fr: Le Q de l'appelant est modifié. Cherchez les opérations sur place, comme /= ou masked_fill_.
    """
    output = local_attention(Q, K, V, window)
    Q.data /= math.sqrt(Q.shape[-1])
    return output
