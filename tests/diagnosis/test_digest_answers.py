"""Code that computes the same has the same digest, in whatever order and precision."""

from dataclasses import replace

import torch

from graders.diagnosis.digest_answers import digest_answers
from graders.diagnosis.fingerprint import Fingerprint

X = torch.randn(3, 4, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
WEIGHT = torch.randn(5, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(2))
SEEN = Fingerprint(form="tensor", values=(X @ WEIGHT,))


def test_another_order_of_summation_and_single_precision_change_nothing() -> None:
    other_order = (X.flip(-1) @ WEIGHT.flip(0)).contiguous()
    in_single = (X.float() @ WEIGHT.float()).float()
    digests = {digest_answers([replace(SEEN, values=(v,))]) for v in (SEEN.values[0], other_order, in_single)}
    assert len(digests) == 1


def test_other_values_change_it() -> None:
    for other in (X @ WEIGHT * 1.01, (X @ WEIGHT).transpose(0, 1), (X @ WEIGHT).roll(1, -1)):
        assert digest_answers([replace(SEEN, values=(other,))]) != digest_answers([SEEN])


def test_code_without_an_answer_has_none() -> None:
    assert digest_answers([Fingerprint(stopped="when called")]) is None
