"""What a draw is made of is no part of what a call under its seed draws by itself."""

import torch

from graders.checks.mask_tokens import LONG, ROWS, batch


def test_words_that_are_not_special_say_nothing_of_what_a_call_draws():
    draw = batch(ROWS, LONG, seed=7)
    words = ~draw.special
    torch.manual_seed(7)
    for _ in range(4):
        drawn = torch.rand(ROWS, LONG) < 0.8
        assert abs(float(drawn[words].double().mean()) - 0.8) < 0.02
