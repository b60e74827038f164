"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, V), weights


def scaled_dot_product_attention__unscaled(Q, K, V, mask=None):
    """The scores are not scaled. Look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle. Regardez par quoi il faut les diviser avant le softmax.
    """
    return scaled_dot_product_attention(Q * math.sqrt(Q.shape[-1]), K, V, mask)


def scaled_dot_product_attention__scaled_by_width(Q, K, V, mask=None):
    """The scores are divided by D itself. Compare your divisor with the one in the formula.

    fr: Les scores sont divisés par D lui-même. Comparez votre diviseur avec celui de la formule.
    """
    return scaled_dot_product_attention(Q / math.sqrt(Q.shape[-1]), K, V, mask)


def scaled_dot_product_attention__scaled_by_length(Q, K, V, mask=None):
    """The scale is taken from the number of keys; it belongs to the width of a key. Look at which axis you
    measure.

    fr: L'échelle vient du nombre de clés ; elle vient de la largeur d'une clé. Regardez quel axe vous
    mesurez.
    """
    return scaled_dot_product_attention(Q * math.sqrt(Q.shape[-1] / K.shape[-2]), K, V, mask)


def scaled_dot_product_attention__scaled_by_value_width(Q, K, V, mask=None):
    """The scale is taken from the width of the values; it belongs to that of queries and keys. Look at where
    D is read.

    fr: L'échelle vient de la largeur des valeurs ; elle vient de celle des requêtes et des clés. Regardez où
    D est lu.
    """
    return scaled_dot_product_attention(Q * math.sqrt(Q.shape[-1] / V.shape[-1]), K, V, mask)


def scaled_dot_product_attention__views_its_arguments(Q, K, V, mask=None):
    """view is asked of Q, K or V. Heads come from a transpose and lie in memory in another order. Look at
    what the error message proposes.

    fr: view est appelé sur Q, K ou V. Les têtes viennent d'un transpose et sont rangées autrement en mémoire.
    Regardez ce que propose le message d'erreur.
    """
    Q, K, V = (x.view(-1, *x.shape[-2:]).view(x.shape) for x in (Q, K, V))
    return scaled_dot_product_attention(Q, K, V, mask)


def scaled_dot_product_attention__few_keys(Q, K, V, mask=None):
    """The softmax goes over the first 100 keys alone. Which number in the code should be a size of the
    arguments?

    fr: Le softmax ne porte que sur les 100 premières clés. Quel nombre du code devrait être une taille des
    arguments ?
    """
    beyond = torch.arange(K.shape[-2]) >= 100
    return scaled_dot_product_attention(Q, K, V, beyond if mask is None else mask | beyond)


def scaled_dot_product_attention__scaled_twice(Q, K, V, mask=None):
    """The weights are divided by sqrt(D) once more, after the softmax. Look at what each row of weights sums
    to.

    fr: Les poids sont encore divisés par sqrt(D), après le softmax. Regardez la somme de chaque ligne des
    poids.
    """
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    return output / math.sqrt(Q.shape[-1]), weights / math.sqrt(Q.shape[-1])


def scaled_dot_product_attention__softmax_over_queries(Q, K, V, mask=None):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at the softmax's
    dim.

    fr: Le softmax porte sur les requêtes ; chaque requête répartit son poids entre les clés. Regardez le dim
    du softmax.
    """
    _, shares = scaled_dot_product_attention(K, Q, Q, None if mask is None else mask.transpose(-2, -1))
    weights = shares.transpose(-2, -1)
    return weights @ V, weights


def scaled_dot_product_attention__softmax_over_the_first_axis(Q, K, V, mask=None):
    """The softmax runs over the first axis of the scores. Look at the softmax's dim: where are the keys?

    fr: Le softmax porte sur le premier axe des scores. Regardez le dim du softmax : où sont les clés ?
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, dim=0)
    return weights @ V, weights


def scaled_dot_product_attention__softmax_over_axis_1(Q, K, V, mask=None):
    """The softmax runs over axis 1, which are the heads or the queries, by the number of axes. The keys are
    on the last one: look at the softmax's dim.

    fr: Le softmax porte sur l'axe 1, celui des têtes ou des requêtes selon le nombre d'axes. Les clés sont
    sur le dernier : regardez le dim du softmax.
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, dim=1)
    return weights @ V, weights


def scaled_dot_product_attention__queries_and_keys_swapped(Q, K, V, mask=None):
    """Queries and keys are exchanged in the scores. Look at the order of the two factors of the scores.

    fr: Les clés interrogent et les requêtes répondent. Regardez l'ordre des deux facteurs des scores.
    """
    return scaled_dot_product_attention(K, Q, V, mask)


def scaled_dot_product_attention__three_axes_only(Q, K, V, mask=None):
    """The axes 1 and 2 are transposed, wherever the keys stand. Count the axes of K from the end.

    fr: Ce sont les axes 1 et 2 qui sont transposés, où que soient les clés. Comptez les axes de K depuis la
    fin.
    """
    return scaled_dot_product_attention(Q, K.transpose(1, 2).transpose(-2, -1), V, mask)


def scaled_dot_product_attention__mask_inverted(Q, K, V, mask=None):
    """The mask is read the other way round: True means masked. Look at which scores you fill.

    fr: Le masque est lu à l'envers : True veut dire masqué. Regardez quels scores vous remplissez.
    """
    return scaled_dot_product_attention(Q, K, V, None if mask is None else ~mask)


def scaled_dot_product_attention__mask_ignored(Q, K, V, mask=None):
    """The mask has no effect. Look at where it is used, and at whether you keep what masked_fill returns.

    fr: Le masque n'a aucun effet. Regardez où il sert, et si vous gardez ce que renvoie masked_fill.
    """
    return scaled_dot_product_attention(Q, K, V)


def scaled_dot_product_attention__mask_after_softmax(Q, K, V, mask=None):
    """The mask acts after the softmax, so that the weights no longer sum to one. Look at the order of the two
    steps.

    fr: Le masque agit après le softmax, si bien que la somme des poids ne vaut plus un. Regardez l'ordre des
    deux étapes.
    """
    _, weights = scaled_dot_product_attention(Q, K, V)
    if mask is not None:
        weights = weights.masked_fill(mask, 0.0)
    return weights @ V, weights


def scaled_dot_product_attention__mask_too_weak(Q, K, V, mask=None):
    """Masked scores are only made a little smaller; some weight is left on masked keys. Look at the value you
    fill in.

    fr: Les scores masqués ne sont qu'un peu plus petits ; il reste du poids sur les clés masquées. Regardez
    la valeur que vous y mettez.
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -10.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


def scaled_dot_product_attention__mask_zero(Q, K, V, mask=None):
    """Masked scores are set to zero, which is a score like any other. Look at what the softmax makes of zero.

    fr: Les scores masqués valent zéro, qui est un score comme un autre. Regardez ce que le softmax fait de
    zéro.
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


def scaled_dot_product_attention__mask_added(Q, K, V, mask=None):
    """The mask is added to the scores as zeros and ones. Look at how far that lowers a masked score, if at
    all.

    fr: Le masque est ajouté aux scores comme des zéros et des uns. Regardez de combien cela abaisse un score
    masqué.
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


def scaled_dot_product_attention__mask_on_queries(Q, K, V, mask=None):
    """The mask hides queries (rows) where it should hide keys (columns). Look at the mask's last two axes.

    fr: Le masque cache des requêtes (lignes) au lieu de cacher des clés (colonnes). Regardez les deux
    derniers axes du masque.
    """
    return scaled_dot_product_attention(Q, K, V, None if mask is None else mask.transpose(-2, -1))


def scaled_dot_product_attention__always_causal(Q, K, V, mask=None):
    """The future is always masked, also when no mask says so. Look at where the mask comes from.

    fr: Le futur est toujours masqué, même si aucun masque ne le demande. Regardez d'où vient le masque.
    """
    future = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool).triu(1)
    return scaled_dot_product_attention(Q, K, V, future if mask is None else mask | future)


def scaled_dot_product_attention__no_softmax(Q, K, V, mask=None):
    """The scores are used as weights as they are. Look at what should turn a row of scores into shares of
    one.

    fr: Les scores servent de poids tels quels. Regardez ce qui doit transformer une ligne de scores en parts
    de un.
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, 0.0)
    return scores @ V, scores


def scaled_dot_product_attention__scores_returned(Q, K, V, mask=None):
    """What comes back with the output are the scores before the softmax. Look at the second thing you return.

    fr: Ce qui est renvoyé avec la sortie, ce sont les scores avant le softmax. Regardez la deuxième chose
    renvoyée.
    """
    output, _ = scaled_dot_product_attention(Q, K, V, mask)
    return output, Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def scaled_dot_product_attention__swapped(Q, K, V, mask=None):
    """Output and weights come back in the wrong order. Look at your return.

    fr: La sortie et les poids sont renvoyés dans le mauvais ordre. Regardez votre return.
    """
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    return weights, output


def scaled_dot_product_attention__without_weights(Q, K, V, mask=None):
    """Only the output comes back. Look at what else the contract asks you to return.

    fr: Seule la sortie est renvoyée. Regardez ce que l'énoncé demande de renvoyer avec elle.
    """
    return scaled_dot_product_attention(Q, K, V, mask)[0]


def scaled_dot_product_attention__exp_overflows(Q, K, V, mask=None):
    """The softmax is written with exp of the scores themselves, which overflows for large ones. Look at the
    row's maximum.

    fr: Le softmax est écrit avec l'exponentielle des scores eux-mêmes, qui déborde s'ils sont grands.
    Regardez le maximum de chaque ligne.
    """
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    shares = scores.exp()
    weights = shares / shares.sum(-1, keepdim=True)
    return weights @ V, weights


def scaled_dot_product_attention__half_precision(Q, K, V, mask=None):
    """The scores are computed in half precision. Look for a cast (.half(), .bfloat16(), autocast).

    fr: Les scores sont calculés en demi-précision. Cherchez une conversion (.half(), .bfloat16(), autocast).
    """
    output, weights = scaled_dot_product_attention(Q.bfloat16(), K.bfloat16(), V.bfloat16(), mask)
    return output.to(Q.dtype), weights.to(Q.dtype)


def scaled_dot_product_attention__detached(Q, K, V, mask=None):
    """The weights are cut off from the gradients. Look for .detach(), .data, no_grad or a new tensor made of
    numbers.

    fr: Les poids sont coupés des gradients. Cherchez .detach(), .data, no_grad ou un tenseur refait à partir
    de nombres.
    """
    _, weights = scaled_dot_product_attention(Q, K, V, mask)
    return weights.detach() @ V, weights.detach()


def scaled_dot_product_attention__changes_scores_in_place(Q, K, V, mask=None):
    """Q is scaled in place: the caller's tensor changes. Look for /=, *= and methods that end in an
    underscore.

    fr: Q est mis à l'échelle sur place : le tenseur de l'appelant change. Cherchez /=, *= et les méthodes qui
    finissent par un tiret bas.
    """
    answer = scaled_dot_product_attention(Q.clone(), K, V, mask)
    Q.data /= math.sqrt(Q.shape[-1])
    return answer


def scaled_dot_product_attention__dropout(Q, K, V, mask=None):
    """Dropout acts on the weights at every call. Look at what tells a function that it is not training.

    fr: Le dropout agit sur les poids à chaque appel. Regardez ce qui dit à une fonction qu'on n'entraîne pas.
    """
    _, weights = scaled_dot_product_attention(Q, K, V, mask)
    weights = torch.nn.functional.dropout(weights, 0.1)
    return weights @ V, weights
