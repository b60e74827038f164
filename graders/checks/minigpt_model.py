"""MiniGPT(vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0); forward(idx, targets=None).

The architecture is free, so the checks judge behaviour and compare nothing with the reference.
"""

import math
from functools import partial

import torch
from hypothesis import strategies as st

from graders.check_api import mask_properties, properties
from graders.check_api.check import (
    Candidate,
    Module,
    Stretched,
    Violation,
    alike,
    check,
    number,
    require,
    shaped,
)
from graders.check_api.choice_by_content import language_model_chooses, text_with_readers
from graders.check_api.language_model_behaviour import language_model_behaviours
from graders.check_api.language_models import (
    LanguageModel,
    bigram_bound,
    has_a_right_loss,
    knows_by_parameters_alone,
)
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.reference_gradients import require_gradients
from graders.check_api.standard_checks import behaviour_checks
from graders.check_api.strategies.extremes import LAYERS, MOST_LAYERS
from graders.check_api.strategies.tensors import FULL, LENGTH, ids, lengths, seeds, several, sizes
from graders.check_api.strategies.token_ids import (
    Text,
    are_probabilities,
    both_of,
    due,
    influences,
    logits_of,
    loss_agrees,
    moves,
)
from graders.language import tr, translatable

SHARE = translatable(
    "logits should be scores of any sign, but these are probabilities: a softmax is one too many"
)
UNSEEN = translatable(
    "the logits at position {position} do not depend on the id at position {before}: is it seen?"
)
MATTERS = translatable(
    "{more} parameters with {name}={value}, {own} with {name}={before}: does {name} matter?"
)


@st.composite
def models(
    draw: st.DrawFn,
    targeted: bool = False,
    least: int = 2,
    fewest: int = 1,
    layers: int = 3,
    length: int | None = None,
    corner: str = "",
) -> Text:
    """A small MiniGPT with ids that do not fill its block.

    `least` is the minimum length. Layers go from `fewest` to `layers`. The width is even for two heads and
    for three. `length` is that of the ids, if given. `corner` names what there is one of alone, "length" or
    "n_head"; with "full" the ids fill the block, as in training.
    """
    count = 1 if corner == "n_head" else draw(sizes(2, 3))
    width = 12 * draw(sizes(1, 2))
    length = length or draw(lengths(least, 7, corner))
    block = length if corner == FULL else length + draw(sizes(1, 2))
    config = {
        "vocab_size": draw(sizes(5, 12)),
        "block_size": block,
        "n_embd": width,
        "n_head": count,
        "n_layer": draw(sizes(fewest, layers)),
    }
    batch, seed = draw(several()), draw(seeds())
    words = ids(batch, length + 1, vocabulary=config["vocab_size"], seed=seed)
    targets = words[:, 1:].contiguous() if targeted else None
    return Text(config, words[:, :-1].contiguous(), targets, seed=seed)


@check(
    points=3,
    given=[models(), models(corner=LENGTH), models(corner="n_head")],
    shape_only=True,
    at_length=lambda n: models(layers=1, length=n),
)
def answers_with_logits(candidate: Candidate, draw: Text) -> str | None:
    """ids (B, T) become logits (B, T, V): a score of any sign for each id at each position

    fr: les identifiants (B, T) deviennent des logits (B, T, V) : un score de signe quelconque par identifiant
    à chaque position
    """
    logits, remark = logits_of(candidate.with_random_weights(draw.seed, **draw.config)(draw.idx), draw)
    require(not are_probabilities(logits), tr(SHARE))
    return remark


@check(points=2, given=models(targeted=True), shape_only=True)
def answers_with_logits_and_loss(candidate: Candidate, draw: Text) -> str | None:
    """with targets the answer is the pair (logits, loss), and the loss is one number

    fr: avec des cibles, la réponse est la paire (logits, loss), et la perte est un seul nombre
    """
    return both_of(candidate.construct(**draw.config)(*draw.arguments), draw)[2]


@check(points=12, given=models(targeted=True), core=True)
def loss_is_the_mean_cross_entropy(candidate: Candidate, draw: Text) -> None:
    """the loss is the mean cross-entropy, in nats, of the same logits that come without targets

    fr: la perte est l'entropie croisée moyenne, en nats, de ces mêmes logits qui viennent sans cibles
    """
    module = LanguageModel(candidate, draw)
    logits, loss = module.read(*draw.arguments)
    properties.begins_like(draw.idx, logits)
    require(logits.shape[-1] >= draw.config["vocab_size"], tr("these are no logits"))
    require(loss is not None, tr("there is no loss"))
    alone, _ = module.read(draw.idx)
    alike(logits, alone.detach(), tr("the logits beside the loss"))
    if are_probabilities(logits):  # another check is about that
        logits = logits.clamp(min=torch.finfo(logits.dtype).tiny).log()
    assert loss is not None
    loss_agrees(loss, logits, draw)


@check(points=13, given=models(least=3), core=True)
def does_not_look_ahead(candidate: Candidate, draw: Text) -> None:
    """later ids change no earlier logits: the first ids alone, however many, give the same logits

    fr: les identifiants ultérieurs ne changent aucun logit antérieur : un début seul, de toute longueur,
    reçoit la même réponse que dans le tout
    """
    module, words = LanguageModel(candidate, draw), draw.idx
    changed = words.clone()
    changed[:, -1] = (changed[:, -1] + 1) % draw.config["vocab_size"]
    mask_properties.does_not_look_ahead(module, [words], changed)
    mask_properties.knows_no_future(module, words)


@check(points=12, given=models(layers=1, corner=FULL), core=True)
def uses_the_whole_context(candidate: Candidate, draw: Text) -> None:
    """in a block that is filled, the logits at each position depend on every id up to it, with one layer too

    fr: dans un bloc rempli, les logits de chaque position dépendent de tous les identifiants jusqu'à elle,
    même avec une seule couche
    """
    module = LanguageModel(candidate, draw)
    influence = influences(module, draw.idx[0], draw.config["vocab_size"])
    require(not module.has_grown, tr("{n} ids do not fit, where block_size is {n}", n=draw.idx.shape[1]))
    for position, before in (~influence & torch.ones_like(influence).tril()).nonzero()[:1].tolist():
        raise Violation(tr(UNSEEN, position=position, before=before))
    module.answers_its_input(draw)


@check(points=18, given=seeds().map(text_with_readers), draws=2, core=True)
def chooses_what_it_looks_at(candidate: Candidate, draw: Text) -> None:
    """which earlier ids count depends on the id that looks back at them

    fr: les identifiants précédents qui comptent dépendent de celui qui les regarde
    """
    message = tr(
        "what the last id learns of earlier ones is a fixed mixture of them, whichever id it is: "
        "is a query compared with keys?"
    )
    require(language_model_chooses(candidate, draw) is not False, message)


@check(points=6, given=models(least=3, layers=1))
def knows_the_order(candidate: Candidate, draw: Text) -> None:
    """the logits know in which order earlier ids came: positions make a difference, with one layer too

    fr: les logits savent dans quel ordre sont venus les identifiants précédents : les positions sont
    indiquées, même avec une seule couche
    """
    module, words = LanguageModel(candidate, draw), draw.idx.clone()
    words[:, 0], words[:, 1] = 1, 2
    swapped = words.clone()
    swapped[:, 0], swapped[:, 1] = 2, 1
    logits, after = module(words), module(swapped)
    message = tr(
        "the last logits stay the same where two ids at the beginning change places: what tells positions?"
    )
    sees_both = module.sees(draw, 0) and module.sees(draw, 1)  # another check is about what it sees
    require(moves(logits[:, -1], after[:, -1]) or not sees_both, message)
    module.answers_its_input(draw)


@check(points=2, given=models())
def treats_sequences_apart(candidate: Candidate, draw: Text) -> None:
    """each sequence of a batch is answered as if it were alone

    fr: chaque séquence d'un lot reçoit la même réponse que seule
    """
    module = LanguageModel(candidate, draw)
    properties.treats_sequences_apart(module, [draw.idx])
    module.answers_its_input(draw)


@check(points=4, given=models(least=3, fewest=2, layers=2))
def has_the_sizes_asked_for(candidate: Candidate, draw: Text) -> None:
    """more layers and more width mean more parameters, and the number of heads makes a difference

    fr: plus de couches et plus de largeur donnent plus de paramètres, et le nombre de têtes fait une
    différence
    """
    heads, width = draw.config["n_head"], draw.config["n_embd"]
    own = _count_parameters(candidate.construct(**draw.config))
    for changes in ({"n_layer": draw.config["n_layer"] + 1}, {"n_embd": 2 * width}):
        more = _count_parameters(candidate.construct(**{**draw.config, **changes}))
        [(name, value)] = changes.items()
        values = {"more": more, "name": name, "value": value, "own": own, "before": draw.config[name]}
        require(more > own, tr(MATTERS, **values))
    module, other = LanguageModel(candidate, draw), LanguageModel(candidate, draw, n_head=5 - heads)
    # Where nothing is attended to, which another check is about, heads make no difference.
    if other.shapes() == module.shapes() and module.sees(draw, 0):
        message = tr(
            "under the same weights, n_head={heads} and n_head={other} give the same logits",
            heads=heads,
            other=5 - heads,
        )
        require(moves(module(draw.idx), other(draw.idx)), message)
    module.answers_its_input(draw)


NEAR = 8  # positions
USUAL = {"vocab_size": 7, "block_size": 6, "n_embd": 12, "n_head": 2, "n_layer": 1}


def sized(batch: int, length: int, seed: int, **other: int) -> Text:
    """Ids for a model of one layer that has these other sizes; all sequences begin with the last word."""
    config = USUAL | other
    words = ids(batch, length, vocabulary=config["vocab_size"], seed=seed)
    words[:, 0] = config["vocab_size"] - 1
    return Text(config, words, seed=seed)


def has_all_logits(candidate: Candidate, draw: Text) -> None:
    """Require logits for each id at each position."""
    shaped(LanguageModel(candidate, draw).read(draw.idx)[0], draw.shape, tr("the logits"))


def hides_the_last_id(candidate: Candidate, draw: Text) -> None:
    """Require earlier logits to stay where the last id changes."""
    module, changed = LanguageModel(candidate, draw), draw.idx.clone()
    changed[:, -1] = (changed[:, -1] + 1) % draw.config["vocab_size"]
    logits, after = first_tensor(module(draw.idx)), first_tensor(module(changed))
    alike(after[:, :-1], logits[:, :-1].detach(), tr("the output before the change"))


def sees_the_first_id(candidate: Candidate, draw: Text) -> None:
    """Require the last logits to change where the last word but one is in the place of the last.

    Only if that place is near: some models look no further, as ALiBi.
    """
    if draw.idx.shape[1] > NEAR:
        return
    module, changed = LanguageModel(candidate, draw), draw.idx.clone()
    changed[:, 0] -= 1
    logits, after = first_tensor(module(draw.idx)), first_tensor(module(changed))
    message = tr(UNSEEN, position=draw.idx.shape[1] - 1, before=0)
    require(moves(logits[:, -1], after[:, -1]), message)


def treats_the_last_sequence_apart(candidate: Candidate, draw: Text) -> None:
    """Require the logits of the last sequence where it is alone."""
    module = LanguageModel(candidate, draw)
    whole, alone = first_tensor(module(draw.idx)), first_tensor(module(draw.idx[-1:].contiguous()))
    alike(alone, whole[-1:].detach(), tr("a sequence alone"))


def has_all_layers(candidate: Candidate, draw: Text) -> None:
    """Require the last layer to have parameters, where there are several."""
    layers = draw.config["n_layer"]
    if layers > 1:
        fewer = {**draw.config, "n_layer": layers - 1}
        more, own = (_count_parameters(candidate.construct(**config)) for config in (draw.config, fewer))
        values = {"more": more, "name": "n_layer", "value": layers, "own": own, "before": layers - 1}
        require(more > own, tr(MATTERS, **values))


answers_extreme_sizes = behaviour_checks.answers_extreme_sizes(
    points=1,
    facts=(
        has_all_logits,
        hides_the_last_id,
        sees_the_first_id,
        treats_the_last_sequence_apart,
        has_all_layers,
    ),
    usual=partial(sized, 3, 5, n_layer=2),
    answers_its_input=lambda candidate, draw: LanguageModel(candidate, draw).answers_its_input(draw),
    fixed=[partial(sized, 4, 4, vocab_size=4, block_size=4, n_embd=4, n_layer=2)],
    stretched=[
        Stretched(lambda n, seed: sized(n, 3, seed)),
        Stretched(lambda n, seed: sized(2, n, seed, block_size=n)),
        Stretched(lambda n, seed: sized(2, 3, seed, vocab_size=n)),
        Stretched(lambda n, seed: sized(2, 3, seed, n_embd=n + -n % 4)),
        Stretched(lambda n, seed: sized(2, 3, seed, n_head=n, n_embd=2 * n)),
        Stretched(lambda n, seed: sized(2, 3, seed, n_layer=n), least=LAYERS, most=MOST_LAYERS),
    ],
)


@check(points=2, given=models(targeted=True), on_its_word=True)
def teaches_every_parameter(candidate: Candidate, draw: Text) -> None:
    """the loss sends a gradient to every parameter: none is detached, and none is unused

    fr: la perte envoie un gradient à chaque paramètre : aucun n'est détaché, aucun n'est là pour rien
    """
    module = LanguageModel(candidate, draw)
    require_gradients(module, module.loss_gradients(draw), of_input=False)


RATE = 0.5
WIDE = {"vocab_size": 11, "block_size": 8, "n_embd": 32, "n_head": 2, "n_layer": 2}
wide = seeds().map(lambda seed: Text(WIDE, ids(4, 8, vocabulary=11, seed=seed), seed=seed))


@check(points=1, given=wide, draws=4)
def drops_in_training_only(candidate: Candidate, draw: Text) -> None:
    """dropout acts in training and at no other time, at the rate asked for, and by default not at all

    fr: le dropout agit à l'entraînement et à aucun autre moment, au taux demandé, et pas du tout par défaut
    """
    properties.drops_in_training(LanguageModel(candidate, draw, dropout=RATE), [draw.idx], RATE)
    module = LanguageModel(candidate, draw)
    in_evaluation = module(draw.idx)
    value_name = tr("the logits in training where no rate of dropout is asked for")
    alike(module.train()(draw.idx), in_evaluation, value_name)


LEARNER = {"vocab_size": 5, "block_size": 12, "n_embd": 32, "n_head": 2, "n_layer": 2}
TRAININGS, LEARNING_RATE = (15, 35, 50), 5e-3  # steps; where a model has learnt enough, the rest is left out


def _lessons(seed: int) -> Text:
    """Four sequences that begin with different ids, so that each next id follows from the ids before it."""
    words = ids(4, 13, vocabulary=5, seed=seed)
    words[:, 0] = torch.arange(4)
    return Text(LEARNER, words[:, :-1].contiguous(), words[:, 1:].contiguous(), seed=seed)


@check(points=2, given=seeds().map(_lessons), draws=1)
def learns(candidate: Candidate, draw: Text) -> None:
    """within 100 steps of Adam on four short sequences, it tells what follows better than any bigram could

    fr: en 100 pas d'Adam au plus sur quatre courtes séquences, il prédit la suite mieux que ne le pourrait
    aucun bigramme
    """
    assert draw.targets is not None
    if not has_a_right_loss(candidate, draw):  # other checks are about that
        LanguageModel(candidate, draw).answers_its_input(draw)
        return
    candidate.start_anew()
    module = LanguageModel(candidate, draw, own_weights=True)
    bound, reached = bigram_bound(draw.idx, draw.targets), math.inf
    for steps in TRAININGS:
        module.train_steps(*draw.arguments, steps=steps, rate=LEARNING_RATE)
        logits = module(draw.idx)
        properties.begins_like(draw.idx, logits)
        reached = float(due(logits, draw.targets).exact)
        if reached < bound:
            knows_by_parameters_alone(candidate, draw, module.parameters(), bound)
            return
    message = translatable("after {steps} steps the loss is {reached} nats; a bigram could reach {bound}")
    raise Violation(tr(message, steps=sum(TRAININGS), reached=number(reached), bound=number(bound)))


@check(points=1, given=models(targeted=True), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Text) -> str | None:
    """idx and targets keep their values, and the second call answers as the first

    fr: idx et targets gardent leurs valeurs, et le second appel répond comme le premier
    """
    return properties.leaves_alone(LanguageModel(candidate, draw), draw.arguments, *draw.argument_names)


def _count_parameters(module: Module) -> int:
    return sum(math.prod(shape) for shape in module.shapes().values())


options = Options(diagnostic_draws=language_model_behaviours)
