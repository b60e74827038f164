"""TransformerBlock(embed_dim, num_heads, ff_dim=None, dropout=0.1); forward(x, mask=None) -> (B, S, E)."""

from functools import partial

import torch
from hypothesis import strategies as st

from graders.check_api.drawn_attention import BOTH_WAYS, HEADS, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.parameter_counts import count_layer
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.strategies.attention_masks import almost_causal, hiding
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.module_inputs import Model, models
from graders.check_api.strategies.tensors import units
from graders.check_api.usual_sizes import heads_and_width, inner_width

DEFAULT = "is_four_times_as_wide_by_default"

SIZES = {"embed_dim": 12, "num_heads": 3, "ff_dim": 20}
WITHOUT_DROPOUT = {**SIZES, "dropout": 0.0}
options = Options(
    mask=MaskArgument(
        1, Sense.TRUE_HIDES, check="ignores_what_is_masked", shapes="hands_the_mask_to_the_attention"
    ),
    sizes=(
        *heads_and_width("num_heads", "embed_dim", "has_the_parameters_of_its_parts", "x"),
        inner_width("ff_dim", "embed_dim", "has_the_parameters_of_its_parts", default_check=DEFAULT),
    ),
    drawn=DrawnAttention(
        lambda x, mask: Model(
            {"embed_dim": x.shape[-1], "num_heads": HEADS, "ff_dim": 2 * x.shape[-1], "dropout": 0.0}, x, mask
        ),
        BOTH_WAYS,
    ),
    diagnostic_draws=fixed(
        Model,
        "embed_dim",
        SIZES,
        Row(3, 7),
        Row(2, 5, mask=hiding),
        Row(2, 6, mask=lambda _batch, length, _seed: almost_causal(length)),
        Row(2, 5, mask=lambda *_: torch.arange(5) >= torch.tensor([3, 4])[:, None, None, None]),
        Row(2, 5, scale=0.05),
        Row(2, 7, {"embed_dim": 8, "num_heads": 2, "ff_dim": None}),
        Row(2, 5, {"dropout": 0.0}),
        Row(2, 4, {"dropout": 0.5}),
        Row(2, 5, {"embed_dim": 10, "ff_dim": 7}),
    ),
)
# Of width 4 and more: over one feature a norm gives a constant, over two only signs. Without dropout: where
# it acts at the wrong time, the check that is about it says so.
blocks = partial(models, narrowest=4, ff_dim=units(), dropout=st.just(0.0))
block = AttentionChecks(blocks, options)

keeps_the_shape = block.keeps_the_shape(points=1)
has_the_parameters_of_its_parts = block.has_parameters(
    lambda config: count_layer(config["embed_dim"], config["ff_dim"]),
    points=1,
    says="""its parameters are those of the attention, the feed-forward network and two norms

    fr: ses paramètres sont ceux de l'attention, du réseau feed-forward et de deux normes
    """,
)
is_four_times_as_wide_by_default = block.is_four_times_as_wide_by_default(points=1)
computes_what_the_reference_computes = block.computes_what_the_reference_computes(
    points=11,
    says="""under the same weights, the output is the reference's: pre-norm, each part's output added to its
    input

    fr: avec les mêmes poids, la sortie est celle de la référence : pre-norm, chaque partie ajoutée à ce qui
    est entré
    """,
)
normalises_small_inputs_too = block.normalises_small_inputs_too(points=1)
answers_long_sequences = block.answers_long_sequences(
    points=1,
    extremes=extremes(partial(fixed, Model, "embed_dim", WITHOUT_DROPOUT), "embed_dim", SIZES),
)
computes_in_double_precision = block.computes_in_double_precision(points=1)
hands_the_mask_to_the_attention = block.takes_masks_of_every_shape(
    points=2,
    given=blocks(masked=True),
    says="""masks of several shapes all act in the attention, and change nothing else

    fr: les masques de plusieurs formes agissent tous dans l'attention, et ne changent rien d'autre
    """,
)
does_not_look_ahead = block.does_not_look_ahead(
    points=2,
    causal=False,
    says="""under a causal mask, a change at the last position changes no earlier output

    fr: sous un masque causal, changer la dernière position ne change aucune sortie antérieure
    """,
)
ignores_what_is_masked = block.ignores_what_is_masked(points=1)
knows_neither_order_nor_batch = block.knows_neither_order_nor_batch(points=1)
answers_the_smallest_sizes = block.answers_the_smallest_sizes("length", "num_heads", points=0.5)
teaches_every_parameter = block.teaches_every_parameter(points=2)
drops_in_training_only = block.drops_in_training_only(
    points=2,
    rate="dropout",
    given=fed(
        embed_dim=st.sampled_from([16, 32]), num_heads=4, ff_dim=64, dropout=st.sampled_from([0.5, 0.3])
    )(least=8, most=8),
    says="""dropout acts in training and at no other time, and a rate of 0 drops nothing

    fr: le dropout agit à l'entraînement et jamais ailleurs, et un taux de 0 n'efface rien
    """,
)
leaves_its_arguments_alone = block.leaves_its_arguments_alone(points=1, given=blocks(masked=None, plain=True))
