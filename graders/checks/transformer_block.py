"""TransformerBlock(embed_dim, num_heads, ff_dim=None, dropout=0.1); forward(x, mask=None) -> (B, S, E)."""

from dataclasses import dataclass, field, replace
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import mask_properties, properties, variation
from graders.check_api.check import Candidate, alike, check, require, shaped, tensor
from graders.check_api.drawn_attention import BOTH_WAYS, HEADS, DrawnAttention
from graders.check_api.mask_sense import MaskArgument, Sense
from graders.check_api.options import Options
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients
from graders.check_api.strategies.attention_masks import almost_causal, hiding
from graders.check_api.strategies.lengths import LONG, of_length
from graders.check_api.strategies.module_inputs import Model, modelled, models
from graders.check_api.strategies.tensors import hidden, normal, seeds, sizes
from graders.check_api.usual_sizes import inner_width
from graders.check_api.variation import Varied, vary
from graders.language import tr

DEFAULT = "is_four_times_as_wide_by_default"
SMALL, LARGE = 0.05, 1e4  # of the input: small beside the epsilon of a norm, and large


def blocks(**options: Any) -> st.SearchStrategy[Model]:
    """Blocks of width 4 and more: over one feature a norm gives a constant, over two only signs.

    Without dropout: where it acts at the wrong time, the check that is about it says so.
    """
    drawn = models(ff_dim=sizes(1, 12), narrowest=4, **options)
    return drawn.map(lambda draw: replace(draw, config={**draw.config, "dropout": 0.0}))


@check(points=1, given=blocks(), shape_only=True)
def keeps_the_shape(candidate: Candidate, draw: Model) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back

    fr: (B, S, E) reste (B, S, E), et un seul tenseur est renvoyé
    """
    shaped(tensor(candidate.construct(**draw.config)(*draw.arguments)), tuple(draw.x.shape))


@check(points=1, given=blocks(), shape_only=True)
def has_the_parameters_of_its_parts(candidate: Candidate, draw: Model) -> None:
    """its parameters are those of the attention, the feed-forward network and two norms

    fr: ses paramètres sont ceux de l'attention, du réseau feed-forward et de deux normes
    """
    parameters = candidate.construct(**draw.config).parameters()
    _has_the_parameters(parameters, draw.config["embed_dim"], draw.config["ff_dim"])


@check(points=1, given=models(), shape_only=True)
def is_four_times_as_wide_by_default(candidate: Candidate, draw: Model) -> None:
    """without ff_dim, the inner width of the feed-forward network is 4 * E

    fr: sans ff_dim, la largeur intérieure du réseau feed-forward est 4 * E
    """
    properties.is_four_times_as_wide(candidate, draw.config["embed_dim"], draw.config["num_heads"])


@check(points=11, given=blocks(), answer=reference_answer, core=True)
def computes_what_the_reference_computes(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """under the same weights, the output is the reference's: pre-norm, each part's output added to its input

    fr: avec les mêmes poids, la sortie est celle de la référence : pre-norm, chaque partie ajoutée à ce qui
    est entré
    """
    answer.agree(properties.first_tensor(candidate.with_reference_weights(answer)(*draw.arguments)))


def _enlarged(draw: Model) -> Model:
    """The draw with an input so large that no epsilon has an effect."""
    return replace(draw, x=draw.x * LARGE)


@check(points=1, given=blocks(scale=SMALL), answer=vary(_enlarged), draws=15)
def normalises_small_inputs_too(candidate: Candidate, draw: Model, answer: Varied) -> None:
    """small inputs are normalised as large ones are: the norms' eps is 1e-5 or less

    fr: de petites entrées sont normalisées comme de grandes : l'eps des normes vaut 1e-5 ou moins
    """
    variation.agree_in_variation(candidate, answer)


@check(
    points=1,
    given=blocks(least=33, most=128),
    answer=vary(variation.shorten),
    draws=3,
    kept_because=LONG,
    at_length=of_length(blocks),
)
def answers_long_sequences(candidate: Candidate, draw: Model, answer: Varied) -> None:
    """33 to 128 positions are answered as a few are

    fr: 33 à 128 positions reçoivent la même réponse que quelques-unes
    """
    variation.agree_in_variation(candidate, answer, variation.answers_repeats_alike)


@check(points=1, given=blocks(dtype=torch.float64), answer=vary(variation.cast_to_single), draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Model, answer: Varied) -> str | None:
    """in float64 the answer is of float64, and the same as in float32

    fr: en float64, la réponse est en float64, et la même qu'en float32
    """
    return variation.agree_in_double(candidate, answer)


@check(points=2, given=blocks(masked=True, least=2), answer=vary(variation.drop_mask))
def hands_the_mask_to_the_attention(candidate: Candidate, draw: Model, answer: Varied) -> None:
    """masks of several shapes all act in the attention, and change nothing else

    fr: les masques de plusieurs formes agissent tous dans l'attention, et ne changent rien d'autre
    """
    variation.agree_in_variation(
        candidate,
        answer,
        variation.takes_the_mask_written_out,
        value_name=tr("the output under the mask"),
    )


@check(points=2, given=blocks(least=2))
def does_not_look_ahead(candidate: Candidate, draw: Model) -> None:
    """under a causal mask, a change at the last position changes no earlier output

    fr: sous un masque causal, changer la dernière position ne change aucune sortie antérieure
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    length = draw.x.shape[1]
    mask = torch.ones(length, length, dtype=torch.bool).triu(1)
    changed = draw.x.clone()
    changed[:, -1] += normal(*changed[:, -1].shape, seed=draw.seed + 1)
    before, after = (
        properties.first_tensor(module(draw.x, mask)),
        properties.first_tensor(module(changed, mask)),
    )
    shaped(before, tuple(draw.x.shape))
    alike(after[:, :-1], before[:, :-1], tr("the output before the change"))
    require(
        not torch.equal(after[:, -1], before[:, -1]), tr("the output at the changed position did not change")
    )


@check(points=1, given=blocks(least=2))
def ignores_what_is_masked(candidate: Candidate, draw: Model) -> None:
    """what is masked for all queries has no influence on any other position

    fr: ce qui est masqué pour toutes les requêtes n'a d'influence sur aucune autre position
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    _mask, _output = mask_properties.ignores_masked_keys(
        lambda x, mask: properties.first_tensor(module(x, mask)), draw.x, draw.seed
    )


@check(points=1, given=blocks(least=2))
def knows_neither_order_nor_batch(candidate: Candidate, draw: Model) -> None:
    """positions or sequences in another order give the outputs in that order; each sequence stands alone

    fr: des positions ou des séquences dans un autre ordre donnent les sorties dans cet ordre ; chaque
    séquence est traitée seule
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    output = properties.first_tensor(module(draw.x))
    shaped(output, tuple(draw.x.shape))
    alike(
        properties.first_tensor(module(draw.x.roll(1, 1).flip(0))),
        output.roll(1, 1).flip(0),
        tr("the output for another order"),
    )
    alike(properties.first_tensor(module(draw.x[:1])), output[:1], tr("the first sequence alone"))


@check(points=2, given=blocks(), answer=reference_answer_with_gradients)
def teaches_every_parameter(candidate: Candidate, draw: Model, answer: ReferenceAnswer) -> None:
    """gradients reach every parameter and x; where the output is right, they are too

    fr: les gradients atteignent chaque paramètre et x ; là où la sortie est juste, ils le sont aussi
    """
    agree_gradients(answer, candidate.with_reference_weights(answer))


@dataclass(frozen=True)
class Wide:
    """A block so wide that dropout is certain to change the output."""

    embed_dim: int
    num_heads: int
    dropout: float
    seed: int = field(default=0, metadata=hidden)


wide = st.builds(
    Wide,
    embed_dim=st.sampled_from([16, 32]),
    num_heads=st.sampled_from([2, 4]),
    dropout=st.sampled_from([0.5, 0.3]),
    seed=seeds(),
)


@check(points=2, given=wide, draws=6)
def drops_in_training_only(candidate: Candidate, draw: Wide) -> None:
    """dropout acts in training and at no other time, and a rate of 0 drops nothing

    fr: le dropout agit à l'entraînement et jamais ailleurs, et un taux de 0 n'efface rien
    """
    x = normal(4, 8, draw.embed_dim, seed=draw.seed)
    properties.drops_in_training_only(
        lambda rate: candidate.construct(draw.embed_dim, draw.num_heads, 4 * draw.embed_dim, dropout=rate),
        draw.dropout,
        x,
    )


@check(points=1, given=blocks(masked=None, least=2, plain=True), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Model) -> str | None:
    """x and the mask keep their values, and the second call answers as the first

    fr: x et le masque gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    module = candidate.with_random_weights(draw.seed, **draw.config)
    properties.first_tensor(module(*draw.arguments))
    return properties.leaves_alone(module, draw.arguments, "x", tr("the mask"))


def _has_the_parameters(parameters: dict[str, Tensor], width: int, inner: int) -> None:
    attention, feed_forward, norms = 4 * (width * width + width), 2 * width * inner + inner + width, 4 * width
    properties.has_parameters(parameters, attention + feed_forward + norms)


def diagnostic_draws(seed: int) -> list[Model]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    config = {"embed_dim": 12, "num_heads": 3, "ff_dim": 20}
    return [
        modelled(config, 2, 5, seed),
        modelled(config, 2, 5, seed + 1, hiding(2, 5, seed)),
        modelled(config, 2, 5, seed + 2, almost_causal(5)),
        modelled(config, 2, 5, seed + 3, scale=0.05),
        modelled({"embed_dim": 8, "num_heads": 2}, 1, 7, seed + 4),
        modelled({**config, "dropout": 0.0}, 2, 5, seed + 5),
        modelled({**config, "dropout": 0.5}, 2, 4, seed + 6),
        modelled({"embed_dim": 10, "num_heads": 3, "ff_dim": 7}, 2, 5, seed + 7),
    ]


options = Options(
    mask=MaskArgument(
        1, Sense.TRUE_HIDES, check="ignores_what_is_masked", shapes="hands_the_mask_to_the_attention"
    ),
    sizes=(inner_width("ff_dim", "embed_dim", "has_the_parameters_of_its_parts", default_check=DEFAULT),),
    drawn=DrawnAttention(
        lambda x, mask: Model(
            {"embed_dim": x.shape[-1], "num_heads": HEADS, "ff_dim": 2 * x.shape[-1], "dropout": 0.0}, x, mask
        ),
        BOTH_WAYS,
    ),
    diagnostic_draws=diagnostic_draws,
)
