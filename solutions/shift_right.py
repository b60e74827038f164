"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "left",
    "not_shifted",
    "start_and_padding_exchanged",
)
SMALL = (
    "of_floats",
    "changes_the_labels",
    "start_in_the_labels_becomes_padding",
)


IGNORED = -100  # a label that counts in no loss


def shift_right(labels, start_id, pad_id):
    begin = torch.full_like(labels[:, :1], start_id)
    shifted = torch.cat([begin, labels[:, :-1]], dim=1)
    return shifted.masked_fill(shifted == IGNORED, pad_id)


def shift_right__left(labels, start_id, pad_id):
    """The sequence is shifted to the left: each position is given what comes after it. Which way does a
    sequence move that begins with one id more?

    fr: La séquence est décalée vers la gauche : chaque position reçoit ce qui la suit. Dans quel sens bouge
    une séquence qui commence par un identifiant de plus ?
    """
    return shift_right(labels.flip(1), start_id, pad_id).flip(1)


def shift_right__not_shifted(labels, start_id, pad_id):
    """Nothing moves: only the first id is replaced, so that each position is given what it should predict.

    fr: Rien ne bouge : seul le premier identifiant est remplacé, si bien que chaque position reçoit ce
    qu'elle doit prédire.
    """
    given = labels.masked_fill(labels == IGNORED, pad_id)
    return torch.cat([shift_right(labels[:, :1], start_id, pad_id), given[:, 1:]], dim=1)


def shift_right__as_it_is(labels, start_id, pad_id):
    """The labels come back at their own positions: there is neither a shift nor a start_id.

    fr: Les labels reviennent à leurs propres positions : il n'y a ni décalage, ni start_id.
    """
    return labels.masked_fill(labels == IGNORED, pad_id)


def shift_right__by_two(labels, start_id, pad_id):
    """The ids move two positions, where one is due. Look at both ends of your slices.

    fr: Les identifiants avancent de deux positions au lieu d'une. Regardez les deux bouts de vos tranches.
    """
    return shift_right(shift_right(labels, start_id, pad_id), start_id, pad_id)


def shift_right__rolled(labels, start_id, pad_id):
    """The last id comes round to the front, where start_id is due. What does torch.roll do with the last?

    fr: Le dernier identifiant revient en tête, là où start_id est attendu. Que fait torch.roll du dernier ?
    """
    rolled = labels.roll(1, 1)
    return rolled.masked_fill(rolled == IGNORED, pad_id)


def shift_right__last_kept(labels, start_id, pad_id):
    """The last id is kept, so that the answer is one longer than the labels. What would be predicted from it?

    fr: Le dernier identifiant est gardé, et la réponse dépasse les labels d'une position. Que prédirait-on à
    partir de lui ?
    """
    longer = torch.cat([labels, labels[:, -1:]], dim=1)
    return shift_right(longer, start_id, pad_id)


def shift_right__without_start(labels, start_id, pad_id):
    """The last id is dropped, but no start_id is put in front: the answer is one shorter than the labels.

    fr: Le dernier identifiant est retiré, mais aucun start_id n'est mis devant : la réponse est plus courte
    que les labels d'une position.
    """
    return shift_right(labels, start_id, pad_id)[:, 1:]


def shift_right__start_at_the_end(labels, start_id, pad_id):
    """start_id stands at the end. A decoder that has seen nothing needs it at its first position.

    fr: start_id est à la fin. Un décodeur qui n'a encore rien vu en a besoin à sa première position.
    """
    return shift_right(labels, start_id, pad_id).roll(-1, 1)


def shift_right__start_of_the_first(labels, start_id, pad_id):
    """Only the first sequence begins with start_id; the others have padding there. Look at what you index
    with 0.

    fr: Seule la première séquence commence par start_id ; les autres y ont du padding. Regardez ce que vous
    indexez par 0.
    """
    shifted = shift_right(labels, start_id, pad_id)
    shifted[1:, 0] = pad_id
    return shifted


def shift_right__along_the_batch(labels, start_id, pad_id):
    """Sequences are moved, not positions: each row is given the one before. Which axis holds the positions?

    fr: Ce sont les séquences qui sont décalées, non les positions : chaque ligne reçoit la précédente. Quel
    axe contient les positions ?
    """
    return shift_right(labels.T, start_id, pad_id).T


def shift_right__ignored_left_in(labels, start_id, pad_id):
    """-100 is still there: no embedding has a row of that number. What should stand for padding?

    fr: -100 est encore là : aucun embedding n'a de ligne de ce numéro. Que doit-on mettre pour le padding ?
    """
    return torch.cat([shift_right(labels[:, :1], start_id, pad_id), labels[:, :-1]], dim=1)


def shift_right__ignored_becomes_start(labels, start_id, pad_id):
    """Each -100 becomes start_id; pad_id is due. Look at what you fill in.

    fr: Chaque -100 devient start_id, alors que pad_id est attendu. Regardez ce que vous y mettez.
    """
    return shift_right(labels, start_id, start_id)


def shift_right__ignored_becomes_zero(labels, start_id, pad_id):
    """Each -100 becomes 0, whatever pad_id is. Look at whether pad_id is used.

    fr: Chaque -100 devient 0, quel que soit pad_id. Regardez si pad_id est utilisé.
    """
    return shift_right(labels, start_id, 0)


def shift_right__start_is_padding(labels, start_id, pad_id):
    """Sequences begin with pad_id, as T5's do; here start_id is due. Look at whether start_id is used.

    fr: Les séquences commencent par pad_id, comme celles de T5 ; ici, start_id est attendu. Regardez si
    start_id est utilisé.
    """
    return shift_right(labels, pad_id, pad_id)


def shift_right__start_and_padding_exchanged(labels, start_id, pad_id):
    """pad_id and start_id stand in each other's place. Look at the order of the arguments.

    fr: pad_id et start_id sont à la place l'un de l'autre. Regardez l'ordre des arguments.
    """
    return shift_right(labels, pad_id, start_id)


def shift_right__start_in_the_labels_becomes_padding(labels, start_id, pad_id):
    """Labels that have the number of start_id become padding; each label moves on as it is.

    fr: Les labels qui ont le numéro de start_id deviennent du padding ; chaque label avance tel quel.
    """
    return shift_right(labels.masked_fill(labels == start_id, pad_id), start_id, pad_id)


def shift_right__of_floats(labels, start_id, pad_id):
    """The answer is of floats, which no embedding takes. Look at the dtype of what torch.zeros or torch.full
    makes.

    fr: La réponse est faite de flottants, qu'aucun embedding n'accepte. Regardez le dtype de ce que crée
    torch.zeros ou torch.full.
    """
    return shift_right(labels, start_id, pad_id).float()


def shift_right__changes_the_labels(labels, start_id, pad_id):
    """The caller's labels are changed: -100 is replaced in them too, and the loss then counts padding. Look
    for an assignment to a part, or for masked_fill_ with its underscore.

    fr: Les labels de l'appelant sont modifiés : -100 y est remplacé aussi, et la perte compte alors le
    padding. Cherchez une affectation à une partie, ou masked_fill_ avec son tiret bas.
    """
    shifted = shift_right(labels, start_id, pad_id)
    labels.masked_fill_(labels == IGNORED, pad_id)
    return shifted
