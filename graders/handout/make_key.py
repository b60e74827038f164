"""Make an answer key: all that grading under one seed asks the references, asked in advance."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from graders.answer_key.answer_key import EXAMPLES, FURTHER, MAPPING, MISTAKES, SMALL, write_key
from graders.answer_key.pack import NotPackable
from graders.candidate.parameter_mapping.names import is_bias
from graders.candidate.parameter_mapping.reference_models import LiveModels, StoredMistake, StoredModels
from graders.check_api.head_layouts import HEAD_LAYOUTS, Answers
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.check_api.usual_sizes import UsualSize
from graders.course.exercise import Assignment, Exercise
from graders.diagnosis.stored_mistakes import store
from graders.handout.refused import Refused
from graders.judging.drawing import further_draws, small_draws
from graders.judging.draws import Draws
from graders.language import tr

MOST_ABSENT = 16  # sets of biases that modules may lack, for which answers are stored
THREE = 3  # the first layers of an attention make queries, keys and values


def make_key(assignment: Assignment, seed: int, hints: bool = True) -> bytes:
    """The answer key of an assignment for one seed, with known mistakes and their hints, or without.

    Raises:
        Refused: a check draws or answers with something that is no data.
    """
    draws, parts = Draws(seed), dict[str, Any]()
    # Some mistakes draw random numbers; the same course has the same key.
    torch.manual_seed(seed)
    for exercise in assignment.exercises:
        for sizes in _sizes(exercise) if exercise.rule is None else ():
            name = "+".join((exercise.name, *(size.argument for size in sizes)))
            apart = draws.at_usual_sizes(sizes) if sizes else draws
            made = _parts(exercise.at_usual_sizes(sizes) if sizes else exercise, apart)
            parts |= {f"{name}/{part}": value for part, value in made if hints or part != MISTAKES}
    try:
        return write_key(assignment.name, seed, parts)
    except NotPackable as error:
        message = tr("a key holds data alone, but a check draws or answers with {type}", type=error)
        raise Refused(message) from error


def _sizes(exercise: Exercise) -> Iterator[Sequence[UsualSize]]:
    for count in range(len(exercise.sizes) + 1):
        yield from combinations(exercise.sizes, count)


def _parts(exercise: Exercise, draws: Draws) -> Iterator[tuple[str, Any]]:
    checks = [check for check in exercise.checks if draws.decidable(exercise, check)]
    examples = {check.name: draws.for_check(exercise, check) for check in checks}
    small = {check.name: draws.ladder(exercise, check, small_draws) for check in checks}
    further = {check.name: draws.ladder(exercise, check, further_draws) for check in checks}
    mapping = draws.mapping_draws(exercise)
    absent = absent_sets(mapping[0]) if mapping else []
    for example in (e for each in examples.values() for e in each):
        _complete(example.answer, absent)
    _complete(mapping, absent)
    for name, part in ((EXAMPLES, examples), (SMALL, small), (FURTHER, further)):
        yield name, {check: [(e.draw, e.answer) for e in each] for check, each in part.items()}
    if mapping:
        yield MAPPING, _with_models(mapping, absent)
    if known := draws.known_mistakes(exercise):
        yield MISTAKES, store(known, partial(_absent_on, known.draws, known.reference, absent))


def _absent_on(
    draws: Sequence[Any], reference: Any, absent: Sequence[frozenset[str]], number: int
) -> list[frozenset[str]]:
    """The biases that modules may lack on a draw."""
    try:
        names = [name for name, _ in reference(**draws[number].config).named_parameters()] if absent else []
    except ValueError:
        return []
    sets = (frozenset(n for n in names if _pattern(n) in patterns) for patterns in absent)
    return [each for each in dict.fromkeys(sets) if each]


def absent_sets(answer: ReferenceAnswer) -> list[frozenset[str]]:
    """The patterns of biases that modules lack most often: all, those of one layer, or of a part."""
    shapes = {name: tuple(value.shape) for name, value in answer.parameters.items()}
    biases = [name for name, shape in shapes.items() if is_bias(name, shape)]
    linear = [name for name in biases if len(shapes.get(name.removesuffix("bias") + "weight", ())) > 1]
    patterns = list(dict.fromkeys(map(_pattern, linear)))
    parents = dict.fromkeys(pattern.rpartition(".")[0].rpartition(".")[0] for pattern in patterns)
    parts = [[p for p in patterns if p.startswith(parent)] for parent in parents]
    sets = [
        patterns,
        list(map(_pattern, biases)),
        *(part[:THREE] for part in parts),
        *parts,
        *([p] for p in patterns),
    ]
    return list(dict.fromkeys(frozenset(each) for each in sets if each))[:MOST_ABSENT]


def _pattern(name: str) -> str:
    """The name with a star for the number of a layer."""
    return re.sub(r"(?:(?<=\.)|^)\d+(?=\.)", "*", name)


def _complete(value: Any, absent: Sequence[frozenset[str]]) -> None:
    """Let every answer in a value compute now what it computes on first use."""
    if isinstance(value, Answers):
        for layout in HEAD_LAYOUTS:
            if layout not in value.kept:
                value.kept[layout] = value.compute(value.draw, value.reference, adapt=layout.adapt)
    if isinstance(value, ReferenceAnswer):
        for names in _names_absent(value, absent):
            value.without(names)
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            _complete(part, absent)
    elif is_dataclass(value) and not isinstance(value, Tensor):
        for field in fields(value):
            _complete(getattr(value, field.name), absent)


def _names_absent(answer: ReferenceAnswer, absent: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    sets = (frozenset(n for n in answer.parameters if _pattern(n) in patterns) for patterns in absent)
    return [names for names in dict.fromkeys(sets) if names]


def _with_models(
    mapping: Sequence[ReferenceAnswer], absent: Sequence[frozenset[str]]
) -> list[ReferenceAnswer]:
    """The answers to the mapping draws, the first of which has all that a search asks of the reference."""
    recipe = mapping[0].recipe
    assert recipe is not None
    layouts = HEAD_LAYOUTS if recipe.reference.__name__ == "GPTModel" else HEAD_LAYOUTS[:1]
    stored = {}
    for layout in layouts:
        recipe_of_layout = replace(recipe, adapt=layout.adapt)
        stored[getattr(layout.adapt, "__name__", "")] = _store(recipe_of_layout, mapping, absent)
    recipe = replace(recipe, stored=stored)
    return [replace(answer, recipe=recipe) for answer in mapping]


def _store(
    recipe: Recipe, mapping: Sequence[ReferenceAnswer], absent: Sequence[frozenset[str]]
) -> StoredModels:
    models = LiveModels(recipe, mapping)
    masked = [n for n, answer in enumerate(models.answers) if answer.draw.masked]
    numbers = dict.fromkeys([0, *masked[:1]])
    _complete(list(models.answers), absent)
    mistakes = []
    for mistake in models.mistakes():
        probes = {n: probe for n in numbers if (probe := mistake.probe(n)) is not None}
        sets = [frozenset[str](), *_names_absent(models.answers[0], absent)]
        outputs = {(n, s): out for n in probes for s in sets if (out := mistake.output(n, s)) is not None}
        if probes:
            mistakes.append(StoredMistake(probes, outputs))
    answers = [replace(answer, recipe=recipe) for answer in models.answers]
    return StoredModels(models.names, answers, {n: list(models.right(n)) for n in numbers}, mistakes)
