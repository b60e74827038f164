"""MultiHeadAttention(embed_dim, num_heads); forward(x, mask=None) -> (output, weights)."""

from functools import partial

import torch
from torch import Tensor

from graders.check_api.drawn_attention import BOTH_WAYS, HEADS, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.output_and_weights import output_of, place_of_output
from graders.check_api.parameter_counts import count_attention
from graders.check_api.standard_checks.output_and_weights_checks import OutputAndWeightsChecks
from graders.check_api.strategies.attention_masks import almost_causal, hiding
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fixed
from graders.check_api.strategies.module_inputs import Model, models
from graders.check_api.timed_call import Timed, flops_of_attention
from graders.check_api.usual_sizes import heads_and_width


def timed(length: int, heads: int = 2, batch: int = 1) -> Timed:
    """An input (B, S, E) with E = 64."""
    flops = flops_of_attention(batch, length, 64, projections=4)
    return Timed(((batch, length, 64),), {"embed_dim": 64, "num_heads": heads}, flops)


class Fused(torch.nn.Module):
    """The output without the weights, which are never all in memory."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (torch.nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        """(B, S, E) -> (B, S, E)."""
        parts = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.W_q, self.W_k, self.W_v))
        Q, K, V = (part.transpose(1, 2) for part in parts)
        together = torch.nn.functional.scaled_dot_product_attention(Q, K, V).transpose(1, 2).flatten(2)
        return self.W_o(together)  # type: ignore[no-any-return]


SIZES = {"embed_dim": 12, "num_heads": 3}
options = Options(
    sizes=(*heads_and_width("num_heads", "embed_dim", "has_four_layers_with_bias", "x"),),
    mask=MaskArgument(
        1, Sense.TRUE_HIDES, check="ignores_what_is_masked", shapes="obeys_masks_of_every_shape"
    ),
    drawn=DrawnAttention(
        lambda x, mask: Model({"embed_dim": x.shape[-1], "num_heads": HEADS}, x, mask),
        BOTH_WAYS,
        weights_at=1,
    ),
    diagnostic_draws=fixed(
        Model,
        "embed_dim",
        SIZES,
        Row(3, 7),
        Row(2, 5, mask=hiding),
        Row(2, 6, mask=lambda _batch, length, _seed: almost_causal(length)),
        Row(
            2,
            7,
            {"embed_dim": 10, "num_heads": 2},
            lambda batch, length, seed: hiding(2 * batch, length, seed).unflatten(0, (batch, 2)).squeeze(2),
        ),
        Row(2, 7, mask=lambda *_: torch.arange(7) >= torch.tensor([3, 5])[:, None, None, None]),
        Row(2, 5, {"embed_dim": 8, "num_heads": 4}),
        Row(2, 5, mask=lambda _batch, length, _seed: almost_causal(length), scale=30.0),
        Row(2, 5, {"embed_dim": 10}),
        Row(2, 4, {"embed_dim": 7, "num_heads": 1}),  # on which heads that are joined wrongly do not raise
    ),
    read=output_of,
    timed=timed,
)
attention = OutputAndWeightsChecks(models, options)

answers_with_output_and_weights = attention.answers_with_output_and_weights(points=3)
keeps_the_shape = attention.keeps_the_shape_of_x(points=1)
has_four_layers_with_bias = attention.has_parameters(
    lambda config: count_attention(config["embed_dim"]),
    points=1,
    says="""four linear layers with bias: 4 (E * E + E) parameters

    fr: quatre couches linéaires avec biais : 4 (E * E + E) paramètres
    """,
)
computes_what_the_reference_computes = attention.computes_what_the_reference_computes(points=12)
answers_long_sequences = attention.answers_long_sequences(
    points=1, extremes=extremes(partial(fixed, Model, "embed_dim", SIZES), "embed_dim", SIZES)
)
computes_in_double_precision = attention.computes_in_double_precision(points=1)
obeys_masks_of_every_shape = attention.takes_masks_of_every_shape(
    points=3.5,
    given=models(masked=True),
    says="""masks (S, S), (B, 1, 1, S), (B, H, S, S) and the like all act, and change nothing else

    fr: les masques (S, S), (B, 1, 1, S), (B, H, S, S) et autres agissent tous, et ne changent rien d'autre
    """,
)
ignores_what_is_masked = attention.ignores_what_is_masked(points=2)
does_not_look_ahead = attention.does_not_look_ahead(
    points=3,
    causal=False,
    says="""under a causal mask a change at the last position changes the last output alone

    fr: sous un masque causal, changer la dernière position ne change que la dernière sortie
    """,
)
knows_no_order = attention.knows_no_order(points=1)
treats_sequences_apart = attention.treats_sequences_apart(points=1)
answers_the_smallest_sizes = attention.answers_the_smallest_sizes(
    "length", "num_heads", "embed_dim", points=0.5
)
teaches_every_parameter = attention.teaches_every_parameter(points=2, place=place_of_output)
refuses_a_width_it_cannot_split = attention.refuses_a_width_it_cannot_split(points=1)
leaves_its_arguments_alone = attention.leaves_its_arguments_alone(
    points=1, given=models(masked=None, plain=True)
)
