"""BigramLanguageModel(vocab_size); forward(idx, targets=None) -> logits (B, T, V), or (logits, loss)."""

from functools import partial

import torch

from graders.check_api import properties
from graders.check_api.check import Candidate, Stretched, alike, check, require
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.tensors import ids
from graders.check_api.strategies.token_ids import Text, both_of, logits_of, loss_agrees, texts
from graders.language import tr


@check(points=1, given=texts(), shape_only=True, at_length=of_length(texts))
def answers_with_logits(candidate: Candidate, draw: Text) -> str | None:
    """ids (B, T) become logits (B, T, V): a score for each id at each position

    fr: les identifiants (B, T) deviennent des logits (B, T, V) : un score par identifiant à chaque position
    """
    return logits_of(candidate.construct(**draw.config)(draw.idx), draw)[1]


@check(points=1, given=texts(targeted=True), shape_only=True)
def answers_with_logits_and_loss(candidate: Candidate, draw: Text) -> str | None:
    """with targets the answer is the pair (logits, loss), and the loss is one number

    fr: avec des cibles, la réponse est la paire (logits, loss), et la perte est un seul nombre
    """
    return both_of(candidate.construct(**draw.config)(*draw.arguments), draw)[2]


@check(points=1, given=texts(), shape_only=True)
def is_one_table(candidate: Candidate, draw: Text) -> None:
    """there is one table of V rows and V columns, and nothing else to learn

    fr: il y a une table à V lignes et V colonnes, et rien d'autre à apprendre
    """
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, draw.config["vocab_size"] ** 2)


def sized(words: int, batch: int, length: int, seed: int) -> Text:
    """A text of these sizes."""
    return Text({"vocab_size": words}, ids(batch, length, vocabulary=words, seed=seed), seed=seed)


@check(
    points=4,
    given=texts(),
    answer=reference_answer,
    core=True,
    fixed=[partial(sized, 4, 4, 4)],
    stretched=[
        Stretched(lambda n, seed: sized(n, 2, 3, seed)),
        Stretched(lambda n, seed: sized(5, n, 3, seed)),
    ],
)
def looks_up_the_row_of_the_id(candidate: Candidate, draw: Text, answer: ReferenceAnswer) -> None:
    """the logits at a position are the row of the table that belongs to its id, as it stands there

    fr: les logits d'une position sont la ligne de la table qui correspond à son identifiant, telle quelle
    """
    answer.agree(
        logits_of(candidate.with_reference_weights(answer)(draw.idx), draw)[0], value_name=tr("the logits")
    )


@check(points=1, given=texts(least=2))
def knows_the_current_id_alone(candidate: Candidate, draw: Text) -> None:
    """a position's logits depend on its own id alone, not on where it stands nor on what is around it

    fr: les logits d'une position ne dépendent que de son identifiant, ni de sa place ni de ce qui l'entoure
    """
    module, words = candidate.with_random_weights(draw.seed, **draw.config), draw.idx
    logits, _ = logits_of(module(words), draw)
    reversed_text = Text(draw.config, words.flip(1), seed=draw.seed)
    alike(
        logits_of(module(reversed_text.idx), reversed_text)[0].flip(1),
        logits,
        tr("the logits of the ids in reverse order"),
    )
    single = Text(draw.config, words[:1, :1])
    alike(logits_of(module(single.idx), single)[0], logits[:1, :1], tr("the logits of an id alone"))


@check(points=4, given=texts(targeted=True), core=True)
def loss_is_the_mean_cross_entropy(candidate: Candidate, draw: Text) -> None:
    """the loss is the cross-entropy of its logits for the targets, in nats, averaged over all positions

    fr: la perte est l'entropie croisée de ses logits pour les cibles, en nats, en moyenne sur toutes les
    positions
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    logits, loss, _ = both_of(module(*draw.arguments), draw)
    loss_agrees(loss, logits, draw)
    require(len(set(logits.flatten().tolist())) > 1, tr("all logits are the same"))


@check(points=1, given=texts(targeted=True))
def gives_the_same_logits_beside_a_loss(candidate: Candidate, draw: Text) -> None:
    """the logits beside a loss are those that come without targets

    fr: les logits rendus avec une perte sont ceux qui viennent sans cibles
    """
    module, alone = candidate.with_random_weights(draw.seed, **draw.config), Text(draw.config, draw.idx)
    logits, _ = logits_of(module(draw.idx), alone)
    beside = both_of(module(*draw.arguments), draw)[0]
    alike(beside, logits.detach(), tr("the logits beside the loss"))


@check(points=2, given=texts(targeted=True), answer=partial(reference_answer_with_gradients, place=1))
def loss_teaches_the_table(candidate: Candidate, draw: Text, answer: ReferenceAnswer) -> None:
    """the loss sends gradients into the table, and they are the reference's

    fr: la perte envoie des gradients dans la table, et ce sont ceux de la référence
    """
    module = candidate.with_reference_weights(answer)
    both_of(module(*draw.arguments), draw)
    agree_gradients(answer, module, place=1)


@check(points=1, given=texts(targeted=True), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Text) -> str | None:
    """idx and targets keep their values, and the second call answers as the first

    fr: idx et targets gardent leurs valeurs, et le second appel répond comme le premier
    """
    module, words = candidate.with_random_weights(draw.seed, **draw.config), draw.idx
    _logits, _ = logits_of(module(words), Text(draw.config, words))
    return properties.leaves_alone(module, draw.arguments, "idx", "targets")


def diagnostic_draws(seed: int) -> list[Text]:
    """Draws that tell the known mistakes apart; the first three, without targets, share a configuration."""
    sizes: list[tuple[int, int, int, bool]] = [
        (7, 2, 5, False),
        (7, 3, 4, False),
        (7, 1, 6, False),
        (5, 2, 4, True),
        (9, 3, 7, True),
        (6, 2, 9, True),
        (4, 1, 3, True),
        (11, 4, 2, True),
    ]

    def make_draw(number: int, words: int, batch: int, length: int, targeted: bool) -> Text:
        shape, config = (batch, length), {"vocab_size": words}
        targets = ids(*shape, vocabulary=words, seed=seed - 1 - number) if targeted else None
        if targets is not None:
            targets[0, 0], targets[-1, -1] = 0, words - 1  # so that a loss which ignores an id differs
        text = ids(*shape, vocabulary=words, seed=seed + number)
        return Text(config, text, targets, dtype=torch.float64, seed=seed + number)

    return [make_draw(number, *row) for number, row in enumerate(sizes)]


options = Options(diagnostic_draws=diagnostic_draws)
