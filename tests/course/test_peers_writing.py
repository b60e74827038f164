"""The references about measuring a model and writing with it compute what PyTorch and transformers do."""

import math

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.check_api.strategies.scored_tokens import scored_tokens
from graders.course.reference import reference
from tests.course.test_peers_gpt import alike

F = torch.nn.functional
DOUBLE = {"dtype": torch.float64}


@given(
    scored_tokens(padded=True, **DOUBLE) | scored_tokens(**DOUBLE) | scored_tokens(corner="batch", **DOUBLE)
)
@settings(max_examples=40)
def test_perplexity_is_the_exponential_of_pytorchs_cross_entropy(draw):
    logits, targets = draw.flat.logits, draw.flat.targets
    loss = F.cross_entropy(logits, targets, ignore_index=draw.ignore_index)
    alike(reference("perplexity", "perplexity")(draw.logits, draw.targets, draw.ignore_index), loss.exp())


@given(draw=scored_tokens(padded=True, **DOUBLE), lengths=st.booleans())
@settings(max_examples=40)
def test_bits_per_character_are_pytorchs_summed_loss_by_the_letters_of_the_text(draw, lengths):
    words = ["a" * (1 + number % 4) for number in range(draw.logits.shape[-1])] if lengths else None
    given_lengths = torch.tensor([len(word) for word in words]) if words else None
    ids = draw.targets[draw.counted].tolist()
    text = "".join(words[i] for i in ids) if words else "a" * len(ids)
    loss = F.cross_entropy(
        draw.flat.logits, draw.flat.targets, ignore_index=draw.ignore_index, reduction="sum"
    )
    bits = reference("bits_per_char", "bits_per_char")
    mine = bits(draw.logits, draw.targets, given_lengths, draw.ignore_index)
    alike(mine, loss / math.log(2) / len(text))
