"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import numpy
import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("stops_at_the_start",)
HALF = (
    "argmax",
    "newest_id_alone",
    "first_position",
)
SMALL = (
    "a_tensor",
    "in_training",
    "left_in_evaluation",
    "stop_kept",
    "one_more",
)


def all_ids(ids):
    return ids


def chances(logits):
    return logits[0, -1].softmax(-1)


def drawn(shares):
    return int(torch.multinomial(shares, 1))


def is_stop(new, stop_id, count):
    return new == stop_id


def without_the_start(ids):
    return ids[1:]


def sample_name(
    model,
    stop_id,
    max_len,
    start=None,
    context=all_ids,
    weigh=chances,
    pick=drawn,
    ended=is_stop,
    give=without_the_start,
):
    was_training = model.training
    model.eval()
    ids = [stop_id if start is None else start]
    while len(ids) <= max_len:
        with torch.no_grad():
            new = pick(weigh(model(torch.tensor([context(ids)]))))
        if ended(new, stop_id, len(ids)):
            break
        ids.append(new)
    model.train(was_training)
    return give(ids)


def sample_name__argmax(model, stop_id, max_len, **parts):
    """The likeliest id is taken each time, so that there is only one name. Look at how the next id is chosen.

    fr: L'identifiant le plus probable est pris chaque fois ; il n'y a alors qu'un seul nom. Regardez comment
    le suivant est choisi.
    """
    return sample_name(model, stop_id, max_len, **{"pick": lambda shares: int(shares.argmax()), **parts})


def sample_name__uniform(model, stop_id, max_len, **parts):
    """Ids are drawn as if all were equally likely. Look at whether the model's probabilities are used.

    fr: Les identifiants sont tirés comme s'ils étaient tous également probables. Regardez si les probabilités
    du modèle sont utilisées.
    """
    pick = lambda shares: int(torch.randint(len(shares), ()))  # noqa: E731
    return sample_name(model, stop_id, max_len, **{"pick": pick, **parts})


def sample_name__softmax_twice(model, stop_id, max_len, **parts):
    """The softmax is taken twice, which makes all ids almost equally likely. Look at what already gives
    probabilities.

    fr: Le softmax est pris deux fois, ce qui rend tous les identifiants presque également probables. Regardez
    ce qui donne déjà des probabilités.
    """
    weigh = lambda logits: chances(logits).softmax(-1)  # noqa: E731
    return sample_name(model, stop_id, max_len, **{"weigh": weigh, **parts})


def sample_name__first_position(model, stop_id, max_len, **parts):
    """The logits of the first position are used. Which position knows all that came before?

    fr: Les logits de la première position sont utilisés. Quelle position connaît tout ce qui précède ?
    """
    weigh = lambda logits: logits[0, 0].softmax(-1)  # noqa: E731
    return sample_name(model, stop_id, max_len, **{"weigh": weigh, **parts})


def sample_name__starts_at_zero(model, stop_id, max_len, **parts):
    """A name begins with the id 0, whatever stop_id is. Which id stands before the first letter?

    fr: Un nom commence par l'identifiant 0, quel que soit stop_id. Quel identifiant précède la première
    lettre ?
    """
    return sample_name(model, stop_id, max_len, **{"start": 0, **parts})


def sample_name__stops_at_zero(model, stop_id, max_len, **parts):
    """A name ends at the id 0, whatever stop_id is. With what is a new id compared?

    fr: Un nom finit à l'identifiant 0, quel que soit stop_id. À quoi un nouvel identifiant est-il comparé ?
    """
    ended = lambda new, stop, count: new == 0  # noqa: E731
    return sample_name(model, stop_id, max_len, **{"ended": ended, **parts})


def sample_name__stops_at_the_start(model, stop_id, max_len, **parts):
    """The sign that begins a name is taken for the one that ends it: every name is empty. When is the id
    compared with stop_id?

    fr: Le signe qui commence un nom est pris pour celui qui le finit : tout nom est vide. Quand
    l'identifiant est-il comparé à stop_id ?
    """
    return sample_name(model, stop_id, 0, **parts)  # the loop is never entered: its last id is the sign


def sample_name__never_stops(model, stop_id, max_len, **parts):
    """The name goes on after the sign, up to max_len. Look at what ends the loop.

    fr: Le nom continue après le signe, jusqu'à max_len. Regardez ce qui met fin à la boucle.
    """
    return sample_name(model, stop_id, max_len, **{"ended": lambda *_: False, **parts})


def sample_name__no_empty_name(model, stop_id, max_len, **parts):
    """A sign that is drawn at once does not end the name: the empty name is one, too.

    fr: Un signe tiré d'emblée ne met pas fin au nom : le nom vide en est un aussi.
    """
    ended = lambda new, stop, count: new == stop and count > 1  # noqa: E731
    return sample_name(model, stop_id, max_len, **{"ended": ended, **parts})


def sample_name__start_kept(model, stop_id, max_len, **parts):
    """The sign before the name is part of the answer. Cut it off.

    fr: Le signe qui précède le nom fait partie de la réponse. Retirez-le.
    """
    return sample_name(model, stop_id, max_len, **{"give": all_ids, **parts})


def sample_name__stop_kept(model, stop_id, max_len, **parts):
    """The sign that ends the name is part of the answer. Compare first, append then.

    fr: Le signe qui finit le nom fait partie de la réponse. Comparez d'abord, ajoutez ensuite.
    """
    seen = []

    def ended(new, stop, count):
        seen.append(new)
        return new == stop

    name = sample_name(model, stop_id, max_len, **{"ended": ended, **parts})
    return name + seen[-1:] if seen[-1] == stop_id else name


def sample_name__one_less(model, stop_id, max_len, **parts):
    """A long name has one id too few: the sign before it counts among max_len. Look at how often the loop
    runs.

    fr: Un long nom a un identifiant de trop peu : le signe qui le précède compte dans max_len. Regardez
    combien de fois tourne la boucle.
    """
    return sample_name(model, stop_id, max_len - 1, **parts)


def sample_name__one_more(model, stop_id, max_len, **parts):
    """A long name has one id too many. Look at how often the loop runs.

    fr: Un long nom a un identifiant de trop. Regardez combien de fois tourne la boucle.
    """
    return sample_name(model, stop_id, max_len + 1, **parts)


def sample_name__no_limit(model, stop_id, max_len, **parts):
    """A name goes on until the sign comes, however long it is. Where does max_len act?

    fr: Un nom continue jusqu'à ce que le signe vienne, si long soit-il. Où agit max_len ?
    """
    return sample_name(model, stop_id, max_len + 50, **parts)


def sample_name__newest_id_alone(model, stop_id, max_len, **parts):
    """The model is given the newest id alone, as a bigram needs no more. What does it know of the name then?

    fr: Le modèle ne reçoit que le dernier identifiant, comme s'il suffisait d'un bigramme. Que sait-il alors
    du nom ?
    """
    return sample_name(model, stop_id, max_len, **{"context": lambda ids: ids[-1:], **parts})


def sample_name__start_forgotten(model, stop_id, max_len, **parts):
    """From the second id on the model is not given the sign before the name any more: all positions are
    shifted. Keep it in what is asked.

    fr: À partir du deuxième identifiant, le modèle ne reçoit plus le signe qui précède le nom : toutes les
    positions sont décalées. Gardez-le dans la question.
    """
    return sample_name(model, stop_id, max_len, **{"context": lambda ids: ids[1:] or ids, **parts})


def sample_name__own_seed(model, stop_id, max_len, **parts):
    """The seed is set inside, so that the same name comes each time. Leave it to the caller.

    fr: La graine est fixée à l'intérieur, si bien que le même nom vient chaque fois. Laissez-la à l'appelant.
    """
    torch.manual_seed(1337)
    return sample_name(model, stop_id, max_len, **parts)


def sample_name__not_torchs(model, stop_id, max_len, **parts):
    """torch.manual_seed does not make the name reproducible: the ids are drawn by another generator. Look at
    what draws them.

    fr: torch.manual_seed ne rend pas le nom reproductible : les identifiants sont tirés par un autre
    générateur. Regardez ce qui les tire.
    """

    def pick(shares):
        noise = torch.from_numpy(numpy.random.gumbel(size=len(shares)))
        return int((shares.double().log() + noise).argmax())

    return sample_name(model, stop_id, max_len, **{"pick": pick, **parts})


def sample_name__in_training(model, stop_id, max_len, **parts):
    """The model is asked in the mode in which it comes: its dropout may act. Look for eval.

    fr: Le modèle est interrogé dans le mode où il arrive : son dropout peut agir. Cherchez eval.
    """
    mode = model.training

    def context(ids):
        model.train(mode)
        return ids

    return sample_name(model, stop_id, max_len, **{"context": context, **parts})


def sample_name__left_in_evaluation(model, stop_id, max_len, **parts):
    """The model stays in evaluation mode: whoever trains it goes on without dropout. Which mode did it come
    in?

    fr: Le modèle reste en mode évaluation : qui l'entraîne continue sans dropout. Dans quel mode est-il
    arrivé ?
    """
    name = sample_name(model, stop_id, max_len, **parts)
    model.eval()
    return name


def sample_name__a_tensor(model, stop_id, max_len, **parts):
    """A tensor comes back, where a list of ints is due. Look for tolist.

    fr: C'est un tenseur qui est rendu, là où une liste d'int est attendue. Cherchez tolist.
    """
    return torch.tensor(sample_name(model, stop_id, max_len, **parts), dtype=torch.int64)
