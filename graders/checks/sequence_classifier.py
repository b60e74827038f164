"""SequenceClassifier(hidden_size, num_labels, dropout=0.1): pooler, dropout, layer; (B, S, E) -> (B, C)."""

from functools import partial

import torch
from hypothesis import strategies as st

from graders.check_api.check import Candidate, alike, check, require
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.module_inputs import States
from graders.check_api.strategies.tensors import sizes
from graders.check_api.usual_sizes import model_width, usual_number
from graders.language import tr

SIZES = {"hidden_size": 8, "num_labels": 5}
PARAMETERS = "has_the_parameters_of_its_parts"
options = Options(
    sizes=(
        model_width("hidden_size", PARAMETERS, "hidden_states"),
        usual_number("num_labels", 2, PARAMETERS),
    ),
    diagnostic_draws=fixed(
        States,
        "hidden_size",
        SIZES,
        Row(9, 4),  # so many values that dropout is seen
        Row(9, 4),
        Row(9, 4),
        Row(2, 7, scale=0.05),
        Row(5, 2, {"hidden_size": 6, "num_labels": 4}),
        Row(11, 3, {"hidden_size": 9, "dropout": 0.0}, scale=3.0),
    ),
)
# So wide that under another activation not all values are 0.
classifiers = fed(States, hidden_size=sizes(9, 12), num_labels=sizes(3, 5))


def expected_shape(draw: States) -> tuple[int, ...]:
    """(B, C)."""
    return len(draw.hidden_states), draw.config["num_labels"]


classifier = ModuleChecks(classifiers, options, roomy=classifiers(least=3), shape=expected_shape)

gives_a_score_for_each_class = classifier.keeps_the_shape(
    points=1,
    at_length=of_length(classifiers),
    says="""(B, S, E) becomes (B, C), a score for each class, and one tensor comes back

    fr: (B, S, E) devient (B, C), un score par classe, et un seul tenseur est rendu
    """,
)
has_the_parameters_of_its_parts = classifier.has_parameters(
    lambda config: (config["hidden_size"] + 1) * (config["hidden_size"] + config["num_labels"]),
    points=1,
    says="""its parameters are those of the pooler and of one layer from E to C, with bias

    fr: ses paramètres sont ceux du pooler et d'une couche de E vers C, avec biais
    """,
)
computes_what_the_reference_computes = classifier.computes_what_the_reference_computes(
    points=8,
    says="""under the same weights, the logits are the reference's: pooler, then one layer

    fr: avec les mêmes poids, les logits sont ceux de la référence : le pooler, puis une couche
    """,
)


@check(points=3, given=classifiers(least=3))
def classifies_by_the_first_position(candidate: Candidate, draw: States) -> None:
    """the logits depend on the first position and on no other

    fr: les logits dépendent de la première position et d'aucune autre
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    logits = first_tensor(module(x))
    others = x.clone()
    others[:, 1:] = others[:, 1:].flip(1).square() + 1
    alike(first_tensor(module(others)), logits, tr("the output where only later positions differ"))
    changed = x.clone()
    changed[:, 0] = changed[:, 0].square() + 1
    message = tr("the output does not depend on the first position")
    require(not torch.equal(first_tensor(module(changed)), logits), message)


answers_extreme_sizes = classifier.answers_extreme_sizes(
    extremes(partial(fixed, States, "hidden_size", SIZES), "hidden_size", SIZES), points=1
)
computes_in_double_precision = classifier.computes_in_double_precision(points=1)
treats_sequences_apart = classifier.treats_sequences_apart(points=2)
answers_the_smallest_sizes = classifier.answers_the_smallest_sizes("length", "num_labels", points=1)
teaches_every_parameter = classifier.teaches_every_parameter(points=2)
drops_in_training_only = classifier.drops_in_training_only(
    points=2,
    rate="dropout",
    given=fed(States, hidden_size=64, num_labels=8, dropout=st.sampled_from([0.5, 0.3]))(least=8, most=8),
    says="""dropout acts in training and at no other time, and a rate of 0 drops nothing

    fr: le dropout agit à l'entraînement et jamais ailleurs, et un taux de 0 n'efface rien
    """,
)
leaves_its_input_alone = classifier.leaves_its_arguments_alone(points=1)
