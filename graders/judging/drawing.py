"""Draw with Hypothesis, from a seed: the draws of a check, and a ladder of small ones.

Where a check fails, the smallest case is looked for on the ladder, from the simplest draw on. Its inputs are
small integers and halves. The ladder depends on the strategy and the seed alone, not on the code that fails:
all submissions see the same cases.
"""

import contextlib
import os
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import torch
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import HypothesisException
from hypothesis.strategies import SearchStrategy
from torch import Tensor

from graders.check_api.check import AtLength, Check
from graders.check_api.strategies.tensors import plain_inputs
from graders.check_api.values_of_run import ValuesOfRun, values_of_run
from graders.judging.chosen_before import draw_as_before, note_choices
from graders.judging.layout_sizes import is_single, is_square, shows_layout
from graders.judging.order_draws import order_draws
from graders.judging.own_constants import without_constants_of_modules

# Hypothesis would create a folder in the working directory; nothing needs to be stored.
set_hypothesis_home_dir(os.devnull)

MORE = 150  # draws of any sizes, of which the small ones are taken
LOOKED_THROUGH = 400  # draws that are looked through for one to begin with, at most
TRIED = 60  # draws that Hypothesis tries to make one smaller, at most
FOR_SINGLE = (LOOKED_THROUGH, 25)  # the same for draws of one head and one sequence, of which few are kept
TELLING = 3  # draws of a check that show the layout, at least, where its strategy gives such
SEARCHED = 30  # draws among which they are looked for, where the first ones have too few
TAKEN = 2  # of so many draws one is taken
POOL = 16  # draws of which those of a check are taken, at most
LONG = 128  # positions of the last draw of a check that tries lengths
LONGEST_DUE = 512  # positions: as many as the course's models have, so that a longer mask is never due
SINGLE = 3  # draws of a ladder of one head and one sequence: some faults need several heads
BARE = 1  # of these also without leading axes, which not all code takes
RUNGS = 8  # of a ladder, of each kind: masked or not, of each of the three kinds of sizes


def draw_examples(check: Check, values_from: int, sizes_from: int = 0) -> list[Any]:
    """The draws of a check: those of its strategy, then the fixed ones. One of cost has none.

    Args:
        check: the check.
        values_from: a number of the run; the values follow from it, which no code can know.
        sizes_from: a number of the check; sizes, masks and flags follow from it. So a mistake that shows at
            some sizes alone is seen under every seed, or under none.
    """
    if check.grows_as is not None:
        return []
    # Hypothesis begins with the simplest draw, whatever the seed is: alone, it would be the same for all.
    draws: list[Any] = []
    strategies = [given for given in check.in_turn or (check.given,) if not given.is_empty]
    for number, given_draws in enumerate(strategies):
        share = -(-check.draws // len(strategies))
        most = max(share, 2)
        draws += _collect_for_run(f"{number}", given_draws, values_from, sizes_from, most)[-share:]
    return [*draws, *fixed_draws(check, values_from)]


def fixed_draws(check: Check, number: int) -> list[Any]:
    """The draws that a check has under every seed: of fixed sizes, of a large size each, and of a length."""
    fixed = [
        *(draw(number) for draw in check.fixed),
        *(size.draw(size.least, number) for size in check.stretched),
    ]
    return fixed if check.at_length is None else [*fixed, draw_at_length(check.at_length, LONG, number)]


def count_fixed_draws(check: Check) -> int:
    """How many of a check's draws, the last ones, are there under every seed."""
    return len(check.fixed) + len(check.stretched) + (check.at_length is not None)


def stretched_draws(check: Check) -> Iterator[tuple[int, int, Callable[[int, int], Any]]]:
    """For each size that a check stretches, a length too: its least value, its bound, and what makes a draw.

    A draw is made from the size and a seed. Numbers in a submission's code from the bound on do not count.
    """
    for size in check.stretched:
        yield size.least, size.most, size.draw
    if check.at_length is not None:
        yield LONG, LONGEST_DUE, partial(draw_at_length, check.at_length)


def draw_at_length(at_length: AtLength, length: int, values_from: int) -> Any:
    """A draw with so many positions, whose values follow from a number of the run.

    Not the simplest, which is of width 1, and the first whose sizes show the layout, if there is one. Such
    draws are dear, and what else they have is of no account.
    """
    given_draws = at_length(length)
    with values_of_run(values_from) as values:
        make = partial(_collect_for_length, given_draws, length)
        [draw] = draw_as_before(f"length {length}", given_draws, make, values)
        return draw if values.asked else _collect(given_draws, values_from, 2)[-1]


def _collect_for_length(given_draws: SearchStrategy[Any], number: int) -> list[Any]:
    """The second draw; else the first whose sizes show the layout, where there is one."""
    draw = _collect(given_draws, number, 2)[-1]
    if shows_layout(draw) or is_square(draw):
        return [draw]
    return [next(filter(shows_layout, _collect(given_draws, number, SEARCHED)[1:]), draw)]


def _collect_for_run(
    name: str, given_draws: SearchStrategy[Any], values_from: int, sizes_from: int, most: int
) -> list[Any]:
    """Draws whose sizes follow from one number, and whose values from another.

    Where draws have no such values, the last follows from that of the values: code could know all others.
    """
    with values_of_run(values_from) as values:
        make = partial(_collect_telling, given_draws, sizes_from, most, values)
        draws = draw_as_before(name, given_draws, make, values)
        if values.asked or len(draws) < most:  # those are all that there are
            return draws
        return [*draws[:-1], _collect(given_draws, values_from, most)[-1]]


def _collect_telling(
    given_draws: SearchStrategy[Any], number: int, most: int, values: ValuesOfRun
) -> list[Any]:
    """The simplest draw, then some whose sizes show the layout, then any; so many at most."""
    draws = _collect(given_draws, number, min(POOL, TAKEN * most) if most > 1 else most)
    others = draws[1:]
    due = min(TELLING, most - 1)
    if sum(map(shows_layout, others)) < due <= len(others) and not all(map(is_square, others)):
        draws = _collect(given_draws, number, SEARCHED)
    return order_draws(draws, due, with_values=values.asked)[:most]


def _collect(given_draws: SearchStrategy[Any], number: int, most: int) -> list[Any]:
    collected: list[Any] = []

    @seed(number)
    @_settings(most, Phase.generate)
    @given(given_draws)
    def collect(draw: Any) -> None:
        collected.append(draw)
        note_choices(draw)

    with without_constants_of_modules():
        collect()
    return collected


def small_draws(given_draws: SearchStrategy[Any], number: int) -> list[Any]:
    """The draws that Hypothesis makes smaller, from the first of one head and one sequence on.

    The same follows from the first whose sizes show the layout: many faults need several heads.
    """
    with plain_inputs():
        of_layout = _made_smaller(given_draws, number, shows_layout, LOOKED_THROUGH, TRIED)
        only_one = all(map(is_single, of_layout))
        single = [] if only_one else _made_smaller(given_draws, number, is_single, *FOR_SINGLE)
    few = sorted(_different(single), key=size_of)[:SINGLE]
    bare = [draw.without_leading_axes() for draw in few[:BARE] if hasattr(draw, "without_leading_axes")]
    return _different([*bare, *few, *of_layout])


def further_draws(given_draws: SearchStrategy[Any], number: int) -> list[Any]:
    """Small draws of every kind, for failures that those of `small_draws` do not show."""
    kinds: dict[tuple[bool, int], list[Any]] = {}
    with plain_inputs():
        drawn = _collect(given_draws, number, MORE)
    for draw in sorted(_different(drawn), key=size_of):
        kinds.setdefault((_is_masked(draw), kind_of_sizes(draw)), []).append(draw)
    return [draw for draws in kinds.values() for draw in draws[:RUNGS]]


def kind_of_sizes(draw: Any) -> int:
    """0 for one head and one sequence, 1 for other sizes that show the layout, 2 for those that do not."""
    return 0 if is_single(draw) else 1 if shows_layout(draw) else 2


def size_of(draw: Any) -> tuple[Any, ...]:
    """How large a draw is: the numbers of values and axes, the sum of the numbers shown, then the shapes."""
    shown = [getattr(draw, f.name) for f in fields(draw) if not f.metadata.get("hidden")]
    values = [part for value in shown for part in (value.values() if isinstance(value, dict) else [value])]
    tensors = [value for value in values if isinstance(value, Tensor)]
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    texts = sum(len(repr(value)) for value in values if not isinstance(value, Tensor | int | float))
    # A mask that hides less is simpler.
    hidden = sum(int(tensor.sum()) for tensor in tensors if tensor.dtype == torch.bool)
    shapes = [tuple(tensor.shape) for tensor in tensors]
    axes = sum(map(len, shapes))
    return sum(tensor.numel() for tensor in tensors), axes, sum(numbers), texts, hidden, shapes


def contents_key(value: Any) -> Hashable:
    """A key that two draws share if and only if their contents are equal."""
    if isinstance(value, Tensor):
        data = value.contiguous().view(-1).view(torch.uint8)
        return str(value.dtype), tuple(value.shape), data.numpy().tobytes()
    if isinstance(value, dict):
        return tuple((name, contents_key(item)) for name, item in value.items())
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, *(contents_key(getattr(value, field.name)) for field in fields(value))
    return repr(value)


def _different(draws: Iterable[Any]) -> list[Any]:
    return list({contents_key(draw): draw for draw in draws}.values())


def _is_masked(draw: Any) -> bool:
    masks = [value for value in map(partial(getattr, draw), _names(draw)) if isinstance(value, Tensor)]
    return any(mask.dtype == torch.bool and bool(mask.any()) for mask in masks)


def _names(draw: Any) -> list[str]:
    return [field.name for field in fields(draw)]


def _made_smaller(
    given_draws: SearchStrategy[Any],
    number: int,
    looks_at: Callable[[Any], bool],
    looked_through: int,
    most: int,
) -> list[Any]:
    """The draws, so many at most, that Hypothesis tries to make the first that is looked at smaller."""
    tried: list[Any] = []

    @seed(number)
    @_settings(looked_through, Phase.generate, Phase.shrink)
    @given(given_draws)
    def search(draw: Any) -> None:
        if len(tried) < most and looks_at(draw):
            tried.append(draw)
            raise _Smaller

    # Beyond the limit a draw is not looked at again, which Hypothesis reports as flaky.
    with contextlib.suppress(_Smaller, HypothesisException), without_constants_of_modules():
        search()
    return tried


class _Smaller(Exception):
    """Tells Hypothesis that a draw is looked at: it then looks for a smaller one."""


def _settings(draws: int, *phases: Phase) -> settings:
    return settings(
        max_examples=draws,
        phases=phases,
        database=None,
        deadline=None,
        derandomize=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
