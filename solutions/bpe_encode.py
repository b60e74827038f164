"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

from itertools import pairwise

BYTES = 256

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("bytes_alone",)
HALF = ("longest_piece", "first_place_alone")


def bytes_of(text):
    return list(text.encode())


def earliest(found, ranks):
    return min(found, key=ranks.__getitem__)


def replaced(ids, pair, new):
    merged, place = [], 0
    while place < len(ids):
        found = tuple(ids[place : place + 2]) == pair
        merged.append(new if found else ids[place])
        place += 2 if found else 1
    return merged


def bpe_encode(text, merges, read=bytes_of, choose=earliest, replace=replaced, first=BYTES):
    ranks = {tuple(pair): number for number, pair in reversed(list(enumerate(merges)))}
    ids = read(text)
    while found := [pair for pair in pairwise(ids) if pair in ranks]:
        pair = choose(found, ranks)
        ids = replace(ids, pair, first + ranks[pair])
    return ids


def pieces_of(merges):
    """The bytes that each id stands for."""
    pieces = {number: bytes([number]) for number in range(BYTES)}
    for number, (left, right) in enumerate(merges):
        pieces[BYTES + number] = pieces.get(left, b"") + pieces.get(right, b"")
    return pieces


def bpe_encode__longest_piece(text, merges, **parts):
    """At each place the longest piece of the vocabulary is taken, which is another tokenizer. It is the
    order in which the merges were learned that decides.

    fr: À chaque place, c'est le plus long morceau du vocabulaire qui est pris, ce qui est un autre
    tokenizer. C'est l'ordre d'apprentissage des fusions qui décide.
    """
    known = {piece: number for number, piece in reversed(pieces_of(merges).items())}
    rest, ids = bytes(parts.get("read", bytes_of)(text)), []
    while rest:
        piece = max((piece for piece in known if piece and rest.startswith(piece)), key=len)
        ids.append(known[piece])
        rest = rest[len(piece) :]
    return ids


def bpe_encode__latest_first(text, merges, **parts):
    """Of the pairs that can be merged, the one that was learned last is taken. It is the one that was
    learned first.

    fr: Parmi les paires à fusionner, c'est celle apprise en dernier qui est prise. Ce doit être celle
    apprise en premier.
    """
    choose = lambda found, ranks: max(found, key=ranks.__getitem__)  # noqa: E731
    return bpe_encode(text, merges, **{"choose": choose, **parts})


def bpe_encode__leftmost_first(text, merges, **parts):
    """The first pair of the text that is among the merges is taken, whichever it is. It is the order in
    which they were learned that decides.

    fr: La première paire du texte qui fait partie des fusions est prise, quelle qu'elle soit. C'est l'ordre
    d'apprentissage qui décide.
    """
    return bpe_encode(text, merges, **{"choose": lambda found, ranks: found[0], **parts})


def bpe_encode__commonest_first(text, merges, **parts):
    """The pair that comes most often in this text is taken. The text is not learned from: the order of the
    merges decides.

    fr: La paire la plus fréquente de ce texte est prise. On n'apprend pas de ce texte : c'est l'ordre des
    fusions qui décide.
    """
    choose = lambda found, ranks: max(found, key=lambda pair: (found.count(pair), -ranks[pair]))  # noqa: E731
    return bpe_encode(text, merges, **{"choose": choose, **parts})


def bpe_encode__bytes_alone(text, merges, **parts):
    """The bytes come back, and nothing is merged.

    fr: Ce sont les octets qui sont renvoyés, rien n'est fusionné.
    """
    return parts.get("read", bytes_of)(text)


def bpe_encode__pairs_of_bytes_alone(text, merges, **parts):
    """Only pairs of bytes are merged: what was merged is never merged again. Look again after each merge.

    fr: Seules des paires d'octets sont fusionnées : ce qui a été fusionné ne l'est plus jamais. Regardez à
    nouveau après chaque fusion.
    """
    some = [pair if max(pair) < BYTES else (-1, -1) for pair in merges]
    return bpe_encode(text, some, **parts)


def bpe_encode__first_place_alone(text, merges, **parts):
    """Each merge is made at one place, and not wherever its pair stands. Look at when the next merge has
    its turn.

    fr: Chaque fusion n'est faite qu'à une place, et non partout où figure sa paire. Regardez quand vient le
    tour de la fusion suivante.
    """
    ids, first = parts.get("read", bytes_of)(text), parts.get("first", BYTES)
    for number, pair in enumerate(merges):
        pairs = list(pairwise(ids))
        if tuple(pair) in pairs:
            place = pairs.index(tuple(pair))
            ids = [*ids[:place], first + number, *ids[place + 2 :]]
    return ids


def bpe_encode__one_merge(text, merges, **parts):
    """Encoding ends after the first merge. It goes on as long as there is a pair to merge.

    fr: L'encodage s'arrête après la première fusion. Il continue tant qu'il y a une paire à fusionner.
    """
    ids = parts.get("read", bytes_of)(text)
    for number, pair in enumerate(merges):
        if tuple(pair) in list(pairwise(ids)):
            return parts.get("replace", replaced)(ids, tuple(pair), parts.get("first", BYTES) + number)
    return ids


def bpe_encode__overlapping_merges(text, merges, **parts):
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

    return bpe_encode(text, merges, **{"replace": replace, **parts})


def bpe_encode__from_the_right(text, merges, **parts):
    """A row of equal ids is merged from the right: a a a becomes a and the new id. It goes from left to
    right.

    fr: Une suite d'identifiants égaux est fusionnée depuis la droite : a a a devient a et le nouvel
    identifiant. Le sens est de gauche à droite.
    """
    replace = parts.pop("replace", replaced)
    backwards = lambda ids, pair, new: replace(ids[::-1], pair[::-1], new)[::-1]  # noqa: E731
    return bpe_encode(text, merges, **{"replace": backwards, **parts})


def bpe_encode__characters(text, merges, **parts):
    """The sequence begins with characters (ord), and an accented letter is one id, which means another
    merge. It begins with bytes: look at encode.

    fr: La suite commence par des caractères (ord), et une lettre accentuée fait un seul identifiant, qui
    désigne une autre fusion. Elle commence par des octets : regardez encode.
    """
    return bpe_encode(text, merges, **{"read": lambda text: [ord(c) for c in text], **parts})


def bpe_encode__without_spaces(text, merges, **parts):
    """The spaces are lost when the text is split. They are bytes as all others are.

    fr: Les espaces se perdent quand le texte est découpé. Ce sont des octets comme les autres.
    """
    return bpe_encode("".join(text.split()), merges, **parts)


def bpe_encode__within_words(text, merges, **parts):
    """No merge goes across a space: the text is split at words first. Here it is one sequence.

    fr: Aucune fusion ne traverse une espace : le texte est d'abord découpé en mots. Ici, c'est une seule
    suite.
    """
    words = text.split(" ")
    spaced = [words[0], *(f" {word}" for word in words[1:])]
    return [number for word in spaced for number in bpe_encode(word, merges, **parts)]


def bpe_encode__new_ids_from_257(text, merges, **parts):
    """The first merge makes the id 257. It makes 256, the first that is no byte.

    fr: La première fusion crée l'identifiant 257. Elle crée 256, le premier qui n'est pas un octet.
    """
    ids = bpe_encode(text, merges, **parts)
    return [number + (number >= BYTES) for number in ids]


def bpe_encode__places_of_merges(text, merges, **parts):
    """A merged pair gets the number of its merge, which is also that of a byte. 256 is added to it.

    fr: Une paire fusionnée reçoit le numéro de sa fusion, qui est aussi celui d'un octet. On lui ajoute 256.
    """
    ids = bpe_encode(text, merges, **parts)
    return [number - BYTES if number >= BYTES else number for number in ids]


def bpe_encode__pieces(text, merges, **parts):
    """The pieces of the text come back as texts. Their ids are due.

    fr: Ce sont les morceaux du texte qui sont renvoyés. Leurs identifiants sont dus.
    """
    pieces = pieces_of(merges)
    return [pieces.get(number, b"").decode(errors="replace") for number in bpe_encode(text, merges, **parts)]
