"""Attention that keeps its cache by itself."""

import pytest
import torch
from torch import nn

from softmark_worker import own_cache
from softmark_worker.call_assignments import Argument

CONTRACT = [*(Argument(name) for name in ("q", "k", "v")), Argument("cache", True)]


class Tables(nn.Module):
    """Sums the values so far, in tables of a largest size with heads behind positions."""

    def __init__(self, max_batch_size, max_seq_len, n_kv_heads, head_dim, device=None):
        super().__init__()
        self.table_k = torch.zeros(max_batch_size, max_seq_len, n_kv_heads, head_dim)
        self.table_v = torch.zeros_like(self.table_k)

    def forward(self, xq, xk, xv, start_pos):
        batch, end = xk.shape[0], start_pos + xk.shape[2]
        self.table_k[:batch, start_pos:end] = xk.transpose(1, 2)
        self.table_v[:batch, start_pos:end] = xv.transpose(1, 2)
        return xq + self.table_v[:batch, :end].sum((1, 2))[:, None, None]


class Store:
    """Keys and values that grow."""

    def __init__(self):
        self.k = self.v = None
        self.length = 0

    def add(self, k, v):
        self.k = k if self.k is None else torch.cat([self.k, k], 2)
        self.v = v if self.v is None else torch.cat([self.v, v], 2)
        self.length += k.shape[2]


class Growing:
    """The same sum, in attributes of an object that the first call makes."""

    store = None

    def __call__(self, q, k, v, use_cache=False):
        if not use_cache:
            return q
        self.store = self.store or Store()
        assert self.store.length == (0 if self.store.k is None else self.store.k.shape[2])
        self.store.add(k, v)
        return q + self.store.v.sum((1, 2))[:, None, None]


def with_tables(q, k, v, k_cache, v_cache, start_pos=0):
    k_cache[:, :, start_pos:], v_cache[:, :, start_pos:] = k, v
    return q + v_cache.sum((1, 2))[:, None, None]


@pytest.mark.parametrize("symbol", [Tables, Growing, with_tables])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_what_it_keeps_is_filled_with_the_cache_that_comes_in_and_read_again(symbol, dtype):
    attend, taken = own_cache.as_function(symbol, CONTRACT)
    q, k, v, *cache = (torch.rand(2, heads, new, 8, dtype=dtype) for heads, new in _SIZES)
    output, (keys, values) = attend(q, k, v, tuple(cache))
    torch.testing.assert_close(keys, torch.cat([cache[0], k], 2))
    torch.testing.assert_close(values, torch.cat([cache[1], v], 2))
    torch.testing.assert_close(output, q + values.sum((1, 2))[:, None, None])
    assert all(name.endswith(own_cache.KEPT) for name in taken)


_SIZES = [(6, 3), (3, 3), (3, 3), (3, 5), (3, 5)]


@pytest.mark.parametrize("symbol", [Tables, Growing, with_tables])
def test_a_sequence_without_a_cache_begins_anew(symbol):
    attend, _ = own_cache.as_function(symbol, CONTRACT)
    q, k, v, *_ = (torch.rand(2, heads, new, 8) for heads, new in _SIZES)
    for _ in range(2):
        output, (keys, _) = attend(q, k, v)
        torch.testing.assert_close(output, q + v.sum((1, 2))[:, None, None])
        assert keys.shape == k.shape


def test_what_takes_a_cache_or_asks_for_more_is_left_as_it_is():
    class WithLayers(nn.Module):
        def __init__(self, what):
            super().__init__()

        def forward(self, q, k, v):
            return q

    def a_pair(q, k, v, cache=None):
        return q, cache

    def masked(q, k, v, k_cache, v_cache, mask):
        return q

    for symbol in (a_pair, masked, WithLayers, dict, len):
        assert own_cache.as_function(symbol, CONTRACT) is None
    assert own_cache.as_function(with_tables, CONTRACT[:3]) is None


def test_an_object_that_keeps_nothing_answers_with_the_output_alone():
    class Forgets:
        def __call__(self, q, k, v):
            return q

    attend, _ = own_cache.as_function(Forgets, CONTRACT)
    q, k, v, *cache = (torch.rand(2, heads, new, 8) for heads, new in _SIZES)
    assert torch.equal(attend(q, k, v, tuple(cache)), q)
