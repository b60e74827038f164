"""BertPooler(hidden_size): the first position, dense, tanh; (B, S, E) -> (B, E)."""

from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api.check import Candidate, alike, check, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import States
from graders.check_api.strategies.tensors import sizes
from graders.check_api.usual_sizes import model_width
from graders.language import tr

SIZES = {"hidden_size": 6}


def without_the_axis(answer: Any, _hidden_states: Tensor) -> Tensor:
    """The output (B, E), also where the axis of positions is still there with one of them: (B, 1, E)."""
    output = first_tensor(answer)
    return output[:, 0] if output.dim() == 3 and output.shape[1] == 1 else output


options = Options(
    read=without_the_axis,
    sizes=(model_width("hidden_size", "has_one_layer_with_bias", "hidden_states"),),
    diagnostic_draws=fixed(
        States,
        "hidden_size",
        SIZES,
        Row(3, 5),
        Row(3, 5),
        Row(3, 5),
        Row(2, 7, scale=0.05),
        Row(4, 2, {"hidden_size": 5}),
        Row(2, 4, {"hidden_size": 8}, scale=3.0),
    ),
)
poolers = fed(States, hidden_size=sizes(2, 6))
wide = fed(States, hidden_size=sizes(9, 12))  # under another activation not all values are 0


def expected_shape(draw: States) -> tuple[int, ...]:
    """(B, E)."""
    return len(draw.hidden_states), draw.config["hidden_size"]


pooler = ModuleChecks(poolers, options, roomy=wide(least=3), shape=expected_shape)


@check(points=2, given=poolers(), at_length=of_length(poolers), shape_only=True)
def gives_one_vector_for_each_sequence(candidate: Candidate, draw: States) -> None:
    """(B, S, E) becomes (B, E), and one tensor comes back

    fr: (B, S, E) devient (B, E), et un seul tenseur est rendu
    """
    output = tensor(candidate.construct(**draw.config)(*draw.arguments))
    shaped(output, expected_shape(draw))


has_one_layer_with_bias = pooler.has_parameters(
    lambda config: config["hidden_size"] ** 2 + config["hidden_size"],
    points=1,
    says="""one linear layer with bias: E * E + E parameters

    fr: une couche linéaire avec biais : E * E + E paramètres
    """,
)
computes_what_the_reference_computes = pooler.computes_what_the_reference_computes(
    points=8,
    says="""under the same weights, the output is the reference's: tanh behind the layer

    fr: avec les mêmes poids, la sortie est celle de la référence : tanh derrière la couche
    """,
)


@check(points=4, given=wide(least=3))
def looks_at_the_first_position_alone(candidate: Candidate, draw: States) -> None:
    """the output depends on the first position and on no other

    fr: la sortie dépend de la première position et d'aucune autre
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    output = without_the_axis(module(x), x)
    others = x.clone()
    others[:, 1:] = others[:, 1:].flip(1).square() + 1
    alike(without_the_axis(module(others), x), output, tr("the output where only later positions differ"))
    changed = x.clone()
    changed[:, 0] = changed[:, 0].square() + 1
    message = tr("the output does not depend on the first position")
    require(not torch.equal(without_the_axis(module(changed), x), output), message)


answers_extreme_sizes = pooler.answers_extreme_sizes(
    extremes(partial(fixed, States, "hidden_size", SIZES), "hidden_size", SIZES), points=1
)
computes_in_double_precision = pooler.computes_in_double_precision(points=1, given=wide(dtype=torch.float64))
treats_sequences_apart = pooler.treats_sequences_apart(points=2)
answers_the_smallest_sizes = pooler.answers_the_smallest_sizes("length", "hidden_size", points=1)
teaches_every_parameter = pooler.teaches_every_parameter(points=2, given=wide())
leaves_its_input_alone = pooler.leaves_its_arguments_alone(points=1)
