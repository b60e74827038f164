"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch


def lsh_attention(qk, v, buckets, causal=False):
    keys = qk / qk.norm(dim=-1, keepdim=True)
    scores = (qk @ keys.transpose(-2, -1)).unsqueeze(-3)  # (..., 1, S, S)
    itself = torch.eye(qk.shape[-2], dtype=torch.bool)
    seen = (buckets.unsqueeze(-1) == buckets.unsqueeze(-2)) & ~itself  # (..., R, S, S)
    if causal:
        seen = seen.tril()
    alone = ~seen.any(-1).any(-2)  # (..., S)
    seen = seen | (itself & alone.unsqueeze(-1)).unsqueeze(-3)
    scores = scores.masked_fill(~seen, -math.inf).transpose(-3, -2)  # (..., S, R, S)
    weights = scores.flatten(-2).softmax(-1).reshape(scores.shape).sum(-2)
    return weights @ v


def lsh_attention__views_its_arguments(qk, v, buckets, causal=False):
    """view is asked of qk or v. Heads come from a transpose and lie in memory in another order. Look at what
    the error message proposes.

    fr: view est appelé sur qk ou v. Les têtes viennent d'un transpose et sont rangées autrement en mémoire.
    Regardez ce que propose le message d'erreur.
    """
    qk, v = (x.view(-1, *x.shape[-2:]).view(x.shape) for x in (qk, v))
    return lsh_attention(qk, v, buckets, causal)


def _times_seen(buckets, causal):
    """In how many rounds each query sees each other key, (..., S, S)."""
    itself = torch.eye(buckets.shape[-1], dtype=torch.bool)
    seen = (buckets.unsqueeze(-1) == buckets.unsqueeze(-2)) & ~itself
    return (seen.tril() if causal else seen).sum(-3)


def _attend(qk, keys, v, times):
    """One softmax in which each key stands as often as it is seen; those that see none see themselves."""
    times = times + torch.diag_embed((times.sum(-1) == 0).long())
    return (qk @ keys.transpose(-2, -1) + times.to(qk.dtype).log()).softmax(-1) @ v


def _unit(qk):
    return qk / qk.norm(dim=-1, keepdim=True)


def lsh_attention__scaled(qk, v, buckets, causal=False):
    """The scores are divided by sqrt(D) as well, as some implementations of Reformer do. Here keys of length
    1 are enough: look at what the contract says of the scores.

    fr: Les scores sont en plus divisés par sqrt(D), comme dans certaines implémentations de Reformer. Ici,
    des clés de longueur 1 suffisent : regardez ce que le contrat dit des scores.
    """
    return lsh_attention(qk / math.sqrt(qk.shape[-1]), v, buckets, causal)


def lsh_attention__scaled_up(qk, v, buckets, causal=False):
    """The keys have length sqrt(D), as after a normalisation by the mean of the squares. Their length should
    be 1.

    fr: Les clés ont pour longueur sqrt(D), comme après une normalisation par la moyenne des carrés. Leur
    longueur devrait être 1.
    """
    return lsh_attention(qk * math.sqrt(qk.shape[-1]), v, buckets, causal)


def lsh_attention__keys_not_normalised(qk, v, buckets, causal=False):
    """The keys have the lengths of the queries; each key should be divided by its length.

    fr: Les clés ont les longueurs des requêtes ; chaque clé devrait être divisée par sa longueur.
    """
    return _attend(qk, qk, v, _times_seen(buckets, causal))


def lsh_attention__scaled_dot_product(qk, v, buckets, causal=False):
    """The scores are those of plain attention, divided by sqrt(D). Here the keys are divided by their lengths
    instead.

    fr: Les scores sont ceux de l'attention ordinaire, divisés par sqrt(D). Ici, ce sont les clés qui sont
    divisées par leurs longueurs.
    """
    return _attend(qk, qk / math.sqrt(qk.shape[-1]), v, _times_seen(buckets, causal))


def lsh_attention__queries_normalised_too(qk, v, buckets, causal=False):
    """Queries are brought to length 1 too, so that the scores are cosines. Only the keys should be.

    fr: Les requêtes aussi sont ramenées à la longueur 1, si bien que les scores sont des cosinus. Seules les
    clés devraient l'être.
    """
    return lsh_attention(_unit(qk), v, buckets, causal)


def lsh_attention__queries_normalised(qk, v, buckets, causal=False):
    """The queries are brought to length 1, and the keys are not: it should be the other way round.

    fr: Ce sont les requêtes qui sont ramenées à la longueur 1, et non les clés : ce devrait être l'inverse.
    """
    return _attend(_unit(qk), qk, v, _times_seen(buckets, causal))


def lsh_attention__sees_itself(qk, v, buckets, causal=False):
    """Each query sees itself beside the others of its bucket. It should see itself only where it sees nothing
    else.

    fr: Chaque requête se voit elle-même à côté des autres de son seau. Elle ne devrait se voir que là où elle
    ne voit rien d'autre.
    """
    itself = buckets.shape[-2] * torch.eye(buckets.shape[-1], dtype=torch.long)
    return _attend(qk, _unit(qk), v, _times_seen(buckets, causal) + itself)


def lsh_attention__first_token_sees_itself(qk, v, buckets, causal=False):
    """The first position always sees itself, beside others too. It sees itself only where it sees nothing
    else.

    fr: La première position se voit toujours elle-même, même à côté d'autres. Elle ne se voit que là où elle
    ne voit rien d'autre.
    """
    first = torch.zeros(buckets.shape[-1], buckets.shape[-1], dtype=torch.long)
    first[0, 0] = buckets.shape[-2]
    return _attend(qk, _unit(qk), v, _times_seen(buckets, causal) + first)


def lsh_attention__nothing_when_alone(qk, v, buckets, causal=False):
    """A query that sees no other key has NaN as its output: all its scores are minus infinity. What should it
    see?

    fr: Une requête qui ne voit aucune autre clé a NaN pour sortie : tous ses scores valent moins l'infini.
    Que devrait-elle voir ?
    """
    alone = _times_seen(buckets, causal).sum(-1) == 0
    return lsh_attention(qk, v, buckets, causal).masked_fill(alone.unsqueeze(-1), math.nan)


def lsh_attention__zero_when_alone(qk, v, buckets, causal=False):
    """A query that sees no other key has 0 as its output. What should it see?

    fr: Une requête qui ne voit aucune autre clé a 0 pour sortie. Que devrait-elle voir ?
    """
    alone = _times_seen(buckets, causal).sum(-1) == 0
    return lsh_attention(qk, v, buckets, causal).masked_fill(alone.unsqueeze(-1), 0)


def lsh_attention__all_when_alone(qk, v, buckets, causal=False):
    """A query that sees no other key has the mean of all values as its output: one large number hides all
    keys alike. What should it see?

    fr: Une requête qui ne voit aucune autre clé a pour sortie la moyenne de toutes les valeurs : un même
    grand nombre cache toutes les clés. Que devrait-elle voir ?
    """
    alone = (_times_seen(buckets, causal).sum(-1) == 0).unsqueeze(-1)
    return torch.where(alone, v.mean(-2, keepdim=True), lsh_attention(qk, v, buckets, causal))


def lsh_attention__alone_in_a_round(qk, v, buckets, causal=False):
    """A query that is alone in one round sees itself in that round, although another round shows it others.
    It sees itself only where no round shows anything else.

    fr: Une requête seule dans un tour se voit elle-même dans ce tour, bien qu'un autre tour lui montre
    d'autres clés. Elle ne se voit que si aucun tour ne montre rien d'autre.
    """
    rounds = [_times_seen(buckets[..., r : r + 1, :], causal) for r in range(buckets.shape[-2])]
    times = sum(seen + torch.diag_embed((seen.sum(-1) == 0).long()) for seen in rounds)
    return _attend(qk, _unit(qk), v, times)


def lsh_attention__rounds_count_alike(qk, v, buckets, causal=False):
    """The rounds are averaged as if each had found as much. Here their weights are exp(logsumexp) of their
    scores, divided by the sum of these.

    fr: La moyenne des tours est faite comme si chacun avait trouvé autant. Ici, leurs poids sont
    exp(logsumexp) de leurs scores, divisés par la somme.
    """
    rounds = [lsh_attention(qk, v, buckets[..., r : r + 1, :], causal) for r in range(buckets.shape[-2])]
    return torch.stack(rounds).mean(0)


def lsh_attention__rounds_summed(qk, v, buckets, causal=False):
    """The outputs of the rounds are added. They should be averaged: what do the weights of the rounds sum to?

    fr: Les sorties des tours sont additionnées. Il faut en faire la moyenne : quelle est la somme des poids
    des tours ?
    """
    return lsh_attention__rounds_count_alike(qk, v, buckets, causal) * buckets.shape[-2]


def lsh_attention__each_key_once(qk, v, buckets, causal=False):
    """A key that is seen in several rounds counts once. Here it counts in each of them.

    fr: Une clé vue dans plusieurs tours compte une fois. Ici, elle compte dans chacun d'eux.
    """
    return _attend(qk, _unit(qk), v, _times_seen(buckets, causal).clamp(max=1))


def lsh_attention__in_all_rounds(qk, v, buckets, causal=False):
    """Only keys are seen that share the bucket in every round. One round is enough.

    fr: Seules sont vues les clés qui partagent le seau à chaque tour. Un seul tour suffit.
    """
    times = _times_seen(buckets, causal)
    return _attend(qk, _unit(qk), v, times * (times == buckets.shape[-2]))


def lsh_attention__first_round_alone(qk, v, buckets, causal=False):
    """Only the first round counts. Look at what becomes of the other rounds.

    fr: Seul le premier tour compte. Regardez ce que deviennent les autres.
    """
    return lsh_attention(qk, v, buckets[..., :1, :], causal)


def lsh_attention__buckets_of_other_rounds(qk, v, buckets, causal=False):
    """A bucket of one round is compared with those of other rounds. Numbers mean something within a round
    alone.

    fr: Un seau d'un tour est comparé à ceux d'autres tours. Les numéros n'ont de sens qu'au sein d'un tour.
    """
    length = buckets.shape[-1]
    flat = buckets.flatten(-2)
    shared = (
        (flat.unsqueeze(-1) == flat.unsqueeze(-2)).unflatten(-1, (-1, length)).unflatten(-3, (-1, length))
    )
    times = shared.sum((-4, -2)) * ~torch.eye(length, dtype=torch.bool)
    return _attend(qk, _unit(qk), v, times.tril() if causal else times)


def lsh_attention__buckets_ignored(qk, v, buckets, causal=False):
    """The buckets have no effect: each query sees all others. Look at what becomes of buckets.

    fr: Les seaux n'ont aucun effet : chaque requête voit toutes les autres. Regardez ce que deviennent les
    seaux.
    """
    return lsh_attention(qk, v, torch.zeros_like(buckets), causal)


def lsh_attention__other_buckets(qk, v, buckets, causal=False):
    """Each query sees what is not in its bucket: True and False are exchanged in a mask.

    fr: Chaque requête voit ce qui n'est pas dans son seau : True et False sont échangés dans un masque.
    """
    itself = torch.eye(buckets.shape[-1], dtype=torch.bool)
    seen = (buckets.unsqueeze(-1) != buckets.unsqueeze(-2)) & ~itself
    return _attend(qk, _unit(qk), v, (seen.tril() if causal else seen).sum(-3))


def lsh_attention__causal_ignored(qk, v, buckets, causal=False):
    """Later keys are seen, whatever causal says.

    fr: Les clés postérieures sont vues, quoi que dise causal.
    """
    return lsh_attention(qk, v, buckets)


def lsh_attention__always_causal(qk, v, buckets, causal=False):
    """Later keys are never seen, whatever causal says.

    fr: Les clés postérieures ne sont jamais vues, quoi que dise causal.
    """
    return lsh_attention(qk, v, buckets, True)


def lsh_attention__future_alone(qk, v, buckets, causal=False):
    """With causal, a query sees what comes later, and not what came before. Rows are queries: which triangle
    is kept?

    fr: Avec causal, une requête voit ce qui vient après, et non ce qui précède. Les lignes sont les
    requêtes : quel triangle est gardé ?
    """
    if not causal:
        return lsh_attention(qk, v, buckets)
    return lsh_attention(qk.flip(-2), v.flip(-2), buckets.flip(-1), causal).flip(-2)


def lsh_attention__not_renormalised(qk, v, buckets, causal=False):
    """The softmax runs over all keys, and those of other buckets are left out afterwards: the weights no
    longer sum to 1.

    fr: Le softmax porte sur toutes les clés, et celles d'autres seaux sont retirées ensuite : la somme des
    poids n'est plus 1.
    """
    times = _times_seen(buckets, causal)
    times = times + torch.diag_embed((times.sum(-1) == 0).long())
    return ((qk @ _unit(qk).transpose(-2, -1)).softmax(-1) * times) @ v


def lsh_attention__buckets_of_the_first_sequence(qk, v, buckets, causal=False):
    """All sequences are put into the buckets of the first one. Look at what you index.

    fr: Toutes les séquences sont mises dans les seaux de la première. Regardez ce que vous indexez.
    """
    return lsh_attention(qk, v, buckets[:1].expand_as(buckets) if buckets.dim() > 2 else buckets, causal)


def lsh_attention__with_weights(qk, v, buckets, causal=False):
    """The weights come back beside the output, which alone is asked for.

    fr: Les poids sont renvoyés à côté de la sortie, seule demandée.
    """
    itself = torch.eye(qk.shape[-2], dtype=v.dtype).expand(*qk.shape[:-1], -1)
    return lsh_attention(qk, v, buckets, causal), lsh_attention(qk, itself, buckets, causal)


def lsh_attention__detached(qk, v, buckets, causal=False):
    """No gradient reaches qk. Look for detach, data and no_grad: only the hash is without gradients.

    fr: Aucun gradient n'atteint qk. Cherchez detach, data et no_grad : seul le hachage est sans gradients.
    """
    return lsh_attention(qk.detach(), v, buckets, causal)


def lsh_attention__changes_qk(qk, v, buckets, causal=False):
    """The caller's qk is normalised in place. Look for operations in place: /=, methods that end in an
    underscore.

    fr: qk de l'appelant est normalisé en place. Cherchez les opérations en place : /=, les méthodes qui
    finissent par un tiret bas.
    """
    output = lsh_attention(qk, v, buckets, causal)
    with torch.no_grad():
        qk.div_(qk.norm(dim=-1, keepdim=True))
    return output


def lsh_attention__one_leading_axis(qk, v, buckets, causal=False):
    """Inputs of three axes alone, (B, S, D), are taken; there may be any number of leading axes.

    fr: Seules des entrées à trois axes, (B, S, D), sont acceptées ; le nombre d'axes de tête est libre.
    """
    _batch, _length, _width = qk.shape
    return lsh_attention(qk, v, buckets, causal)
