"""The references of the efficient assignment compute what Longformer, Reformer and PyTorch itself compute."""

from functools import partial
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from graders.check_api.strategies.tensors import ids, normal, seeds, sizes
from graders.course.reference import reference
from tests.course.test_peers_gpt import alike
from tests.support.peers import peer

LONGFORMER = "transformers.models.longformer.modeling_longformer"
REFORMER = "transformers.models.reformer.modeling_reformer"
WIDTH, HEADS = 12, 3
SINGLE = 2e-5  # Longformer computes in float32


def longformer_layer(window: int, seed: int) -> Any:
    """Longformer's attention, `window` positions on each side; its global projections are the local ones."""
    torch.manual_seed(seed)
    config = peer("transformers").LongformerConfig(
        hidden_size=WIDTH,
        num_attention_heads=HEADS,
        num_hidden_layers=1,
        attention_window=[2 * window],
        attention_probs_dropout_prob=0.0,
    )
    layer = peer(LONGFORMER).LongformerSelfAttention(config, layer_id=0).eval()
    for name in ("query", "key", "value"):
        getattr(layer, f"{name}_global").load_state_dict(getattr(layer, name).state_dict())
    return layer


def by_longformer(layer: Any, x: Tensor, is_global: Tensor) -> Tensor:
    """Its output, for hidden states (B, S, E) of which some are global (B, S)."""
    nothing = torch.zeros_like(is_global)
    mask = is_global.to(x.dtype)  # 0 = local, 1 = global, below 0 = padding
    chosen = {"is_index_masked": nothing, "is_index_global_attn": is_global}
    output: Tensor = layer(x, mask, **chosen, is_global_attn=bool(is_global.any()))[0]
    return output


def by_mask(layer: Any, x: Tensor, mask: Tensor) -> Tensor:
    """Plain attention with the same weights, under a mask (B, S, S), True = masked."""
    parts = (getattr(layer, name)(x).unflatten(-1, (HEADS, -1)) for name in ("query", "key", "value"))
    q, k, v = (part.transpose(1, 2) for part in parts)
    output = functional.scaled_dot_product_attention(q, k, v, attn_mask=~mask[:, None])
    return output.transpose(1, 2).flatten(2)


@given(sizes(2, 4), sizes(2, 4), st.integers(0, 2), seeds())  # Longformer raises for a window of 1
@settings(max_examples=20)
def test_the_masks_are_those_of_longformer(window, blocks, tokens, seed):
    length = 2 * window * blocks  # Longformer takes no other
    layer, x = longformer_layer(window, seed), normal(2, length, WIDTH, seed=seed)
    is_global = torch.zeros(2, length, dtype=torch.bool)
    for sequence in range(2):
        is_global[sequence, ids(tokens, vocabulary=length, seed=seed + sequence)] = True
    local = reference("local_mask", "local_mask")(length, window)
    mask = reference("global_mask", "global_mask")(local, is_global)
    with torch.no_grad():
        torch.testing.assert_close(
            by_mask(layer, x, mask), by_longformer(layer, x, is_global), atol=SINGLE, rtol=SINGLE
        )


@given(sizes(0, 4), sizes(0, 3), seeds())
@settings(max_examples=20)
def test_the_receptive_field_is_what_gradients_reach(layers, window, seed):
    length = 2 * layers * window + 5
    mask = reference("local_mask", "local_mask")(length, window)
    x = normal(length, 4, seed=seed, dtype=torch.float64).requires_grad_()
    h = x
    for _ in range(layers):
        h = functional.scaled_dot_product_attention(h, h, h, attn_mask=~mask)
    h[length // 2].sum().backward()
    assert x.grad is not None
    reached = int((x.grad.abs().sum(-1) > 0).sum())
    assert reference("receptive_field", "receptive_field")(layers, window) == reached


def reformer_layer(is_causal: bool, seed: int, **options: Any) -> Any:
    """Reformer's attention within buckets. It sees its own chunk of the sorted positions, and no other."""
    torch.manual_seed(seed)
    config = peer("transformers").ReformerConfig(
        hidden_size=WIDTH,
        num_attention_heads=HEADS,
        attention_head_size=WIDTH // HEADS,
        is_decoder=is_causal,
        lsh_num_chunks_before=0,
        lsh_num_chunks_after=0,
        lsh_attention_probs_dropout_prob=0.0,
        hash_seed=seed,
        **options,
    )
    return peer(REFORMER).LSHSelfAttention(config).eval().double()


@given(sizes(), sizes(2, 9), sizes(1, 3), sizes(1, 4), seeds())
@settings(max_examples=20)
def test_buckets_are_those_of_reformer(batch, length, rounds, half, seed):
    layer = reformer_layer(False, seed, num_buckets=2 * half)
    x = normal(batch, HEADS, length, WIDTH // HEADS, seed=seed, dtype=torch.float64)
    due = layer._hash_vectors(x, rounds, None).unflatten(-1, (rounds, length))
    torch.manual_seed(seed)
    rotations = torch.randn(HEADS, WIDTH // HEADS, rounds, half, dtype=torch.float64)
    for head in range(HEADS):
        mine = reference("lsh_buckets", "lsh_buckets")(x[:, head], rotations[head])
        assert torch.equal(mine, due[:, head])


def equal_buckets(batch: int, length: int, rounds: int, members: int, seed: int) -> Tensor:
    """Buckets (B, H, R, S) with so many members each: sorted by bucket, each of Reformer's chunks is one."""
    order = normal(batch, HEADS, rounds, length, seed=seed).argsort(-1)
    return order // members + length * torch.arange(rounds)[:, None]


@pytest.mark.parametrize("is_causal", [False, True])
@given(batch=sizes(1, 2), members=sizes(2, 4), rounds=sizes(1, 3), seed=seeds())
@settings(max_examples=15)
def test_attention_within_buckets_is_that_of_reformer(is_causal, batch, members, rounds, seed):
    length = 3 * members
    buckets = equal_buckets(batch, length, rounds, members, seed)
    layer = reformer_layer(is_causal, seed, num_buckets=4, lsh_attn_chunk_length=members, num_hashes=rounds)
    layer._hash_vectors = lambda *_, **__: buckets.flatten(-2)
    layer._len_norm = partial(layer._len_norm, epsilon=0.0)  # beside a short key, 1e-6 would be seen
    x = normal(batch, length, WIDTH, seed=seed, scale=2.0, dtype=torch.float64)
    with torch.no_grad():
        parts = (
            linear(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for linear in (layer.query_key, layer.value)
        )
        mine = reference("lsh_attention", "lsh_attention")(*parts, buckets, is_causal)
        due = layer(x).hidden_states
    alike(mine.transpose(1, 2).flatten(2), due)


@given(sizes(2, 5), sizes(2, 5), sizes(), sizes(), st.data(), seeds())
@settings(max_examples=30)
def test_axial_positions_are_those_of_reformer_with_the_columns_put_back(l1, l2, d1, d2, data, seed):
    mine = reference("axial_positions", "AxialPositions")(l1, l2, d1, d2)
    sizes_of_theirs = {"axial_pos_shape": (l2, l1), "axial_pos_embds_dim": (d2, d1), "hidden_size": d1 + d2}
    config = peer("transformers").ReformerConfig(**sizes_of_theirs, hidden_dropout_prob=0.0)
    theirs = peer(REFORMER).AxialPositionEmbeddings(config).eval()
    with torch.no_grad():
        for table, weight in zip((mine.E2, mine.E1), theirs.weights, strict=True):
            table.copy_(normal(*table.shape, seed=seed + len(table)))
            weight.copy_(table.reshape(weight.shape))
    length = data.draw(sizes(1, l1 * l2))
    [due] = theirs(torch.arange(length)[None])
    assert torch.equal(mine(length), torch.cat([due[:, d2:], due[:, :d2]], -1))


@given(sizes(1, 20), sizes(1, 4), sizes(1, 6))
@settings(max_examples=20)
def test_the_cost_of_attention_is_what_pytorch_counts(length, heads, head_width):
    q, k, v = (torch.zeros(1, heads, length, head_width) for _ in "qkv")
    with FlopCounterMode(display=False) as counter:
        scores = q @ k.transpose(-2, -1)
        _ = scores.softmax(-1) @ v
    cost = reference("attention_cost", "attention_cost")(length, heads * head_width, heads)
    assert cost == (counter.get_total_flops(), scores.nbytes)
