"""The references of the llama assignment compute what PyTorch and transformers' Llama compute."""

from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from graders.check_api.strategies.tensors import normal, sizes
from graders.course.reference import reference
from tests.course.test_peers_gpt import SIZES, alike, states, taken
from tests.support.peers import peer

F = nn.functional
LLAMA = "transformers.models.llama.modeling_llama"


def heads_of(batch: int, heads: int, length: int, width: int, seed: int) -> Tensor:
    return normal(batch, heads, length, width, seed=seed, dtype=torch.float64)


@given(batch=sizes(), length=sizes(1, 9), width=sizes(1, 12), seed=SIZES["seed"], eps=st.floats(1e-12, 0.5))
@settings(max_examples=40)
def test_the_norm_is_pytorchs(batch, length, width, seed, eps):
    mine, x = taken("rms_norm", "RMSNorm", seed, width, eps=eps), states(batch, length, width, seed)
    alike(mine(x), F.rms_norm(x, (width,), mine.weight, eps))
    theirs = nn.RMSNorm(width, eps, dtype=torch.float64)
    theirs.load_state_dict(mine.state_dict())
    alike(mine(x), theirs(x))


@given(batch=sizes(), length=sizes(1, 9), width=sizes(1, 12), seed=SIZES["seed"])
@settings(max_examples=20)
def test_the_norm_is_llamas_which_is_computed_in_float32(batch, length, width, seed):
    mine, x = taken("rms_norm", "RMSNorm", seed, width), states(batch, length, width, seed)
    theirs: Any = peer(LLAMA).LlamaRMSNorm(width, eps=1e-6).double()
    theirs.load_state_dict(mine.state_dict())
    torch.testing.assert_close(mine(x), theirs(x), rtol=1e-5, atol=1e-5)


def turned_as_complex_numbers(x: Tensor, base: float, offset: int) -> Tensor:
    """Neighbours as the parts of complex numbers, which Llama's own code multiplies."""
    width = x.shape[-1]
    speeds = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = torch.outer(torch.arange(offset, offset + x.shape[2], dtype=torch.float64), speeds)
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


TURNED = {
    **{name: SIZES[name] for name in ("batch", "heads", "length", "seed")},
    "pairs": sizes(1, 5),
    "base": st.sampled_from([10000.0, 500000.0, 100.0]),
    "offset": st.integers(0, 70),
}


@given(**TURNED)
@settings(max_examples=40)
def test_rotary_positions_are_transformers(batch, heads, length, seed, pairs, base, offset):
    x = heads_of(batch, heads, length, 2 * pairs, seed)
    speeds = base ** (-torch.arange(0, 2 * pairs, 2, dtype=torch.float64) / (2 * pairs))
    angles = torch.outer(torch.arange(offset, offset + length, dtype=torch.float64), speeds)
    table = torch.cat([angles, angles], -1)[None]
    theirs = peer(LLAMA).apply_rotary_pos_emb(x, x, table.cos(), table.sin())[0]
    alike(reference("rotary", "rotary")(x, base, offset), theirs)


@given(**TURNED)
@settings(max_examples=40)
def test_rotary_positions_are_complex_products_after_a_permutation_of_columns(
    batch, heads, length, seed, pairs, base, offset
):
    x = heads_of(batch, heads, length, 2 * pairs, seed)
    neighbours = x.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)
    theirs = turned_as_complex_numbers(neighbours, base, offset)
    mine = reference("rotary", "rotary")(x, base, offset)
    alike(mine, theirs.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2))
    as_pairs: Any = reference("rotary", "rotary__neighbours_as_pairs")
    alike(as_pairs(x, base, offset), turned_as_complex_numbers(x, base, offset))


def tiny_llama(dim: int, heads: int, kv_heads: int, **further: Any) -> Any:
    """A configuration of transformers' Llama, in which attention is computed step by step."""
    return peer("transformers").LlamaConfig(
        hidden_size=dim,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        rms_norm_eps=1e-6,
        attn_implementation="eager",
        **further,
    )


@given(batch=sizes(), length=sizes(1, 9), pairs=sizes(1, 5), inner=sizes(1, 12), seed=SIZES["seed"])
@settings(max_examples=30)
def test_the_gated_network_is_llamas(batch, length, pairs, inner, seed):
    width = 2 * pairs
    mine, x = taken("swiglu", "SwiGLU", seed, width, inner), states(batch, length, width, seed)
    theirs: Any = peer(LLAMA).LlamaMLP(tiny_llama(width, 1, 1, intermediate_size=inner)).double()
    theirs.load_state_dict(mine.state_dict())
    alike(mine(x), theirs(x))


GROUPS = {
    **{name: SIZES[name] for name in ("batch", "length", "seed")},
    "kv_heads": sizes(1, 3),
    "sharing": sizes(1, 3),
    "pairs": sizes(1, 3),
}


@given(**GROUPS)
@settings(max_examples=40)
def test_grouped_queries_are_those_of_pytorchs_attention(batch, length, seed, kv_heads, sharing, pairs):
    heads, dim = kv_heads * sharing, 2 * pairs * kv_heads * sharing
    mine = taken("grouped_query_attention", "GroupedQueryAttention", seed, dim, heads, kv_heads)
    x, rotary = states(batch, length, dim, seed), reference("rotary", "rotary")
    Q, K, V = (part.unflatten(-1, (-1, 2 * pairs)).transpose(1, 2) for part in mine.project(x))
    context = F.scaled_dot_product_attention(rotary(Q), rotary(K), V, is_causal=True, enable_gqa=True)
    alike(mine(x), mine.o_proj(context.transpose(1, 2).flatten(2)))


def tables(length: int, width: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines as transformers hands them to its layers, (1, S, D), but in float64."""
    speeds = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), speeds)
    table = torch.cat([angles, angles], -1)[None]
    return table.cos(), table.sin()


def later(length: int) -> Tensor:
    """Minus infinity where a key comes after the query, (1, 1, S, S)."""
    return torch.full((1, 1, length, length), float("-inf"), dtype=torch.float64).triu(1)


@given(**GROUPS)
@settings(max_examples=30)
def test_grouped_queries_are_llamas_whose_softmax_is_in_float32(
    batch, length, seed, kv_heads, sharing, pairs
):
    heads, dim = kv_heads * sharing, 2 * pairs * kv_heads * sharing
    mine = taken("grouped_query_attention", "GroupedQueryAttention", seed, dim, heads, kv_heads)
    theirs: Any = peer(LLAMA).LlamaAttention(tiny_llama(dim, heads, kv_heads), layer_idx=0).double().eval()
    theirs.load_state_dict(mine.state_dict())
    x = states(batch, length, dim, seed)
    answer = theirs(x, position_embeddings=tables(length, 2 * pairs), attention_mask=later(length))[0]
    torch.testing.assert_close(mine(x), answer, rtol=1e-5, atol=1e-5)
