"""Mistakes are named in models whose last layer shares its weights with the words' table."""

from typing import Any

import pytest
from torch import nn

from graders.course.reference import mistakes, reference
from graders.diagnosis.combine import both
from graders.judging.draws import Draws
from tests.diagnosis.test_several_mistakes import named
from tests.support.at_night import at_night

SYMBOL = "SimpleGPTModel"


def make_tied(model: Any) -> type:
    class Tied(model):
        def __init__(self, *args, **values):
            super().__init__(*args, **values)
            self.lm_head.weight = self.embeddings.word_embeddings.weight

    return Tied


def with_other_names(model: Any) -> type:
    class Renamed(nn.Module):
        def __init__(
            self,
            vocab_size,
            hidden_size,
            num_heads=4,
            num_layers=4,
            intermediate_size=256,
            max_position_embeddings=512,
        ):
            super().__init__()
            sizes = vocab_size, hidden_size, num_heads, num_layers, intermediate_size
            self.model = model(*sizes, max_position_embeddings)

        def forward(self, input_ids, attention_mask=None):
            return self.model(input_ids, attention_mask)

    return Renamed


@pytest.mark.parametrize(
    "names", [("softmax",), ("embeddings_added_again",), at_night(("mask_lost", "as_gpt2")), ()]
)
@pytest.mark.parametrize("rename", [at_night(make_tied), lambda model: with_other_names(make_tied(model))])
def test_mistakes_are_named_in_tied_models(names: tuple[str, ...], rename: Any, draws: Draws) -> None:
    known = mistakes("gpt_model", SYMBOL)
    made = [known[f"{SYMBOL}__{name}"] for name in names] or [reference("gpt_model", SYMBOL)]
    model = made[0] if len(made) == 1 else both(SYMBOL, *made)
    assert named(draws, "gpt_model", rename(model)) == set(names)
