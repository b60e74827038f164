# %% [markdown] lang="en"
# ## Two segments in one input
#
# To compare two texts, BERT reads both at once. Special ids mark where each ends, a second row says which
# segment an id belongs to, and a third where there is padding.

# %% [markdown] lang="fr"
# ## Deux segments en une entrée
#
# Pour comparer deux textes, BERT lit les deux à la fois. Des identifiants spéciaux marquent leur fin, une
# deuxième ligne dit à quel segment appartient un identifiant, et une troisième où il y a du remplissage.

# %%
def pair_inputs(a, b, cls, sep, max_len, pad=0):
    """The input of BERT for two segments: CLS, a, SEP, b, SEP, then padding up to max_len.

    Args:
        a: the ids of the first segment, a list of ints, not empty.
        b: those of the second, a list of ints, not empty.
        cls: the id of [CLS], which stands in front.
        sep: the id of [SEP], which stands behind each segment.
        max_len: the length of what comes back, at least 5.
        pad: the id that fills up what is too short, at the end.

    Returns:
        (ids, types, mask), three lists of max_len ints. types is 0 for CLS, a and the SEP behind a, 1 for b
        and the SEP behind b, and 0 for padding. mask is 1 for every id, and 0 for padding.

    Where both do not fit, the longer segment loses its last id, again and again until they fit; where both
    are equally long, b loses its own. CLS and both SEP always stay. The lists a and b keep their ids.

    For a = 5 6, b = 7, cls 1, sep 2 and max_len 8: ids 1 5 6 2 7 2 0 0, types 0 0 0 0 1 1 0 0,
    mask 1 1 1 1 1 1 0 0.

    fr: L'entrée de BERT pour deux segments : CLS, a, SEP, b, SEP, puis du remplissage jusqu'à max_len.

    Args:
        a: les identifiants du premier segment, une liste d'entiers, non vide.
        b: ceux du deuxième, une liste d'entiers, non vide.
        cls: l'identifiant de [CLS], placé devant.
        sep: l'identifiant de [SEP], placé derrière chaque segment.
        max_len: la longueur de ce qui est rendu, au moins 5.
        pad: l'identifiant qui complète ce qui est trop court, à la fin.

    Returns:
        (ids, types, mask), trois listes de max_len entiers. types vaut 0 pour CLS, a et le SEP derrière a,
        1 pour b et le SEP derrière b, et 0 pour le remplissage. mask vaut 1 pour chaque identifiant, et 0
        pour le remplissage.

    Si les deux ne tiennent pas, le segment le plus long perd son dernier identifiant, encore et encore
    jusqu'à ce qu'ils tiennent ; à longueur égale, c'est b qui perd le sien. CLS et les deux SEP restent
    toujours. Les listes a et b gardent leurs identifiants.

    Pour a = 5 6, b = 7, cls 1, sep 2 et max_len 8 : ids 1 5 6 2 7 2 0 0, types 0 0 0 0 1 1 0 0,
    mask 1 1 1 1 1 1 0 0.
    """
    raise NotImplementedError
