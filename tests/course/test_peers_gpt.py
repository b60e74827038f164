"""The references of the gpt and attention assignments compute what PyTorch's own modules compute."""

from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from graders.check_api.strategies.attention_masks import allowed
from graders.check_api.strategies.tensors import normal, seeds, sizes, weights
from graders.course.reference import reference

F = nn.functional


def taken(exercise: str, symbol: str, seed: int, *config: int, **options: Any) -> Any:
    """A reference with weights drawn from a seed, in float64 and evaluation mode."""
    module_class: Any = reference(exercise, symbol)
    module = module_class(*config, **options).double().eval()
    shapes = {name: tuple(value.shape) for name, value in module.named_parameters()}
    module.load_state_dict(weights(shapes, seed, dtype=torch.float64))
    return module


def alike(mine: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(mine, theirs, rtol=1e-10, atol=1e-10)


def carry(attention: nn.MultiheadAttention, query: Any, key: Any, value: Any, out: Any) -> None:
    """Give PyTorch's attention the weights of four linear layers."""
    with torch.no_grad():
        attention.in_proj_weight.copy_(torch.cat([query.weight, key.weight, value.weight]))
        attention.in_proj_bias.copy_(torch.cat([query.bias, key.bias, value.bias]))
    attention.out_proj.load_state_dict(out.state_dict())


def states(batch: int, length: int, width: int, seed: int) -> Tensor:
    return normal(batch, length, width, seed=seed, dtype=torch.float64)


def later(length: int) -> Tensor:
    """True where the key comes after the query."""
    return torch.ones(length, length, dtype=torch.bool).triu(1)


SIZES = {
    "batch": sizes(),
    "length": sizes(1, 9),
    "heads": sizes(),
    "head_width": sizes(1, 6),
    "seed": seeds(),
}


@given(**SIZES)
@settings(max_examples=40)
def test_causal_attention_is_that_of_scaled_dot_product_attention(batch, length, heads, head_width, seed):
    mine = taken("gpt_attention", "CausalMultiHeadSelfAttention", seed, heads * head_width, heads)
    x, given_mask = states(batch, length, heads * head_width, seed), allowed(batch, length, seed)
    Q, K, V = (
        layer(x).unflatten(-1, (heads, -1)).transpose(1, 2) for layer in (mine.query, mine.key, mine.value)
    )
    causal = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
    alike(mine(x), mine.out(causal.transpose(1, 2).flatten(2)))
    both = F.scaled_dot_product_attention(Q, K, V, attn_mask=given_mask.bool() & ~later(length))
    alike(mine(x, given_mask), mine.out(both.transpose(1, 2).flatten(2)))


@given(**SIZES)
@settings(max_examples=40)
def test_causal_attention_is_that_of_pytorchs_module(batch, length, heads, head_width, seed):
    width = heads * head_width
    mine = taken("gpt_attention", "CausalMultiHeadSelfAttention", seed, width, heads)
    theirs = nn.MultiheadAttention(width, heads, batch_first=True, dtype=torch.float64).eval()
    carry(theirs, mine.query, mine.key, mine.value, mine.out)
    x = states(batch, length, width, seed)
    alike(mine(x), theirs(x, x, x, attn_mask=later(length))[0])


@given(**SIZES, inner=sizes(1, 12))
@settings(max_examples=40)
def test_the_gpt_block_is_pytorchs_layer_with_the_norms_behind(batch, length, heads, head_width, seed, inner):
    width = heads * head_width
    mine = taken("gpt_block", "GPTBlock", seed, width, heads, inner)
    theirs = nn.TransformerEncoderLayer(
        width, heads, inner, activation="gelu", batch_first=True, norm_first=False, dtype=torch.float64
    ).eval()
    carry(theirs.self_attn, mine.attn.query, mine.attn.key, mine.attn.value, mine.attn.out)
    pairs = {"linear1": mine.ff.fc1, "linear2": mine.ff.fc2}
    pairs |= {"norm1": mine.attn_layer_norm, "norm2": mine.ff_layer_norm}
    for name, part in pairs.items():
        theirs.get_submodule(name).load_state_dict(part.state_dict())
    x = states(batch, length, width, seed)
    alike(mine(x), theirs(x, src_mask=later(length)))


@given(**SIZES, inner=sizes(1, 12), masked=st.booleans())
@settings(max_examples=40)
def test_the_transformer_block_is_pytorchs_layer_with_the_norms_in_front(
    batch, length, heads, head_width, seed, inner, masked
):
    width = heads * head_width
    mine = taken("transformer_block", "TransformerBlock", seed, width, heads, inner)
    theirs = nn.TransformerEncoderLayer(
        width, heads, inner, activation="gelu", batch_first=True, norm_first=True, dtype=torch.float64
    ).eval()
    inside = mine.attention
    carry(theirs.self_attn, inside.W_q, inside.W_k, inside.W_v, inside.W_o)
    pairs = {"linear1": mine.feed_forward.linear1, "linear2": mine.feed_forward.linear2}
    for name, part in {**pairs, "norm1": mine.norm1, "norm2": mine.norm2}.items():
        theirs.get_submodule(name).load_state_dict(part.state_dict())
    x, mask = states(batch, length, width, seed), later(length) if masked else None
    alike(mine(x, mask), theirs(x, src_mask=mask))


@given(**SIZES, masked=st.booleans())
@settings(max_examples=40)
def test_multi_head_attention_is_pytorchs_with_its_weights(batch, length, heads, head_width, seed, masked):
    width = heads * head_width
    mine = taken("multi_head_attention", "MultiHeadAttention", seed, width, heads)
    theirs = nn.MultiheadAttention(width, heads, batch_first=True, dtype=torch.float64).eval()
    carry(theirs, mine.W_q, mine.W_k, mine.W_v, mine.W_o)
    x, mask = states(batch, length, width, seed), later(length) if masked else None
    output, shares = mine(x, mask)
    expected, expected_shares = theirs(x, x, x, attn_mask=mask, average_attn_weights=False)
    alike(output, expected)
    alike(shares, expected_shares)


@given(**SIZES, keys=sizes(1, 7), value_width=sizes(1, 5), masked=st.booleans())
@settings(max_examples=40)
def test_scaled_dot_product_attention_is_pytorchs(
    batch, length, heads, head_width, seed, keys, value_width, masked
):
    Q = normal(batch, heads, length, head_width, seed=seed, dtype=torch.float64)
    K = normal(batch, heads, keys, head_width, seed=seed + 1, dtype=torch.float64)
    V = normal(batch, heads, keys, value_width, seed=seed + 2, dtype=torch.float64)
    mask = None
    if masked:
        mask = normal(length, keys, seed=seed + 3) > 0
        mask[:, seed % keys] = False
    attend: Any = reference("scaled_dot_product_attention", "scaled_dot_product_attention")
    expected = F.scaled_dot_product_attention(Q, K, V, attn_mask=None if mask is None else ~mask)
    alike(attend(Q, K, V, mask)[0], expected)
