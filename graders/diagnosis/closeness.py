"""Whether two tensors have the same values but for rounding."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

CLOSE = 1e-9  # times the largest value: far above float64's rounding, far below a mistake's effect
CLOSE32 = 1e-3  # the same for float32 and less precise dtypes


def close(mine: Tensor, theirs: Tensor) -> bool:
    """Whether two tensors have the same shape and values, with NaN and infinities at the same places."""
    single = any(t.is_floating_point() and t.dtype != torch.float64 for t in (mine, theirs))
    tolerance = CLOSE32 if single else CLOSE
    mine, theirs = mine.double(), theirs.double()
    if mine.shape != theirs.shape:
        return False
    if mine.numel() == 0:
        return True
    # Most tensors differ at once or are equal; what lies between, or is not finite, is looked at one by one.
    largest, apart = float(theirs.abs().max()), float((mine - theirs).abs().max())
    if math.isfinite(largest) and math.isfinite(apart):
        bound = tolerance * max(largest, 1e-3)
        if not bound < apart <= bound + tolerance * largest:
            return apart <= bound
    finite = torch.isfinite(theirs)
    largest = float(theirs[finite].abs().max()) if bool(finite.any()) else 0.0
    return torch.allclose(mine, theirs, rtol=tolerance, atol=tolerance * max(largest, 1e-3), equal_nan=True)


def all_equal(mine: Sequence[Tensor], theirs: Sequence[Tensor]) -> bool:
    """Whether two answers have the same tensors, to the last bit."""
    return len(mine) == len(theirs) and all(map(torch.equal, mine, theirs))
