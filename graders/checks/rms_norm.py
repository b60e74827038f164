"""RMSNorm(dim, eps=1e-6): x over the root of the mean of its squares, by position, times a weight.

The epsilon stands under the root, and may be anything up to 1e-5 where none is asked for.
"""

from dataclasses import replace
from functools import partial

import torch

from graders.check_api import variation
from graders.check_api.check import Candidate, Module, alike, check, require, shaped
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import reference_answer
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.module_inputs import Input
from graders.check_api.strategies.tensors import sizes
from graders.check_api.usual_sizes import model_width
from graders.check_api.variation import Varied, vary
from graders.language import tr

LARGE = 1e4  # of an input
SIZES = {"dim": 6}
options = Options(
    sizes=(model_width("dim", "has_one_weight", "x"),),
    diagnostic_draws=fixed(
        Input,
        "dim",
        SIZES,
        *(Row(3, 5), Row(2, 4), Row(2, 7)),
        Row(3, 2, {"dim": 4, "eps": 0.1}),
        Row(2, 3, {"dim": 5}, scale=0.0),
        Row(2, 2, {"dim": 7}, scale=30.0),
    ),
)
roomy = fed(Input, dim=8)(least=2)
norm = ModuleChecks(fed(Input, dim=sizes(4, 8)), options, roomy)

keeps_the_shape = norm.keeps_the_shape(
    points=1, kept_because="every wrong shape fails other checks too; here it is said to be one"
)
has_one_weight = norm.has_parameters(
    lambda config: config["dim"],
    points=1,
    says="""the only parameter is the weight: E values

    fr: le seul paramètre est weight : E valeurs
    """,
)
computes_what_the_reference_computes = norm.computes_what_the_reference_computes(
    points=9,
    says="""under the same weight, the output is the reference's

    fr: avec le même weight, la sortie est celle de la référence
    """,
)
answers_extreme_sizes = norm.answers_extreme_sizes(
    extremes(partial(fixed, Input, "dim", SIZES), "dim", SIZES), points=1
)
computes_in_double_precision = norm.computes_in_double_precision(points=1)


@check(
    points=4,
    given=fed(Input, dim=sizes(2, 6), eps=0.1)(),
    answer=vary(lambda draw: replace(draw, config={"dim": draw.config["dim"]}), reference_answer),
)
def adds_the_epsilon_that_it_is_given(candidate: Candidate, draw: Input, answer: Varied) -> None:
    """with eps=0.1 the output is the reference's: eps is added to the mean of the squares, under the root

    fr: avec eps=0.1, la sortie est celle de la référence : eps s'ajoute à la moyenne des carrés, sous la
    racine
    """

    def require_another_output(module: Module, draw: Input) -> None:
        usual = candidate.with_random_weights(draw.seed, dim=draw.config["dim"])
        output = first_tensor(module(draw.x))
        message = tr("the output is the same for another eps")
        require(not torch.equal(output, first_tensor(usual(draw.x))), message)
        # Beside large squares, what is added to them changes nothing.
        large = draw.x * LARGE
        output, due = first_tensor(module(large)), first_tensor(usual(large))
        message = tr("the output for large inputs is another for another eps: is eps added to the squares?")
        require(not bool((output - due).abs().max() > 0.05 * due.abs().max()), message)

    variation.agree_in_variation(candidate, answer, require_another_output)


# So large that no epsilon shows.
@check(points=2, given=fed(Input, dim=8)(scale=10.0))
def begins_with_squares_of_mean_1(candidate: Candidate, draw: Input) -> None:
    """in a new module, the squares of each position of the output have mean 1

    fr: dans un module neuf, les carrés de chaque position de la sortie ont pour moyenne 1
    """
    output = first_tensor(candidate.construct(**draw.config)(draw.x))
    shaped(output, tuple(draw.x.shape))
    squares = output.double().pow(2).mean(-1).float()
    alike(squares, torch.ones(draw.x.shape[:2]), tr("the mean of the squares of each position"))


treats_positions_apart = norm.treats_positions_alike_and_apart(
    points=2,
    says="""each position is answered as if it were alone, whatever stands beside it or in other sequences

    fr: chaque position reçoit la même réponse que seule, quoi qu'il y ait à côté ou dans d'autres séquences
    """,
)


@check(points=1, given=roomy, shape_only=True)
def survives_a_position_of_zeros(candidate: Candidate, draw: Input) -> None:
    """a position of zeros stays zeros: the epsilon keeps it from 0 / 0

    fr: une position de zéros reste à zéro : l'epsilon évite 0 / 0
    """
    zeros = 0 * draw.x
    alike(first_tensor(candidate.construct(**draw.config)(zeros)), zeros)


teaches_the_weight = norm.teaches_every_parameter(
    points=2,
    says="""gradients reach the weight and x; where the output is right, they are too

    fr: les gradients atteignent weight et x ; là où la sortie est juste, ils le sont aussi
    """,
)
leaves_its_argument_alone = norm.leaves_its_arguments_alone(points=1)
