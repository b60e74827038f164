"""LayerNorm(dim, eps=1e-5): each position has mean 0 and variance 1, then gamma and beta act.

The epsilon may stand under the root or beside it, and be anything up to 1e-5 where none is asked for.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import torch

from graders.check_api import variation
from graders.check_api.check import Candidate, Module, alike, check, require, shaped
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.module_inputs import Input
from graders.check_api.strategies.tensors import sizes
from graders.check_api.usual_sizes import model_width
from graders.check_api.variation import Varied, vary
from graders.language import tr

LARGE = 1e4  # of an input


def add_beside_the_root(norm: Any) -> None:
    """Change the reference in place: its epsilon is added to the standard deviation."""
    norm.deviation = lambda x: norm.variance(x).sqrt() + norm.eps


def answer_either_way(draw: Input, reference: Any, with_gradients: bool = False) -> ReferenceAnswer:
    """The reference's answer, which accepts the epsilon under the root and beside it."""
    answer = reference_answer_with_gradients if with_gradients else reference_answer
    under, beside = answer(draw, reference), answer(draw, reference, adapt=add_beside_the_root)
    return replace(
        under,
        outputs=tuple(a + b for a, b in zip(under.outputs, beside.outputs, strict=True)),
        gradients={name: accepted + beside.gradients[name] for name, accepted in under.gradients.items()},
        input_gradient=under.input_gradient + beside.input_gradient,
    )


SIZES = {"dim": 6}
options = Options(
    sizes=(model_width("dim", "has_a_gain_and_a_shift", "x"),),
    diagnostic_draws=fixed(
        Input,
        "dim",
        SIZES,
        Row(3, 5),
        Row(2, 4),
        Row(2, 7),
        Row(3, 2, {"dim": 4, "eps": 0.1}),
        Row(2, 3, {"dim": 5}, scale=0.0),
        Row(2, 2, {"dim": 7}, scale=30.0),
    ),
)
roomy = fed(Input, dim=8)()
norm = ModuleChecks(fed(Input, dim=sizes(4, 8)), options, roomy, answer=answer_either_way)

keeps_the_shape = norm.keeps_the_shape(
    points=1, kept_because="every wrong shape fails other checks too; here it is said to be one"
)
has_a_gain_and_a_shift = norm.has_parameters(
    lambda config: 2 * config["dim"],
    points=1,
    says="""the parameters are gamma and beta: 2 E values

    fr: les paramètres sont gamma et beta : 2 E valeurs
    """,
)
computes_what_the_reference_computes = norm.computes_what_the_reference_computes(
    points=9,
    says="""under the same gamma and beta, the output is the reference's

    fr: avec les mêmes gamma et beta, la sortie est celle de la référence
    """,
)
answers_extreme_sizes = norm.answers_extreme_sizes(
    extremes(partial(fixed, Input, "dim", SIZES), "dim", SIZES), points=1
)
computes_in_double_precision = norm.computes_in_double_precision(points=1)


@check(
    points=4,
    given=fed(Input, dim=sizes(2, 6), eps=0.1)(),
    answer=vary(lambda draw: replace(draw, config={"dim": draw.config["dim"]}), answer_either_way),
)
def adds_the_epsilon_that_it_is_given(candidate: Candidate, draw: Input, answer: Varied) -> None:
    """with eps=0.1 the output is the reference's: positions of small variance become smaller

    fr: avec eps=0.1, la sortie est celle de la référence : les positions de faible variance rétrécissent
    """

    def require_another_output(module: Module, draw: Input) -> None:
        usual = candidate.with_random_weights(draw.seed, dim=draw.config["dim"])
        output = first_tensor(module(draw.x))
        message = tr("the output is the same for another eps")
        require(not torch.equal(output, first_tensor(usual(draw.x))), message)
        # Beside a large variance, what is added to it changes nothing.
        large = draw.x * LARGE
        output, due = first_tensor(module(large)), first_tensor(usual(large))
        message = tr("the output for large inputs is another for another eps: is eps added to the variance?")
        require(not bool((output - due).abs().max() > 0.05 * due.abs().max()), message)

    variation.agree_in_variation(candidate, answer, require_another_output)


# So large that no epsilon shows, however near to one another the values of a position are.
@check(points=2, given=fed(Input, dim=8)(scale=10.0))
def begins_with_mean_0_and_variance_1(candidate: Candidate, draw: Input) -> None:
    """in a new module, each position of the output has mean 0, and its squares have mean 1

    fr: dans un module neuf, chaque position de la sortie a pour moyenne 0, et ses carrés pour moyenne 1
    """
    output = first_tensor(candidate.construct(**draw.config)(draw.x))
    shaped(output, tuple(draw.x.shape))
    even, expected = output.double(), torch.ones(draw.x.shape[:2])
    alike(even.mean(-1).float() + 1, expected, tr("1 plus the mean of each position"))
    alike(even.pow(2).mean(-1).float(), expected, tr("the mean of the squares of each position"))


@check(points=2, given=roomy)
def treats_positions_apart(candidate: Candidate, draw: Input) -> None:
    """each position is answered as if it were alone, whatever stands beside it or in other sequences

    fr: chaque position reçoit la même réponse que seule, quoi qu'il y ait à côté ou dans d'autres séquences
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.x
    output = first_tensor(module(x))
    shaped(output, tuple(x.shape))
    for n, sequence in enumerate(x.split(1)):
        alike(first_tensor(module(sequence)), output[n : n + 1], tr("a sequence alone"))
    for n, position in enumerate(x.split(1, 1)):
        alike(first_tensor(module(position)), output[:, n : n + 1], tr("a position alone"))


@check(points=1, given=roomy, shape_only=True)
def survives_a_position_of_equal_values(candidate: Candidate, draw: Input) -> None:
    """a position whose values are all the same becomes beta, whichever value it is: eps keeps it from 0 / 0

    fr: une position dont toutes les valeurs sont égales devient beta, quelle que soit cette valeur : eps
    évite 0 / 0
    """
    module = candidate.construct(**draw.config)
    output, other = (first_tensor(module(torch.full_like(draw.x, value))) for value in (2.0, -3.0))
    shaped(output, tuple(draw.x.shape))
    # What beta is in a new module, another check says; a NaN is near nothing.
    alike(output, other.nan_to_num(0.0, 0.0, 0.0), tr("the output for other equal values"))


teaches_gamma_and_beta = norm.teaches_every_parameter(
    points=2,
    says="""gradients reach gamma, beta and x; where the output is right, they are too

    fr: les gradients atteignent gamma, beta et x ; là où la sortie est juste, ils le sont aussi
    """,
)
leaves_its_argument_alone = norm.leaves_its_arguments_alone(points=1)
