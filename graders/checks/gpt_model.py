"""SimpleGPTModel(vocab_size=30522, ...); forward(input_ids, attention_mask=None) -> logits (B, S, V)."""

from dataclasses import dataclass
from functools import partial

from hypothesis import strategies as st

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, check, shaped, tensor
from graders.check_api.drawn_attention import CAUSAL, DrawnAttention, sizes_of_model
from graders.check_api.head_layouts import (
    answers,
    at_layout,
    count_parameters,
    layout_of,
)
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.attention_masks import allowed
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fixed_ids
from graders.check_api.strategies.module_inputs import Tokens, worded
from graders.check_api.strategies.tensors import sizes, units
from graders.check_api.usual_sizes import heads_and_width, inner_width, number_of_parts, number_of_positions
from graders.language import tr, translatable

DEFAULTS = {
    "vocab_size": 30522,
    "hidden_size": 128,
    "num_heads": 4,
    "num_layers": 4,
    "intermediate_size": 256,
    "max_position_embeddings": 512,
}
PAIR = translatable("remark: more than the logits comes back; the first of it was judged")
SIZES = {
    "vocab_size": 17,
    "hidden_size": 12,
    "num_heads": 3,
    "num_layers": 2,
    "intermediate_size": 20,
    "max_position_embeddings": 9,
}
options = Options(
    mask=MaskArgument(1, Sense.ONE_ALLOWS, "hides_what_the_mask_hides", shapes="hides_what_the_mask_hides"),
    sizes=(
        *heads_and_width("num_heads", "hidden_size", "has_the_parameters_of_its_parts"),
        number_of_parts("num_layers", "has_the_parameters_of_its_parts"),
        number_of_parts("vocab_size", "has_the_parameters_of_its_parts", "input_ids"),
        number_of_positions("max_position_embeddings", "has_the_parameters_of_its_parts"),
        inner_width("intermediate_size", "hidden_size", "has_the_parameters_of_its_parts", 128),
    ),
    drawn=DrawnAttention(lambda ids, _: Tokens(sizes_of_model(ids), ids), CAUSAL, is_model=True),
    diagnostic_draws=fixed_ids(
        Tokens,
        SIZES,
        *(Row(3, 7), Row(2, 5, mask=allowed), Row(2, 6, mask=allowed)),
        Row(2, 9, {"num_layers": 3, "num_heads": 2}, mask=allowed),
        Row(3, 4, {"num_layers": 1, "vocab_size": 7, "max_position_embeddings": 6}),
        Row(
            *(1, 3),
            {
                "vocab_size": 5,
                "hidden_size": 8,
                "num_heads": None,
                "num_layers": 1,
                "intermediate_size": None,
                "max_position_embeddings": 7,
            },
        ),
        Row(2, 3, {"hidden_size": 10}),
    ),
)
models = partial(worded, heads=True, num_layers=sizes(2, 3), intermediate_size=units(8))
model = AttentionChecks(
    models,
    options,
    shape=lambda draw: (*draw.input_ids.shape, draw.config["vocab_size"]),
    value_name=translatable("the logits"),
    answer=answers,
    fit=at_layout,
)
either = models() | models(masked=True)


@check(points=1, given=either, shape_only=True)
def answers_with_logits(candidate: Candidate, draw: Tokens) -> str | None:
    """ids (B, S) become logits (B, S, V): a score for each word at each position

    fr: les identifiants (B, S) deviennent des logits (B, S, V) : un score par mot à chaque position
    """
    answer = candidate.construct(**draw.config)(*draw.arguments)
    logits = tensor(answer) if isinstance(answer, dict) else first_tensor(answer)
    shaped(logits, model.shape(draw), tr("the logits"))
    return tr(PAIR) if isinstance(answer, tuple | list) else None


@check(points=1, given=models(), shape_only=True)
def has_the_parameters_of_its_parts(candidate: Candidate, draw: Tokens) -> str | None:
    """its parameters are those of the embeddings, the blocks and lm_head

    fr: ses paramètres sont ceux des embeddings, des blocs et de lm_head
    """
    layout = layout_of(candidate, draw.config)
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, count_parameters(draw.config, layout))
    return layout.remark and tr(layout.remark)


@dataclass(frozen=True)
class SomeSizes:
    """Some sizes of a model; the others are left to their defaults."""

    config: dict[str, int]


SMALL = {"hidden_size": 8, "num_heads": 2, "num_layers": 2, "intermediate_size": 6}
PARTIAL = (SomeSizes({**SMALL, "max_position_embeddings": 5}), SomeSizes({"vocab_size": 11}))


@check(points=1, given=st.sampled_from(PARTIAL), draws=4, shape_only=True)
def has_the_sizes_of_the_course_by_default(candidate: Candidate, draw: SomeSizes) -> None:
    """sizes that are left out are those of the course: 30522 words, 4 blocks of width 128 and so on

    fr: les tailles omises sont celles du cours : 30522 mots, 4 blocs de largeur 128, etc.
    """
    config = {**DEFAULTS, **draw.config}
    layout = layout_of(candidate, config, **draw.config)
    expected = count_parameters(config, layout, matrices=True)
    left_out = candidate.construct(**draw.config)
    # Tables with more rows than are due have them with all sizes given, too: that costs another check.
    if left_out.shapes() != candidate.construct(**config).shapes():
        properties.has_matrices(left_out.parameters(), expected)


computes_what_the_reference_computes = model.computes_what_the_reference_computes(
    points=10,
    says="""under the same weights, the logits are the reference's: embeddings, all blocks in turn, lm_head

    fr: avec les mêmes poids, les logits sont ceux de la référence : embeddings, tous les blocs tour à tour,
    lm_head
    """,
)
answers_long_sequences = model.answers_long_sequences(
    points=1,
    extremes=extremes(partial(fixed_ids, Tokens, SIZES), "hidden_size", SIZES),
    otherwise=variation.answers_its_start_alike,
)
computes_in_double_precision = model.computes_in_double_precision(points=1, draws=5)
hides_what_the_mask_hides = model.hides_what_the_mask_hides(
    points=4,
    says="""what attention_mask hides from all other positions changes none of their logits, in no block

    fr: ce qu'attention_mask cache à toutes les autres positions ne change aucun de leurs logits, dans aucun
    bloc
    """,
)
does_not_look_ahead = model.does_not_look_ahead(
    points=2,
    starts=True,
    says="""later words change no earlier logits: the first words alone give the same logits as in the whole

    fr: les mots ultérieurs ne changent aucun logit antérieur : un début seul reçoit la même réponse que dans
    le tout
    """,
)
treats_sequences_apart = model.treats_sequences_apart(points=1)
answers_the_smallest_sizes = model.answers_the_smallest_sizes(
    "length", "full", "num_heads", "num_layers", points=0.5
)
teaches_every_parameter = model.teaches_every_parameter(
    points=2,
    says="""gradients reach every parameter; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre ; là où la sortie est juste, ils le sont aussi
    """,
)
drops_in_training_only = model.drops_in_training_only(
    points=1, given=models(least=8, most=8, hidden_size=sizes(48, 48), num_layers=sizes(2, 2))
)
leaves_its_arguments_alone = model.leaves_its_arguments_alone(points=1, given=either)
