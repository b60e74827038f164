"""What a student's forward is given where its arguments are not the contract's."""

import torch
from torch import nn

from softmark_worker import forward_arguments


class Embeddings(nn.Module):
    def forward(self, x, seg):
        return seg


class WithCache(nn.Module):
    def forward(self, x, layer_past=None):
        return layer_past


def test_segments_under_a_short_name_are_zero_where_they_are_left_out():
    module, ids = Embeddings(), torch.tensor([[3, 1]])
    pairs = forward_arguments.adapt_forward(module, ["input_ids", "token_type_ids"])
    assert pairs["seg (left out)"] == "0"
    assert module(ids).tolist() == [[0, 0]]
    assert module(ids, None).tolist() == [[0, 0]]
    assert module(ids, ids) is ids


def test_a_cache_is_no_mask():
    module = WithCache()
    forward_arguments.adapt_forward(module, ["x", "mask"])
    assert module(torch.ones(1), torch.ones(1)) is None


class Decoder(nn.Module):
    def forward(self, x, enc_out, src_mask=None, tgt_mask=None):
        return enc_out, src_mask, tgt_mask


class ThreeInputs(nn.Module):
    def forward(self, query, key, value, mask=None):
        return query, key, value, mask


def test_of_two_masks_each_goes_where_its_name_says():
    module = Decoder()
    forward_arguments.adapt_forward(module, ["x", "memory", "mask", "memory_mask"])
    assert module(1, 2, 3, 4) == (2, 4, 3)
    assert module(1, 2, 3) == (2, None, 3)


def test_keys_and_values_are_the_memory_where_there_is_one_and_the_input_elsewhere():
    crossing, alone = ThreeInputs(), ThreeInputs()
    forward_arguments.adapt_forward(crossing, ["x", "memory", "mask"])
    assert crossing(1, 2, 3) == (1, 2, 2, 3)
    forward_arguments.adapt_forward(alone, ["x", "mask"])
    assert alone(1, 3) == (1, 1, 1, 3)
