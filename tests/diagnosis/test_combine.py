"""Two known mistakes at once."""

import pytest
import torch

from graders.course.reference import mistakes
from graders.diagnosis.combine import both


@pytest.mark.parametrize("turned", [False, True])
def test_mistakes_that_call_the_reference_through_another_function_are_made_at_once(turned: bool) -> None:
    known = mistakes("adamw_step", "adamw_step")
    pair = [known[f"adamw_step__{name}"] for name in ("decay_afterwards", "fused")]
    made = both("adamw_step", *(pair[::-1] if turned else pair))
    p, g, zeros = torch.tensor([2.0]), torch.tensor([1.0]), torch.zeros(1)
    answer, *_ = made(p, g, zeros, zeros, 1, 0.5, (0.5, 0.75), 0.5, 0.25)
    moved = 2.0 - 0.5 * (0.25**0.5 / 0.5) * 0.5 / (0.25**0.5 + 0.5)  # eps beside the root of v
    torch.testing.assert_close(answer, torch.tensor([moved - 0.5 * 0.25 * moved]))  # what has moved decays
