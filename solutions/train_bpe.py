"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

from itertools import pairwise

BYTES = 256

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = ("rarest", "counts_once", "first_place_alone")
SMALL = ("greatest_of_equals", "smallest_of_equals", "last_of_equals", "raises_at_the_end")


def bytes_of(text):
    return list(text.encode())


def count_pairs(ids):
    counts = {}
    for pair in pairwise(ids):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def commonest(counts):
    return max(counts, key=counts.__getitem__)


def replaced(ids, pair, new):
    merged, place = [], 0
    while place < len(ids):
        found = tuple(ids[place : place + 2]) == pair
        merged.append(new if found else ids[place])
        place += 2 if found else 1
    return merged


def train_bpe(
    text, num_merges, read=bytes_of, count=count_pairs, choose=commonest, replace=replaced, first=BYTES
):
    ids, merges = read(text), []
    for number in range(num_merges):
        counts = count(ids)
        if not counts:
            break
        merges.append(choose(counts))
        ids = replace(ids, merges[-1], first + number)
    return merges


def train_bpe__greatest_of_equals(text, num_merges, **parts):
    """Of pairs that come as often, the greatest one is taken, as some courses ask for. Here it is the one
    that stands first in the sequence.

    fr: Parmi des paires aussi fréquentes, la plus grande est prise, comme le demandent certains cours. Ici,
    c'est celle qui vient en premier dans la suite.
    """
    choose = lambda counts: max(counts, key=lambda pair: (counts[pair], pair))  # noqa: E731
    return train_bpe(text, num_merges, **{"choose": choose, **parts})


def train_bpe__smallest_of_equals(text, num_merges, **parts):
    """Of pairs that come as often, the smallest one is taken, as the library tokenizers does. Here it is
    the one that stands first in the sequence.

    fr: Parmi des paires aussi fréquentes, la plus petite est prise, comme le fait la bibliothèque
    tokenizers. Ici, c'est celle qui vient en premier dans la suite.
    """
    choose = lambda counts: min(counts, key=lambda pair: (-counts[pair], pair))  # noqa: E731
    return train_bpe(text, num_merges, **{"choose": choose, **parts})


def train_bpe__last_of_equals(text, num_merges, **parts):
    """Of pairs that come as often, the last one is taken. Look at what is done where two counts are equal.

    fr: Parmi des paires aussi fréquentes, la dernière est prise. Regardez ce qui est fait quand deux
    comptes sont égaux.
    """
    choose = lambda counts: max(reversed(counts), key=counts.__getitem__)  # noqa: E731
    return train_bpe(text, num_merges, **{"choose": choose, **parts})


def train_bpe__rarest(text, num_merges, **parts):
    """The pair that comes least often is taken. Look at how you choose.

    fr: C'est la paire la moins fréquente qui est prise. Regardez comment vous choisissez.
    """
    choose = lambda counts: min(counts, key=counts.__getitem__)  # noqa: E731
    return train_bpe(text, num_merges, **{"choose": choose, **parts})


def train_bpe__counts_apart(text, num_merges, **parts):
    """Places that overlap are counted once: a a a holds the pair (a, a) at two places. It is the
    replacement that does not overlap.

    fr: Les places qui se chevauchent sont comptées une fois : a a a contient la paire (a, a) à deux places.
    C'est le remplacement qui ne se chevauche pas.
    """

    def count(ids):
        counts, before = {}, -1
        for place, pair in enumerate(pairwise(ids)):
            if pair[0] == pair[1] and before == place - 1 and place and ids[place - 1] == ids[place]:
                before = -1
                counts.setdefault(pair, 0)
                continue
            counts[pair] = counts.get(pair, 0) + 1
            before = place
        return counts

    return train_bpe(text, num_merges, **{"count": count, **parts})


def train_bpe__counts_once(text, num_merges, **parts):
    """The pairs of the bytes are counted once, and the merges are the commonest of them: no merge is made
    of earlier ones. Count again after each merge.

    fr: Les paires d'octets sont comptées une seule fois, et les fusions sont les plus fréquentes : aucune
    n'est faite de fusions précédentes. Comptez à nouveau après chaque fusion.
    """
    counts = parts.get("count", count_pairs)(parts.get("read", bytes_of)(text))
    return sorted(counts, key=counts.__getitem__, reverse=True)[:num_merges]


def train_bpe__keeps_old_counts(text, num_merges, **parts):
    """The counts of the pairs that a merge takes apart are not lowered. Look at what changes beside the new
    pairs.

    fr: Les comptes des paires qu'une fusion défait ne sont pas diminués. Regardez ce qui change à part les
    nouvelles paires.
    """
    known, count, taken = {}, parts.pop("count", count_pairs), set()
    choose = parts.pop("choose", commonest)

    def growing(ids):
        for pair, often in count(ids).items():
            known[pair] = max(known.get(pair, 0), often)
        return {pair: often for pair, often in known.items() if pair not in taken}

    def choosing(counts):
        taken.add(choose(counts))
        return choose(counts)

    return train_bpe(text, num_merges, **{"count": growing, "choose": choosing, **parts})


def train_bpe__first_place_alone(text, num_merges, **parts):
    """A pair is replaced at its first place alone. It is replaced wherever it stands.

    fr: Une paire n'est remplacée qu'à sa première place. Elle l'est partout où elle figure.
    """

    def replace(ids, pair, new):
        for place in range(len(ids) - 1):
            if (ids[place], ids[place + 1]) == pair:
                return [*ids[:place], new, *ids[place + 2 :]]
        return ids

    return train_bpe(text, num_merges, **{"replace": replace, **parts})


def train_bpe__overlapping_merges(text, num_merges, **parts):
    """In a row of equal ids, one is merged with both its neighbours: a a a becomes the new id twice. Look
    at where the search goes on after a merge.

    fr: Dans une suite d'identifiants égaux, l'un est fusionné avec ses deux voisins : a a a donne deux fois
    le nouvel identifiant. Regardez où la recherche reprend après une fusion.
    """

    def replace(ids, pair, new):
        merged, is_end = [], False
        for place, number in enumerate(ids):
            begins = tuple(ids[place : place + 2]) == pair
            if begins:
                merged.append(new)
            elif not is_end:
                merged.append(number)
            is_end = begins
        return merged

    return train_bpe(text, num_merges, **{"replace": replace, **parts})


def train_bpe__from_the_right(text, num_merges, **parts):
    """A row of equal ids is merged from the right: a a a becomes a and the new id. It goes from left to
    right.

    fr: Une suite d'identifiants égaux est fusionnée depuis la droite : a a a devient a et le nouvel
    identifiant. Le sens est de gauche à droite.
    """
    replace = parts.pop("replace", replaced)
    backwards = lambda ids, pair, new: replace(ids[::-1], pair[::-1], new)[::-1]  # noqa: E731
    return train_bpe(text, num_merges, **{"replace": backwards, **parts})


def train_bpe__within_words(text, num_merges, **parts):
    """No merge goes across a space: the text is split at words first, as GPT-2 does. Here it is one sequence.

    fr: Aucune fusion ne traverse une espace : le texte est d'abord découpé en mots, comme le fait GPT-2.
    Ici, c'est une seule suite.
    """
    count, replace = parts.pop("count", count_pairs), parts.pop("replace", replaced)
    spaced = {ord(" ")}  # ids that begin with a space

    def within(ids):
        return {pair: often for pair, often in count(ids).items() if pair[1] not in spaced}

    def replace_and_keep(ids, pair, new):
        if pair[0] in spaced:
            spaced.add(new)
        return replace(ids, pair, new)

    return train_bpe(text, num_merges, **{"count": within, "replace": replace_and_keep, **parts})


def train_bpe__without_spaces(text, num_merges, **parts):
    """The spaces are lost when the text is split. They are bytes as all others are.

    fr: Les espaces se perdent quand le texte est découpé. Ce sont des octets comme les autres.
    """
    return train_bpe("".join(text.split()), num_merges, **parts)


def train_bpe__characters(text, num_merges, **parts):
    """The sequence begins with characters (ord), and an accented letter is one id. It begins with bytes:
    look at encode.

    fr: La suite commence par des caractères (ord), et une lettre accentuée fait un seul identifiant. Elle
    commence par des octets : regardez encode.
    """
    return train_bpe(text, num_merges, **{"read": lambda text: [ord(c) for c in text], **parts})


def train_bpe__ids_of_its_own(text, num_merges, **parts):
    """Each character of the text has an id of its own, its place among those that occur, and new ids follow
    them. The ids below 256 are bytes: look at encode.

    fr: Chaque caractère du texte a son propre identifiant, sa place parmi ceux qui y figurent, et les
    nouveaux viennent à leur suite. Les identifiants inférieurs à 256 sont des octets : regardez encode.
    """
    known = sorted(set(text))
    read = lambda text: [known.index(c) for c in text]  # noqa: E731
    return train_bpe(text, num_merges, **{"read": read, "first": len(known), **parts})


def train_bpe__new_ids_from_257(text, num_merges, **parts):
    """The new ids begin at 257, behind a special token. The first one is 256.

    fr: Les nouveaux identifiants commencent à 257, après un token spécial. Le premier est 256.
    """
    return train_bpe(text, num_merges, **{"first": BYTES + 1, **parts})


def train_bpe__size_of_the_vocabulary(text, num_merges, **parts):
    """The number is taken as the size of the whole vocabulary, of which 256 are bytes. It is that of the
    merges.

    fr: Le nombre est pris pour la taille du vocabulaire entier, dont 256 sont des octets. C'est celui des
    fusions.
    """
    return train_bpe(text, max(0, num_merges - BYTES), **parts)


def train_bpe__one_less(text, num_merges, **parts):
    """One merge too few is learned. Look at how often the loop runs.

    fr: Une fusion de moins est apprise. Regardez combien de fois tourne la boucle.
    """
    return train_bpe(text, num_merges - 1, **parts)


def train_bpe__stops_at_single_pairs(text, num_merges, **parts):
    """Learning stops where every pair comes once only. Here it goes on as long as there is a pair.

    fr: L'apprentissage s'arrête quand chaque paire ne vient qu'une fois. Ici, il continue tant qu'il y a
    une paire.
    """
    count = parts.pop("count", count_pairs)

    def often(ids):
        counts = count(ids)
        return counts if max(counts.values(), default=0) > 1 else {}

    return train_bpe(text, num_merges, **{"count": often, **parts})


def train_bpe__raises_at_the_end(text, num_merges, **parts):
    """Where no pair is left, the largest of nothing is asked for, which raises. Stop there.

    fr: Quand il ne reste plus de paire, on demande le plus grand de rien, ce qui lève une erreur.
    Arrêtez-vous là.
    """
    merges = train_bpe(text, num_merges, **parts)
    if len(merges) < num_merges:
        max(())
    return merges


def train_bpe__gives_the_sequence(text, num_merges, **parts):
    """What comes back is the sequence after the merges. The merges themselves are due.

    fr: Ce qui est renvoyé est la suite après les fusions. Ce sont les fusions elles-mêmes qui sont dues.
    """
    ids, replace = parts.get("read", bytes_of)(text), parts.get("replace", replaced)
    for number, pair in enumerate(train_bpe(text, num_merges, **parts)):
        ids = replace(ids, pair, BYTES + number)
    return ids
