"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import copy
import math

import torch
from torch import nn

LAYERS = ("W_q", "W_k", "W_v")


def from_torch(theirs, mine):
    return copy_parts(theirs, mine, thirds(theirs.in_proj_weight), thirds(theirs.in_proj_bias))


def thirds(values):
    """Queries', keys' and values' rows; zeros in the place of None."""
    return [0.0] * 3 if values is None else list(values.detach().chunk(3))


@torch.no_grad()
def copy_parts(theirs, mine, weights, biases):
    for name, weight, bias in zip(LAYERS, weights, biases, strict=True):
        fill(getattr(mine, name).weight, weight)
        fill(getattr(mine, name).bias, bias)
    fill(mine.W_o.weight, theirs.out_proj.weight)
    fill(mine.W_o.bias, 0.0 if theirs.out_proj.bias is None else theirs.out_proj.bias)
    return mine


def fill(parameter, values):
    parameter.copy_(torch.as_tensor(values, dtype=parameter.dtype).expand_as(parameter))


def in_order(order):
    """The copy where the thirds are taken in another order."""

    def copied(theirs, mine):
        parts = [thirds(theirs.in_proj_weight), thirds(theirs.in_proj_bias)]
        return copy_parts(theirs, mine, *([part[place] for place in order] for part in parts))

    return copied


def rows(theirs, chosen):
    """The copy where other rows of the stacked matrix are taken."""
    weights = [theirs.in_proj_weight.detach()[place] for place in chosen]
    bias = theirs.in_proj_bias
    return weights, thirds(None) if bias is None else [bias.detach()[place] for place in chosen]


def from_torch__keys_and_values_swapped(theirs, mine):
    """The keys get the values' rows, and the values the keys'. In which order are the three stacked?

    fr: Les clés reçoivent les lignes des valeurs, et les valeurs celles des clés. Dans quel ordre les trois
    sont-elles empilées ?
    """
    return in_order((0, 2, 1))(theirs, mine)


def from_torch__queries_and_keys_swapped(theirs, mine):
    """The queries get the keys' rows, and the keys the queries'. In which order are the three stacked?

    fr: Les requêtes reçoivent les lignes des clés, et les clés celles des requêtes. Dans quel ordre les trois
    sont-elles empilées ?
    """
    return in_order((1, 0, 2))(theirs, mine)


def from_torch__queries_for_all(theirs, mine):
    """All three layers get the queries' rows. Look at the slices.

    fr: Les trois couches reçoivent les lignes des requêtes. Regardez les tranches.
    """
    return in_order((0, 0, 0))(theirs, mine)


def from_torch__every_third_row(theirs, mine):
    """Every third row of the stacked matrix is taken. The queries' rows stand together.

    fr: Une ligne sur trois de la matrice empilée est prise. Les lignes des requêtes se suivent.
    """
    wide = torch.arange(theirs.in_proj_weight.shape[0])
    return copy_parts(theirs, mine, *rows(theirs, [wide[place::3] for place in range(3)]))


def from_torch__by_head(theirs, mine):
    """The rows are taken head by head, as some other libraries stack them: here all heads' queries come
    first.

    fr: Les lignes sont prises tête par tête, comme les empilent d'autres bibliothèques : ici, les requêtes de
    toutes les têtes viennent d'abord.
    """
    places = torch.arange(theirs.in_proj_weight.shape[0]).reshape(theirs.num_heads, 3, -1)
    return copy_parts(theirs, mine, *rows(theirs, [places[:, place].flatten() for place in range(3)]))


def from_torch__transposed(theirs, mine):
    """The matrices are transposed. Both sides keep outputs as rows, as nn.Linear does.

    fr: Les matrices sont transposées. Des deux côtés, les sorties sont les lignes, comme dans nn.Linear.
    """
    weights = [part.T for part in thirds(theirs.in_proj_weight)]
    return copy_parts(theirs, mine, weights, thirds(theirs.in_proj_bias))


def from_torch__output_transposed(theirs, mine):
    """The matrix of the last projection is transposed. out_proj is a linear layer like W_o.

    fr: La matrice de la dernière projection est transposée. out_proj est une couche linéaire comme W_o.
    """
    from_torch(theirs, mine)
    mine.W_o.weight.data = mine.W_o.weight.data.T.contiguous()
    return mine


def from_torch__scaled(theirs, mine):
    """The queries' weights are divided by the root of D. Both attentions scale by themselves.

    fr: Les poids des requêtes sont divisés par la racine de D. Les deux attentions mettent elles-mêmes à
    l'échelle.
    """
    from_torch(theirs, mine)
    root = math.sqrt(theirs.head_dim)
    mine.W_q.weight.data /= root
    mine.W_q.bias.data /= root
    return mine


def from_torch__without_biases(theirs, mine):
    """The biases of queries, keys and values are not copied. Where does theirs keep them?

    fr: Les biais des requêtes, des clés et des valeurs ne sont pas copiés. Où theirs les garde-t-il ?
    """
    biases = [getattr(mine, name).bias.detach().clone() for name in LAYERS]
    return copy_parts(theirs, mine, thirds(theirs.in_proj_weight), biases)


def from_torch__without_bias_of_the_output(theirs, mine):
    """The bias of the last projection is not copied.

    fr: Le biais de la dernière projection n'est pas copié.
    """
    before = mine.W_o.bias.detach().clone()
    from_torch(theirs, mine).W_o.bias.data = before
    return mine


def from_torch__without_output(theirs, mine):
    """The last projection is not copied: W_o is as it was. Where does theirs keep it?

    fr: La dernière projection n'est pas copiée : W_o est comme avant. Où theirs la garde-t-il ?
    """
    before = copy.deepcopy(mine.W_o.state_dict())
    from_torch(theirs, mine).W_o.load_state_dict(before)
    return mine


def from_torch__biases_must_be_there(theirs, mine):
    """Where theirs has no biases, there is an error. With bias=False, in_proj_bias is None.

    fr: Là où theirs n'a pas de biais, il y a une erreur. Avec bias=False, in_proj_bias vaut None.
    """
    return copy_parts(theirs, mine, thirds(theirs.in_proj_weight), theirs.in_proj_bias.chunk(3))


def from_torch__old_biases_stay(theirs, mine):
    """Where theirs has no biases, mine keeps its old ones. What does an absent bias stand for?

    fr: Là où theirs n'a pas de biais, mine garde ses anciens. À quoi équivaut un biais absent ?
    """
    before = copy.deepcopy(mine.state_dict())
    from_torch(theirs, mine)
    if theirs.in_proj_bias is None:
        mine.load_state_dict({n: v for n, v in before.items() if n.endswith("bias")}, strict=False)
    return mine


def from_torch__nothing_copied(theirs, mine):
    """mine keeps its own weights: a copy of it is changed, or the new weights go nowhere.

    fr: mine garde ses propres poids : c'est une copie qui est modifiée, ou les nouveaux poids ne vont nulle
    part.
    """
    return from_torch(theirs, copy.deepcopy(mine))


def from_torch__the_other_way(theirs, mine):
    """The weights go from mine to theirs. On which side of copy_ stands what is changed?

    fr: Les poids vont de mine à theirs. De quel côté de copy_ se trouve ce qui est modifié ?
    """
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([getattr(mine, name).weight for name in LAYERS]))
        theirs.out_proj.weight.copy_(mine.W_o.weight)
        if theirs.in_proj_bias is not None:
            theirs.in_proj_bias.copy_(torch.cat([getattr(mine, name).bias for name in LAYERS]))
            theirs.out_proj.bias.copy_(mine.W_o.bias)
    return mine


def from_torch__shared(theirs, mine):
    """Both have the same memory: what changes mine changes theirs. Look for a copy of the values.

    fr: Les deux partagent la même mémoire : ce qui change mine change theirs. Cherchez une copie des valeurs.
    """
    from_torch(theirs, mine)
    for name, weight in zip(LAYERS, theirs.in_proj_weight.data.chunk(3), strict=True):
        getattr(mine, name).weight.data = weight
    mine.W_o.weight.data = theirs.out_proj.weight.data
    return mine


def from_torch__frozen(theirs, mine):
    """The weights of mine can no longer be trained. Look for requires_grad, or for plain tensors.

    fr: Les poids de mine ne peuvent plus être entraînés. Cherchez requires_grad, ou de simples tenseurs.
    """
    from_torch(theirs, mine)
    for name in (*LAYERS, "W_o"):
        layer = getattr(mine, name)
        layer.weight = nn.Parameter(layer.weight.detach(), requires_grad=False)
        layer.bias = nn.Parameter(layer.bias.detach(), requires_grad=False)
    return mine
