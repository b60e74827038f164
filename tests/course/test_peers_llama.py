"""The references of the llama assignment compute what PyTorch and transformers' Llama compute."""

from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from graders.check_api.strategies.tensors import ids, normal, sizes
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


CACHED = {**GROUPS, "past": sizes(0, 6), "new": sizes(1, 4)}
CACHED.pop("length")


@given(**CACHED)
@settings(max_examples=40)
def test_attention_with_a_cache_is_the_end_of_pytorchs_attention_over_the_whole(
    batch, seed, kv_heads, sharing, pairs, past, new
):
    rotary, length, width = reference("rotary", "rotary"), past + new, 2 * pairs
    q = heads_of(batch, kv_heads * sharing, length, width, seed)
    k, v = (heads_of(batch, kv_heads, length, width, seed + n) for n in (1, 2))
    whole = F.scaled_dot_product_attention(rotary(q), rotary(k), v, is_causal=True, enable_gqa=True)
    cache = (rotary(k[:, :, :past]), v[:, :, :past]) if past else None
    mine: Any = reference("cached_attention", "cached_attention")
    output, (keys, values) = mine(q[:, :, past:], k[:, :, past:], v[:, :, past:], cache)
    alike(output, whole[:, :, past:])
    alike(keys, rotary(k))
    alike(values, v)


@given(**CACHED)
@settings(max_examples=20)
def test_attention_with_a_cache_is_llamas_with_its_dynamic_cache(
    batch, seed, kv_heads, sharing, pairs, past, new
):
    heads, length, width = kv_heads * sharing, past + new, 2 * pairs
    config = tiny_llama(heads * width, heads, kv_heads)
    theirs: Any = peer(LLAMA).LlamaAttention(config, layer_idx=0).double().eval()
    x, held = states(batch, length, heads * width, seed), peer("transformers").DynamicCache(config=config)
    cosines, sines = tables(length, width)
    cache, mine = None, reference("cached_attention", "cached_attention")
    for start, end in ((0, past), (past, length)):
        if start == end:
            continue
        piece, place = x[:, start:end], (cosines[:, start:end], sines[:, start:end])
        mask = later(length)[:, :, start:end, :end]
        answer = theirs(piece, position_embeddings=place, attention_mask=mask, past_key_values=held)[0]
        layers = (theirs.q_proj, theirs.k_proj, theirs.v_proj)
        parts = (layer(piece).unflatten(-1, (-1, width)).transpose(1, 2) for layer in layers)
        output, cache = mine(*parts, cache)  # type: ignore[misc]
        closed = theirs.o_proj(output.transpose(1, 2).flatten(2))
        torch.testing.assert_close(closed, answer, rtol=1e-5, atol=1e-5)
        alike(cache[0], held.layers[0].keys)


def as_llamas(name: str) -> str:
    """The name that transformers' Llama gives to a parameter of ours."""
    ours = ("attention_norm", "ffn_norm", "feed_forward", "attention.", "word_embeddings")
    theirs = ("input_layernorm", "post_attention_layernorm", "mlp", "self_attn.", "embed_tokens")
    for mine, given_name in zip(ours, theirs, strict=True):
        name = name.replace(mine, given_name)
    return name if name.startswith("lm_head") else f"model.{name}"


@given(**GROUPS, inner=sizes(1, 9), layers=sizes(1, 3), vocabulary=sizes(2, 9))
@settings(max_examples=20)
def test_the_model_and_so_its_blocks_are_llamas_for_causal_lm(
    batch, length, seed, kv_heads, sharing, pairs, inner, layers, vocabulary
):
    heads, dim = kv_heads * sharing, 2 * pairs * kv_heads * sharing
    mine = taken("llama_model", "LlamaModel", seed, vocabulary, dim, layers, heads, kv_heads, inner)
    further = {"vocab_size": vocabulary, "num_hidden_layers": layers, "intermediate_size": inner}
    config = tiny_llama(dim, heads, kv_heads, bos_token_id=0, eos_token_id=0, **further)
    theirs: Any = peer("transformers").LlamaForCausalLM(config).double().eval()
    theirs.load_state_dict({as_llamas(name): value for name, value in mine.state_dict().items()})
    words = ids(batch, length, vocabulary=vocabulary, seed=seed)
    # Its norms, its softmax and its table of angles are computed in float32.
    torch.testing.assert_close(mine(words), theirs(words).logits, rtol=2e-4, atol=2e-4)
