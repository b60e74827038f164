"""LlamaModel(vocab_size, dim, num_layers, num_heads, num_kv_heads, hidden_dim); ids -> logits (B, S, V)."""

from functools import partial

from hypothesis import strategies as st

from graders.check_api import properties, variation
from graders.check_api.check import Candidate, check, shaped, tensor
from graders.check_api.head_layouts import answers, at_layout, count_parameters, layout_of
from graders.check_api.options import Options
from graders.check_api.properties import first_tensor
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.fed import Row, fixed_ids
from graders.check_api.strategies.grouped_heads import AS_MANY, grouped_extremes, grouped_words
from graders.check_api.strategies.module_inputs import LONGEST, Tokens
from graders.check_api.strategies.tensors import sizes, units
from graders.check_api.usual_sizes import heads_of_keys, inner_width, number_of_parts
from graders.language import tr, translatable

PAIR = translatable("remark: more than the logits comes back; the first of it was judged")
SIZES = {"vocab_size": 17, "dim": 24, "num_layers": 2, "num_heads": 6, "num_kv_heads": 2, "hidden_dim": 20}
draws_of = partial(fixed_ids, Tokens, SIZES)
options = Options(
    sizes=(
        number_of_parts("num_layers", "has_the_parameters_of_its_parts"),
        number_of_parts("vocab_size", "has_the_parameters_of_its_parts", "input_ids"),
        inner_width("hidden_dim", "dim", "has_the_parameters_of_its_parts"),
        heads_of_keys("num_kv_heads", "num_heads", "has_the_parameters_of_its_parts"),
    ),
    diagnostic_draws=draws_of(
        *(Row(3, 7), Row(2, 5), Row(2, 9)),
        Row(2, 6, {"num_layers": 3, "dim": 12, "num_kv_heads": 3}),
        Row(3, 4, {"num_layers": 1, "vocab_size": 7, "hidden_dim": 6}),
        Row(1, 3, {"vocab_size": 5, "dim": 16, "num_heads": 4, "num_kv_heads": 4, "hidden_dim": 9}),
    ),
)
DEEP = sizes(2, 3)  # where the values of all blocks count; in properties of the whole, two are as good
models = partial(grouped_words, most=5, num_layers=st.just(2), hidden_dim=units(8))
model = AttentionChecks(
    models,
    options,
    shape=lambda draw: (*draw.input_ids.shape, draw.config["vocab_size"]),
    value_name=translatable("the logits"),
    answer=answers,
    fit=at_layout,
)


@check(points=1, given=models(num_layers=DEEP), shape_only=True)
def answers_with_logits(candidate: Candidate, draw: Tokens) -> str | None:
    """ids (B, S) become logits (B, S, V): a score for each word at each position

    fr: les identifiants (B, S) deviennent des logits (B, S, V) : un score par mot à chaque position
    """
    answer = candidate.construct(**draw.config)(*draw.arguments)
    logits = tensor(answer) if isinstance(answer, dict) else first_tensor(answer)
    shaped(logits, model.shape(draw), tr("the logits"))
    return tr(PAIR) if isinstance(answer, tuple | list) else None


@check(points=1.5, given=models(num_layers=DEEP), shape_only=True)
def has_the_parameters_of_its_parts(candidate: Candidate, draw: Tokens) -> str | None:
    """its parameters are those of the words' table, the blocks, the last norm and lm_head

    fr: ses paramètres sont ceux de la table des mots, des blocs, de la dernière norme et de lm_head
    """
    layout = layout_of(candidate, draw.config)
    parameters = candidate.construct(**draw.config).parameters()
    properties.has_parameters(parameters, count_parameters(draw.config, layout))
    return layout.remark and tr(layout.remark)


computes_what_the_reference_computes = model.computes_what_the_reference_computes(
    points=9,
    given=models(most=LONGEST, num_layers=DEEP),
    says="""under the same weights, the logits are the reference's: words, all blocks in turn, norm, lm_head

    fr: avec les mêmes poids, les logits sont ceux de la référence : les mots, tous les blocs tour à tour, la
    norme, lm_head
    """,
)
answers_long_sequences = model.answers_long_sequences(
    points=1,
    extremes=grouped_extremes(draws_of, vocab_size=7, num_layers=2, hidden_dim=5),
    otherwise=variation.answers_its_start_alike,
)
computes_in_double_precision = model.computes_in_double_precision(points=1, draws=5)
does_not_look_ahead = model.does_not_look_ahead(
    points=3,
    starts=True,
    says="""later words change no earlier logits: the first words alone give the same logits as in the whole

    fr: les mots ultérieurs ne changent aucun logit antérieur : un début seul reçoit la même réponse que dans
    le tout
    """,
)
looks_back_at_any_length = model.looks_back_at_any_length(points=1)
knows_the_order_of_what_came_before = model.knows_the_order_of_what_came_before(points=2)
treats_sequences_apart = model.treats_sequences_apart(points=1)
answers_the_smallest_sizes = model.answers_the_smallest_sizes(
    *("length", "num_heads", "num_kv_heads", "num_layers", AS_MANY), points=0.5
)
teaches_every_parameter = model.teaches_every_parameter(
    points=2,
    says="""gradients reach every parameter; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre ; là où la sortie est juste, ils le sont aussi
    """,
)
leaves_its_argument_alone = model.leaves_its_arguments_alone(points=1)
