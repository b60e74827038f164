"""MaskedLMHead(vocab_size, hidden_size): dense, GELU, LayerNorm, the table (V, E) it is given, a bias."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api.check import Candidate, Module, alike, check, require, shaped
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import normal, sizes
from graders.check_api.usual_sizes import model_width
from graders.check_api.variants import GELUS
from graders.language import tr

SIZES = {"vocab_size": 17, "hidden_size": 12}


@dataclass(frozen=True, eq=False)
class Headed(Given):
    """Hidden states (B, S, E) and the table of the words' embeddings (V, E)."""

    hidden_states: Tensor
    embedding_weight: Tensor


def headed(config: Mapping[str, Any], x: Tensor, *, seed: int) -> Headed:
    """Hidden states with a table of the configuration's sizes."""
    shape = config["vocab_size"], config["hidden_size"]
    return Headed(dict(config), x, normal(*shape, seed=seed + 3, dtype=x.dtype), seed=seed)


def expected_shape(draw: Headed) -> tuple[int, ...]:
    """(B, S, V)."""
    return *draw.hidden_states.shape[:2], draw.config["vocab_size"]


options = Options(
    activations=GELUS,
    sizes=(model_width("hidden_size", "has_no_table_of_its_own", "hidden_states embedding_weight"),),
    diagnostic_draws=fixed(
        headed,
        "hidden_size",
        SIZES,
        Row(2, 5),
        Row(2, 5),
        Row(2, 5),
        Row(3, 4, scale=0.05),
        Row(2, 7, scale=8.0),
        Row(2, 2, {"hidden_size": 6, "vocab_size": 9}),
    ),
)
# Of width 4 and more: over one feature a norm gives a constant, over two only signs.
heads = fed(headed, "hidden_size", hidden_size=sizes(4, 8), vocab_size=sizes(3, 9))
roomy = partial(fed(headed, "hidden_size", hidden_size=sizes(9, 12), vocab_size=sizes(3, 9)), least=3)
head = ModuleChecks(heads, options, roomy=roomy(), shape=expected_shape)

gives_a_logit_for_each_word = head.keeps_the_shape(
    points=1,
    at_length=of_length(heads),
    says="""(B, S, E) and a table (V, E) give one tensor (B, S, V)

    fr: (B, S, E) et une table (V, E) donnent un seul tenseur (B, S, V)
    """,
)
has_no_table_of_its_own = head.has_parameters(
    lambda config: config["hidden_size"] ** 2 + 3 * config["hidden_size"] + config["vocab_size"],
    points=1,
    says="""a linear layer with bias, a norm and a bias for the words: E * E + E + 2 E + V parameters

    fr: une couche linéaire avec biais, une norme et un biais pour les mots : E * E + E + 2 E + V paramètres
    """,
)
computes_what_the_reference_computes = head.computes_what_the_reference_computes(
    points=8,
    says="""under the same weights, the logits are the reference's: dense, GELU, LayerNorm, table, bias

    fr: avec les mêmes poids, les logits sont ceux de la référence : dense, GELU, LayerNorm, table, biais
    """,
)


def _other_row(table: Tensor, row: int) -> Tensor:
    changed = table.clone()
    changed[row] = changed[row].flip(0).square() + 1
    return changed


@check(points=3.5, given=heads())
def compares_with_the_table_that_it_is_given(candidate: Candidate, draw: Headed) -> None:
    """the logits change with the table, in proportion, and a row changes those of its word

    fr: les logits changent avec la table, en proportion, et une ligne change ceux de son mot
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    tables = [times * draw.embedding_weight for times in (1, 0, 2)]
    once, without, twice = (first_tensor(module(x, table)).detach() for table in tables)
    shaped(once, expected_shape(draw))
    per_word = [logits - logits[..., :1] for logits in (without, once, twice)]  # of log-probabilities, too
    steps = per_word[1] - per_word[0], per_word[2] - per_word[1]
    require(not torch.equal(per_word[1], per_word[0]), tr("the logits are the same for a table of zeros"))
    alike(steps[1], steps[0], tr("what the logits grow by with twice the table"))
    for row in (0, draw.config["vocab_size"] - 1):
        after = first_tensor(module(x, _other_row(draw.embedding_weight, row))).detach()
        message = tr("the logits of word {row} do not depend on its row in the table", row=row)
        require(not torch.equal(after[..., row], once[..., row]), message)


@check(points=2, given=roomy())
def treats_positions_alike_and_apart(candidate: Candidate, draw: Headed) -> None:
    """every position goes through the same head by itself

    fr: chaque position traverse seule la même tête
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    logits = first_tensor(module(x, draw.embedding_weight))
    shaped(logits, expected_shape(draw))
    for n in range(x.shape[1]):
        alone = first_tensor(module(x[:, n : n + 1], draw.embedding_weight))
        alike(alone, logits[:, n : n + 1], tr("a position alone"))
    turned = first_tensor(module(x.flip(0, 1), draw.embedding_weight))
    alike(turned, logits.flip(0, 1), tr("the output for another order"))


answers_extreme_sizes = head.answers_extreme_sizes(
    extremes(partial(fixed, headed, "hidden_size", SIZES), "hidden_size", SIZES), points=1
)
computes_in_double_precision = head.computes_in_double_precision(points=1)
answers_the_smallest_sizes = head.answers_the_smallest_sizes("length", "vocab_size", points=1)
teaches_every_parameter = head.teaches_every_parameter(points=2, given=roomy())


@check(points=1.5, given=heads())
def teaches_the_table(candidate: Candidate, draw: Headed) -> None:
    """gradients reach the table: the embeddings learn from the head

    fr: les gradients atteignent la table : les embeddings apprennent de la tête
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    upstream = normal(*expected_shape(draw), seed=draw.seed + 5)
    gradient = _gradient_of_the_table(module, draw, upstream)
    require(gradient is not None, tr("no gradient reaches the table: is it detached or copied?"))
    assert gradient is not None
    require(bool((gradient != 0).any(-1).all()), tr("some rows of the table get no gradient"))


def _gradient_of_the_table(module: Module, draw: Headed, upstream: Tensor) -> Tensor | None:
    shaped(first_tensor(module(*draw.arguments)), expected_shape(draw))
    inputs = module.gradients(*draw.arguments, upstream=[upstream]).inputs
    return inputs[1] if len(inputs) > 1 else None


leaves_its_arguments_alone = head.leaves_its_arguments_alone(points=1)
