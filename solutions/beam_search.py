"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = (
    "greedy",
    "logits_summed",
)
HALF = (
    "worst_kept",
    "first_finished",
)
SMALL = (
    "stop_kept",
    "a_tensor",
)


def log_probabilities(model, sequences):
    """Those of the next id, (N, V), for sequences of one length."""
    return model(torch.tensor(sequences))[:, -1].detach().double().log_softmax(-1)


def continuations(beam, logs, stop_id, beams):
    """The best continuations of all sequences of the beam: pairs of a sum and a sequence."""
    totals = torch.tensor([total for total, _ in beam], dtype=torch.float64)[:, None] + logs
    best = totals.flatten().topk(min(beams, totals.numel()))
    width = totals.shape[1]
    places = zip(best.values.tolist(), best.indices.tolist(), strict=True)
    return [(total, [*beam[place // width][1], place % width]) for total, place in places]


def leave(kept, stop_id):
    """What is finished, and what goes on."""
    return [p for p in kept if p[1][-1] == stop_id], [p for p in kept if p[1][-1] != stop_id]


def worth(total, ids, length_penalty):
    """What finished sequences are compared by; `ids` has the start."""
    return total / (len(ids) - 1) ** length_penalty


def all_finished(finished, beam):
    return finished + beam


def without_signs(ids, stop_id):
    return ids[1:-1] if ids[-1] == stop_id and len(ids) > 1 else ids[1:]


def beam_search(
    model,
    start_id,
    stop_id,
    beams,
    max_len,
    length_penalty=1.0,
    ask=log_probabilities,
    go_on=continuations,
    split=leave,
    weigh=worth,
    choose_from=all_finished,
    give=without_signs,
    early=False,
):
    beam, finished = [(0.0, [start_id])], []
    for _ in range(max_len):
        kept = go_on(beam, ask(model, [ids for _, ids in beam]), stop_id, beams)
        ended, beam = split(kept, stop_id)
        finished += ended
        if not beam or (early and finished):
            break
    candidates = choose_from(finished, beam)
    best = max(candidates, key=lambda pair: weigh(*pair, length_penalty))
    return give(best[1], stop_id)


def beam_search__greedy(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Only one sequence goes on: that is greedy decoding. Where do several begin to differ?

    fr: Une seule séquence continue : c'est un décodage glouton. Où plusieurs commencent-elles à différer ?
    """
    return beam_search(model, start_id, stop_id, 1, max_len, length_penalty, **parts)


def beam_search__one_beam_more(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """One continuation too many is kept at each step. Look at what is cut off.

    fr: Une suite de trop est gardée à chaque pas. Regardez ce qui est coupé.
    """
    return beam_search(model, start_id, stop_id, beams + 1, max_len, length_penalty, **parts)


def beam_search__never_cut(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """The best continuations of each sequence are kept, and never the best of all: the beam grows at each
    step. Cut it back to `beams`.

    fr: Les meilleures suites de chaque séquence sont gardées, et jamais les meilleures de toutes : le
    faisceau grandit à chaque pas. Ramenez-le à `beams`.
    """

    def go_on(beam, logs, stop_id, beams):
        pairs = zip(beam, logs, strict=True)
        return [kept for pair, row in pairs for kept in continuations([pair], row[None], stop_id, beams)]

    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"go_on": go_on, **parts})


def beam_search__one_of_each(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Each sequence keeps its own best continuation: they do not compete with one another after the first
    step. Choose among the continuations of all.

    fr: Chaque séquence garde sa propre meilleure suite : elles ne rivalisent plus après le premier pas.
    Choisissez parmi les suites de toutes.
    """

    def go_on(beam, logs, stop_id, beams):
        if len(beam) == 1 and len(beam[0][1]) == 1:
            return continuations(beam, logs, stop_id, beams)
        pairs = zip(beam, logs, strict=True)
        return [kept for pair, row in pairs for kept in continuations([pair], row[None], stop_id, 1)]

    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"go_on": go_on, **parts})


def beam_search__newest_alone(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """The log-probability of the newest id alone decides, and that of the ids before it is forgotten. What is
    added up?

    fr: La log-probabilité du dernier identifiant décide seule, et celle des précédents est oubliée.
    Qu'est-ce qui s'additionne ?
    """
    go_on = lambda beam, *rest: continuations([(0.0, ids) for _, ids in beam], *rest)  # noqa: E731
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"go_on": go_on, **parts})


def beam_search__logits_summed(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Logits are summed, and not log-probabilities: a state whose logits are all large wins. What makes them
    comparable?

    fr: Ce sont des logits qui sont sommés, et non des log-probabilités : un état dont tous les logits sont
    grands l'emporte. Qu'est-ce qui les rend comparables ?
    """
    ask = lambda model, sequences: model(torch.tensor(sequences))[:, -1].detach().double()  # noqa: E731
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"ask": ask, **parts})


def beam_search__probabilities_summed(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Probabilities are added up; it is their logarithms that add up where probabilities are multiplied.

    fr: Ce sont les probabilités qui s'additionnent ; or ce sont leurs logarithmes qui s'additionnent là où
    les probabilités se multiplient.
    """
    ask = lambda model, sequences: log_probabilities(model, sequences).exp()  # noqa: E731
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"ask": ask, **parts})


def beam_search__softmax_twice(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """A log_softmax is taken of probabilities: all ids become almost equally likely. Which function applies a
    softmax by itself?

    fr: Un log_softmax est pris de probabilités : tous les identifiants deviennent presque également
    probables. Quelle fonction applique d'elle-même un softmax ?
    """
    ask = lambda model, sequences: log_probabilities(model, sequences).exp().log_softmax(-1)  # noqa: E731
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"ask": ask, **parts})


def beam_search__worst_kept(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """The continuations with the smallest sums are kept. Look at the order of the sort.

    fr: Les suites de plus petite somme sont gardées. Regardez l'ordre du tri.
    """

    def go_on(beam, logs, *rest):
        negative = [(-total, ids) for total, ids in beam]
        return [(-total, ids) for total, ids in continuations(negative, -logs, *rest)]

    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"go_on": go_on, **parts})


def beam_search__no_penalty(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """The sums themselves are compared at the end, whatever length_penalty says: short sequences win.

    fr: Ce sont les sommes mêmes qui sont comparées à la fin, quoi que dise length_penalty : les séquences
    courtes l'emportent.
    """
    return beam_search(model, start_id, stop_id, beams, max_len, 0.0, **parts)


def beam_search__always_the_mean(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Sums are divided by the length, whatever length_penalty says. Where does it act?

    fr: Les sommes sont divisées par la longueur, quoi que dise length_penalty. Où agit-il ?
    """
    return beam_search(model, start_id, stop_id, beams, max_len, 1.0, **parts)


def beam_search__times_the_length(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Sums are multiplied by the power of the length: long sequences lose even more. Log-probabilities are
    negative.

    fr: Les sommes sont multipliées par la puissance de la longueur : les longues séquences perdent encore
    davantage. Les log-probabilités sont négatives.
    """
    return beam_search(model, start_id, stop_id, beams, max_len, -length_penalty, **parts)


def beam_search__start_counts(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """start_id counts among the ids of a sequence. Which ids have a log-probability?

    fr: start_id compte parmi les identifiants d'une séquence. Quels identifiants ont une log-probabilité ?
    """
    weigh = lambda total, ids, power: total / len(ids) ** power  # noqa: E731
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"weigh": weigh, **parts})


def beam_search__stop_does_not_count(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """stop_id does not count among the ids of a sequence, although its log-probability is in the sum.

    fr: stop_id ne compte pas parmi les identifiants d'une séquence, alors que sa log-probabilité est dans la
    somme.
    """

    def weigh(total, ids, power):
        return total / max(1, len(ids) - 1 - (ids[-1] == stop_id)) ** power

    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"weigh": weigh, **parts})


def beam_search__unfinished_dropped(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """What has not stopped after max_len steps is left out, as if only a stop made a sequence.

    fr: Ce qui ne s'est pas arrêté après max_len pas est laissé de côté, comme si seul un arrêt faisait une
    séquence.
    """
    choose = lambda finished, beam: finished or beam  # noqa: E731
    parts = {"choose_from": choose, **parts}
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **parts)


def beam_search__finished_dropped(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """What stopped before the end is forgotten where a longer sequence is left. Keep it beside the beam.

    fr: Ce qui s'est arrêté avant la fin est oublié s'il reste une séquence plus longue. Gardez-le à côté du
    faisceau.
    """
    choose = lambda finished, beam: beam or finished  # noqa: E731
    parts = {"choose_from": choose, **parts}
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **parts)


def beam_search__first_finished(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """The search ends with the first sequence that stops. Better ones may stop later.

    fr: La recherche s'arrête à la première séquence finie. De meilleures peuvent finir plus tard.
    """
    parts = {"early": True, "choose_from": lambda finished, beam: finished or beam, **parts}
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **parts)


def beam_search__places_are_filled(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Places of finished sequences go to others, so that `beams` always go on. Here the beam shrinks; other
    books fill it up.

    fr: Les places des séquences finies vont à d'autres, si bien que `beams` continuent toujours. Ici, le
    faisceau rétrécit ; d'autres livres le remplissent.
    """

    def go_on(beam, logs, stop_id, beams):
        every = continuations(beam, logs, stop_id, logs.numel())
        going_on = [pair for pair in every if pair[1][-1] != stop_id][:beams]
        return [pair for pair in every if pair[1][-1] == stop_id and pair in every[:beams]] + going_on

    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"go_on": go_on, **parts})


def beam_search__stop_is_a_word(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Sequences go on behind stop_id, and are cut there at the end. What has stopped leaves the beam.

    fr: Les séquences continuent derrière stop_id, et y sont coupées à la fin. Ce qui s'est arrêté quitte le
    faisceau.
    """

    def cut(ids, stop_id):
        return ids[1 : ids.index(stop_id, 1)] if stop_id in ids[1:] else ids[1:]

    parts = {"split": lambda kept, _: ([], kept), "give": cut, **parts}
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **parts)


def beam_search__one_step_less(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Sequences have one id less than max_len allows: start_id is counted. Look at how often the loop runs.

    fr: Les séquences ont un identifiant de moins que ne le permet max_len : start_id est compté. Regardez
    combien de fois tourne la boucle.
    """
    return beam_search(model, start_id, stop_id, beams, max_len - 1, length_penalty, **parts)


def beam_search__one_step_more(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """Sequences have one id more than max_len allows. Look at how often the loop runs.

    fr: Les séquences ont un identifiant de plus que ne le permet max_len. Regardez combien de fois tourne la
    boucle.
    """
    return beam_search(model, start_id, stop_id, beams, max_len + 1, length_penalty, **parts)


def beam_search__stop_kept(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """stop_id is part of the answer. Cut it off.

    fr: stop_id fait partie de la réponse. Retirez-le.
    """
    parts = {"give": lambda ids, _: ids[1:], **parts}
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **parts)


def beam_search__start_kept(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """start_id is part of the answer. Cut it off.

    fr: start_id fait partie de la réponse. Retirez-le.
    """
    give = lambda ids, stop: [ids[0], *without_signs(ids, stop)]  # noqa: E731
    return beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **{"give": give, **parts})


def beam_search__a_tensor(model, start_id, stop_id, beams, max_len, length_penalty=1.0, **parts):
    """A tensor comes back, where a list of ints is due. Look for tolist.

    fr: C'est un tenseur qui est rendu, là où une liste d'int est attendue. Cherchez tolist.
    """
    return torch.tensor(beam_search(model, start_id, stop_id, beams, max_len, length_penalty, **parts))
