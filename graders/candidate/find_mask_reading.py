"""Find how a candidate reads its mask, in which sense and along which axes.

Under the reading that holds, a hidden position has no influence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from graders.candidate.cast_draw import cast
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import Called, Raised
from graders.check_api.compare import MOST_VALUES, Violation
from graders.check_api.mask_sense import Form, MaskArgument, Reading, Sense
from graders.check_api.properties import first_tensor

HIDDEN = 1  # the position that is hidden: not the last, which a causal module hides from all others anyway
SEEN = 0  # a position that is not hidden
LEAST = 3  # positions, so that the last is neither of the two
CLOSE = 1e-5
SEED = 1  # of all calls: code that drops or makes layers at each call answers each with the same ones


@dataclass(frozen=True)
class _MaskTrial:
    """A candidate that is asked on a draw with a mask.

    Attributes:
        answered: the readings under which it answers.
        in_shape: those of them under which the shape is due.
    """

    candidate: RemoteCandidate
    argument: MaskArgument
    draw: Any
    answered: set[Reading] = field(default_factory=set)
    in_shape: set[Reading] = field(default_factory=set)


def find_mask_reading(
    candidate: RemoteCandidate, argument: MaskArgument, draws: Sequence[Any]
) -> Reading | None:
    """The first reading that holds on a draw, the exercise's own before the others; None if none does.

    Code that takes masks along other axes alone, and whose mask hides nothing, has one that is not proven.

    Args:
        candidate: loaded. Its `mask_reading` is as before afterwards.
        argument: where its mask is.
        draws: the exercise's diagnostic draws; the first with a mask over enough positions is used.
    """
    draw = next((draw for draw in draws if _has_mask(draw, argument)), None)
    if draw is None:
        return None
    # Code that compares with 0 takes bools and numbers: masks of the exercise's own kind first.
    senses = sorted(Sense, key=lambda s: (s is not argument.sense, s.is_bool is not argument.sense.is_bool))
    # A square one is found with the exercise's own, where that has masks of several shapes.
    last = [] if argument.broadcasts else [Form.SQUARE]
    forms = [*(f for f in Form if f is not Form.SQUARE), *last] if argument.shapes else [Form.AS_GIVEN]
    readings = [Reading(sense, form) for form in forms for sense in senses]
    before = candidate.mask_reading
    asked = _MaskTrial(candidate, argument, draw)
    try:
        reading = _first_that_holds(asked, readings)
        if reading is None and not asked.answered and argument.also:  # it may need the other masks, too
            reading = _first_that_holds(asked, [replace(each, needed=True) for each in readings])
        if reading is None and not asked.answered and argument.beside:
            reading = _first_that_holds(asked, [replace(each, filled=True) for each in readings])
        if reading is None and not asked.answered:  # it may refuse float64
            asked = _MaskTrial(candidate, argument, cast(draw, torch.float32))
            reading = _first_that_holds(asked, readings)
        reading = reading or _first_that_runs(asked)
        if reading is not None and reading.proven and argument.also:
            reading = _with_further_axes(asked, reading)
        return reading and replace(reading, needed=_needs_mask(asked, reading))
    finally:
        candidate.mask_reading = before


def _first_that_holds(asked: _MaskTrial, readings: Sequence[Reading]) -> Reading | None:
    """The first that holds for masks of every shape; else the first that holds, with its own axes.

    Of those with its axes, the first under which a mask that hides nothing changes no bit: code that computes
    1e4 * (mask - 1) takes masks that are added too, but rounds.
    """
    of_squares: Reading | None = None
    for form in dict.fromkeys(reading.form for reading in readings):
        same = [r for r in readings if r.form is form and _holds(asked, r)]
        if not same:
            continue
        best = next((r for r in same if _is_exact(asked, r)), same[0])
        plain = form is Form.AS_GIVEN and asked.argument.broadcasts
        if not plain or _holds(asked, best, by_sequence=True):
            return best
        of_squares = of_squares or replace(best, form=Form.SQUARE)
    return of_squares


def _first_that_runs(asked: _MaskTrial) -> Reading | None:
    """A reading, not proven, for code whose mask hides nothing and that refuses the exercise's own masks.

    Where such code takes numbers in the place of True and False, 1 mostly stands for a key that is seen.
    """
    own = asked.argument.sense
    if not asked.argument.shapes or Reading(own) in {replace(r, needed=False) for r in asked.answered}:
        return None
    likely = [own, *(s for s in Sense if s.is_bool is own.is_bool), Sense.ONE_ALLOWS, *Sense]
    found = sorted(asked.in_shape, key=lambda r: (list(Form).index(r.form), likely.index(r.sense)))
    return replace(found[0], proven=False) if found else None


def _with_further_axes(asked: _MaskTrial, reading: Reading) -> Reading:
    """The reading with the axes of the further mask, where it acts along others alone, as padding of keys."""
    others = (replace(reading, further=form) for form in (Form.PER_KEY, Form.PER_SEQUENCE, Form.FOUR_AXES))
    found = (each for each in (reading, *others) if _hides_memory(asked, each))
    return next(found, reading)


def _hides_memory(asked: _MaskTrial, reading: Reading) -> bool:
    """Whether what the further mask hides of the memory has no influence, and the rest has."""
    candidate, argument, draw = asked.candidate, asked.argument, asked.draw
    candidate.mask_reading = (argument, reading)
    memory, changed = draw.arguments[argument.memory], []
    hidden = torch.zeros(draw.arguments[0].shape[1], memory.shape[1], dtype=torch.bool)
    hidden[:, HIDDEN] = True
    try:
        called = _callable(candidate, draw)
        for place in (None, HIDDEN, SEEN):
            given = list(draw.arguments[: argument.place])
            given[argument.memory] = memory if place is None else _changed_at(memory, place)
            given += [None] * (argument.also[0] - len(given)) + [argument.hiding(hidden)]
            changed.append(first_tensor(called.seeded(SEED, *given).answer))
    except (Raised, Violation):
        return False
    plain = changed[0]
    same = [each.shape == plain.shape and torch.allclose(each, plain, CLOSE, CLOSE) for each in changed]
    return same == [True, True, False]


def _is_exact(asked: _MaskTrial, reading: Reading) -> bool:
    """Whether a mask that hides nothing changes no bit of the answer; true where one must be given."""
    candidate, argument = asked.candidate, asked.argument
    candidate.mask_reading = (argument, replace(reading, needed=True))
    plain = list(asked.draw.arguments[: argument.place])
    try:
        called = _callable(candidate, asked.draw)
        under_mask = first_tensor(called.seeded(SEED, *plain).answer)
        candidate.mask_reading = (argument, reading)
        return torch.equal(first_tensor(called.seeded(SEED, *plain).answer), under_mask)
    except (Raised, Violation):
        return True


def _has_mask(draw: Any, argument: MaskArgument) -> bool:
    arguments = getattr(draw, "arguments", [])
    mask = arguments[argument.place] if len(arguments) > argument.place else None
    return isinstance(mask, Tensor) and mask.dim() > 1 and mask.shape[-1] >= LEAST


def _holds(asked: _MaskTrial, reading: Reading, by_sequence: bool = False) -> bool:
    """Whether under this reading the hidden position changes no other output, and one that is seen does.

    Where the exercise has masks of several shapes, under one of shape (S, S), or (B, 1, S, S) `by_sequence`.
    """
    candidate, argument, draw = asked.candidate, asked.argument, asked.draw
    candidate.mask_reading = (argument, reading)
    left_out = (*argument.also, *argument.beside)
    arguments: list[Any] = [None if n in left_out else each for n, each in enumerate(draw.arguments)]
    mask = arguments[argument.place]
    shape = (mask.shape[-1],) * 2 if argument.broadcasts else tuple(mask.shape)
    if argument.inputs != (0,):  # queries and keys may differ in number
        shape = (arguments[0].shape[-2], arguments[argument.inputs[0]].shape[-2])
    if by_sequence:
        shape = (arguments[0].shape[0], *([1] if argument.heads else []), *shape)
    if reading.form is Form.PER_KEY:
        shape = (1, mask.shape[-1])
    arguments[argument.place] = argument.hiding(_hide(shape))
    try:
        called = _callable(candidate, draw)
        plain = first_tensor(called.seeded(SEED, *arguments).answer)
        asked.answered.add(reading)
        if plain.numel() > MOST_VALUES:
            return False
        hidden, seen = (
            first_tensor(called.seeded(SEED, *_with_other_values(arguments, argument, place, draw)).answer)
            for place in (HIDDEN, SEEN)
        )
    except (Raised, Violation):
        return False
    if plain.shape != hidden.shape or plain.shape != seen.shape or plain.dim() < 2:
        return False
    if arguments[0].is_floating_point() and plain.shape[:-1] != arguments[0].shape[:-1]:
        return False  # the mask has added an axis, or multiplied the positions by the sequences
    asked.in_shape.add(reading)
    axis = 1 if plain.dim() == 3 else plain.dim() - 2
    rows = torch.tensor([row for row in range(plain.shape[axis]) if row != HIDDEN])
    plain, hidden, seen = (output.index_select(axis, rows) for output in (plain, hidden, seen))
    last = plain.shape[axis] - 1
    return torch.allclose(hidden, plain, rtol=CLOSE, atol=CLOSE) and not torch.allclose(
        seen.select(axis, last), plain.select(axis, last), rtol=CLOSE, atol=CLOSE
    )


def _needs_mask(asked: _MaskTrial, reading: Reading) -> bool:
    """Whether it raises without a mask, and answers under one that hides nothing."""
    candidate, argument, draw = asked.candidate, asked.argument, asked.draw
    arguments = [None if n in argument.beside else a for n, a in enumerate(draw.arguments[: argument.place])]

    def answers(reading: Reading) -> bool:
        candidate.mask_reading = (argument, reading)
        try:
            _callable(candidate, draw)(*arguments)
        except (Raised, Violation):
            return False
        return True

    return not answers(replace(reading, needed=False)) and answers(replace(reading, needed=True))


def _hide(shape: tuple[int, ...]) -> Tensor:
    """A bool mask, True = hidden: one key for all queries, but not for itself."""
    hidden = torch.zeros(shape, dtype=torch.bool)
    hidden[..., HIDDEN] = True
    if shape[-2] == shape[-1]:
        hidden[..., HIDDEN, HIDDEN] = False
    return hidden


def _with_other_values(
    arguments: Sequence[Any], argument: MaskArgument, position: int, draw: Any
) -> list[Any]:
    """The arguments with other values at a position of those that hold what the mask hides."""
    changed = list(arguments)
    for place in argument.inputs:
        if arguments[place].is_floating_point():
            changed[place] = _changed_at(arguments[place], position)
        else:
            changed[place] = value = arguments[place].clone()
            value[..., position] = (value[..., position] + 1) % draw.config["vocab_size"]
    return changed


def _changed_at(vectors: Tensor, position: int) -> Tensor:
    """Vectors with others at a position; not by the same number everywhere: a norm takes that away."""
    changed = vectors.clone()
    changed[..., position, :] += torch.arange(1, vectors.shape[-1] + 1, dtype=vectors.dtype)
    return changed


def _callable(candidate: RemoteCandidate, draw: Any) -> Called:
    config = getattr(draw, "config", None)
    if config is None:
        return candidate
    module = candidate.with_random_weights(getattr(draw, "seed", 0), **config)
    floats = (a for a in draw.arguments if isinstance(a, Tensor) and a.is_floating_point())
    first = next(floats, None)
    return module if first is None else module.to(first.dtype)
