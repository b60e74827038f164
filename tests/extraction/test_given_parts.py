"""The classes of parts that a constructor is given are kept with it."""

from pathlib import Path

import pytest

from graders.extraction.extract import Source, extract, study
from graders.submission.read import read

CODE = """
from torch import nn

class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d_model):
        super().__init__()
        self.h = h

class PositionwiseFeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear = nn.Linear(d_model, d_ff)

class Layer(nn.Module):
    def __init__(self, {arguments}):
        super().__init__()
        self.attention = {attention}

    def forward(self, x):
        return self.attention(x)
"""


def extracted(tmp_path: Path, arguments: str, attention: str, below: str = "") -> Source:
    path = tmp_path / "rendu.py"
    path.write_text(CODE.format(arguments=arguments, attention=attention) + below)
    source = extract(study(read(path, "rendu")), "Layer", None)
    assert isinstance(source, Source)
    return source


@pytest.mark.parametrize(
    ("arguments", "attention", "network"),
    [
        ("size, self_attn, feed_forward, dropout", "self_attn", "feed_forward"),
        ("size, dropout, multi_headed_attention, pointwise_net", "multi_headed_attention", "pointwise_net"),
        ("features, self_attention_block, feed_forward_block", "self_attention_block", "feed_forward_block"),
        ("size, first: MultiHeadedAttention, last: PositionwiseFeedForward", "first", "last"),
        (
            "features, cross_attention_block, feed_forward_block",
            "cross_attention_block",
            "feed_forward_block",
        ),
    ],
)
def test_the_classes_of_given_parts_are_kept(tmp_path, arguments, attention, network):
    source = extracted(tmp_path, arguments, attention)
    assert dict(source.parts) == {attention: "MultiHeadedAttention", network: "PositionwiseFeedForward"}
    kept = "".join(definition.code for definition in source.definitions)
    assert "class MultiHeadedAttention" in kept and "class PositionwiseFeedForward" in kept


def test_an_alias_under_the_contracts_name_comes_first(tmp_path):
    alias = "\nMultiHeadAttention = MultiHeadedAttention\n"
    source = extracted(tmp_path, "size, self_attn, feed_forward", "self_attn", alias)
    assert dict(source.parts)["self_attn"] == "MultiHeadAttention"


@pytest.mark.parametrize(
    "arguments", ["size, heads, feed_forward", "size, attention_dropout, feed_forward", "size, feed_forward"]
)
def test_sizes_are_no_parts(tmp_path, arguments):
    assert extracted(tmp_path, arguments, "nn.Linear(size, size)").parts == ()


@pytest.mark.parametrize("name", ["attention_class", "self_attn_cls", "attention"])
def test_a_class_that_the_constructor_calls_is_kept_beside_heads_too(tmp_path, name):
    source = extracted(tmp_path, f"size, heads, {name}", f"{name}(size, heads)")
    assert dict(source.parts) == {name: "MultiHeadedAttention"}
