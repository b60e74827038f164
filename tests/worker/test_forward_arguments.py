"""What a student's forward is given where its arguments are not the contract's."""

import importlib
import sys
from pathlib import Path

import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[2] / "graders/worker"))
try:
    forward_arguments = importlib.import_module("forward_arguments")
finally:
    sys.path.pop(0)


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
