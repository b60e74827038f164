"""Hands in a right mask so large that to look at all of it keeps the grader itself busy for minutes.

exercise: causal_mask
checks: shows_the_past_and_the_present follows_the_length_asked_for
outcome: failed or timed_out or raised
"""

import torch

causal_mask = torch.ones(4000, 4000, dtype=torch.bool).triu(1)
