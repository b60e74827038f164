"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import numpy
import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = (
    "no_windows",
    "anywhere",
)
HALF = (
    "same_as_x",
    "from_the_start",
    "one_window",
    "two_later",
)
SMALL = (
    "of_floats",
    "own_seed",
)


def at_random(data, block_size, batch_size):
    return torch.randint(len(data) - block_size, (batch_size,))


def windows(data, starts, block_size):
    return data[starts[:, None] + torch.arange(block_size)]


def one_later(data, starts, x):
    return windows(data, starts + 1, x.shape[1])


def get_batch(data, block_size, batch_size, starts=at_random, cut=windows, following=one_later):
    begin = starts(data, block_size, batch_size)
    x = cut(data, begin, block_size)
    return x, following(data, begin, x)


def get_batch__same_as_x(data, block_size, batch_size, **parts):
    """y is x itself: the model would learn to repeat what it is given. Look at where the windows of y begin.

    fr: y est x lui-même : le modèle apprendrait à répéter ce qu'on lui donne. Regardez où commencent les
    fenêtres de y.
    """
    return get_batch(data, block_size, batch_size, **{"following": lambda d, s, x: x.clone(), **parts})


def get_batch__two_later(data, block_size, batch_size, **parts):
    """y begins two ids after x, not one. Look at by how much the windows of y are shifted.

    fr: y commence deux identifiants après x, et non un. Regardez de combien les fenêtres de y sont décalées.
    """

    def following(data, starts, x):
        return windows(torch.cat([data, data[:1]]), starts + 2, x.shape[1])

    return get_batch(data, block_size, batch_size, **{"following": following, **parts})


def get_batch__one_earlier(data, block_size, batch_size, **parts):
    """x and y have changed places: what is returned second comes before what is returned first. Look at their
    order.

    fr: x et y ont échangé leurs places : ce qui est renvoyé en second vient avant ce qui est renvoyé en
    premier. Regardez leur ordre.
    """
    x, y = get_batch(data, block_size, batch_size, **parts)
    return y, x


def get_batch__rolled(data, block_size, batch_size, **parts):
    """y is x rolled round, so that each row ends with its own first id. Look at where the last id of y comes
    from.

    fr: y est x décalé en cercle, si bien que chaque ligne finit par son propre premier identifiant. Regardez
    d'où vient le dernier identifiant de y.
    """
    return get_batch(data, block_size, batch_size, **{"following": lambda d, s, x: x.roll(-1, 1), **parts})


def get_batch__apart(data, block_size, batch_size, **parts):
    """x and y are cut at different places: the starts are drawn twice. Look at how often you draw.

    fr: x et y sont découpés à des endroits différents : les débuts sont tirés deux fois. Regardez combien de
    fois vous tirez.
    """

    def following(data, starts, x):
        return one_later(data, at_random(data, x.shape[1], len(x)), x)

    return get_batch(data, block_size, batch_size, **{"following": following, **parts})


def get_batch__next_id_alone(data, block_size, batch_size, **parts):
    """y holds one id per window, the one after its end. Each position of x has a next id of its own.

    fr: y contient un identifiant par fenêtre, celui qui suit sa fin. Chaque position de x a son propre
    identifiant suivant.
    """
    following = lambda data, starts, x: data[starts + x.shape[1]]  # noqa: E731
    return get_batch(data, block_size, batch_size, **{"following": following, **parts})


def get_batch__last_never(data, block_size, batch_size, **parts):
    """The last window is never drawn. Look at the bound of the random starts: is it included?

    fr: La dernière fenêtre n'est jamais tirée. Regardez la borne des débuts tirés : est-elle comprise ?
    """

    def starts(data, block_size, batch_size):
        return torch.randint(len(data) - block_size - 1, (batch_size,))

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__first_never(data, block_size, batch_size, **parts):
    """The first window is never drawn. Look at where the range of the random starts begins.

    fr: La première fenêtre n'est jamais tirée. Regardez où commence l'intervalle des débuts tirés.
    """

    def starts(data, block_size, batch_size):
        return torch.randint(1, len(data) - block_size, (batch_size,))

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__over_the_end(data, block_size, batch_size, **parts):
    """Some windows begin so late that no next id is left for their end, and at times that raises. Look at the
    bound of the random starts.

    fr: Certaines fenêtres commencent si tard qu'il ne reste pas d'identifiant suivant pour leur fin, et cela
    lève parfois une erreur. Regardez la borne des débuts tirés.
    """

    def starts(data, block_size, batch_size):
        return torch.randint(len(data) - block_size + 1, (batch_size,))

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__anywhere(data, block_size, batch_size, **parts):
    """The starts are drawn from the whole text, and windows near its end are too short. Look at the bound of
    the random starts: it depends on block_size.

    fr: Les débuts sont tirés dans tout le texte, et les fenêtres proches de la fin sont trop courtes.
    Regardez la borne des débuts tirés : elle dépend de block_size.
    """

    def starts(data, block_size, batch_size):
        return torch.randint(len(data), (batch_size,))

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__one_window(data, block_size, batch_size, **parts):
    """All rows hold the same window: one start is drawn for the whole batch. Look at how many you draw.

    fr: Toutes les lignes contiennent la même fenêtre : un seul début est tiré pour tout le lot. Regardez
    combien vous en tirez.
    """

    def starts(data, block_size, batch_size):
        return at_random(data, block_size, 1).expand(batch_size)

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__one_after_another(data, block_size, batch_size, **parts):
    """Only the first start is random, and the other rows follow it one by one. Each row has a start of its
    own.

    fr: Seul le premier début est tiré, et les autres lignes le suivent une à une. Chaque ligne a son propre
    début.
    """

    def starts(data, block_size, batch_size):
        return (at_random(data, block_size, 1) + torch.arange(batch_size)) % (len(data) - block_size)

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__from_the_start(data, block_size, batch_size, **parts):
    """Nothing is random: the same windows come each time, from the beginning of the text on. Draw the starts.

    fr: Rien n'est tiré au hasard : les mêmes fenêtres viennent chaque fois, depuis le début du texte. Tirez
    les débuts.
    """

    def starts(data, block_size, batch_size):
        return torch.arange(batch_size) % (len(data) - block_size)

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__every_block(data, block_size, batch_size, **parts):
    """Windows begin at multiples of block_size alone. They may overlap: every place may be a start.

    fr: Les fenêtres ne commencent qu'aux multiples de block_size. Elles peuvent se chevaucher : tout endroit
    peut être un début.
    """

    def starts(data, block_size, batch_size):
        return at_random(data, block_size, batch_size) // block_size * block_size

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__without_replacement(data, block_size, batch_size, **parts):
    """The starts are drawn without replacement, so that no window comes twice in a batch, and a batch can run
    out of windows. Draw each row anew.

    fr: Les débuts sont tirés sans remise, si bien qu'aucune fenêtre ne vient deux fois dans un lot, et qu'un
    lot peut manquer de fenêtres. Tirez à nouveau pour chaque ligne.
    """

    def starts(data, block_size, batch_size):
        return torch.randperm(len(data) - block_size)[:batch_size]

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__without_replacement_if_they_suffice(data, block_size, batch_size, **parts):
    """Where there are as many windows as rows, the starts are drawn without replacement: no window comes
    twice. Draw each row anew.

    fr: Là où il y a autant de fenêtres que de lignes, les débuts sont tirés sans remise : aucune fenêtre ne
    vient deux fois. Tirez à nouveau pour chaque ligne.
    """

    def starts(data, block_size, batch_size):
        count = len(data) - block_size
        return (
            torch.randperm(count)[:batch_size]
            if batch_size <= count
            else at_random(data, block_size, batch_size)
        )

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__no_windows(data, block_size, batch_size, **parts):
    """Each position is drawn by itself, so that rows are no windows of the text. Draw one start per row.

    fr: Chaque position est tirée séparément, si bien que les lignes ne sont pas des fenêtres du texte. Tirez
    un début par ligne.
    """

    def cut(data, starts, block_size):
        return data[torch.randint(len(data) - block_size, (len(starts), block_size))]

    return get_batch(data, block_size, batch_size, **{"cut": cut, **parts})


def get_batch__own_seed(data, block_size, batch_size, **parts):
    """The seed is set inside, so that the same batch comes each time. Set it once, before training.

    fr: La graine est fixée à l'intérieur, si bien que le même lot vient chaque fois. Fixez-la une seule fois,
    avant l'entraînement.
    """
    torch.manual_seed(1337)
    return get_batch(data, block_size, batch_size, **parts)


def get_batch__not_torchs(data, block_size, batch_size, **parts):
    """torch.manual_seed does not make the batch reproducible: the starts come from another generator. Look at
    what draws them.

    fr: torch.manual_seed ne rend pas le lot reproductible : les débuts viennent d'un autre générateur.
    Regardez ce qui les tire.
    """

    def starts(data, block_size, batch_size):
        drawn = numpy.random.randint(len(data) - block_size, size=batch_size)
        return torch.from_numpy(drawn)

    return get_batch(data, block_size, batch_size, **{"starts": starts, **parts})


def get_batch__sizes_swapped(data, block_size, batch_size, **parts):
    """There are block_size windows of length batch_size. Look at which of the two is which.

    fr: Il y a block_size fenêtres de longueur batch_size. Regardez laquelle des deux est laquelle.
    """
    return get_batch(data, batch_size, block_size, **parts)


def get_batch__transposed(data, block_size, batch_size, **parts):
    """Windows are columns, not rows: x and y have shape (block_size, batch_size). Look at the axis along
    which they are stacked.

    fr: Les fenêtres sont des colonnes et non des lignes : x et y sont de forme (block_size, batch_size).
    Regardez l'axe selon lequel elles sont empilées.
    """
    x, y = get_batch(data, block_size, batch_size, **parts)
    return x.mT, y.mT


def get_batch__of_floats(data, block_size, batch_size, **parts):
    """x and y hold floating-point numbers, which no embedding can look up. Look at what changes their dtype.

    fr: x et y contiennent des nombres flottants, qu'aucun embedding ne peut chercher. Regardez ce qui change
    leur dtype.
    """
    x, y = get_batch(data, block_size, batch_size, **parts)
    return x.float(), y.float()


def get_batch__x_alone(data, block_size, batch_size, **parts):
    """Only x comes back: without y the model has nothing to learn. Return both.

    fr: Seul x est renvoyé : sans y, le modèle n'a rien à apprendre. Renvoyez les deux.
    """
    return get_batch(data, block_size, batch_size, **parts)[0]
