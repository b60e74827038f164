"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import numpy
import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "argmax",
    "softmax_twice",
    "no_softmax",
)
SMALL = (
    "a_list",
    "pairs_alone",
)


def the_last(idx, block_size):
    return idx[:, -block_size:]


def logits_of(model, ids):
    answer = model(ids)
    return answer[0] if isinstance(answer, tuple) else answer


def chances(logits):
    return logits[:, -1].softmax(-1)


def drawn(chances):
    return torch.multinomial(chances, 1)


def appended(idx, new, block_size):
    return torch.cat([idx, new], 1)


def generate(
    model,
    idx,
    max_new_tokens,
    block_size,
    context=the_last,
    ask=logits_of,
    weigh=chances,
    pick=drawn,
    append=appended,
):
    for _ in range(max_new_tokens):
        logits = ask(model, context(idx, block_size))
        idx = append(idx, pick(weigh(logits)), block_size)
    return idx


def generate__argmax(model, idx, max_new_tokens, block_size, **parts):
    """The likeliest id is taken each time, and none is drawn. Look at how the next id is chosen.

    fr: L'identifiant le plus probable est pris chaque fois, et aucun n'est tiré. Regardez comment le suivant
    est choisi.
    """
    pick = lambda p: p.argmax(-1, keepdim=True)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"pick": pick, **parts})


def generate__uniform(model, idx, max_new_tokens, block_size, **parts):
    """Ids are drawn as if all were equally likely. Look at whether the model's probabilities are used.

    fr: Les identifiants sont tirés comme s'ils étaient tous également probables. Regardez si les probabilités
    du modèle sont utilisées.
    """
    pick = lambda p: torch.randint(p.shape[-1], (len(p), 1))  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"pick": pick, **parts})


def generate__softmax_over_the_batch(model, idx, max_new_tokens, block_size, **parts):
    """The softmax runs over the sequences of the batch, not over the ids. Look at its axis.

    fr: Le softmax porte sur les suites du lot et non sur les identifiants. Regardez son axe.
    """
    weigh = lambda logits: logits[:, -1].softmax(0)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__softmax_over_positions(model, idx, max_new_tokens, block_size, **parts):
    """The softmax runs over the positions, not over the ids. Look at its axis.

    fr: Le softmax porte sur les positions et non sur les identifiants. Regardez son axe.
    """
    weigh = lambda logits: logits.softmax(1)[:, -1]  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__softmax_twice(model, idx, max_new_tokens, block_size, **parts):
    """The softmax is taken twice, which makes all ids almost equally likely. Look at what already gives
    probabilities.

    fr: Le softmax est pris deux fois, ce qui rend tous les identifiants presque également probables. Regardez
    ce qui donne déjà des probabilités.
    """
    weigh = lambda logits: chances(logits).softmax(-1)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__no_softmax(model, idx, max_new_tokens, block_size, **parts):
    """The logits themselves are used as probabilities. Look at what turns scores into probabilities.

    fr: Les logits eux-mêmes sont pris pour des probabilités. Regardez ce qui change des scores en
    probabilités.
    """
    weigh = lambda logits: logits[:, -1]  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__sharper(model, idx, max_new_tokens, block_size, **parts):
    """Likely ids come too often: the logits are made larger, as by a temperature below 1. Look at what
    happens to them before the softmax.

    fr: Les identifiants probables viennent trop souvent : les logits sont agrandis, comme par une température
    inférieure à 1. Regardez ce qui leur arrive avant le softmax.
    """
    weigh = lambda logits: (logits[:, -1] / 0.7).softmax(-1)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__flatter(model, idx, max_new_tokens, block_size, **parts):
    """Likely ids come too seldom: the logits are made smaller, as by a temperature above 1. Look at what
    happens to them before the softmax.

    fr: Les identifiants probables viennent trop rarement : les logits sont réduits, comme par une température
    supérieure à 1. Regardez ce qui leur arrive avant le softmax.
    """
    weigh = lambda logits: (logits[:, -1] / 1.5).softmax(-1)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__top_k(model, idx, max_new_tokens, block_size, **parts):
    """Only the likeliest ids are ever drawn. The contract asks for all of them: look at what leaves some out.

    fr: Seuls les identifiants les plus probables sont tirés. L'énoncé les demande tous : regardez ce qui en
    écarte.
    """

    def weigh(logits):
        scores = logits[:, -1]
        least = scores.topk(min(3, scores.shape[-1] - 1)).values[:, -1:]
        return scores.masked_fill(scores < least, -torch.inf).softmax(-1)

    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__first_position(model, idx, max_new_tokens, block_size, **parts):
    """The logits of the first position are used. Which position knows all that came before?

    fr: Les logits de la première position sont utilisés. Quelle position connaît tout ce qui précède ?
    """
    weigh = lambda logits: logits[:, 0].softmax(-1)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__mean_of_positions(model, idx, max_new_tokens, block_size, **parts):
    """The logits of all positions are averaged. Which position knows all that came before?

    fr: Les logits de toutes les positions sont moyennés. Quelle position connaît tout ce qui précède ?
    """
    weigh = lambda logits: logits.mean(1).softmax(-1)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"weigh": weigh, **parts})


def generate__every_position(model, idx, max_new_tokens, block_size, **parts):
    """An id is drawn for every position and all are appended. Only the last position says what comes next.

    fr: Un identifiant est tiré pour chaque position et tous sont ajoutés. Seule la dernière position dit ce
    qui vient ensuite.
    """
    parts = {
        "weigh": lambda logits: logits.softmax(-1),
        "pick": lambda p: torch.multinomial(p.flatten(0, -2), 1).view(p.shape[:-1]),
        **parts,
    }
    return generate(model, idx, max_new_tokens, block_size, **parts)


def generate__one_draw_for_all(model, idx, max_new_tokens, block_size, **parts):
    """One id is drawn and given to every sequence of the batch. Look at how many are drawn at each step.

    fr: Un seul identifiant est tiré et donné à toutes les suites du lot. Regardez combien sont tirés à chaque
    étape.
    """
    pick = lambda p: drawn(p)[:1].expand(len(p), 1)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"pick": pick, **parts})


def generate__not_cropped(model, idx, max_new_tokens, block_size, **parts):
    """The model is given all ids, also where they are more than block_size. Look at what it is called with.

    fr: Le modèle reçoit tous les identifiants, même quand il y en a plus que block_size. Regardez avec quoi
    il est appelé.
    """
    context = lambda ids, block: ids  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"context": context, **parts})


def generate__first_ids(model, idx, max_new_tokens, block_size, **parts):
    """The model is given the first block_size ids, so that it never sees the newest. Look at which end is cut
    off.

    fr: Le modèle reçoit les block_size premiers identifiants, si bien qu'il ne voit jamais les plus récents.
    Regardez quel bout est coupé.
    """
    context = lambda ids, block: ids[:, :block]  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"context": context, **parts})


def generate__one_id_short(model, idx, max_new_tokens, block_size, **parts):
    """The model is given one id less than block_size allows. Look at where the context begins.

    fr: Le modèle reçoit un identifiant de moins que block_size ne le permet. Regardez où commence le
    contexte.
    """
    context = lambda ids, block: ids[:, 1 - block :] if block > 1 else ids[:, -1:]  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"context": context, **parts})


def generate__one_id_long(model, idx, max_new_tokens, block_size, **parts):
    """The model is given one id more than block_size. Look at where the context begins.

    fr: Le modèle reçoit un identifiant de plus que block_size. Regardez où commence le contexte.
    """
    context = lambda ids, block: ids[:, -block - 1 :]  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"context": context, **parts})


def generate__newest_id_alone(model, idx, max_new_tokens, block_size, **parts):
    """The model is given the newest id alone, as a bigram needs no more. Look at what it is called with.

    fr: Le modèle ne reçoit que le dernier identifiant, comme s'il suffisait d'un bigramme. Regardez avec
    quoi il est appelé.
    """
    context = lambda ids, block: ids[:, -1:]  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"context": context, **parts})


def generate__prompt_alone(model, idx, max_new_tokens, block_size, **parts):
    """The model is asked about idx each time, and never sees what was drawn. Look at what it is called with
    in the second step.

    fr: Le modèle est interrogé chaque fois sur idx, et ne voit jamais ce qui a été tiré. Regardez avec quoi
    il est appelé à la deuxième étape.
    """
    context = lambda ids, block: the_last(idx, block)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"context": context, **parts})


def generate__answer_cropped(model, idx, max_new_tokens, block_size, **parts):
    """What is cut off for the model is missing in the answer too. Crop a copy, and append to the whole.

    fr: Ce qui est coupé pour le modèle manque aussi dans la réponse. Coupez une copie, et ajoutez au tout.
    """
    append = lambda ids, new, block: torch.cat([ids[:, -block:], new], 1)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"append": append, **parts})


def generate__new_ids_alone(model, idx, max_new_tokens, block_size, **parts):
    """Only the new ids come back. Look at whether idx is at the beginning of what is returned.

    fr: Seuls les nouveaux identifiants sont renvoyés. Regardez si idx est au début de ce qui est renvoyé.
    """
    return generate(model, idx, max_new_tokens, block_size, **parts)[:, idx.shape[1] :]


def generate__in_front(model, idx, max_new_tokens, block_size, **parts):
    """New ids are put in front of the others. Look at the order of what is joined.

    fr: Les nouveaux identifiants sont mis devant les autres. Regardez l'ordre de ce qui est réuni.
    """
    append = lambda ids, new, block: torch.cat([new, ids], 1)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"append": append, **parts})


def generate__one_less(model, idx, max_new_tokens, block_size, **parts):
    """One new id is missing. Look at how often the loop runs.

    fr: Il manque un nouvel identifiant. Regardez combien de fois tourne la boucle.
    """
    return generate(model, idx, max_new_tokens - 1, block_size, **parts)


def generate__one_more(model, idx, max_new_tokens, block_size, **parts):
    """There is one new id too many. Look at how often the loop runs.

    fr: Il y a un nouvel identifiant de trop. Regardez combien de fois tourne la boucle.
    """
    return generate(model, idx, max_new_tokens + 1, block_size, **parts)


def generate__up_to_a_length(model, idx, max_new_tokens, block_size, **parts):
    """max_new_tokens is taken for the length of the whole. It counts the new ids alone.

    fr: max_new_tokens est pris pour la longueur du tout. Il ne compte que les nouveaux identifiants.
    """
    return generate(model, idx, max(max_new_tokens - idx.shape[1], 0), block_size, **parts)


def generate__one_sequence_alone(model, idx, max_new_tokens, block_size, **parts):
    """One sequence alone is continued, and a batch of several is not: the new id is made one number. Look at
    .item().

    fr: Une suite seule est continuée, mais pas un lot de plusieurs : d'un nouvel identifiant on fait un seul
    nombre. Regardez .item().
    """
    pick = lambda p: torch.tensor([[drawn(p).item()]])  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"pick": pick, **parts})


def generate__new_id_of_one_row(model, idx, max_new_tokens, block_size, **parts):
    """One sequence alone is continued, and a batch of several is not: there is one new id, whatever the
    number of rows. Each row needs its own.

    fr: Une suite seule est continuée, mais pas un lot de plusieurs : il y a un seul nouvel identifiant, quel
    que soit le nombre de lignes. Il en faut un par ligne.
    """
    pick = lambda p: drawn(p[:1])  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"pick": pick, **parts})


def generate__own_seed(model, idx, max_new_tokens, block_size, **parts):
    """The seed is set inside, so that the same text comes each time. Leave it to the caller.

    fr: La graine est fixée à l'intérieur, si bien que le même texte vient chaque fois. Laissez-la à
    l'appelant.
    """
    torch.manual_seed(1337)
    return generate(model, idx, max_new_tokens, block_size, **parts)


def generate__not_torchs(model, idx, max_new_tokens, block_size, **parts):
    """torch.manual_seed does not make the text reproducible: the ids are drawn by another generator. Look at
    what draws them.

    fr: torch.manual_seed ne rend pas le texte reproductible : les identifiants sont tirés par un autre
    générateur. Regardez ce qui les tire.
    """

    def pick(p):
        noise = torch.from_numpy(numpy.random.gumbel(size=p.shape))
        return (p.detach().double().log() + noise).argmax(-1, keepdim=True)

    return generate(model, idx, max_new_tokens, block_size, **{"pick": pick, **parts})


def generate__logits_alone(model, idx, max_new_tokens, block_size, **parts):
    """A model that answers (logits, loss) is not understood. Look at what model(ids) may give.

    fr: Un modèle qui répond (logits, loss) n'est pas compris. Regardez ce que peut donner model(ids).
    """
    ask = lambda model, ids: model(ids)  # noqa: E731
    return generate(model, idx, max_new_tokens, block_size, **{"ask": ask, **parts})


def generate__pairs_alone(model, idx, max_new_tokens, block_size, **parts):
    """A model that answers with its logits alone is not understood. Look at what model(ids) may give.

    fr: Un modèle qui répond par ses seuls logits n'est pas compris. Regardez ce que peut donner model(ids).
    """

    def ask(model, ids):
        logits, _ = model(ids)
        return logits

    return generate(model, idx, max_new_tokens, block_size, **{"ask": ask, **parts})


def generate__a_list(model, idx, max_new_tokens, block_size, **parts):
    """A list comes back, not a tensor. Look at what turns the ids into a list, and leave that to the caller.

    fr: Une liste est renvoyée et non un tenseur. Regardez ce qui change les identifiants en liste, et
    laissez-le à l'appelant.
    """
    return generate(model, idx, max_new_tokens, block_size, **parts).tolist()
