"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch.nn import functional

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "centred",
    "flipped",
    "padded_after",
)
SMALL = (
    "bias_must_be_given",
    "few_taps",
    "detached",
    "changes_its_input",
)


def causal_conv1d(x, weight, bias=None):
    padded = functional.pad(x, (0, 0, weight.shape[-1] - 1, 0))
    return slide(padded, weight, bias)


def slide(padded, weight, bias):
    """The sums over all windows of `padded`, (B, S + K - 1, I) -> (B, S, O)."""
    windows = padded.unfold(1, weight.shape[-1], 1)  # (B, S, I, K)
    output = torch.einsum("bsik,oik->bso", windows, weight)
    return output if bias is None else output + bias


def padded_with(x, before, after):
    return functional.pad(x, (0, 0, before, after))


def causal_conv1d__flipped(x, weight, bias=None):
    """The kernel is flipped: its last tap acts on the oldest position. The contract says which acts on t.

    fr: Le noyau est retourné : son dernier coefficient agit sur la position la plus ancienne. L'énoncé dit
    lequel agit sur t.
    """
    return causal_conv1d(x, weight.flip(-1), bias)


def causal_conv1d__padded_after(x, weight, bias=None):
    """The zeros stand behind the sequence, and each position sees the future. On which side are they due?

    fr: Les zéros sont placés après la séquence, et chaque position voit le futur. De quel côté faut-il les
    mettre ?
    """
    return slide(padded_with(x, 0, weight.shape[-1] - 1), weight, bias)


def causal_conv1d__centred(x, weight, bias=None):
    """The zeros stand half before and half behind (padding="same"): each position sees some of the future.

    fr: Les zéros sont placés pour moitié avant et pour moitié après (padding="same") : chaque position voit
    une partie du futur.
    """
    before = weight.shape[-1] // 2
    return slide(padded_with(x, before, weight.shape[-1] - 1 - before), weight, bias)


def causal_conv1d__centred_later(x, weight, bias=None):
    """(K - 1) // 2 zeros stand before the sequence and the others behind it: each position sees some of the
    future. How many of the taps look back?

    fr: (K - 1) // 2 zéros sont placés avant la séquence et les autres après : chaque position voit une partie
    du futur. Combien de coefficients regardent en arrière ?
    """
    before = (weight.shape[-1] - 1) // 2
    return slide(padded_with(x, before, weight.shape[-1] - 1 - before), weight, bias)


def causal_conv1d__half_the_zeros(x, weight, bias=None):
    """(K - 1) // 2 zeros stand on each side: each position sees some of the future, and with an even K one
    position is missing. How many zeros are due, and on which side?

    fr: (K - 1) // 2 zéros sont placés de chaque côté : chaque position voit une partie du futur, et si K est
    pair il manque une position. Combien de zéros faut-il, et de quel côté ?
    """
    each = (weight.shape[-1] - 1) // 2
    return slide(padded_with(x, each, each), weight, bias)


def causal_conv1d__half_the_taps(x, weight, bias=None):
    """K // 2 zeros stand on each side: each position sees some of the future, and with an even K there is one
    position too many. How many zeros are due, and on which side?

    fr: K // 2 zéros sont placés de chaque côté : chaque position voit une partie du futur, et si K est pair
    il y a une position de trop. Combien de zéros faut-il, et de quel côté ?
    """
    each = weight.shape[-1] // 2
    return slide(padded_with(x, each, each), weight, bias)


def causal_conv1d__too_late(x, weight, bias=None):
    """One zero too many stands before the sequence: no position sees itself. How many taps look back?

    fr: Il y a un zéro de trop avant la séquence : aucune position ne se voit elle-même. Combien de
    coefficients regardent en arrière ?
    """
    return slide(padded_with(x[:, :-1], weight.shape[-1], 0), weight, bias)


def causal_conv1d__without_padding(x, weight, bias=None):
    """There are no zeros before the sequence, and the first positions have no output. Count the positions.

    fr: Il n'y a pas de zéros avant la séquence, et les premières positions n'ont pas de sortie. Comptez les
    positions.
    """
    return slide(x, weight, bias)


def causal_conv1d__not_cut(x, weight, bias=None):
    """There are zeros on both sides, and what comes after the last position is not cut off. Count the
    positions.

    fr: Il y a des zéros des deux côtés, et ce qui suit la dernière position n'est pas coupé. Comptez les
    positions.
    """
    return slide(padded_with(x, weight.shape[-1] - 1, weight.shape[-1] - 1), weight, bias)


def causal_conv1d__cut_by_minus_zero(x, weight, bias=None):
    """With one tap nothing comes back: [:-0] is [:0], which keeps no position. How many are to be kept?

    fr: Avec une seule case, rien n'est rendu : [:-0] vaut [:0], qui ne garde aucune position. Combien faut-il
    en garder ?
    """
    output = causal_conv1d(x, weight, bias)
    return output[:, :0] if weight.shape[-1] == 1 else output


def causal_conv1d__first_position_repeated(x, weight, bias=None):
    """Before the sequence stands its first position, again and again; zeros are due.

    fr: Avant la séquence se trouve sa première position, répétée ; on attend des zéros.
    """
    before = x[:, :1].expand(-1, weight.shape[-1] - 1, -1)
    return slide(torch.cat([before, x], 1), weight, bias)


def causal_conv1d__round_the_end(x, weight, bias=None):
    """Before the sequence stands its own end: the first positions see the last. Look for roll, or for
    padding_mode="circular".

    fr: Avant la séquence se trouve sa propre fin : les premières positions voient les dernières. Cherchez
    roll, ou padding_mode="circular".
    """
    back = range(weight.shape[-1] - 1, -1, -1)
    taps = zip(back, weight.unbind(-1), strict=True)
    output = sum(x.roll(steps, 1) @ tap.T for steps, tap in taps)
    return output if bias is None else output + bias


def causal_conv1d__through_the_batch(x, weight, bias=None):
    """The sequences stand one behind the other: the first positions see the end of the sequence before.

    fr: Les séquences sont mises bout à bout : les premières positions voient la fin de la séquence
    précédente.
    """
    return causal_conv1d(x.flatten(0, 1)[None], weight, bias).view(*x.shape[:2], -1)


def causal_conv1d__axes_reread(x, weight, bias=None):
    """The memory of (B, S, I) is read as (B, I, S): positions and columns mix. Which method moves an axis?

    fr: La mémoire de (B, S, I) est relue comme (B, I, S) : positions et colonnes se mélangent. Quelle méthode
    déplace un axe ?
    """
    return causal_conv1d(x.reshape(len(x), x.shape[2], x.shape[1]).transpose(1, 2), weight, bias)


def causal_conv1d__output_not_turned_back(x, weight, bias=None):
    """The output is (B, O, S), as nn.Conv1d gives it; (B, S, O) is due.

    fr: La sortie est (B, O, S), telle que la donne nn.Conv1d ; on attend (B, S, O).
    """
    return causal_conv1d(x, weight, bias).transpose(1, 2)


def causal_conv1d__without_bias(x, weight, bias=None):
    """The bias is not added.

    fr: Le biais n'est pas ajouté.
    """
    return causal_conv1d(x, weight) if bias is None else causal_conv1d(x, weight, 0 * bias)


def causal_conv1d__bias_must_be_given(x, weight, bias=None):
    """There is no answer without a bias. What is added to the sums where bias is None?

    fr: Il n'y a pas de réponse sans biais. Qu'est-ce qui est ajouté aux sommes quand bias vaut None ?
    """
    return causal_conv1d(x, weight) + bias


def causal_conv1d__bias_for_each_tap(x, weight, bias=None):
    """The bias is added once for each of the K taps. Does it stand in the loop?

    fr: Le biais est ajouté une fois par coefficient, soit K fois. Est-il dans la boucle ?
    """
    return causal_conv1d(x, weight, None if bias is None else weight.shape[-1] * bias)


def causal_conv1d__averaged(x, weight, bias=None):
    """The taps are averaged and not summed: everything is K times too small.

    fr: Les coefficients sont moyennés et non sommés : tout est K fois trop petit.
    """
    return causal_conv1d(x, weight / weight.shape[-1], bias)


def causal_conv1d__present_alone(x, weight, bias=None):
    """Only the last tap acts: no position sees an earlier one.

    fr: Seul le dernier coefficient agit : aucune position n'en voit une précédente.
    """
    others = torch.zeros_like(weight[..., :-1])
    return causal_conv1d(x, torch.cat([others, weight[..., -1:]], -1), bias)


def causal_conv1d__sums_columns_first(x, weight, bias=None):
    """The columns of x are summed before the weights act: each column has weights of its own.

    fr: Les colonnes de x sont sommées avant que les poids n'agissent : chaque colonne a les siens.
    """
    return causal_conv1d(x.mean(-1, keepdim=True).expand_as(x), weight, bias)


def causal_conv1d__first_sequence_only(x, weight, bias=None):
    """All sequences of the batch get the first one's answer.

    fr: Toutes les séquences du lot reçoivent la réponse de la première.
    """
    return causal_conv1d(x[:1].expand_as(x), weight, bias)


def causal_conv1d__few_taps(x, weight, bias=None):
    """The kernel is cut at 64 taps. Which number in the code should be a size of the arguments?

    fr: Le noyau est coupé à 64 coefficients. Quel nombre du code devrait être une taille des arguments ?
    """
    return causal_conv1d(x, weight[..., -64:], bias)


def causal_conv1d__detached(x, weight, bias=None):
    """The weight gets no gradient. Look for detach, data or nn.Conv1d with a copy of it.

    fr: Le poids ne reçoit pas de gradient. Cherchez detach, data ou un nn.Conv1d avec une copie.
    """
    return causal_conv1d(x, weight.detach(), bias)


def causal_conv1d__changes_its_input(x, weight, bias=None):
    """The caller's x is changed. Look for assignments into x.

    fr: Le x de l'appelant est modifié. Cherchez les affectations dans x.
    """
    output = causal_conv1d(x, weight, bias)
    x.data[:, 0] = 0
    return output
