"""Local attention is what PyTorch's kernel computes under a mask, and transformers' Longformer in chunks."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from graders.check_api.strategies.tensors import normal, seeds, sizes
from graders.checks.local_attention import attend_in_blocks
from graders.course.reference import reference
from tests.course.test_peers_gpt import alike
from tests.support.peers import peer


def drawn(*shape: int, seed: int) -> list[Tensor]:
    return [normal(*shape, seed=seed + n, dtype=torch.float64) for n in range(3)]


@given(sizes(1, 2), sizes(1, 3), sizes(1, 12), sizes(1, 5), st.integers(0, 6), seeds())
@settings(max_examples=40)
def test_it_is_pytorchs_attention_under_a_mask(batch, heads, length, width, window, seed):
    Q, K, V = drawn(batch, heads, length, width, seed=seed)
    place = torch.arange(length)
    seen = (place[:, None] - place).abs() <= window
    due = scaled_dot_product_attention(Q, K, V, attn_mask=seen)
    alike(reference("local_attention", "local_attention")(Q, K, V, window), due)


@pytest.mark.parametrize(("length", "window"), [(256, 2), (600, 2), (1024, 0), (700, 300)])
def test_long_texts_are_answered_so_too(length: int, window: int):
    """What the host holds the answers of measured calls to."""
    Q, K, V = drawn(1, 1, length, 4, seed=3)
    place = torch.arange(length)
    due = scaled_dot_product_attention(Q, K, V, attn_mask=(place[:, None] - place).abs() <= window)
    alike(attend_in_blocks(Q, K, V, window), due)


@given(sizes(1, 2), sizes(1, 3), sizes(1, 3), sizes(1, 3), st.integers(2, 4), seeds())
@settings(max_examples=20)
def test_it_is_longformers_with_a_band(batch, heads, chunks, width, window, seed):
    """Longformer takes lengths that its chunks divide and windows from 2 on; its softmax is in float32."""
    length, size = 2 * window * chunks, heads * width
    config = peer("transformers").LongformerConfig(
        hidden_size=size,
        num_attention_heads=heads,
        attention_window=[2 * window],
        attention_probs_dropout_prob=0.0,
    )
    from transformers.models.longformer.modeling_longformer import LongformerSelfAttention

    theirs = LongformerSelfAttention(config, 0).double().eval()
    x = normal(batch, length, size, seed=seed, dtype=torch.float64)
    nothing = torch.zeros(batch, length)
    with torch.no_grad():
        due = theirs(
            x,
            attention_mask=nothing,
            is_index_masked=nothing > 0,
            is_index_global_attn=nothing > 0,
            is_global_attn=False,
        )[0]
        Q, K, V = (
            layer(x).view(batch, length, heads, width).transpose(1, 2)
            for layer in (theirs.query, theirs.key, theirs.value)
        )
        mine = reference("local_attention", "local_attention")(Q, K, V, window)
    assert torch.allclose(mine.transpose(1, 2).reshape(x.shape), due.view(x.shape), atol=1e-5)
