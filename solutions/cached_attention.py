"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch

from solutions.rotary import rotary, rotary__neighbours_as_pairs, rotary__turned_backwards

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "position_0_at_each_step",
    "cache_not_appended",
    "heads_repeated_in_turn",
    "unscaled",
    "mask_of_all_pairs",
    "copied_position_by_position",
)
SMALL = ("changes_the_cache", "changes_its_input")


def cached_attention(q, k, v, cache=None):
    past = length_of(cache)
    keys, values = extend(cache, rotary(k, offset=past), v)
    return attend(rotary(q, offset=past), keys, values, seen(q.shape[2], past)), (keys, values)


def length_of(cache):
    return 0 if cache is None else cache[0].shape[2]


def extend(cache, k, v):
    if cache is None:
        return k, v
    return torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)


def seen(new, past):
    """Which of the P + T keys each of the T queries sees: (T, P + T)."""
    return torch.arange(past + new) <= torch.arange(past, past + new)[:, None]


def share(q, x):
    return x.repeat_interleave(q.shape[1] // x.shape[1], 1)


def attend(q, keys, values, mask):
    scores = q @ share(q, keys).transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(-1) @ share(q, values)


def attend_at(past, q, k, v, cache, mask=None):
    """The reference with new positions that begin at `past`, and under a mask of its own."""
    keys, values = extend(cache, rotary(k, offset=past), v)
    mask = seen(q.shape[2], length_of(cache)) if mask is None else mask
    return attend(rotary(q, offset=past), keys, values, mask), (keys, values)


def cached_attention__mask_of_all_pairs(q, k, v, cache=None):
    """A mask of all pairs of positions is built, and a few of its rows are used: one new token costs memory
    that grows as S * S. Which rows of the mask do the new queries need?

    fr: Un masque de toutes les paires de positions est construit, et seules quelques-unes de ses lignes
    servent : un nouveau token coûte une mémoire qui croît comme S * S. De quelles lignes du masque les
    nouvelles requêtes ont-elles besoin ?
    """
    past = length_of(cache)
    whole = torch.ones(past + q.shape[2], past + q.shape[2]).tril()
    return attend_at(past, q, k, v, cache, whole[past:] > 0)


def cached_attention__copied_position_by_position(q, k, v, cache=None):
    """The cache is copied once for each of its positions: one new token costs a time that grows as S * S.
    Append all at once.

    fr: Le cache est recopié une fois pour chacune de ses positions : un nouveau token coûte un temps qui
    croît comme S * S. Ajoutez tout d'un coup.
    """
    if cache is None:
        return cached_attention(q, k, v)
    again = [part[:, :, :1] for part in cache]
    for place in range(1, length_of(cache)):
        again = [torch.cat([a, p[:, :, place : place + 1]], 2) for a, p in zip(again, cache, strict=True)]
    return cached_attention(q, k, v, tuple(again))


def cached_attention__position_0_at_each_step(q, k, v, cache=None):
    """The new queries and keys are turned as if they began at position 0, at each step. How many positions
    does the cache hold?

    fr: Les nouvelles requêtes et clés sont tournées comme si elles commençaient à la position 0, à chaque
    pas. Combien de positions le cache contient-il ?
    """
    return attend_at(0, q, k, v, cache)


def cached_attention__queries_at_position_0(q, k, v, cache=None):
    """The new keys are turned at their positions, but the queries as if they began at position 0.

    fr: Les nouvelles clés sont tournées à leurs positions, mais les requêtes comme si elles commençaient à la
    position 0.
    """
    past = length_of(cache)
    keys, values = extend(cache, rotary(k, offset=past), v)
    return attend(rotary(q), keys, values, seen(q.shape[2], past)), (keys, values)


def cached_attention__one_position_further(q, k, v, cache=None):
    """The new positions begin one too far: after P positions, the next one is P.

    fr: Les nouvelles positions commencent un cran trop loin : après P positions, la suivante est P.
    """
    past = length_of(cache)
    return attend_at(past + (cache is not None), q, k, v, cache)


def cached_attention__cache_turned_again(q, k, v, cache=None):
    """The keys of the cache are turned again at each step. They were turned when they were new.

    fr: Les clés du cache sont tournées de nouveau à chaque pas. Elles l'ont été quand elles étaient
    nouvelles.
    """
    if cache is None:
        return cached_attention(q, k, v)
    return cached_attention(q, k, v, (rotary(cache[0]), cache[1]))


def cached_attention__keys_kept_unturned(q, k, v, cache=None):
    """The keys are kept as they were before they were turned, and are not turned when they are used again.

    fr: Les clés sont gardées telles qu'elles étaient avant d'être tournées, et ne sont pas tournées quand
    elles resservent.
    """
    output, _ = cached_attention(q, k, v, cache)
    return output, extend(cache, k, v)


def cached_attention__without_rotary(q, k, v, cache=None):
    """Nothing is turned: no position shows.

    fr: Rien n'est tourné : aucune position ne se voit.
    """
    keys, values = extend(cache, k, v)
    return attend(q, keys, values, seen(q.shape[2], length_of(cache))), (keys, values)


def cached_attention__values_turned(q, k, v, cache=None):
    """The values are turned too. Only queries and keys are.

    fr: Les valeurs sont tournées aussi. Seules les requêtes et les clés le sont.
    """
    return cached_attention(q, k, rotary(v, offset=length_of(cache)), cache)


def cached_attention__neighbours_as_pairs(q, k, v, cache=None):
    """Neighbouring columns are turned together, as Llama's own code does with complex numbers. Here column i
    goes with column i + D/2.

    fr: Ce sont des colonnes voisines qui tournent ensemble, comme dans le code de Llama, avec des nombres
    complexes. Ici, la colonne i va avec la colonne i + D/2.
    """
    return _turned_by(rotary__neighbours_as_pairs, q, k, v, cache)


def cached_attention__turned_backwards(q, k, v, cache=None):
    """Everything turns backwards: the sine has the other sign.

    fr: Tout tourne à l'envers : le sinus a l'autre signe.
    """
    return _turned_by(rotary__turned_backwards, q, k, v, cache)


def _turned_by(turn, q, k, v, cache):
    past = length_of(cache)
    keys, values = extend(cache, turn(k, offset=past), v)
    return attend(turn(q, offset=past), keys, values, seen(q.shape[2], past)), (keys, values)


def cached_attention__cache_not_appended(q, k, v, cache=None):
    """What comes back as the cache is what came in: the new keys and values are used once, and forgotten.

    fr: Ce qui revient comme cache est ce qui est entré : les nouvelles clés et valeurs servent une fois, puis
    sont oubliées.
    """
    output, longer = cached_attention(q, k, v, cache)
    return output, longer if cache is None else cache


def cached_attention__cache_ignored(q, k, v, cache=None):
    """The cache has no effect: each call attends to the new positions alone.

    fr: Le cache n'a aucun effet : chaque appel ne prête attention qu'aux nouvelles positions.
    """
    past = length_of(cache)
    _, longer = cached_attention(q, k, v, cache)
    new = rotary(k, offset=past)
    return attend(rotary(q, offset=past), new, v, seen(q.shape[2], 0)), longer


def cached_attention__new_keys_alone_come_back(q, k, v, cache=None):
    """The cache that comes back holds the new positions alone. The next call needs the earlier ones too.

    fr: Le cache renvoyé ne contient que les nouvelles positions. L'appel suivant a besoin des précédentes
    aussi.
    """
    output, longer = cached_attention(q, k, v, cache)
    return output, tuple(part[:, :, -q.shape[2] :] for part in longer)


def cached_attention__new_ones_in_front(q, k, v, cache=None):
    """The new keys and values are put in front of the earlier ones. They belong behind them.

    fr: Les nouvelles clés et valeurs sont placées devant les précédentes. Leur place est derrière.
    """
    if cache is None:
        return cached_attention(q, k, v)
    past = length_of(cache)
    keys, values = torch.cat([rotary(k, offset=past), cache[0]], 2), torch.cat([v, cache[1]], 2)
    return attend(rotary(q, offset=past), keys, values, seen(q.shape[2], past)), (keys, values)


def cached_attention__keys_and_values_exchanged(q, k, v, cache=None):
    """The pair comes back as (values, keys). Keys come first.

    fr: La paire revient sous la forme (valeurs, clés). Les clés viennent d'abord.
    """
    output, (keys, values) = cached_attention(q, k, v, cache)
    return output, (values, keys)


def cached_attention__keeps_a_head_for_each_query(q, k, v, cache=None):
    """The cache holds a head of keys and values for each query head: they were repeated before they were
    kept. That is what sharing heads should save.

    fr: Le cache contient une tête de clés et de valeurs par tête de requêtes : elles ont été répétées avant
    d'être gardées. C'est ce que le partage des têtes doit épargner.
    """
    if cache is not None and cache[0].shape[1] != q.shape[1]:
        cache = tuple(share(q, part) for part in cache)
    return cached_attention(q, share(q, k), share(q, v), cache)


def cached_attention__mask_begins_at_the_first_key(q, k, v, cache=None):
    """The causal mask has its diagonal at the first key, as for queries at position 0: the new queries see
    the beginning of the cache, and not themselves. Look at the diagonal of a rectangle.

    fr: La diagonale du masque causal part de la première clé, comme pour des requêtes à la position 0 : les
    nouvelles requêtes voient le début du cache, et ne se voient pas elles-mêmes. Regardez la diagonale d'un
    rectangle.
    """
    past = length_of(cache)
    mask = torch.ones(q.shape[2], past + q.shape[2], dtype=torch.bool).tril()
    return attend_at(past, q, k, v, cache, mask)


def cached_attention__without_mask(q, k, v, cache=None):
    """The new queries see each other's future. One new token needs no mask, but several do.

    fr: Les nouvelles requêtes voient leur futur les unes chez les autres. Un seul nouveau token n'a pas
    besoin de masque, mais plusieurs, si.
    """
    past = length_of(cache)
    mask = torch.ones(q.shape[2], past + q.shape[2], dtype=torch.bool)
    return attend_at(past, q, k, v, cache, mask)


def cached_attention__masked_without_a_cache_alone(q, k, v, cache=None):
    """The causal mask is there at the beginning of a sequence alone: with a cache, several new queries see
    each other's future.

    fr: Le masque causal n'est là qu'au début d'une séquence : avec un cache, plusieurs nouvelles requêtes
    voient leur futur les unes chez les autres.
    """
    return cached_attention(q, k, v) if cache is None else cached_attention__without_mask(q, k, v, cache)


def cached_attention__sees_one_ahead(q, k, v, cache=None):
    """The causal mask is off by one: each position sees the next. Look at the diagonal.

    fr: Le masque causal est décalé d'un cran : chaque position voit la suivante. Regardez la diagonale.
    """
    past = length_of(cache)
    return attend_at(past, q, k, v, cache, seen(q.shape[2], past + 1)[:, : past + q.shape[2]])


def cached_attention__blind_to_itself(q, k, v, cache=None):
    """With a cache, no new position sees itself: the mask is off by one, or the new keys are appended too
    late.

    fr: Avec un cache, aucune nouvelle position ne se voit elle-même : le masque est décalé d'un cran, ou les
    nouvelles clés sont ajoutées trop tard.
    """
    if cache is None:
        return cached_attention(q, k, v)
    past = length_of(cache)
    mask = torch.arange(past + q.shape[2]) < torch.arange(past, past + q.shape[2])[:, None]
    return attend_at(past, q, k, v, cache, mask)


def cached_attention__one_token_alone_with_a_cache(q, k, v, cache=None):
    """With a cache, only one new position at a time works. T may be anything.

    fr: Avec un cache, une seule nouvelle position à la fois fonctionne. T peut être n'importe quel nombre.
    """
    if cache is not None and q.shape[2] > 1:
        raise ValueError("one token at a time")
    return cached_attention(q, k, v, cache)


def cached_attention__heads_repeated_in_turn(q, k, v, cache=None):
    """The heads of keys and values are repeated in turn (0, 1, 0, 1). Neighbouring query heads share one: 0,
    0, 1, 1.

    fr: Les têtes de clés et de valeurs sont répétées à tour de rôle (0, 1, 0, 1). Des têtes de requêtes
    voisines en partagent une : 0, 0, 1, 1.
    """
    batch, heads, new, width = q.shape
    groups = k.shape[1]
    turned = q.reshape(batch, heads // groups, groups, new, width).transpose(1, 2).reshape(q.shape)
    output, longer = cached_attention(turned, k, v, cache)
    back = output.reshape(batch, groups, heads // groups, new, width).transpose(1, 2)
    return back.reshape(q.shape), longer


def cached_attention__unscaled(q, k, v, cache=None):
    """The scores are not scaled; look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle ; regardez par quoi les diviser avant le softmax.
    """
    return cached_attention(q * math.sqrt(q.shape[-1]), k, v, cache)


def cached_attention__remembers_the_last_sequence(q, k, v, cache=None, kept={}):  # noqa: B006 - the mistake
    """The cache is kept between calls, in a default argument, a global variable or an attribute: where a new
    sequence begins, the last one is still there. What empties it?

    fr: Le cache est gardé entre les appels, dans un argument par défaut, une variable globale ou un
    attribut : quand une nouvelle séquence commence, la précédente est encore là. Qu'est-ce qui le vide ?
    """
    # One for each shape: draws are tried side by side, and a cache of another shape would only raise.
    shape = k.shape[0], q.shape[1], k.shape[1], k.shape[3], k.dtype
    output, longer = cached_attention(q, k, v, kept.get(shape) if cache is None else cache)
    kept[shape] = tuple(part.detach() for part in longer)
    return output, longer


def cached_attention__returns_the_output_alone(q, k, v, cache=None):
    """The output comes back alone, without the cache that the next call needs.

    fr: La sortie revient seule, sans le cache dont l'appel suivant a besoin.
    """
    return cached_attention(q, k, v, cache)[0]


def cached_attention__changes_the_cache(q, k, v, cache=None):
    """The caller's cache is changed in place. Who wants to go on from it twice, as beam search does, cannot.

    fr: Le cache de l'appelant est modifié sur place. Qui veut en repartir deux fois, comme le fait une
    recherche en faisceau, ne le peut pas.
    """
    output, longer = cached_attention(q, k, v, cache)
    if cache is not None:
        cache[0].data.mul_(0.5)
    return output, longer


def cached_attention__changes_its_input(q, k, v, cache=None):
    """The caller's queries are changed: something is computed in place on them.

    fr: Les requêtes de l'appelant sont modifiées : un calcul se fait en place sur elles.
    """
    answer = cached_attention(q, k, v, cache)
    q.data.mul_(0.5)
    return answer


def cached_attention__half_precision(q, k, v, cache=None):
    """The attention is computed in half precision; it should keep the precision of its input.

    fr: L'attention est calculée en demi-précision ; elle doit garder la précision de son entrée.
    """
    output, longer = cached_attention(q, k, v, cache)
    return output.bfloat16().to(q.dtype), longer


def cached_attention__first_sequence_for_all(q, k, v, cache=None):
    """All sequences of a batch attend to the cache of the first one. Look at what you index along the batch.

    fr: Toutes les séquences d'un lot prêtent attention au cache de la première. Regardez ce que vous indexez
    le long du lot.
    """
    _, longer = cached_attention(q, k, v, cache)
    if cache is None:
        return cached_attention(q, k, v)
    first = tuple(part[:1].expand_as(part) for part in cache)
    return cached_attention(q, k, v, first)[0], longer
