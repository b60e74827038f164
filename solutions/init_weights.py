"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import copy

import torch
from torch import nn

STD = 0.02

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("a_copy",)
SMALL = ("norms_without_weight", "positions_left", "breaks_the_tie", "truncated", "biases_left")


def normal(weight, std):
    nn.init.normal_(weight, 0.0, std)


def linear(layer, fill):
    fill(layer.weight, STD)
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)


def embedding(layer, fill):
    fill(layer.weight, STD)


def norm(layer, fill):
    nn.init.ones_(layer.weight)
    nn.init.zeros_(layer.bias)


def smaller(n_layer):
    return STD / (2 * n_layer) ** 0.5


def is_residual(name):
    return name.endswith("c_proj.weight")


def init_weights(
    model,
    n_layer,
    fill=normal,
    matrices=linear,
    tables=embedding,
    norms=norm,
    scaled=smaller,
    chosen=is_residual,
):
    kinds = {nn.Linear: matrices, nn.Embedding: tables, nn.LayerNorm: norms}
    for layer in model.modules():
        if type(layer) in kinds:
            kinds[type(layer)](layer, fill)
    for name, parameter in model.named_parameters():
        if chosen(name):
            fill(parameter, scaled(n_layer))


def init_weights__deviation_of_one(model, n_layer, **parts):
    """The weights have a standard deviation of 1, as torch.randn and normal_ without arguments give them:
    far too large.

    fr: Les poids ont un écart type de 1, comme le donnent torch.randn et normal_ sans arguments : bien trop
    grand.
    """
    init_weights(model, n_layer, **{"fill": lambda weight, std: normal(weight, std / STD), **parts})


def init_weights__squared(model, n_layer, **parts):
    """The standard deviation is squared: 0.02 is taken for a variance, or the variance for a deviation.
    What does normal_ take?

    fr: L'écart type est élevé au carré : 0,02 est pris pour une variance, ou la variance pour un écart
    type. Que prend normal_ ?
    """
    init_weights(model, n_layer, **{"fill": lambda weight, std: normal(weight, std * std), **parts})


def init_weights__root_of_it(model, n_layer, **parts):
    """The root of 0.02 is taken, as if 0.02 were the variance. It is the standard deviation.

    fr: C'est la racine de 0,02 qui est prise, comme si 0,02 était la variance. C'est l'écart type.
    """
    init_weights(model, n_layer, **{"fill": lambda weight, std: normal(weight, std**0.5), **parts})


def init_weights__uniform(model, n_layer, **parts):
    """The weights are drawn from a uniform distribution. A normal one is due.

    fr: Les poids sont tirés selon une loi uniforme. C'est une loi normale qui est due.
    """
    fill = lambda weight, std: nn.init.uniform_(weight, -std * 3**0.5, std * 3**0.5)  # noqa: E731
    init_weights(model, n_layer, **{"fill": fill, **parts})


def init_weights__truncated(model, n_layer, **parts):
    """The normal distribution is cut off at two standard deviations, as BERT's is. GPT-2's is not.

    fr: La loi normale est tronquée à deux écarts types, comme celle de BERT. Celle de GPT-2 ne l'est pas.
    """
    fill = lambda weight, std: nn.init.trunc_normal_(weight, 0.0, std, -2 * std, 2 * std)  # noqa: E731
    init_weights(model, n_layer, **{"fill": fill, **parts})


def init_weights__xavier(model, n_layer, **parts):
    """The matrices are drawn by Xavier's rule, from their own sizes. GPT-2 takes 0.02 whatever the sizes are.

    fr: Les matrices sont tirées selon la règle de Xavier, d'après leurs tailles. GPT-2 prend 0,02 quelles
    que soient les tailles.
    """
    fill = lambda weight, std: nn.init.xavier_normal_(weight)  # noqa: E731
    init_weights(model, n_layer, **{"fill": fill, **parts})


def init_weights__none_smaller(model, n_layer, **parts):
    """The layers that add to the stream are drawn like all others. Those called c_proj are due to be smaller.

    fr: Les couches qui ajoutent au flux sont tirées comme les autres. Celles qui s'appellent c_proj doivent
    l'être plus petites.
    """
    init_weights(model, n_layer, **{"chosen": lambda name: False, **parts})


def init_weights__all_smaller(model, n_layer, **parts):
    """All matrices are drawn smaller with the number of blocks. Only those called c_proj are.

    fr: Toutes les matrices sont tirées plus petites selon le nombre de blocs. Seules celles nommées c_proj
    le sont.
    """

    def matrices(layer, fill):
        linear(layer, fill)
        fill(layer.weight, smaller(n_layer))

    init_weights(model, n_layer, **{"matrices": matrices, **parts})


def init_weights__attention_alone_smaller(model, n_layer, **parts):
    """Of the layers that add to the stream, only those of the attention are drawn smaller. The feed-forward
    network adds, too.

    fr: Des couches qui ajoutent au flux, seules celles de l'attention sont tirées plus petites. Le réseau
    feed-forward ajoute aussi.
    """
    chosen = lambda name: name.endswith("attn.c_proj.weight")  # noqa: E731
    init_weights(model, n_layer, **{"chosen": chosen, **parts})


def init_weights__feed_forward_alone_smaller(model, n_layer, **parts):
    """Of the layers that add to the stream, only those of the feed-forward network are drawn smaller. The
    attention adds, too.

    fr: Des couches qui ajoutent au flux, seules celles du réseau feed-forward sont tirées plus petites.
    L'attention ajoute aussi.
    """
    chosen = lambda name: name.endswith("mlp.c_proj.weight")  # noqa: E731
    init_weights(model, n_layer, **{"chosen": chosen, **parts})


def init_weights__other_layers_smaller(model, n_layer, **parts):
    """The layers that read the stream are drawn smaller, c_attn and c_fc. It is those that add to it, c_proj.

    fr: Ce sont les couches qui lisent le flux, c_attn et c_fc, qui sont tirées plus petites. Ce doit être
    celles qui y ajoutent, c_proj.
    """
    chosen = lambda name: name.endswith(("c_attn.weight", "c_fc.weight"))  # noqa: E731
    init_weights(model, n_layer, **{"chosen": chosen, **parts})


def init_weights__once_per_block(model, n_layer, **parts):
    """The deviation is divided by sqrt(L). Each block adds twice: 2 L stands under the root.

    fr: L'écart type est divisé par sqrt(L). Chaque bloc ajoute deux fois : c'est 2 L qui est sous la racine.
    """
    init_weights(model, n_layer, **{"scaled": lambda n_layer: STD / n_layer**0.5, **parts})


def init_weights__without_root(model, n_layer, **parts):
    """The deviation is divided by 2 L itself. Look for the root.

    fr: L'écart type est divisé par 2 L lui-même. Cherchez la racine.
    """
    init_weights(model, n_layer, **{"scaled": lambda n_layer: STD / (2 * n_layer), **parts})


def init_weights__larger(model, n_layer, **parts):
    """The deviation is multiplied by sqrt(2 L). It is divided: the more blocks, the smaller.

    fr: L'écart type est multiplié par sqrt(2 L). Il est divisé : plus il y a de blocs, plus il est petit.
    """
    init_weights(model, n_layer, **{"scaled": lambda n_layer: STD * (2 * n_layer) ** 0.5, **parts})


def init_weights__embeddings_left(model, n_layer, **parts):
    """The embeddings keep PyTorch's values, of deviation 1. Look at which layers you ask for.

    fr: Les embeddings gardent les valeurs de PyTorch, d'écart type 1. Regardez quelles couches vous traitez.
    """
    init_weights(model, n_layer, **{"tables": lambda layer, fill: None, **parts})


def init_weights__positions_left(model, n_layer, **parts):
    """The table of positions keeps the values that it had. It is an embedding as the other one is.

    fr: La table des positions garde les valeurs qu'elle avait. C'est un embedding comme l'autre.
    """
    positions = model.transformer["wpe"]
    tables = parts.pop("tables", embedding)
    some = lambda layer, fill: layer is positions or tables(layer, fill)  # noqa: E731
    init_weights(model, n_layer, **{"tables": some, **parts})


def init_weights__output_left(model, n_layer, **parts):
    """The output layer keeps the values that it had. It is a linear layer as all others are.

    fr: La couche de sortie garde les valeurs qu'elle avait. C'est une couche linéaire comme les autres.
    """
    head, matrices = model.lm_head, parts.pop("matrices", linear)
    some = lambda layer, fill: layer is head or matrices(layer, fill)  # noqa: E731
    init_weights(model, n_layer, **{"matrices": some, **parts})


def init_weights__biases_left(model, n_layer, **parts):
    """The biases keep the values that they had. They begin at 0.

    fr: Les biais gardent les valeurs qu'ils avaient. Ils commencent à 0.
    """
    matrices = lambda layer, fill: fill(layer.weight, STD)  # noqa: E731
    init_weights(model, n_layer, **{"matrices": matrices, **parts})


def init_weights__biases_drawn(model, n_layer, **parts):
    """The biases are drawn as the weights are. They begin at 0.

    fr: Les biais sont tirés comme les poids. Ils commencent à 0.
    """

    def matrices(layer, fill):
        for parameter in layer.parameters():
            fill(parameter, STD)

    init_weights(model, n_layer, **{"matrices": matrices, **parts})


def init_weights__norms_drawn(model, n_layer, **parts):
    """The weights of the norms are drawn, too, and every norm makes its input fifty times smaller. They
    begin at 1.

    fr: Les poids des normes sont tirés aussi, et chaque norme rend son entrée cinquante fois plus petite. Ils
    commencent à 1.
    """

    def norms(layer, fill):
        norm(layer, fill)
        fill(layer.weight, STD)

    init_weights(model, n_layer, **{"norms": norms, **parts})


def init_weights__norms_left(model, n_layer, **parts):
    """The norms keep the values that they had. Their weights begin at 1 and their biases at 0.

    fr: Les normes gardent les valeurs qu'elles avaient. Leurs poids commencent à 1 et leurs biais à 0.
    """
    init_weights(model, n_layer, **{"norms": lambda layer, fill: None, **parts})


def init_weights__norms_without_weight(model, n_layer, **parts):
    """The weights of the norms are set to 0, as their biases: every norm gives zeros. They begin at 1.

    fr: Les poids des normes sont mis à 0, comme leurs biais : chaque norme donne des zéros. Ils commencent
    à 1.
    """

    def norms(layer, fill):
        norm(layer, fill)
        nn.init.zeros_(layer.weight)

    init_weights(model, n_layer, **{"norms": norms, **parts})


def init_weights__breaks_the_tie(model, n_layer, **parts):
    """The output layer gets a parameter of its own, and no longer shares that of the tokens. Fill
    parameters in place.

    fr: La couche de sortie reçoit un paramètre à elle, et ne partage plus celui des tokens. Remplissez les
    paramètres en place.
    """
    model.lm_head.weight = nn.Parameter(model.lm_head.weight.detach().clone())
    init_weights(model, n_layer, **parts)


def init_weights__same_for_all(model, n_layer, **parts):
    """All layers of one shape have the same values: the seed is set before each of them. Look for
    manual_seed.

    fr: Toutes les couches d'une même forme ont les mêmes valeurs : la graine est fixée avant chacune.
    Cherchez manual_seed.
    """
    fill = parts.pop("fill", normal)

    def seeded(weight, std):
        torch.manual_seed(1337)
        fill(weight, std)

    init_weights(model, n_layer, **{"fill": seeded, **parts})


def init_weights__own_seed(model, n_layer, **parts):
    """The same values come each time: the seed is set inside. Set it once, before.

    fr: Les mêmes valeurs viennent à chaque fois : la graine est fixée à l'intérieur. Fixez-la une seule
    fois, avant.
    """
    torch.manual_seed(1337)
    init_weights(model, n_layer, **parts)


def init_weights__a_copy(model, n_layer, **parts):
    """A copy of the model gets the values, and the one that was given stays as it was.

    fr: C'est une copie du modèle qui reçoit les valeurs, et celui qui a été donné reste tel qu'il était.
    """
    init_weights(copy.deepcopy(model), n_layer, **parts)
