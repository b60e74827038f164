"""Make an answer key: all that grading under one seed asks the references, asked in advance."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from graders.answer_key.answer_key import (
    EXAMPLES,
    FURTHER,
    MAPPING,
    MISTAKES,
    PARTS,
    SIZES,
    SMALL,
    Packed,
    pack_part,
    write_key,
)
from graders.answer_key.pack import NotPackable, Rounded
from graders.candidate.parameter_mapping.probe import Probe
from graders.candidate.parameter_mapping.reference_models import LiveModels, StoredMistake, StoredModels
from graders.check_api.head_layouts import HEAD_LAYOUTS, SEPARATE, Answers
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.check_api.usual_sizes import UsualSize
from graders.course.exercise import Assignment, Exercise
from graders.course.reference import mistakes
from graders.diagnosis.stored_mistakes import store
from graders.handout.absent_biases import Patterns, names_of, usual_patterns
from graders.handout.record_parts import record_parts
from graders.handout.refused import HandoutRefused, refuse_faults
from graders.judging.drawing import further_draws, small_draws
from graders.judging.draws import Draws
from graders.language import tr

FEW = 2  # sets of absent biases at usual sizes and in other layouts: all of linear layers, and all
Piece = tuple[Exercise, Sequence[UsualSize]]  # an exercise, and the sizes that have their usual values


class MadePiece(NamedTuple):
    """What was made for a piece: its number, its parts, and the time that it took, 0 if it was kept."""

    number: int
    files: Packed
    seconds: float = 0.0
    cpu_seconds: float = 0.0


Pack = Callable[[Sequence[Piece], int, bool, frozenset[str]], Iterable[MadePiece]]
Follow = Callable[[Iterable[MadePiece]], Iterable[MadePiece]]


def pack_piece(piece: Piece, seed: int, hints: bool, symbols: frozenset[str]) -> Packed:
    """The parts of a piece of a key, packed; `symbols` are those of the assignment.

    Raises:
        HandoutRefused: a check draws or answers with something that is no data.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of known mistakes are no fault of the course
        try:
            return _pack(*piece, Draws(seed), hints, symbols)
        except NotPackable as error:
            message = tr("a key holds data alone, but a check draws or answers with {type}", type=error)
            raise HandoutRefused(message) from error


def pack_in_order(
    pieces: Sequence[Piece], seed: int, hints: bool, symbols: frozenset[str]
) -> Iterator[MadePiece]:
    """Each piece with its parts.

    Raises:
        HandoutRefused: as `pack_piece`.
    """
    for number, piece in enumerate(pieces):
        yield MadePiece(number, pack_piece(piece, seed, hints, symbols))


def pieces_of(assignment: Assignment) -> list[Piece]:
    """The pieces of which the key of an assignment is made.

    Raises:
        HandoutRefused: one of its exercises is broken.
    """
    refuse_faults(assignment)
    asked = [exercise for exercise in assignment.exercises if exercise.rule is None]
    return [(exercise, sizes) for exercise in asked for sizes in _sizes(exercise)]


def make_key(
    assignment: Assignment,
    seed: int,
    hints: bool = True,
    follow: Follow = lambda made: made,
    pack: Pack = pack_in_order,
) -> bytes:
    """The answer key of an assignment for one seed, with known mistakes and their hints, or without.

    Args:
        assignment: the assignment.
        seed: that of the draws.
        hints: whether mistakes and hints go into it.
        follow: passes on what is made for each piece, and may show that.
        pack: as `pack_in_order`, in any order; it may keep what it makes.

    Raises:
        HandoutRefused: a check draws or answers with something that is no data.
    """
    pieces = pieces_of(assignment)
    made = sorted(follow(pack(pieces, seed, hints, symbols_of(pieces))), key=lambda each: each.number)
    files = {path: data for each in made for path, data in each.files.items()}
    return write_key(assignment.name, seed, files, list(dict.fromkeys(e.name for e, _ in pieces)))


def symbols_of(pieces: Sequence[Piece]) -> frozenset[str]:
    """The symbols of the exercises of a key."""
    return frozenset(exercise.symbol for exercise, _ in pieces)


def _pack(
    exercise: Exercise, sizes: Sequence[UsualSize], draws: Draws, hints: bool, symbols: frozenset[str]
) -> Packed:
    # Some mistakes draw random numbers; the same course has the same key.
    torch.manual_seed(draws.seed)
    name = "+".join((exercise.name, *(size.argument for size in sizes)))
    packed: dict[str, Any] = {}
    apart = draws.at_usual_sizes(sizes) if sizes else draws
    at = exercise.at_usual_sizes(sizes) if sizes else exercise
    for part, value in _parts(at, apart, hints, usual=bool(sizes)):
        packed |= pack_part(f"{name}/{part}", value)
    if parts := record_parts(at, apart, symbols, also_mistakes=not sizes):
        packed |= pack_part(f"{name}/{PARTS}", parts)
    return packed


def _sizes(exercise: Exercise) -> Iterator[tuple[UsualSize, ...]]:
    """The sizes at their usual values: none of them, then each alone. Few lack the arguments of two."""
    yield ()
    yield from ((size,) for size in exercise.options.sizes if size.is_usual)


def _parts(exercise: Exercise, draws: Draws, hints: bool, usual: bool) -> Iterator[tuple[str, Any]]:
    """The parts of an exercise; with `usual` sizes, without what code of another size needs seldom."""
    checks = [check for check in exercise.value_checks if draws.decidable(exercise, check)]
    examples = {check.name: draws.for_check(exercise, check) for check in checks}
    small = {check.name: draws.ladder(exercise, check, small_draws) for check in checks}
    further = {c.name: [] if usual else draws.ladder(exercise, c, further_draws) for c in checks}
    mapping = draws.mapping_draws(exercise)
    makers = {} if usual else mistakes(exercise.name, exercise.symbol)
    absent = usual_patterns(mapping[0], makers)[: FEW if usual else None] if mapping else []
    for example in (e for each in examples.values() for e in each):
        _complete(example.answer, absent)
    _complete(mapping, absent)
    for name, part in ((EXAMPLES, examples), (SMALL, small), (FURTHER, further)):
        yield name, {check: [(e.draw, e.answer) for e in each] for check, each in part.items()}
    if exercise.options.sizes and not usual:
        yield SIZES, draws.values_at_sizes(exercise)
    if mapping:
        yield MAPPING, _with_models(mapping, absent)
    if hints and (known := draws.known_mistakes(exercise)):
        absent_on = partial(_absent_on, known.draws, known.reference, absent)
        yield MISTAKES, store(known, absent_on, also_single=not usual)


def _absent_on(
    draws: Sequence[Any], reference: Any, absent: Sequence[Patterns], number: int
) -> list[frozenset[str]]:
    """The biases that modules may lack on a draw."""
    try:
        names = [name for name, _ in reference(**draws[number].config).named_parameters()] if absent else []
    except ValueError:
        return []
    return names_of(absent, names)


def _complete(value: Any, absent: Sequence[Patterns]) -> None:
    """Let every answer in a value compute now what it computes on first use."""
    if isinstance(value, Answers):
        for layout in HEAD_LAYOUTS:
            if layout not in value.kept:
                value.kept[layout] = value.compute(value.draw, value.reference, adapt=layout.adapt)
                _complete(value.kept[layout], absent[:FEW])
        _complete(value.kept[SEPARATE], absent)
    elif isinstance(value, ReferenceAnswer):
        for names in names_of(absent, list(value.parameters)):
            value.without(names)
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            _complete(part, absent)
    elif is_dataclass(value) and not isinstance(value, Tensor):
        for field in fields(value):
            _complete(getattr(value, field.name), absent)


def _with_models(mapping: Sequence[ReferenceAnswer], absent: Sequence[Patterns]) -> list[ReferenceAnswer]:
    """The answers to the mapping draws, the first of which has all that a search asks of the reference."""
    recipe = mapping[0].recipe
    assert recipe is not None
    layouts = HEAD_LAYOUTS if "lm_head.weight" in mapping[0].parameters else HEAD_LAYOUTS[:1]
    stored = {}
    for layout in layouts:
        recipe_of_layout = replace(recipe, adapt=layout.adapt)
        stored[getattr(layout.adapt, "__name__", "")] = _store(recipe_of_layout, mapping, absent)
    recipe = replace(recipe, stored=stored)
    return [replace(answer, recipe=recipe) for answer in mapping]


def _store(recipe: Recipe, mapping: Sequence[ReferenceAnswer], absent: Sequence[Patterns]) -> StoredModels:
    models = LiveModels(recipe, mapping)
    masked = [n for n, answer in enumerate(models.answers) if answer.draw.masked]
    numbers = dict.fromkeys([0, *masked[:1]])
    _complete(list(models.answers), absent)
    mistakes = []
    for mistake in models.mistakes():
        probes = {n: probe for n in numbers if (probe := mistake.probe(n)) is not None}
        sets = [frozenset[str](), *names_of(absent, list(models.answers[0].parameters))]
        outputs: dict[Any, Any] = {
            (n, s): Rounded(out) for n in probes for s in sets if (out := mistake.output(n, s)) is not None
        }
        if probes:
            mistakes.append(StoredMistake({n: _rounded(probe) for n, probe in probes.items()}, outputs))
    answers = [replace(answer, recipe=recipe) for answer in models.answers]
    right = {n: list(map(_rounded, models.right(n))) for n in numbers}
    return StoredModels(models.names, answers, right, mistakes)


def _rounded(probe: Probe) -> Probe:
    """A probe in float32: it is compared with others to a thousandth."""
    gradients: Any = {n: None if g is None else Rounded(g) for n, g in probe.gradients.items()}
    answer: Any = Rounded(probe.answer)
    return Probe(answer, gradients)
