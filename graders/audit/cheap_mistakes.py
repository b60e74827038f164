"""Known mistakes that compute something else than the reference and still keep most of the points."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.audit.try_answer import try_on_all_draws
from graders.candidate.local_candidate import LocalCandidate
from graders.course.exercise import Exercise
from graders.course.reference import reference
from graders.diagnosis.closeness import close
from graders.diagnosis.fingerprint import Fingerprint, fingerprint, is_behaviour_trial
from graders.judging.draws import Draws
from graders.results.audit_result import Tried
from graders.results.result import Outcome

MOST_KEPT = 0.85  # of the points, by a mistake that computes something else than the reference


def mark_if_cheap(exercise: Exercise, draws: Draws, tried: Tried, make: Callable[[], Any]) -> Tried:
    """The mistake that was tried, with `cheap` set if it computes something else and keeps most points.

    A mistake computes something else if a core check fails on it, or if it gives other values than the
    reference on a diagnostic draw. Missing biases, lost gradients or dropout are not meant, nor is what is
    wrong for extreme sizes alone.
    """
    if tried.outcome != Outcome.FAILED or _kept(exercise, tried) <= MOST_KEPT:
        return tried
    at_extremes = {check.name for check in exercise.checks if check.given.is_empty and not check.grows_as}
    if at_extremes.issuperset(tried.failed):
        return tried
    fails_core = any(check.core and check.name in tried.failed for check in exercise.checks)
    if not fails_core and not gives_other_values(exercise, draws, make):
        return tried
    again = try_on_all_draws(exercise, draws, tried, make)
    return replace(again, cheap=_kept(exercise, again) > MOST_KEPT)


def gives_other_values(exercise: Exercise, draws: Draws, make: Callable[[], Any]) -> bool:
    """Whether an answer's first tensor differs from the reference's on a diagnostic draw."""
    mapping_draws = partial(draws.mapping_draws, exercise)
    right = LocalCandidate(reference(exercise.name, exercise.symbol), mapping_draws)
    first, *_ = diagnostic_draws = draws.diagnostic_draws(exercise)
    if is_behaviour_trial(first):
        return False  # its facts cannot be compared by their values
    for draw in diagnostic_draws:
        if not _sizes(draw) >= _sizes(first):
            continue  # defaults have a check of their own
        expected, actual = (
            fingerprint(candidate, draw) for candidate in (right, LocalCandidate(make(), mapping_draws))
        )
        if _comparable(expected, actual) and not _same(expected.values[0], actual.values[0]):
            return True
    return False


def _sizes(draw: Any) -> set[str]:
    """The names of the sizes that a draw gives a module."""
    return set(getattr(draw, "config", ()))


def _comparable(expected: Fingerprint, actual: Fingerprint) -> bool:
    """Whether both answer, under the same parameters: a number of parameters has a check of its own."""
    return bool(expected.values and actual.values) and expected.shapes == actual.shapes


def _same(expected: Tensor, actual: Tensor) -> bool:
    if expected.shape != actual.shape:
        return True  # a form has a check of its own
    finite = torch.isfinite(expected) & torch.isfinite(actual)  # so has an overflow
    return close(expected[finite], actual[finite])


def _kept(exercise: Exercise, tried: Tried) -> float:
    """The share of the points of all checks that an answer keeps."""
    lost = sum(check.points for check in exercise.checks if check.name in tried.failed)
    return 1 - lost / sum(check.points for check in exercise.checks)
