"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def corrupt_spans(ids, spans, sentinel):
    inputs, targets, place = [], [], 0
    for number, (start, end) in enumerate(spans):
        own = ids.new_tensor([sentinel - number])
        inputs += [ids[place:start], own]
        targets += [own, ids[start:end]]
        place = end
    last = ids.new_tensor([sentinel - len(spans)])
    return torch.cat([*inputs, ids[place:]]), torch.cat([*targets, last])


def _recount(part, sentinel, spans, number):
    """A part of the answer with `number(n)` in the place of the n-th sentinel."""
    changed = part.clone()
    for n in range(len(spans) + 1):
        changed[part == sentinel - n] = number(n)
    return changed


def corrupt_spans__one_sentinel_per_token(ids, spans, sentinel):
    """Each id of a span has a sentinel of its own; one stands for the whole span.

    fr: Chaque identifiant d'un segment a sa propre sentinelle ; il en faut une seule pour tout le segment.
    """
    single = [(place, place + 1) for start, end in spans for place in range(start, end)]
    return corrupt_spans(ids, single, sentinel)


def corrupt_spans__repeated_in_the_input(ids, spans, sentinel):
    """A span's sentinel stands once for each of its ids in the inputs, which keep their length; once is due.

    fr: Dans inputs, la sentinelle d'un segment est répétée pour chacun de ses identifiants, et la longueur
    reste la même ; une seule fois suffit.
    """
    inputs = ids.clone()
    for number, (start, end) in enumerate(spans):
        inputs[start:end] = sentinel - number
    return inputs, corrupt_spans(ids, spans, sentinel)[1]


def corrupt_spans__same_sentinel(ids, spans, sentinel):
    """All spans have the same sentinel: nobody can tell which one an answer belongs to.

    fr: Tous les segments ont la même sentinelle : on ne sait plus auquel appartient une réponse.
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    return tuple(_recount(part, sentinel, spans, lambda _: sentinel) for part in (inputs, targets))


def corrupt_spans__counts_up(ids, spans, sentinel):
    """The sentinels count up. They count down from the first: the last ids of T5's vocabulary are sentinels.

    fr: Les sentinelles montent. Elles décomptent à partir de la première : ce sont les derniers identifiants
    du vocabulaire de T5.
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    return tuple(_recount(part, sentinel, spans, lambda n: sentinel + n) for part in (inputs, targets))


def corrupt_spans__begins_one_lower(ids, spans, sentinel):
    """The first span already has sentinel - 1. Look at when you count down.

    fr: Le premier segment a déjà sentinel - 1. Regardez à quel moment vous décomptez.
    """
    return corrupt_spans(ids, spans, sentinel - 1)


def corrupt_spans__without_last_sentinel(ids, spans, sentinel):
    """The targets end with the last span's ids, as where an end of sequence stands behind them in T5's data.
    Here one sentinel more says that nothing follows.

    fr: targets finit par les identifiants du dernier segment, comme dans les données de T5 où une fin de
    séquence les suit. Ici, une sentinelle de plus dit que rien ne suit.
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    return inputs, targets[:-1]


def corrupt_spans__last_sentinel_again(ids, spans, sentinel):
    """The targets end with the sentinel of the last span once more; the next one is due.

    fr: targets finit par la sentinelle du dernier segment, répétée ; on attend la suivante.
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    targets[-1] += min(1, len(spans))
    return inputs, targets


def corrupt_spans__last_sentinel_in_the_input(ids, spans, sentinel):
    """The inputs end with a sentinel too, for which there is no span. It closes the targets alone.

    fr: inputs finit aussi par une sentinelle, qui ne correspond à aucun segment. Elle ne ferme que targets.
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    return torch.cat([inputs, targets[-1:]]), targets


def corrupt_spans__no_sentinel_in_the_input(ids, spans, sentinel):
    """The spans are cut out of the inputs without a trace. What tells the decoder where something is missing?

    fr: Les segments sont retirés de inputs sans laisser de trace. Qu'est-ce qui dit au décodeur où il manque
    quelque chose ?
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    return inputs[inputs <= sentinel - 1 - len(spans)], targets


def corrupt_spans__no_sentinels_in_the_target(ids, spans, sentinel):
    """The targets hold the spans' ids alone, one span after another. What tells where each begins?

    fr: targets ne contient que les identifiants des segments, bout à bout. Qu'est-ce qui dit où commence
    chacun ?
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    return inputs, targets[targets <= sentinel - 1 - len(spans)]


def corrupt_spans__sentinel_behind(ids, spans, sentinel):
    """In the targets a sentinel follows its span; it should stand in front of it.

    fr: Dans targets, la sentinelle suit son segment ; elle devrait le précéder.
    """
    parts = [
        torch.cat([ids[start:end], ids.new_tensor([sentinel - n])]) for n, (start, end) in enumerate(spans)
    ]
    last = ids.new_tensor([sentinel - len(spans)])
    return corrupt_spans(ids, spans, sentinel)[0], torch.cat([*parts, last])


def corrupt_spans__kept_in_the_input(ids, spans, sentinel):
    """The spans' ids are still in the inputs, behind their sentinels: there is nothing left to guess.

    fr: Les identifiants des segments sont encore dans inputs, derrière leurs sentinelles : il n'y a plus rien
    à deviner.
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    parts, place = [], 0
    for number, (start, end) in enumerate(spans):
        parts += [ids[place:start], ids.new_tensor([sentinel - number]), ids[start:end]]
        place = end
    return torch.cat([*parts, ids[place:]]) if spans else inputs, targets


def corrupt_spans__end_included(ids, spans, sentinel):
    """A span reaches one id too far: ids[end] belongs to the text.

    fr: Un segment va un identifiant trop loin : ids[end] appartient au texte.
    """
    inputs, targets, place = [], [], 0
    for number, (start, end) in enumerate(spans):
        own = ids.new_tensor([sentinel - number])
        inputs += [ids[place:start], own]
        targets += [own, ids[start : end + 1]]
        place = end + 1
    last = ids.new_tensor([sentinel - len(spans)])
    return torch.cat([*inputs, ids[place:]]), torch.cat([*targets, last])


def corrupt_spans__end_as_length(ids, spans, sentinel):
    """The second number of a span is taken as its length; it is where the span ends.

    fr: Le second nombre d'un segment est pris pour sa longueur ; c'est la position où il finit.
    """
    inputs, targets, place = [], [], 0
    for number, (start, length) in enumerate(spans):
        own = ids.new_tensor([sentinel - number])
        inputs += [ids[place:start], own]
        targets += [own, ids[start : start + length]]
        place = start + length
    last = ids.new_tensor([sentinel - len(spans)])
    return torch.cat([*inputs, ids[place:]]), torch.cat([*targets, last])


def corrupt_spans__neighbours_merged(ids, spans, sentinel):
    """Two spans that touch become one, with one sentinel, as where spans are read off a mask of the ids: T5
    itself does so. Here each span of the list has its own.

    fr: Deux segments qui se touchent n'en font qu'un, avec une sentinelle, comme lorsque les segments sont
    lus dans un masque des identifiants, ce que fait T5 lui-même. Ici, chaque segment de la liste a la sienne.
    """
    merged = []
    for start, end in spans:
        if merged and merged[-1][1] == start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return corrupt_spans(ids, merged, sentinel)


def corrupt_spans__first_span_alone(ids, spans, sentinel):
    """Only the first span is taken out. Look at where the loop returns.

    fr: Seul le premier segment est retiré. Regardez où la boucle rend la main.
    """
    return corrupt_spans(ids, spans[:1], sentinel)


def corrupt_spans__text_after_the_last_span_lost(ids, spans, sentinel):
    """What follows the last span is missing from the inputs. What is left to add after the loop?

    fr: Ce qui suit le dernier segment manque dans inputs. Que reste-t-il à ajouter après la boucle ?
    """
    inputs, targets = corrupt_spans(ids, spans, sentinel)
    return inputs[: len(inputs) - (len(ids) - (spans[-1][1] if spans else 0))], targets


def corrupt_spans__places_have_moved(ids, spans, sentinel):
    """Spans are cut out of a text that has become shorter: their places are those of the whole text.

    fr: Les segments sont coupés dans un texte déjà raccourci : leurs positions sont celles du texte entier.
    """
    inputs = ids
    for number, (start, end) in enumerate(spans):
        inputs = torch.cat([inputs[:start], ids.new_tensor([sentinel - number]), inputs[end:]])
    return inputs, corrupt_spans(ids, spans, sentinel)[1]


def corrupt_spans__whole_text_as_target(ids, spans, sentinel):
    """The targets are the whole text. T5 writes only what is missing, with the sentinels.

    fr: targets est le texte entier. T5 n'écrit que ce qui manque, avec les sentinelles.
    """
    return corrupt_spans(ids, spans, sentinel)[0], ids.clone()


def corrupt_spans__swapped(ids, spans, sentinel):
    """The targets come first; the pair is (inputs, targets).

    fr: targets vient en premier ; la paire est (inputs, targets).
    """
    return corrupt_spans(ids, spans, sentinel)[::-1]


def corrupt_spans__lists(ids, spans, sentinel):
    """Lists come back; tensors are due. Look at what turns a list of numbers into a tensor.

    fr: Ce sont des listes qui sont renvoyées ; on attend des tenseurs. Regardez ce qui change une liste de
    nombres en tenseur.
    """
    return tuple(part.tolist() for part in corrupt_spans(ids, spans, sentinel))


def corrupt_spans__of_floats(ids, spans, sentinel):
    """The ids come back as floats, which no embedding takes. Look at the dtype of what torch.tensor or
    torch.zeros makes.

    fr: Les identifiants reviennent en flottants, qu'aucun embedding n'accepte. Regardez le dtype de ce que
    crée torch.tensor ou torch.zeros.
    """
    return tuple(part.float() for part in corrupt_spans(ids, spans, sentinel))


def corrupt_spans__changes_the_ids(ids, spans, sentinel):
    """The caller's ids are changed: sentinels are written into them. Look for an assignment to a part.

    fr: Les identifiants de l'appelant sont modifiés : des sentinelles y sont écrites. Cherchez une
    affectation à une partie.
    """
    answer = corrupt_spans(ids, spans, sentinel)
    for number, (start, _) in enumerate(spans):
        ids[start] = sentinel - number
    return answer
