"""Seq2Seq(src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0).

encode(src, src_mask=None) -> memory; decode(tgt, memory, src_mask=None) -> logits; forward does both. The
architecture is free, so the checks judge behaviour and compare nothing with the reference.
"""

import math
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import Candidate, Module, Raised, Stretched, Violation, alike, check, require
from graders.check_api.choice_by_content import pairs_with_readers, translator_chooses
from graders.check_api.options import Options
from graders.check_api.reference_gradients import require_gradients
from graders.check_api.standard_checks import behaviour_checks
from graders.check_api.strategies.extremes import LAYERS, MOST_LAYERS
from graders.check_api.strategies.sentence_pairs import (
    TWICE,
    Pairs,
    Translator,
    find_shared_layers,
    looks,
    memory_influences,
    paired,
    pairs,
    source_influences,
    target_influences,
    with_another_last_id,
    without_padding,
)
from graders.check_api.strategies.tensors import FULL, LENGTH, normal, seeds
from graders.check_api.strategies.token_ids import are_probabilities, moves
from graders.check_api.translation_behaviour import translation_behaviours
from graders.language import tr, translatable

SHARE = translatable(
    "logits should be scores before any softmax, but these are probabilities: a softmax is one too many"
)
UNSEEN = translatable(
    "the logits at position {position} do not depend on the id at position {before}: is it seen?"
)
UNSEEN_SOURCE = translatable(
    "the logits at position {position} do not depend on the id at position {place} of the source"
)
PADDING = translatable(
    "where a target begins with id 0 or 1, a later id changes earlier logits: is it taken for padding? The "
    "caller says what padding is"
)
MATTERS = translatable(
    "{more} parameters with {name}={value}, {own} with {name}={before}: does {name} matter?"
)


@check(
    points=2,
    given=[pairs(), *(pairs(corner=corner) for corner in (LENGTH, FULL, "num_heads"))],
    shape_only=True,
    at_length=lambda n: pairs(layers=1, length=n),
)
def answers_with_logits(candidate: Candidate, draw: Pairs) -> None:
    """a source (B, Ss) and a target (B, St) give logits (B, St, V): a score for each id, and no probabilities

    fr: une source (B, Ss) et une cible (B, St) donnent des logits (B, St, V) : un score par identifiant, et
    non des probabilités
    """
    logits = Translator(candidate, draw)(draw.src, draw.tgt)
    require(not are_probabilities(logits), tr(SHARE))


@check(points=3, given=pairs(), draws=3)
def decodes_what_it_encoded(candidate: Candidate, draw: Pairs) -> None:
    """encode and then decode give the logits of forward; the first ids of the target alone give theirs

    fr: encode puis decode donnent les logits de forward ; les premiers identifiants de la cible seuls donnent
    les leurs
    """
    translator = Translator(candidate, draw)
    whole, memory = translator(draw.src, draw.tgt).detach(), translator.encode(draw.src)
    alike(translator.decode(draw.tgt, memory), whole, tr("the logits of decode, against those of forward,"))
    step = translator.decode(draw.tgt, memory * 0.5 + 1)
    require(moves(whole, step), tr("the output does not depend on {what}", what="memory"))
    words = without_padding(draw)
    begin_as_padding = torch.cat([torch.tensor([[0], [1]]), words.tgt[TWICE, 1:]], 1)
    others_do = _looks_ahead(translator, draw, words.tgt[TWICE])
    require(others_do or not _looks_ahead(translator, draw, begin_as_padding), tr(PADDING))
    translator.answers_its_input(draw, whole, repeated=True)


def _looks_ahead(translator: Translator, draw: Pairs, tgt: Tensor) -> bool:
    """Whether another last id changes earlier logits of two targets of the first source."""
    logits, after = (translator(draw.src[TWICE], ids) for ids in (tgt, with_another_last_id(tgt, draw)))
    return moves(logits[:, :-1], after[:, :-1])


@check(points=22, given=pairs(least=3).map(without_padding), core=True, draws=3)
def does_not_look_ahead(candidate: Candidate, draw: Pairs) -> None:
    """later ids of the target change no earlier logits: its beginning alone, however long, gives the same

    fr: les identifiants ultérieurs de la cible ne changent aucun logit antérieur : son début seul, de toute
    longueur, donne les mêmes
    """
    translator = Translator(candidate, draw)
    changed = with_another_last_id(draw.tgt, draw)
    logits, after = (translator(draw.src, tgt) for tgt in (draw.tgt, changed))
    alike(after[:, :-1], logits[:, :-1].detach(), tr("the output before the change"))
    message = tr("the output at the changed position did not change")
    require(moves(logits[:, -1], after[:, -1]), message)
    for length in range(2, draw.tgt.shape[1]):
        first = translator(draw.src, draw.tgt[:, :length].contiguous())
        value_name = tr("the output for the first {length} positions", length=length)
        alike(first, logits[:, :length].detach(), value_name)
    translator.answers_its_input(draw, logits, repeated=True)


@check(points=16.5, given=pairs(least=3, layers=1), core=True, draws=3)
def sees_the_whole_target_so_far(candidate: Candidate, draw: Pairs) -> None:
    """the logits at each position depend on every id of the target up to it, with one layer too

    fr: les logits de chaque position dépendent de tous les identifiants de la cible jusqu'à elle, même avec
    une seule couche
    """
    translator = Translator(candidate, draw)
    influence = target_influences(translator, draw)
    for position, before in (~influence & torch.ones_like(influence).tril()).nonzero()[:1].tolist():
        raise Violation(tr(UNSEEN, position=position, before=before))
    translator.answers_its_input(draw)


@check(points=16.5, given=pairs(least=3, layers=1), core=True, draws=3)
def looks_at_the_whole_source(candidate: Candidate, draw: Pairs) -> None:
    """the logits at each position depend on every id of the source and every position of the memory

    fr: les logits de chaque position dépendent de tous les identifiants de la source et de toutes les
    positions de la mémoire
    """
    translator = Translator(candidate, draw)
    for position, place in (~source_influences(translator, draw)).nonzero()[:1].tolist():
        raise Violation(tr(UNSEEN_SOURCE, position=position, place=place))
    for position, place in (~_looks_at_memory(translator, draw)).nonzero()[:1].tolist():
        message = translatable(
            "the logits at position {position} do not look at position {place} of the memory"
        )
        raise Violation(tr(message, position=position, place=place))
    translator.answers_its_input(draw)


def _looks_at_memory(translator: Translator, draw: Pairs) -> Tensor:
    """As `looks`; of no position where encode or decode is absent or answers in another form.

    `decodes_what_it_encoded` says so.
    """
    try:
        return looks(translator, draw)
    except (Raised, Violation):
        return torch.ones(0, 0, dtype=torch.bool)


UNCHOSEN = {
    "target": translatable(
        "what the last id of the target learns of earlier ones is a fixed mixture of them, "
        "whichever id it is: is a query compared with keys?"
    ),
    "source": translatable(
        "what an id of the target learns of the source is a fixed mixture of its ids, whichever id it is: "
        "is a query compared with the keys of the memory?"
    ),
    "memory": translatable(
        "what an id of the source learns of the others is a fixed mixture of them, whichever id it is: "
        "is a query compared with keys?"
    ),
}


@check(points=16.5, given=seeds().map(pairs_with_readers), draws=1, core=True)
def chooses_what_it_looks_at(candidate: Candidate, draw: Pairs) -> None:
    """which ids count depends on the id that looks at them, in the source, in the target and between them

    fr: les identifiants qui comptent dépendent de celui qui les regarde, dans la source, dans la cible et de
    l'une à l'autre
    """
    for name, chooses in translator_chooses(candidate, draw).items():
        try:
            require(chooses() is not False, tr(UNCHOSEN[name]))
        except Raised:
            if name != "memory":  # other checks are about encode
                raise


@check(points=4, given=pairs(least=3, layers=1), draws=2)
def encodes_both_ways(candidate: Candidate, draw: Pairs) -> None:
    """each position of the memory has seen every id of the source, those that follow too

    fr: chaque position de la mémoire a vu tous les identifiants de la source, ceux qui suivent aussi
    """
    translator = Translator(candidate, draw)
    for position, place in (~memory_influences(translator, draw)).nonzero()[:1].tolist():
        message = translatable(
            "position {position} of the memory does not depend on the id at position {place} of the source"
        )
        raise Violation(tr(message, position=position, place=place))
    translator.answers_its_input(draw)


@check(points=8, given=pairs(least=3), draws=3)
def ignores_what_is_masked_of_the_source(candidate: Candidate, draw: Pairs) -> None:
    """what src_mask hides of the source changes no logits, and the rest does

    fr: ce que src_mask cache de la source ne change aucun logit, et le reste en change
    """
    translator, (batch, length) = Translator(candidate, draw), draw.src.shape
    place = draw.seed % length
    hidden = (torch.arange(length) == place).expand(batch, 1, 1, length).contiguous()
    before = translator(draw.src, draw.tgt, hidden).detach()
    other, beside = (
        (draw.src + (torch.arange(length) == p)) % draw.config["src_vocab"]
        for p in (place, (place + 1) % length)
    )
    message = tr("a word of the source that src_mask hides (True = masked) changes the logits")
    require(not moves(before, translator(other, draw.tgt, hidden)), message)
    message = tr("under src_mask, a word that it does not hide has no influence (True = masked)")
    require(moves(before, translator(beside, draw.tgt, hidden)), message)
    plain = translator(draw.src, draw.tgt).detach()
    require(moves(before, plain), tr("the mask changes nothing"))
    none = torch.zeros_like(hidden)
    value_name = tr("the output under a mask that hides nothing")
    alike(translator(draw.src, draw.tgt, none), plain, value_name)


@check(points=6, given=pairs(least=3, layers=1), draws=2)
def knows_both_orders(candidate: Candidate, draw: Pairs) -> None:
    """the logits know in which order the ids of the source came, and those of the target

    fr: les logits savent dans quel ordre sont venus les identifiants de la source, et ceux de la cible
    """
    translator, src, tgt = Translator(candidate, draw), draw.src.clone(), draw.tgt.clone()
    src[:, :2], tgt[:, :2] = torch.tensor([1, 2]), torch.tensor([1, 2])
    draw = replace(draw, src=src, tgt=tgt)
    logits = translator(src, tgt).detach()
    of_source, of_target = (words[:, [1, 0, *range(2, words.shape[1])]].contiguous() for words in (src, tgt))
    for name, influences, exchanged in (
        ("src", source_influences, (of_source, tgt)),
        ("tgt", target_influences, (src, of_target)),
    ):
        if moves(logits[:, -1], translator(*exchanged)[:, -1]):
            continue
        message = tr(
            "the last logits stay the same where two ids at the beginning of {name} change places: "
            "what tells positions?",
            name=name,
        )
        # Other checks are about what is seen at all.
        require(not bool(influences(translator, draw)[-1, :2].all()), message)
    translator.answers_its_input(draw, logits)


@check(points=3, given=pairs(), draws=2)
def treats_sequences_apart(candidate: Candidate, draw: Pairs) -> None:
    """each pair of a batch is answered as if it were alone

    fr: chaque paire d'un lot reçoit la même réponse que seule
    """
    translator = Translator(candidate, draw)
    whole = translator(draw.src, draw.tgt).detach()
    for n in range(len(draw.src)):
        alone = translator(draw.src[n : n + 1].contiguous(), draw.tgt[n : n + 1].contiguous())
        alike(alone, whole[n : n + 1], tr("a sequence alone"))
    translator.answers_its_input(draw, whole, repeated=True)


@check(points=4, given=pairs(fewest=2), draws=2)
def has_the_sizes_asked_for(candidate: Candidate, draw: Pairs) -> None:
    """more layers, more width and more ids mean more parameters, and the number of heads makes a difference

    fr: plus de couches, plus de largeur et plus d'identifiants donnent plus de paramètres, et le nombre de
    têtes fait une différence
    """
    translator = Translator(candidate, draw)
    own = _count_parameters(translator.module)
    for name, more in (
        ("num_layers", 1),
        ("embed_dim", draw.config["embed_dim"]),
        ("src_vocab", 1),
        ("tgt_vocab", 1),
    ):
        value = draw.config[name] + more
        counted = _count_parameters(candidate.construct(**{**draw.config, name: value}))
        values = {"more": counted, "name": name, "value": value, "own": own, "before": draw.config[name]}
        require(counted > own, tr(MATTERS, **values))
    other, logits = (
        Translator(candidate, draw, num_heads=5 - draw.config["num_heads"]),
        translator(draw.src, draw.tgt),
    )
    if other.module.shapes() == translator.module.shapes():
        heads = draw.config["num_heads"]
        message = tr(
            "under the same weights, num_heads={heads} and num_heads={other} give the same logits",
            heads=heads,
            other=5 - heads,
        )
        require(moves(logits, other(draw.src, draw.tgt)), message)
    _require_own_layers(candidate, draw)
    translator.answers_its_input(draw, logits)


def _require_own_layers(candidate: Candidate, draw: Pairs) -> None:
    """Require each half to have weights of its own in a further layer."""
    try:
        shared = find_shared_layers(candidate, draw)
    except (Raised, Violation):  # other checks are about encode and decode
        return
    message = tr("one more layer adds no weights that {half} uses: do its layers share theirs?", half=shared)
    require(not shared, message)


def _count_parameters(module: Module) -> int:
    return sum(math.prod(shape) for shape in module.shapes().values())


USUAL = {"src_vocab": 7, "tgt_vocab": 8, "embed_dim": 12, "num_heads": 2, "num_layers": 1, "max_len": 6}


def sized(batch: int, source: int, target: int, seed: int, **other: int) -> Pairs:
    """Sentences for a model of one layer that has these other sizes; all begin with the last word."""
    draw = paired(USUAL | other, batch, source, target, seed)
    draw.src[:, 0], draw.tgt[:, 0] = draw.config["src_vocab"] - 1, draw.config["tgt_vocab"] - 1
    return draw


def hides_the_last_id(candidate: Candidate, draw: Pairs) -> None:
    """Require earlier logits to stay where the last id of the target changes."""
    translator, changed = Translator(candidate, draw), draw.tgt.clone()
    changed[:, -1] = (changed[:, -1] + 1) % draw.config["tgt_vocab"]
    logits, after = translator(draw.src, draw.tgt), translator(draw.src, changed)
    alike(after[:, :-1], logits[:, :-1].detach(), tr("the output before the change"))


def sees_both_first_ids(candidate: Candidate, draw: Pairs) -> None:
    """Require the last logits to change where the last word but one is in the place of the last."""
    translator, last = Translator(candidate, draw), draw.tgt.shape[1] - 1
    logits = translator(draw.src, draw.tgt)[:, -1]
    src, tgt = draw.src.clone(), draw.tgt.clone()
    src[:, 0] -= 1
    tgt[:, 0] -= 1
    message = tr(UNSEEN_SOURCE, position=last, place=0)
    require(moves(logits, translator(src, draw.tgt)[:, -1]), message)
    require(moves(logits, translator(draw.src, tgt)[:, -1]), tr(UNSEEN, position=last, before=0))


def treats_the_last_pair_apart(candidate: Candidate, draw: Pairs) -> None:
    """Require the logits of the last pair where it is alone."""
    translator = Translator(candidate, draw)
    whole = translator(draw.src, draw.tgt).detach()
    alone = translator(draw.src[-1:].contiguous(), draw.tgt[-1:].contiguous())
    alike(alone, whole[-1:], tr("a sequence alone"))


def has_all_layers(candidate: Candidate, draw: Pairs) -> None:
    """Require the last layer to have parameters, where there are several."""
    layers = draw.config["num_layers"]
    if layers > 1:
        fewer = {**draw.config, "num_layers": layers - 1}
        more, own = (_count_parameters(candidate.construct(**config)) for config in (draw.config, fewer))
        values = {"more": more, "name": "num_layers", "value": layers, "own": own, "before": layers - 1}
        require(more > own, tr(MATTERS, **values))


answers_extreme_sizes = behaviour_checks.answers_extreme_sizes(
    points=1,
    facts=(hides_the_last_id, sees_both_first_ids, treats_the_last_pair_apart, has_all_layers),
    usual=partial(sized, 3, 5, 4, num_layers=2),
    answers_its_input=lambda candidate, draw: Translator(candidate, draw).answers_its_input(draw),
    fixed=[partial(sized, 4, 4, 4, src_vocab=4, tgt_vocab=4, embed_dim=4, num_layers=2, max_len=4)],
    stretched=[
        Stretched(lambda n, seed: sized(n, 3, 2, seed)),
        Stretched(lambda n, seed: sized(8, n, 3, seed, max_len=n)),
        Stretched(lambda n, seed: sized(8, 3, n, seed, max_len=n)),
        Stretched(lambda n, seed: sized(2, 3, 2, seed, src_vocab=n)),
        Stretched(lambda n, seed: sized(2, 3, 2, seed, tgt_vocab=n)),
        Stretched(lambda n, seed: sized(2, 3, 2, seed, embed_dim=n + -n % 4)),
        Stretched(lambda n, seed: sized(2, 3, 2, seed, num_heads=n, embed_dim=2 * n)),
        Stretched(lambda n, seed: sized(2, 3, 2, seed, num_layers=n), least=LAYERS, most=MOST_LAYERS),
    ],
)


@check(points=3, given=pairs(), on_its_word=True, draws=2)
def teaches_every_parameter(candidate: Candidate, draw: Pairs) -> None:
    """the logits send a gradient to every parameter, the encoder's too: none is detached, and none is unused

    fr: les logits envoient un gradient à chaque paramètre, à ceux de l'encodeur aussi : aucun n'est détaché,
    aucun n'est là pour rien
    """
    module, upstream = Translator(candidate, draw).module, [normal(*draw.shape, seed=draw.seed)]
    require_gradients(module, module.gradients(draw.src, draw.tgt, upstream=upstream), of_input=False)


RATE = 0.5
WIDE = {"src_vocab": 9, "tgt_vocab": 11, "embed_dim": 32, "num_heads": 2, "num_layers": 2, "max_len": 8}
wide = seeds().map(lambda seed: paired(WIDE, 2, 4, 5, seed))


@check(points=1, given=wide, draws=1)
def drops_in_training_only(candidate: Candidate, draw: Pairs) -> None:
    """dropout acts in training and at no other time, at the rate asked for, and by default not at all

    fr: le dropout agit à l'entraînement et à aucun autre moment, au taux demandé, et pas du tout par défaut
    """
    arguments: list[Tensor | None] = [draw.src, draw.tgt]
    properties.drops_in_training(Translator(candidate, draw, dropout=RATE).module, arguments, RATE)
    translator = Translator(candidate, draw)
    in_evaluation = translator(draw.src, draw.tgt).detach()
    translator.module.train()
    value_name = tr("the logits in training where no rate of dropout is asked for")
    alike(translator(draw.src, draw.tgt), in_evaluation, value_name)


@check(points=1, given=pairs(), on_its_word=True, draws=2)
def leaves_its_arguments_alone(candidate: Candidate, draw: Pairs) -> str | None:
    """src and tgt keep their values, and the second call answers as the first

    fr: src et tgt gardent leurs valeurs, et le second appel répond comme le premier
    """
    translator = Translator(candidate, draw)
    remark = properties.leaves_alone(translator.module, [draw.src, draw.tgt], "src", "tgt")
    translator.answers_its_input(draw, repeated=True)
    return remark


options = Options(diagnostic_draws=translation_behaviours)
