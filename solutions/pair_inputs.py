"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

HALF = (
    "without_cls",
    "without_the_middle_sep",
    "without_the_last_sep",
    "b_first",
)
SMALL = (
    "padding_in_front",
    "middle_sep_of_b",
    "second_segment_in_the_padding",
    "ties_taken_from_a",
    "what_just_fits_is_cut",
    "a_dict",
    "mask_before_types",
    "changes_its_lists",
)


def shorten(a, b, room):
    a, b = list(a), list(b)
    while len(a) + len(b) > room:
        (a if len(a) > len(b) else b).pop()
    return a, b


def lay_out(a, b, cls, sep, max_len, pad=0):
    """The three rows of two segments that fit."""
    ids = [cls, *a, sep, *b, sep]
    types = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    rest = max_len - len(ids)
    return ids + [pad] * rest, types + [0] * rest, [1] * len(ids) + [0] * rest


def pair_inputs(a, b, cls, sep, max_len, pad=0):
    return lay_out(*shorten(a, b, max_len - 3), cls, sep, max_len, pad)


def _leave_out(rows, place, max_len, pad):
    """The rows without one place, and one more of padding."""
    ids, types, mask = (row[:place] + row[place + 1 :] for row in rows)
    rest = max_len - len(ids)
    return ids + [pad] * rest, types + [0] * rest, mask + [0] * rest


def pair_inputs__without_cls(a, b, cls, sep, max_len, pad=0):
    """There is no [CLS] in front: nothing stands for the pair as a whole.

    fr: Il n'y a pas de [CLS] devant : rien ne représente la paire entière.
    """
    return _leave_out(pair_inputs(a, b, cls, sep, max_len, pad), 0, max_len, pad)


def pair_inputs__without_the_middle_sep(a, b, cls, sep, max_len, pad=0):
    """Nothing stands between the segments: a [SEP] is due behind each of them.

    fr: Rien ne sépare les segments : on attend un [SEP] derrière chacun.
    """
    kept, _ = shorten(a, b, max_len - 3)
    return _leave_out(pair_inputs(a, b, cls, sep, max_len, pad), len(kept) + 1, max_len, pad)


def pair_inputs__without_the_last_sep(a, b, cls, sep, max_len, pad=0):
    """There is no [SEP] behind the second segment; one is due behind each.

    fr: Il n'y a pas de [SEP] derrière le deuxième segment ; on en attend un derrière chacun.
    """
    kept = sum(map(len, shorten(a, b, max_len - 3)))
    return _leave_out(pair_inputs(a, b, cls, sep, max_len, pad), kept + 2, max_len, pad)


def pair_inputs__cls_in_front_of_both(a, b, cls, sep, max_len, pad=0):
    """A second [CLS] stands in front of b. The pair has one, at the very beginning.

    fr: Un second [CLS] se trouve devant b. La paire en a un seul, tout au début.
    """
    first, second = shorten(a, b, max_len - 4)
    return lay_out(first, [cls, *second], cls, sep, max_len, pad)


def pair_inputs__two_seps_in_the_middle(a, b, cls, sep, max_len, pad=0):
    """Two [SEP] stand between the segments, as in RoBERTa; BERT has one.

    fr: Deux [SEP] séparent les segments, comme dans RoBERTa ; BERT n'en a qu'un.
    """
    first, second = shorten(a, b, max_len - 4)
    return lay_out([*first, sep], second, cls, sep, max_len, pad)


def pair_inputs__b_first(a, b, cls, sep, max_len, pad=0):
    """The second segment comes first.

    fr: Le deuxième segment vient en premier.
    """
    first, second = shorten(a, b, max_len - 3)
    return lay_out(second, first, cls, sep, max_len, pad)


def pair_inputs__first_segment_alone(a, b, cls, sep, max_len, pad=0):
    """All types are 0: nothing tells the second segment from the first.

    fr: Tous les types valent 0 : rien ne distingue le deuxième segment du premier.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    return ids, [0] * len(types), mask


def pair_inputs__middle_sep_of_b(a, b, cls, sep, max_len, pad=0):
    """The [SEP] between the segments has type 1. It closes the first segment, and belongs to it.

    fr: Le [SEP] entre les segments a le type 1. Il clôt le premier segment et lui appartient.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    types[types.index(1) - 1] = 1
    return ids, types, mask


def pair_inputs__last_sep_of_a(a, b, cls, sep, max_len, pad=0):
    """The last [SEP] has type 0. It closes the second segment, and belongs to it.

    fr: Le dernier [SEP] a le type 0. Il clôt le deuxième segment et lui appartient.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    types[sum(mask) - 1] = 0
    return ids, types, mask


def pair_inputs__types_swapped(a, b, cls, sep, max_len, pad=0):
    """The first segment has type 1 and the second type 0. Look at which comes first.

    fr: Le premier segment a le type 1 et le deuxième le type 0. Regardez lequel vient en premier.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    return ids, [kept * (1 - kind) for kept, kind in zip(mask, types, strict=True)], mask


def pair_inputs__types_from_1(a, b, cls, sep, max_len, pad=0):
    """The types are 1 and 2, as where 0 is kept for padding. BERT's table of types has two rows, 0 and 1.

    fr: Les types valent 1 et 2, comme lorsque 0 est réservé au remplissage. La table des types de BERT a deux
    lignes, 0 et 1.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    return ids, [kept * (1 + kind) for kept, kind in zip(mask, types, strict=True)], mask


def pair_inputs__second_segment_in_the_padding(a, b, cls, sep, max_len, pad=0):
    """The padding has type 1, as if the second segment went on; 0 is due.

    fr: Le remplissage a le type 1, comme si le deuxième segment continuait ; on attend 0.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    return ids, [kind or 1 - kept for kept, kind in zip(mask, types, strict=True)], mask


def pair_inputs__mask_inverted(a, b, cls, sep, max_len, pad=0):
    """The mask is 1 for padding. BERT's is 1 for what is read.

    fr: Le masque vaut 1 pour le remplissage. Celui de BERT vaut 1 pour ce qui est lu.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    return ids, types, [1 - kept for kept in mask]


def pair_inputs__mask_of_ones(a, b, cls, sep, max_len, pad=0):
    """The mask is 1 everywhere, so that padding is read too.

    fr: Le masque vaut 1 partout, si bien que le remplissage est lu aussi.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    return ids, types, [1] * len(mask)


def pair_inputs__mask_hides_special_ids(a, b, cls, sep, max_len, pad=0):
    """The mask is 0 for [CLS] and [SEP] as well. They are read as words are; padding alone is not.

    fr: Le masque vaut 0 aussi pour [CLS] et [SEP]. Ils sont lus comme des mots ; seul le remplissage ne l'est
    pas.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    return ids, types, [int(kept and word not in (cls, sep)) for kept, word in zip(mask, ids, strict=True)]


def pair_inputs__padding_in_front(a, b, cls, sep, max_len, pad=0):
    """The padding stands in front. BERT's stands behind, so that [CLS] has position 0.

    fr: Le remplissage se trouve devant. Celui de BERT est derrière, pour que [CLS] ait la position 0.
    """
    rows = pair_inputs(a, b, cls, sep, max_len, pad)
    kept = sum(rows[2])
    return tuple(row[kept:] + row[:kept] for row in rows)


def pair_inputs__without_padding(a, b, cls, sep, max_len, pad=0):
    """What is too short stays so: it should be filled up to max_len, or no two pairs make a batch.

    fr: Ce qui est trop court le reste : il faut le compléter jusqu'à max_len, sinon deux paires ne forment
    pas un lot.
    """
    rows = pair_inputs(a, b, cls, sep, max_len, pad)
    return tuple(row[: sum(rows[2])] for row in rows)


def pair_inputs__pads_with_0(a, b, cls, sep, max_len, pad=0):
    """The padding is 0, whatever pad says.

    fr: Le remplissage vaut 0, quoi que dise pad.
    """
    return pair_inputs(a, b, cls, sep, max_len)


def pair_inputs__pads_with_sep(a, b, cls, sep, max_len, pad=0):
    """The padding is made of [SEP], which has a meaning of its own; pad is due.

    fr: Le remplissage est fait de [SEP], qui a un sens à lui ; on attend pad.
    """
    return pair_inputs(a, b, cls, sep, max_len, sep)


def pair_inputs__cut_at_the_end(a, b, cls, sep, max_len, pad=0):
    """The whole is cut at max_len: the last [SEP] is lost, and perhaps all of b.

    fr: Le tout est coupé à max_len : le dernier [SEP] est perdu, et peut-être tout b.
    """
    whole = lay_out(a, b, cls, sep, max(max_len, len(a) + len(b) + 3), pad)
    return tuple(row[:max_len] for row in whole)


def pair_inputs__second_segment_shortened(a, b, cls, sep, max_len, pad=0):
    """Only b is shortened, however long a is. The longer one is due to lose its last id.

    fr: Seul b est raccourci, quelle que soit la longueur de a. C'est le plus long qui doit perdre son dernier
    identifiant.
    """
    room = max_len - 3
    first = a[:room]
    return lay_out(first, b[: max(0, room - len(first))], cls, sep, max_len, pad)


def pair_inputs__first_segment_shortened(a, b, cls, sep, max_len, pad=0):
    """Only a is shortened, however long b is. The longer one is due to lose its last id.

    fr: Seul a est raccourci, quelle que soit la longueur de b. C'est le plus long qui doit perdre son dernier
    identifiant.
    """
    room = max_len - 3
    second = b[:room]
    return lay_out(a[: max(0, room - len(second))], second, cls, sep, max_len, pad)


def pair_inputs__half_the_room_each(a, b, cls, sep, max_len, pad=0):
    """Each segment gets half of the room, even where the other needs less. Take one id at a time.

    fr: Chaque segment reçoit la moitié de la place, même si l'autre en demande moins. Retirez un identifiant
    à la fois.
    """
    room = max_len - 3
    if len(a) + len(b) > room:
        a, b = a[: room - room // 2], b[: room // 2]
    return lay_out(a, b, cls, sep, max_len, pad)


def pair_inputs__ties_taken_from_a(a, b, cls, sep, max_len, pad=0):
    """Where both segments are equally long, a loses an id. The contract takes it from b, as BERT's own code.

    fr: À longueur égale, c'est a qui perd un identifiant. Le contrat le prend à b, comme le code de BERT.
    """
    second, first = shorten(b, a, max_len - 3)
    return lay_out(first, second, cls, sep, max_len, pad)


def pair_inputs__first_ids_dropped(a, b, cls, sep, max_len, pad=0):
    """Segments lose their first ids; the last ones are due to go. Look at which end is cut.

    fr: Les segments perdent leurs premiers identifiants ; ce sont les derniers qui doivent partir. Regardez
    quel bout est coupé.
    """
    first, second = shorten(a, b, max_len - 3)
    return lay_out(a[len(a) - len(first) :], b[len(b) - len(second) :], cls, sep, max_len, pad)


def pair_inputs__no_room_for_special_ids(a, b, cls, sep, max_len, pad=0):
    """The segments alone fill max_len, and three ids more come on top. Count [CLS] and both [SEP].

    fr: Les segments remplissent max_len à eux seuls, et trois identifiants s'y ajoutent. Comptez [CLS] et les
    deux [SEP].
    """
    return lay_out(*shorten(a, b, max_len), cls, sep, max_len, pad)


def pair_inputs__what_just_fits_is_cut(a, b, cls, sep, max_len, pad=0):
    """An id is cut where the pair fills max_len exactly. Look at the comparison: less, or less or equal?

    fr: Un identifiant est coupé là où la paire remplit exactement max_len. Regardez la comparaison :
    inférieur, ou inférieur ou égal ?
    """
    return lay_out(*shorten(a, b, max_len - 4), cls, sep, max_len, pad)


def pair_inputs__types_of_the_whole_segments(a, b, cls, sep, max_len, pad=0):
    """The types are those of the segments before they were shortened, cut at max_len.

    fr: Les types sont ceux des segments avant qu'ils ne soient raccourcis, coupés à max_len.
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    whole = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    return ids, (whole + types[len(whole) :])[:max_len], mask


def pair_inputs__a_dict(a, b, cls, sep, max_len, pad=0):
    """A dict comes back, as from a tokenizer of a library; the three lists are due, in their order.

    fr: C'est un dict qui est rendu, comme par un tokenizer d'une bibliothèque ; on attend les trois listes,
    dans leur ordre.
    """
    names = ("input_ids", "token_type_ids", "attention_mask")
    return dict(zip(names, pair_inputs(a, b, cls, sep, max_len, pad), strict=True))


def pair_inputs__mask_before_types(a, b, cls, sep, max_len, pad=0):
    """The mask comes before the types; the order is (ids, types, mask).

    fr: Le masque vient avant les types ; l'ordre est (ids, types, mask).
    """
    ids, types, mask = pair_inputs(a, b, cls, sep, max_len, pad)
    return ids, mask, types


def pair_inputs__changes_its_lists(a, b, cls, sep, max_len, pad=0):
    """The caller's lists become shorter: pop acts on them. Shorten a copy.

    fr: Les listes de l'appelant raccourcissent : pop agit sur elles. Raccourcissez une copie.
    """
    while len(a) + len(b) > max_len - 3:
        (a if len(a) > len(b) else b).pop()
    return lay_out(a, b, cls, sep, max_len, pad)
