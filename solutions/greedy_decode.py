"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("least_likely",)
HALF = (
    "stops_at_the_first_stop",
    "last_id_alone",
)
SMALL = (
    "lists",
    "one_long",
    "encodes_at_each_step",
    "start_dropped",
)


def likeliest(logits):
    return logits[:, -1].argmax(-1)


def decoded(model, src, idx, memory):
    return model.decode(idx, memory)


def padded(new, stopped, pad_id):
    return new.masked_fill(stopped, pad_id)


def all_stopped(stopped, new, stop_id):
    return bool(stopped.all())


def kept_whole(idx, stop_id, pad_id):
    return idx


def greedy_decode(
    model,
    src,
    start_id,
    stop_id,
    pad_id,
    max_len,
    ask=decoded,
    pick=likeliest,
    fill=padded,
    ended=all_stopped,
    give=kept_whole,
):
    memory = model.encode(src)
    idx = torch.full((len(src), 1), start_id)
    stopped = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len):
        new = fill(pick(ask(model, src, idx, memory)), stopped, pad_id)
        idx = torch.cat([idx, new[:, None]], dim=1)
        stopped = stopped | (new == stop_id)
        if ended(stopped, new, stop_id):
            break
    return give(idx, stop_id, pad_id)


def greedy_decode__stops_at_the_first_stop(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """All sequences end where the first of them stops. Each stops for itself: any, or all?

    fr: Toutes les séquences finissent là où la première s'arrête. Chacune s'arrête pour elle-même : any, ou
    all ?
    """
    ended = lambda stopped, new, stop_id: bool(stopped.any())  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ended": ended, **parts})


def greedy_decode__stops_with_sequence_0(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """All sequences end where the first row of the batch stops. Look at which row is asked.

    fr: Toutes les séquences finissent là où s'arrête la première ligne du lot. Regardez quelle ligne est
    interrogée.
    """
    ended = lambda stopped, new, stop_id: bool(stopped[0])  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ended": ended, **parts})


def greedy_decode__stops_together_or_never(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """Decoding goes on until all sequences write their stop_id at the same step. Who remembers which have
    stopped before?

    fr: Le décodage continue jusqu'à ce que toutes les séquences écrivent stop_id au même pas. Qui se souvient
    de celles qui se sont déjà arrêtées ?
    """
    ended = lambda stopped, new, stop_id: bool((new == stop_id).all())  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ended": ended, **parts})


def greedy_decode__always_max_len(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """Decoding goes on up to max_len, though all have stopped. Look for a way out of the loop.

    fr: Le décodage va jusqu'à max_len, alors que toutes se sont arrêtées. Cherchez une sortie de la boucle.
    """
    ended = lambda stopped, new, stop_id: False  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ended": ended, **parts})


def greedy_decode__writes_on_after_the_stop(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """A sequence that has stopped goes on writing until the others stop; pad_id is due after its stop_id.

    fr: Une séquence arrêtée continue d'écrire jusqu'à l'arrêt des autres ; après son stop_id, on attend
    pad_id.
    """
    fill = lambda new, stopped, pad_id: new  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"fill": fill, **parts})


def greedy_decode__filled_with_the_stop(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """A sequence that has stopped is filled up with stop_id; pad_id is due.

    fr: Une séquence arrêtée est complétée par stop_id ; on attend pad_id.
    """
    fill = lambda new, stopped, pad_id: new.masked_fill(stopped, stop_id)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"fill": fill, **parts})


def greedy_decode__filled_with_zero(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """A sequence that has stopped is filled up with 0, whatever pad_id is.

    fr: Une séquence arrêtée est complétée par 0, quel que soit pad_id.
    """
    fill = lambda new, stopped, pad_id: new.masked_fill(stopped, 0)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"fill": fill, **parts})


def greedy_decode__stop_dropped(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """stop_id does not come into the answer: padding stands where it was. Look at what is written at the step
    of the stop.

    fr: stop_id n'apparaît pas dans la réponse : du padding est à sa place. Regardez ce qui est écrit au pas
    de l'arrêt.
    """
    give = lambda idx, stop_id, pad_id: idx.masked_fill(idx == stop_id, pad_id)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"give": give, **parts})


def greedy_decode__ends_before_the_stop(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """stop_id does not come into the answer: each sequence ends before it. Is the new id written before you
    ask whether it is the stop?

    fr: stop_id n'apparaît pas dans la réponse : chaque séquence finit avant lui. Le nouvel identifiant est-il
    écrit avant que vous demandiez si c'est l'arrêt ?
    """

    def give(idx, stop_id, pad_id):
        longest = (idx == stop_id).long().cumsum(-1).eq(0).sum(-1).max()
        return idx.masked_fill(idx == stop_id, pad_id)[:, :longest]

    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"give": give, **parts})


def greedy_decode__start_dropped(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """The new ids come back without the start_id in front.

    fr: Les nouveaux identifiants sont renvoyés sans start_id devant.
    """
    give = lambda idx, stop_id, pad_id: idx[:, 1:]  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"give": give, **parts})


def greedy_decode__start_is_zero(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """Sequences begin with 0, whatever start_id is, and the decoder sees it. Look at what torch.zeros makes.

    fr: Les séquences commencent par 0, quel que soit start_id, et le décodeur le voit. Regardez ce que crée
    torch.zeros.
    """
    return greedy_decode(model, src, 0, stop_id, pad_id, max_len, **parts)


def greedy_decode__begins_with_the_source(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """The decoder continues the source, as a GPT does. It begins with start_id and looks at the memory.

    fr: Le décodeur prolonge la source, comme un GPT. Il commence par start_id et regarde la mémoire.
    """
    ask = lambda model, src, idx, memory: model.decode(torch.cat([src, idx], 1), memory)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ask": ask, **parts})


def greedy_decode__one_short(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """At most max_len - 1 ids are written: start_id is counted too. It does not count here.

    fr: Au plus max_len - 1 identifiants sont écrits : start_id est compté aussi. Ici, il ne compte pas.
    """
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len - 1, **parts)


def greedy_decode__one_long(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """One id too many may be written. How often does the loop run for max_len = 1?

    fr: Un identifiant de trop peut être écrit. Combien de fois la boucle tourne-t-elle pour max_len = 1 ?
    """
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len + 1, **parts)


def greedy_decode__last_id_alone(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """The decoder is given the last id alone; it has to see all that was written before.

    fr: Le décodeur ne reçoit que le dernier identifiant ; il doit voir tout ce qui a été écrit avant.
    """
    ask = lambda model, src, idx, memory: model.decode(idx[:, -1:], memory)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ask": ask, **parts})


def greedy_decode__first_position(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """The next id is read at the first position; the last one tells what comes next.

    fr: L'identifiant suivant est lu à la première position ; c'est la dernière qui dit ce qui vient ensuite.
    """
    pick = lambda logits: logits[:, 0].argmax(-1)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"pick": pick, **parts})


def greedy_decode__over_positions(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """argmax runs over the positions, and gives a position as if it were an id. Which axis holds the ids?

    fr: argmax porte sur les positions, et donne une position comme si c'était un identifiant. Quel axe
    contient les identifiants ?
    """
    pick = lambda logits: logits.argmax(1)[:, -1]  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"pick": pick, **parts})


def greedy_decode__least_likely(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """The least likely id is taken each time.

    fr: C'est l'identifiant le moins probable qui est pris chaque fois.
    """
    pick = lambda logits: logits[:, -1].argmin(-1)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"pick": pick, **parts})


def greedy_decode__draws(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """Ids are drawn by their probabilities; greedy decoding takes the likeliest.

    fr: Les identifiants sont tirés selon leurs probabilités ; le décodage glouton prend le plus probable.
    """
    pick = lambda logits: torch.multinomial(logits[:, -1].softmax(-1), 1)[:, 0]  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"pick": pick, **parts})


def greedy_decode__encodes_at_each_step(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """The source is encoded again at each step, though its memory never changes. What can stand before the
    loop?

    fr: La source est encodée à chaque pas, alors que sa mémoire ne change jamais. Qu'est-ce qui peut passer
    avant la boucle ?
    """
    ask = lambda model, src, idx, memory: model(src, idx)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ask": ask, **parts})


def greedy_decode__encodes_what_it_writes(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """The memory is that of the ids written so far, not of the source. What does encode get?

    fr: La mémoire est celle des identifiants écrits, non celle de la source. Que reçoit encode ?
    """
    ask = lambda model, src, idx, memory: model.decode(idx, model.encode(idx))  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ask": ask, **parts})


def greedy_decode__all_as_the_first(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """All sequences get the ids of the first one. Look at where a single number is taken, as by .item(), or a
    single memory.

    fr: Toutes les séquences reçoivent les identifiants de la première. Regardez où un seul nombre est pris,
    comme par .item(), ou une seule mémoire.
    """
    pick = lambda logits: logits[:1, -1].argmax(-1).expand(len(logits))  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"pick": pick, **parts})


def greedy_decode__one_source_alone(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """One source alone is decoded, and a batch of several is not: the ids written so far are one row. Each
    source needs its own.

    fr: Une source seule est décodée, mais pas un lot de plusieurs : les identifiants écrits forment une seule
    ligne. Il en faut une par source.
    """
    ask = lambda model, src, idx, memory: model.decode(idx[:1], memory)  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"ask": ask, **parts})


def greedy_decode__one_id_at_each_step(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """One source alone is decoded, and a batch of several is not: the next id is made one number. Look at
    .item().

    fr: Une source seule est décodée, mais pas un lot de plusieurs : de l'identifiant suivant on fait un seul
    nombre. Regardez .item().
    """
    pick = lambda logits: torch.tensor([likeliest(logits).item()])  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"pick": pick, **parts})


def greedy_decode__lists(model, src, start_id, stop_id, pad_id, max_len, **parts):
    """Lists of numbers come back; a tensor is due.

    fr: Ce sont des listes de nombres qui sont renvoyées ; on attend un tenseur.
    """
    give = lambda idx, stop_id, pad_id: idx.tolist()  # noqa: E731
    return greedy_decode(model, src, start_id, stop_id, pad_id, max_len, **{"give": give, **parts})
