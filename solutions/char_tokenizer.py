"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

from collections import Counter

SPECIAL = ["<pad>", "<unk>", "<bos>", "<eos>"]
UNKNOWN = "<unk>"

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("words",)
SMALL = ("decodes_to_a_list", "gives_the_table", "unknown_left_out")


def characters_of(corpus):
    return sorted(set(corpus))


def places_of(text, chars):
    place = {character: number for number, character in enumerate(chars)}
    return [place[character] for character in text]


def text_of(ids, chars):
    return "".join(chars[number] for number in ids)


def char_tokenizer(corpus, text, ids, listed=characters_of, encode=places_of, decode=text_of):
    chars = listed(corpus)
    return chars, encode(text, chars), decode(ids, chars)


def char_tokenizer__unsorted(corpus, text, ids, **parts):
    """The characters are in the order of a set, which is another in each process: ids that are saved today
    mean something else tomorrow. Look at what brings a set into an order.

    fr: Les caractères sont dans l'ordre d'un ensemble, qui change d'un processus à l'autre : les identifiants
    enregistrés aujourd'hui voudront dire autre chose demain. Regardez ce qui donne un ordre à un ensemble.
    """
    return char_tokenizer(corpus, text, ids, **{"listed": lambda corpus: list(set(corpus)), **parts})


def char_tokenizer__as_met(corpus, text, ids, **parts):
    """The characters are in the order in which the corpus has them for the first time. They should be sorted.

    fr: Les caractères sont dans l'ordre de leur première apparition dans le corpus. Ils doivent être triés.
    """
    return char_tokenizer(
        corpus, text, ids, **{"listed": lambda corpus: list(dict.fromkeys(corpus)), **parts}
    )


def char_tokenizer__by_frequency(corpus, text, ids, **parts):
    """The characters are in the order of how often they come. They should be sorted by themselves.

    fr: Les caractères sont rangés par fréquence. Ils doivent être triés selon eux-mêmes.
    """

    def listed(corpus):
        counts = Counter(corpus)
        return sorted(counts, key=lambda character: (-counts[character], character))

    return char_tokenizer(corpus, text, ids, **{"listed": listed, **parts})


def char_tokenizer__downwards(corpus, text, ids, **parts):
    """The characters are sorted from the last to the first. Look at the direction of the sorting.

    fr: Les caractères sont triés du dernier au premier. Regardez le sens du tri.
    """
    listed = lambda corpus: sorted(set(corpus), reverse=True)  # noqa: E731
    return char_tokenizer(corpus, text, ids, **{"listed": listed, **parts})


def char_tokenizer__every_occurrence(corpus, text, ids, **parts):
    """A character stands in the vocabulary as often as the corpus has it. Once is enough: what makes
    characters different?

    fr: Un caractère figure dans le vocabulaire autant de fois que dans le corpus. Une fois suffit :
    qu'est-ce qui élimine les répétitions ?
    """
    return char_tokenizer(corpus, text, ids, **{"listed": sorted, **parts})


def char_tokenizer__of_the_text(corpus, text, ids, **parts):
    """The vocabulary is made of the text that is encoded. Then each text has ids of its own: it is the
    corpus that makes the vocabulary.

    fr: Le vocabulaire vient du texte à encoder. Chaque texte aurait alors ses propres identifiants : c'est le
    corpus qui fait le vocabulaire.
    """
    listed = parts.pop("listed", characters_of)
    return char_tokenizer(corpus, text, ids, **{"listed": lambda _: listed(text), **parts})


def char_tokenizer__of_both(corpus, text, ids, **parts):
    """The characters of the text join the vocabulary of the corpus. A model that was trained on the corpus
    has no row for them: a character that is not in the corpus should raise an error.

    fr: Les caractères du texte s'ajoutent au vocabulaire du corpus. Un modèle entraîné sur le corpus n'a
    pas de ligne pour eux : un caractère absent du corpus doit lever une erreur.
    """
    listed = parts.pop("listed", characters_of)
    return char_tokenizer(corpus, text, ids, **{"listed": lambda corpus: listed(corpus + text), **parts})


def char_tokenizer__special_tokens(corpus, text, ids, **parts):
    """Special tokens stand before the characters, which shifts all ids. The contract has characters alone.

    fr: Des tokens spéciaux précèdent les caractères, ce qui décale tous les identifiants. Le contrat n'a
    que des caractères.
    """
    listed = parts.pop("listed", characters_of)
    return char_tokenizer(corpus, text, ids, **{"listed": lambda corpus: SPECIAL + listed(corpus), **parts})


def char_tokenizer__unknown_token_first(corpus, text, ids, **parts):
    """A token for what is unknown stands before the characters, which shifts all ids, and takes what the
    corpus does not have. The contract has characters alone, and others raise an error.

    fr: Un token pour l'inconnu précède les caractères, ce qui décale tous les identifiants, et reçoit ce que
    le corpus n'a pas. Le contrat n'a que des caractères, et les autres lèvent une erreur.
    """
    listed = parts.pop("listed", characters_of)
    return _with_unknown(corpus, text, ids, lambda corpus: [UNKNOWN, *listed(corpus)], parts)


def char_tokenizer__unknown_token_last(corpus, text, ids, **parts):
    """A token for what is unknown stands behind the characters, and takes what the corpus does not have. The
    contract has characters alone, and others raise an error.

    fr: Un token pour l'inconnu suit les caractères, et reçoit ce que le corpus n'a pas. Le contrat n'a que
    des caractères, et les autres lèvent une erreur.
    """
    listed = parts.pop("listed", characters_of)
    return _with_unknown(corpus, text, ids, lambda corpus: [*listed(corpus), UNKNOWN], parts)


def _with_unknown(corpus, text, ids, listed, parts):
    def encode(text, chars):
        place = {character: number for number, character in enumerate(chars)}
        return [place.get(character, place[UNKNOWN]) for character in text]

    return char_tokenizer(corpus, text, ids, **{"listed": listed, "encode": encode, **parts})


def char_tokenizer__words(corpus, text, ids, **parts):
    """The tokens are words. A tokenizer of characters does not split at spaces: a space is a character too.

    fr: Les tokens sont des mots. Un tokenizer de caractères ne coupe pas aux espaces : l'espace est un
    caractère aussi.
    """
    return char_tokenizer(corpus.split(), text.split(), ids, **parts)


def char_tokenizer__lower_case(corpus, text, ids, **parts):
    """Capitals become small letters, and never come back. Every character has an id of its own.

    fr: Les majuscules deviennent des minuscules, et ne reviennent jamais. Chaque caractère a son identifiant.
    """
    return char_tokenizer(corpus.lower(), text.lower(), ids, **parts)


def char_tokenizer__without_white_space(corpus, text, ids, **parts):
    """Spaces and newlines are lost. They are characters like all others, and the model has to write them.

    fr: Les espaces et les sauts de ligne se perdent. Ce sont des caractères comme les autres, que le modèle
    doit savoir écrire.
    """
    return char_tokenizer("".join(corpus.split()), "".join(text.split()), ids, **parts)


def char_tokenizer__stripped(corpus, text, ids, **parts):
    """White space at both ends of the corpus and of the text is cut off. Look for strip.

    fr: Les blancs aux deux bouts du corpus et du texte sont coupés. Cherchez strip.
    """
    return char_tokenizer(corpus.strip(), text.strip(), ids, **parts)


def char_tokenizer__from_one(corpus, text, ids, **parts):
    """The ids count from 1. A table of embeddings has its first row at 0: look at where the numbers begin.

    fr: Les identifiants comptent à partir de 1. Une table d'embeddings a sa première ligne en 0 : regardez où
    commencent les nombres.
    """
    encode = lambda text, chars: [place + 1 for place in places_of(text, chars)]  # noqa: E731
    decode = lambda ids, chars: text_of([number - 1 for number in ids], chars)  # noqa: E731
    return char_tokenizer(corpus, text, ids, **{"encode": encode, "decode": decode, **parts})


def char_tokenizer__code_points(corpus, text, ids, **parts):
    """The ids are those of Unicode (ord and chr), not places in the vocabulary, which is then used for
    nothing.

    fr: Les identifiants sont ceux d'Unicode (ord et chr) et non des places dans le vocabulaire, qui ne sert
    alors à rien.
    """
    encode = lambda text, chars: [ord(character) for character in text]  # noqa: E731
    decode = lambda ids, chars: "".join(map(chr, ids))  # noqa: E731
    return char_tokenizer(corpus, text, ids, **{"encode": encode, "decode": decode, **parts})


def char_tokenizer__bytes(corpus, text, ids, **parts):
    """The ids are bytes of UTF-8: an accented letter has two of them. Each character should have one id,
    its place in the vocabulary.

    fr: Les identifiants sont les octets d'UTF-8 : une lettre accentuée en a deux. Chaque caractère doit
    avoir un seul identifiant, sa place dans le vocabulaire.
    """
    encode = lambda text, chars: list(text.encode())  # noqa: E731
    decode = lambda ids, chars: bytes(ids).decode(errors="replace")  # noqa: E731
    return char_tokenizer(corpus, text, ids, **{"encode": encode, "decode": decode, **parts})


def char_tokenizer__unknown_left_out(corpus, text, ids, **parts):
    """A character that the corpus does not have is left out without a word. It should raise an error.

    fr: Un caractère absent du corpus est omis sans un mot. Il doit lever une erreur.
    """
    encode = parts.pop("encode", places_of)
    skipping = lambda text, chars: encode([c for c in text if c in chars], chars)  # noqa: E731
    return char_tokenizer(corpus, text, ids, **{"encode": skipping, **parts})


def char_tokenizer__unknown_is_zero(corpus, text, ids, **parts):
    """A character that the corpus does not have gets the id of another one. It should raise an error: look at
    what your table answers where a key is missing.

    fr: Un caractère absent du corpus reçoit l'identifiant d'un autre. Il doit lever une erreur : regardez
    ce que répond votre table là où une clé manque.
    """

    def encode(text, chars):
        place = {character: number for number, character in enumerate(chars)}
        return [place.get(character, 0) for character in text]

    return char_tokenizer(corpus, text, ids, **{"encode": encode, **parts})


def char_tokenizer__sorted_ids(corpus, text, ids, **parts):
    """The ids of a text are sorted, or stand there once each: the order of the characters is lost. Look at
    what is made a set.

    fr: Les identifiants d'un texte sont triés, ou n'y figurent qu'une fois : l'ordre des caractères est
    perdu. Regardez de quoi vous faites un ensemble.
    """
    encode = parts.pop("encode", places_of)
    alone = lambda text, chars: sorted(set(encode(text, chars)))  # noqa: E731
    return char_tokenizer(corpus, text, ids, **{"encode": alone, **parts})


def char_tokenizer__gives_the_table(corpus, text, ids, **parts):
    """The dict from characters to ids comes back in the place of the list of characters.

    fr: C'est le dict des caractères vers les identifiants qui revient, au lieu de la liste des caractères.
    """
    chars, encoded, decoded = char_tokenizer(corpus, text, ids, **parts)
    return {character: number for number, character in enumerate(chars)}, encoded, decoded


def char_tokenizer__decodes_to_a_list(corpus, text, ids, **parts):
    """Decoding gives a list of characters. What joins them to a text?

    fr: Le décodage donne une liste de caractères. Qu'est-ce qui les joint en un texte ?
    """
    decode = parts.pop("decode", text_of)
    return char_tokenizer(corpus, text, ids, **{"decode": lambda i, c: list(decode(i, c)), **parts})


def char_tokenizer__decodes_with_spaces(corpus, text, ids, **parts):
    """There are spaces between the characters that are decoded. Look at what stands before join.

    fr: Il y a des espaces entre les caractères décodés. Regardez ce qui précède join.
    """
    decode = parts.pop("decode", text_of)
    return char_tokenizer(corpus, text, ids, **{"decode": lambda i, c: " ".join(decode(i, c)), **parts})


def char_tokenizer__decodes_the_text(corpus, text, ids, **parts):
    """What comes back decoded is the text that was encoded just before. It is the argument ids that is to be
    decoded.

    fr: Ce qui est décodé est le texte qui vient d'être encodé. C'est l'argument ids qu'il faut décoder.
    """
    chars, encoded, _ = char_tokenizer(corpus, text, ids, **parts)
    return chars, encoded, parts.get("decode", text_of)(encoded, chars)


def char_tokenizer__decodes_one_too_low(corpus, text, ids, **parts):
    """Decoding takes the character before the one that the id stands for, though encoding counts from 0.
    Look at where both count from.

    fr: Le décodage prend le caractère qui précède celui que désigne l'identifiant, alors que l'encodage
    compte à partir de 0. Regardez d'où chacun compte.
    """
    decode = lambda ids, chars: text_of([number - 1 for number in ids], chars)  # noqa: E731
    return char_tokenizer(corpus, text, ids, **{"decode": decode, **parts})
