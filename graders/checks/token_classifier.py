"""TokenClassifier(hidden_size, num_labels, dropout=0.1): logits (B, S, C), and with labels (logits, loss)."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, agree, alike, check, kind, require, shaped, tensor
from graders.check_api.compare import is_near
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor, parts
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import ids, patterns, sizes
from graders.check_api.strategies.token_ids import due as loss_due
from graders.check_api.usual_sizes import model_width, number_of_parts
from graders.language import tr

SIZES = {"hidden_size": 8, "num_labels": 3}
PARAMETERS = "has_one_layer_with_bias"
IGNORED = -100


@dataclass(frozen=True, eq=False)
class Tagged(Given):
    """Hidden states (B, S, E), and labels (B, S), -100 where there is none; or no labels."""

    hidden_states: Tensor
    labels: Tensor | None = None


def labelled(draw: Tagged, missing: int | None) -> Tagged:
    """The draw with labels; each sequence but the first lacks more of them, from a place on."""
    batch, length = draw.hidden_states.shape[:2]
    labels = ids(batch, length, vocabulary=draw.config["num_labels"], seed=draw.seed + 1)
    if missing is not None:
        ends = length - 1 - ids(batch, 1, vocabulary=max(length - 2, 1), seed=missing)
        ends[0] = length
        labels = labels.masked_fill(torch.arange(length) >= ends, IGNORED)
    return replace(draw, labels=labels)


def _fixed(seed: int) -> list[Tagged]:
    plain = fixed(
        Tagged,
        "hidden_size",
        SIZES,
        Row(4, 5),  # so many values that dropout is seen
        Row(4, 5),
        Row(4, 5),
        Row(2, 7, scale=0.05),
        Row(5, 6, {"hidden_size": 6, "num_labels": 4}),
        Row(6, 4, {"hidden_size": 9, "dropout": 0.0}, scale=3.0),
    )(seed)
    return [
        plain[0],
        labelled(plain[1], None),
        labelled(plain[2], seed),
        plain[3],
        labelled(plain[4], seed + 1),
        plain[5],
    ]


options = Options(
    sizes=(
        model_width("hidden_size", PARAMETERS, "hidden_states"),
        number_of_parts("num_labels", PARAMETERS, ids="labels"),
    ),
    diagnostic_draws=_fixed,
)
classifiers = fed(Tagged, hidden_size=sizes(3, 6), num_labels=sizes(3, 5))


@st.composite
def tagged(draw: st.DrawFn, some: bool = False) -> Tagged:
    """The same with labels, `some` of which are missing."""
    return labelled(draw(classifiers(least=4)), draw(patterns()) if some else None)


def expected_shape(draw: Tagged) -> tuple[int, ...]:
    """(B, S, C)."""
    return *draw.hidden_states.shape[:2], draw.config["num_labels"]


classifier = ModuleChecks(classifiers, options, roomy=classifiers(least=3), shape=expected_shape)

gives_scores_at_each_position = classifier.keeps_the_shape(
    points=1,
    at_length=of_length(classifiers),
    says="""without labels, (B, S, E) becomes (B, S, C), and one tensor comes back

    fr: sans labels, (B, S, E) devient (B, S, C), et un seul tenseur est rendu
    """,
)
has_one_layer_with_bias = classifier.has_parameters(
    lambda config: (config["hidden_size"] + 1) * config["num_labels"],
    points=1,
    says="""one linear layer with bias from E to C: E * C + C parameters

    fr: une couche linéaire avec biais de E vers C : E * C + C paramètres
    """,
)
computes_what_the_reference_computes = classifier.computes_what_the_reference_computes(
    points=5,
    says="""under the same weights, the logits are the reference's

    fr: avec les mêmes poids, les logits sont ceux de la référence
    """,
)


def both_of(answer: Any, draw: Tagged) -> tuple[Tensor, Tensor]:
    """Logits and loss, in whatever order they come, or by name: another check is about that."""
    values = [part for part in parts(answer) if part is not None]
    found = tr("one tensor") if isinstance(answer, Tensor) else kind(answer)
    message = tr("with labels the answer should be the pair (logits, loss), but is {kind}", kind=found)
    require(len(values) == 2, message)
    first, second = (tensor(part) for part in values)
    logits, loss = (second, first) if first.numel() == 1 and second.dim() == 3 else (first, second)
    shaped(logits, expected_shape(draw), tr("the logits"))
    require(loss.numel() == 1, tr("the loss should be one number"))
    return logits.detach(), loss.detach().reshape(())


@check(points=1.2, given=tagged(), shape_only=True)
def answers_with_logits_and_loss(candidate: Candidate, draw: Tagged) -> None:
    """with labels the answer is the pair (logits, loss), and the loss is one number

    fr: avec des labels, la réponse est la paire (logits, loss), et la perte est un seul nombre
    """
    module = candidate.construct(**draw.config)
    answer = module(*draw.arguments)
    both_of(answer, draw)
    if isinstance(answer, dict):
        found = kind(answer)
        message = tr("with labels the answer should be the pair (logits, loss), but is {kind}", kind=found)
        # Where names come without labels as well, the check on these says so.
        require(isinstance(module(draw.hidden_states), dict), message)
        return
    swapped = tr("logits and loss are swapped: the logits come first")
    require(tensor(answer[0]).dim() == 3, swapped)
    shaped(tensor(answer[1]), (), tr("the loss"))


@check(points=4, given=tagged(), core=True)
def loss_is_the_mean_cross_entropy(candidate: Candidate, draw: Tagged) -> None:
    """where all positions have labels, the loss is the mean cross-entropy of its logits, in nats

    fr: quand toutes les positions ont un label, la perte est l'entropie croisée moyenne de ses logits, en
    nats
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    assert draw.labels is not None
    logits, loss = _logits_and_loss(module, draw)
    agree(loss, loss_due(logits, draw.labels), value_name=tr("the loss"))
    require(len(set(logits.flatten().tolist())) > 1, tr("all logits are the same"))


def _logits_and_loss(module: Any, draw: Tagged) -> tuple[Tensor, Tensor]:
    """Both; where the loss alone comes back, the logits are those that come without labels."""
    answer = module(*draw.arguments)
    if isinstance(answer, Tensor) and answer.numel() == 1:
        logits = first_tensor(module(draw.hidden_states)).detach()
        shaped(logits, expected_shape(draw), tr("the logits"))
        return logits, answer.detach().reshape(())
    return both_of(answer, draw)


@check(points=4, given=tagged(some=True))
def ignores_what_has_no_label(candidate: Candidate, draw: Tagged) -> None:
    """positions whose label is -100 do not count, and each of the others counts alike

    fr: les positions dont le label vaut -100 ne comptent pas, et chacune des autres compte autant
    """
    assert draw.labels is not None
    module = candidate.with_random_weights(draw.seed, **draw.config)
    logits, loss = _logits_and_loss(module, draw)
    whole = labelled(draw, None)
    assert whole.labels is not None
    plain_logits, plain = _logits_and_loss(module, whole)
    if is_near(plain, loss_due(plain_logits, whole.labels)):
        agree(loss, loss_due(logits, draw.labels), value_name=tr("the loss"))
    missing = (draw.labels == IGNORED)[..., None]
    moved = torch.where(missing, draw.hidden_states.square() + 1, draw.hidden_states)
    _, after = _logits_and_loss(module, replace(draw, hidden_states=moved))
    alike(after, loss, tr("the loss after a change at positions without a label"))
    seen = torch.where(missing, draw.hidden_states, draw.hidden_states.square() + 1)
    _, other = _logits_and_loss(module, replace(draw, hidden_states=seen))
    require(not torch.equal(other, loss), tr("the loss does not depend on the positions that have a label"))


@check(points=2, given=classifiers(least=3))
def treats_positions_alike_and_apart(candidate: Candidate, draw: Tagged) -> None:
    """every position goes through the same layer by itself

    fr: chaque position traverse seule la même couche
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    logits = first_tensor(module(x))
    shaped(logits, expected_shape(draw))
    for n in range(x.shape[1]):
        alike(first_tensor(module(x[:, n : n + 1])), logits[:, n : n + 1], tr("a position alone"))
    alike(first_tensor(module(x.flip(0, 1))), logits.flip(0, 1), tr("the output for another order"))


answers_extreme_sizes = classifier.answers_extreme_sizes(
    extremes(partial(fixed, Tagged, "hidden_size", SIZES), "hidden_size", SIZES), points=1
)
computes_in_double_precision = classifier.computes_in_double_precision(points=1)
answers_the_smallest_sizes = classifier.answers_the_smallest_sizes("length", "num_labels", points=1)
teaches_every_parameter = classifier.teaches_every_parameter(points=1.5)
drops_in_training_only = classifier.drops_in_training_only(
    points=1.5,
    rate="dropout",
    given=fed(Tagged, hidden_size=32, num_labels=8, dropout=st.sampled_from([0.5, 0.3]))(least=8, most=8),
    says="""dropout acts in training and at no other time, and a rate of 0 drops nothing

    fr: le dropout agit à l'entraînement et jamais ailleurs, et un taux de 0 n'efface rien
    """,
)
leaves_its_input_alone = classifier.leaves_its_arguments_alone(points=1)
