"""The candidate of this process is called as one in the box is."""

import torch

from graders.candidate.local_candidate import LocalCandidate


def test_code_that_seeds_torch_moves_its_state_at_each_call():
    def seeds(x: torch.Tensor) -> torch.Tensor:
        torch.manual_seed(3)
        return x

    candidate = LocalCandidate(seeds)
    assert not any(candidate.observed_call(torch.ones(1)).random_state_kept for _ in range(2))
