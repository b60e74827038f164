"""TransformerBlock(embed_dim, num_heads, ff_dim=None, dropout=0.1); forward(x, mask=None) -> (B, S, E)."""

from dataclasses import dataclass, field
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check import Candidate, Module, agree, alike, check, randomness, require, same, shaped, tensor
from graders.tensors import Model, hidden, models, normal, seeds
from graders.twin import Twin, taught, twin


def blocks(**options: Any) -> st.SearchStrategy[Model]:
    """Blocks of width 4 and more: a layer norm of one or two features answers a constant or signs."""
    return models(widths=("ff_dim",), narrowest=4, **options)


def applied(module: Module, draw: Model) -> Tensor:
    """The module's output, called without the mask where there is none."""
    return tensor(module(draw.x) if draw.mask is None else module(draw.x, draw.mask))


@check(points=1, given=blocks(masked=None))
def keeps_the_shape(candidate: Candidate, draw: Model) -> None:
    """(B, S, E) stays (B, S, E), and one tensor comes back"""
    shaped(applied(candidate.construct(**draw.config), draw), tuple(draw.x.shape))


@check(points=1, given=blocks())
def has_the_parameters_of_its_parts(candidate: Candidate, draw: Model) -> None:
    """its parameters are those of the attention, the feed-forward network and two norms"""
    found = candidate.construct(**draw.config).parameters()
    _counted(found, draw.config["embed_dim"], draw.config["ff_dim"])


@check(points=1, given=models())
def is_four_times_as_wide_by_default(candidate: Candidate, draw: Model) -> None:
    """without ff_dim, the inner width of the feed-forward network is 4 * E"""
    found = candidate.construct(draw.config["embed_dim"], draw.config["num_heads"]).parameters()
    _counted(found, draw.config["embed_dim"], 4 * draw.config["embed_dim"])


@check(points=5, given=blocks(), answer=twin)
def computes_what_the_reference_computes(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """under the same weights, the output is the reference's: pre-norm, each part added to what went in"""
    agree(applied(candidate.like(answer.parameters, **draw.config), draw), *answer.outputs[0])


@check(points=1, given=blocks(scale=0.05), answer=twin, draws=15)
def normalises_small_inputs_too(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """for small inputs the output is the reference's too: the norms' eps is 1e-5 or less"""
    agree(applied(candidate.like(answer.parameters, **draw.config), draw), *answer.outputs[0])


@check(points=1, given=blocks(dtypes=(torch.float64,)), answer=twin, draws=10)
def computes_in_double_precision(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """in float64 the output is the reference's, far beyond float32's precision"""
    agree(applied(candidate.like(answer.parameters, **draw.config), draw), *answer.outputs[0])


@check(points=2, given=blocks(masked=True, least=2), answer=twin)
def hands_the_mask_to_the_attention(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """under masks of several shapes, the output is the reference's"""
    module = candidate.like(answer.parameters, **draw.config)
    agree(applied(module, draw), *answer.outputs[0], what="the output under the mask")


@check(points=2, given=blocks(least=2))
def does_not_look_ahead(candidate: Candidate, draw: Model) -> None:
    """under a causal mask, a change at the last position changes no earlier output"""
    module = candidate.weighted(draw.seed, **draw.config)
    length = draw.x.shape[1]
    mask = torch.ones(length, length, dtype=torch.bool).triu(1)
    changed = draw.x.clone()
    changed[:, -1] += normal(*changed[:, -1].shape, seed=draw.seed + 1)
    before, after = tensor(module(draw.x, mask)), tensor(module(changed, mask))
    shaped(before, tuple(draw.x.shape))
    alike(after[:, :-1], before[:, :-1], "the output before the change")
    require(not torch.equal(after[:, -1], before[:, -1]), "the output at the changed position did not change")


@check(points=1, given=blocks(least=2))
def knows_neither_order_nor_batch(candidate: Candidate, draw: Model) -> None:
    """positions or sequences in another order give the outputs in that order; each sequence stands alone"""
    module = candidate.weighted(draw.seed, **draw.config)
    output = tensor(module(draw.x))
    shaped(output, tuple(draw.x.shape))
    alike(module(draw.x.roll(1, 1).flip(0)), output.roll(1, 1).flip(0), "the output for another order")
    alike(module(draw.x[:1]), output[:1], "the first sequence alone")
    require(not torch.equal(tensor(module(draw.x * 2 + 1)), output), "the output does not depend on x")


@check(points=2, given=blocks(masked=None), answer=taught)
def teaches_every_parameter(candidate: Candidate, draw: Model, answer: Twin) -> None:
    """gradients reach every parameter and x, and are the reference's"""
    module = candidate.like(answer.parameters, **draw.config)
    arguments = [draw.x] if draw.mask is None else [draw.x, draw.mask]
    answer.agree_gradients(module.gradients(*arguments, upstream=[answer.upstream]))


@dataclass(frozen=True)
class Wide:
    """A block wide enough that dropout cannot go unnoticed."""

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
    """dropout acts in training and at no other time, and a rate of 0 drops nothing"""
    x = normal(4, 8, draw.embed_dim, seed=draw.seed)
    module = candidate.construct(draw.embed_dim, draw.num_heads, dropout=draw.dropout)
    calm = tensor(module(x))
    same(module(x), calm, "the second output in evaluation")
    module.train()
    first, second = tensor(module(x)), tensor(module(x))
    require(
        not torch.equal(first, second), f"in training with dropout={draw.dropout} two calls answer the same"
    )
    same(module.train(False)(x), calm, "the output in evaluation after training")
    without = candidate.construct(draw.embed_dim, draw.num_heads, dropout=0.0)
    calm = tensor(without(x))
    same(without.train()(x), calm, "the output in training with dropout=0")


@check(points=1, given=blocks(masked=None))
def leaves_its_arguments_alone(candidate: Candidate, draw: Model) -> str | None:
    """x and the mask keep their values, and the second call answers as the first"""
    module = candidate.weighted(draw.seed, **draw.config)
    arguments = [draw.x] if draw.mask is None else [draw.x, draw.mask]
    seen = module.look(*arguments)
    for name, after, before in zip(("x", "the mask"), seen.args, arguments, strict=False):
        same(after, before, f"{name} after the call")
    output = applied(module, draw)
    same(output, tensor(seen.answer), "the output of the second call")
    require(not torch.equal(tensor(module(draw.x * 2 + 1)), output), "the output does not depend on x")
    return randomness(seen)


def _counted(found: dict[str, Tensor], width: int, inner: int) -> None:
    expected = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width
    number = sum(p.numel() for p in found.values())
    listed = ", ".join(f"{name} {tuple(p.shape)}" for name, p in found.items())
    require(
        number == expected, f"there should be {expected} parameters, found were {number}: {listed or 'none'}"
    )
