"""A sentence as vectors or as ids, for modules that have no tokenizer: the same for every submission."""

import math
import zlib
from collections.abc import Sequence

import torch
from torch import Tensor

from graders.check_api.drawn_attention import WIDTH, DrawnAttention
from graders.check_api.strategies.tensors import normal

POSITION = 0.6  # the share of the position: equal words are alike, and not the same


def embed(tokens: Sequence[str]) -> Tensor:
    """States (1, S, E) of unit variance: what a word is, the same wherever it stands, and where it stands."""
    words = torch.cat([normal(1, WIDTH, seed=zlib.crc32(t.casefold().encode())) for t in tokens])
    angles = torch.arange(len(tokens))[:, None] / 1000.0 ** (torch.arange(0, WIDTH, 2) / WIDTH)
    places = torch.stack([angles.sin(), angles.cos()], -1).flatten(1) * math.sqrt(2)
    return (math.sqrt(1 - POSITION**2) * words + POSITION * places)[None]


def number_words(tokens: Sequence[str]) -> Tensor:
    """Ids (1, S), from 1, in the order in which words come up; equal words have equal ids."""
    places = {word: place for place, word in enumerate(dict.fromkeys(map(str.casefold, tokens)), 1)}
    return torch.tensor([[places[token.casefold()] for token in tokens]])


def as_given(drawn: DrawnAttention, tokens: Sequence[str]) -> Tensor:
    """The sentence in the form that an exercise takes."""
    return number_words(tokens) if drawn.is_model else embed(tokens)
