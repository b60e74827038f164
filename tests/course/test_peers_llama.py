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
