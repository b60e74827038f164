"""Draws of other sizes than those by which mistakes are named: what names them must hold there too."""

import itertools
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from graders.audit.names.related_sizes import sizes_of
from graders.candidate.cast_draw import cast
from graders.check_api.strategies.module_inputs import MASKS
from graders.course.exercise import Exercise
from graders.diagnosis.fingerprint import is_behaviour_trial
from graders.judging.draws import Draws

MOST = 24  # draws
LARGEST = 4_000  # numbers in an argument: fixed draws of long inputs say no more here
AGAIN = 3  # seeds of draws of behaviour


def fresh_draws(exercise: Exercise, draws: Draws) -> list[Any]:
    """Draws of the checks that are like the diagnostic ones but for their sizes, with and without masks.

    Where behaviour is seen instead of values, draws of behaviour under other seeds.
    """
    own = draws.diagnostic_draws(exercise)
    if is_behaviour_trial(own[0]):
        seeds = range(draws.seed + 1, draws.seed + 1 + AGAIN)
        return [draw for seed in seeds for draw in draws.under(seed).diagnostic_draws(exercise)]
    by_check = [list(_of_check(exercise, draws, check, own)) for check in exercise.value_checks]
    turns = itertools.chain.from_iterable(itertools.zip_longest(*by_check))
    found: dict[str, Any] = {}
    for draw in turns:
        if draw is not None:
            found.setdefault(describe_sizes(draw), draw)
    # Those in which one size is not another tell most; half of them with a mask, where some have one.
    telling = sorted(found.values(), key=_count_equal_sizes)
    by_mask = [[d for d in telling if _is_masked(d) is masked] for masked in (False, True)]
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(*by_mask))
    return [draw for draw in in_turn if draw is not None][:MOST]


def _count_equal_sizes(draw: Any) -> int:
    sizes = [size for name, size in sizes_of(draw).items() if name.partition(".")[0] not in MASKS]
    return len(sizes) - len(set(sizes))


def _is_masked(draw: Any) -> bool:
    return any(getattr(draw, name, None) is not None for name in MASKS)


def _of_check(exercise: Exercise, draws: Draws, check: Any, own: list[Any]) -> Iterator[Any]:
    known, kinds = set(map(describe_sizes, own)), {type(draw) for draw in own}
    for example in draws.for_check(exercise, check):
        draw = example.draw
        if type(draw) in kinds and not _is_large(draw) and describe_sizes(draw) not in known:
            yield _in_double(draw)


def _in_double(draw: Any) -> Any:
    return cast(draw, torch.float64)


def _is_large(draw: Any) -> bool:
    return any(isinstance(a, Tensor) and a.numel() > LARGEST for a in draw.arguments)


def describe_sizes(draw: Any) -> str:
    """The configuration of a draw, and the shapes of its arguments or, of what is no tensor, the value."""
    if is_behaviour_trial(draw):
        return "behaviour"
    given = [tuple(a.shape) if isinstance(a, Tensor) else _plain(a) for a in draw.arguments]
    config = getattr(draw, "config", None)
    return f"{config} {given}" if config is not None else str(given)


def _plain(value: Any) -> Any:
    if isinstance(value, int | float | str) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [tuple(a.shape) if isinstance(a, Tensor) else _plain(a) for a in value]
    return type(value).__name__
