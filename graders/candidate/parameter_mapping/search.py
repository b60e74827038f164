"""Look for a rule: every way in which parameters of these shapes can hold those of the reference.

Likely ways come first: names that mean the same, the order of declaration, matrices as nn.Linear keeps
them. What is returned in the end was proven by the module's answers, never by its names.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import torch

from graders.candidate.parameter_mapping.layouts import FORMS, Layout
from graders.candidate.parameter_mapping.mapping import (
    HEAD,
    LAYER,
    ParameterMapping,
    ParameterRule,
    Shape,
    Shapes,
)

MOST = 600  # ways that are tried
STEPS = 20_000  # parameters that are matched in all, on the way to those and in vain
_MEANS = {
    "q": "q query queries wq qproj",
    "k": "k key keys wk kproj",
    "v": "v value values val wv vproj",
    "o": "o out output wo proj projection dense oproj",
    "1": "1 first up expand in inner intermediate",
    "2": "2 second down contract",
    "attention": "attention attn att mha sa self msa attentions",
    "ff": "ff ffn feed forward mlp feedforward fc",
    "norm": "norm ln layernorm norms",
    "word": "word words token tokens tok wte vocab",
    "position": "position positions positional pos wpe pe",
    "segment": "segment segments seg type types sentence",
    "head": "head lm decoder logits unembed",
    "weight": "weight w gamma gain scale g",
    "bias": "bias b beta shift offset",
}
_WORD = {word: meaning for meaning, words in _MEANS.items() for word in words.split()}


class TooMany(Exception):
    """There are more ways than can be tried."""


def by_name(found: Shapes, expected: Shapes) -> bool:
    """Whether all of the reference's parameters are there by name, in their shapes."""
    return all(found.get(name) == shape for name, shape in expected.items())


def search(
    ways: Iterable[ParameterMapping], proves: Callable[[ParameterMapping], bool]
) -> ParameterMapping | None:
    """The first rule for which `proves` holds; else the likeliest, unproven; None where there are none.

    Args:
        ways: the likeliest first, see `ways`; at most `MOST` are tried.
        proves: whether the student's module, loaded by a rule, answers as the reference does.
    """
    likeliest: ParameterMapping | None = None
    try:
        for number, rule in enumerate(ways):
            likeliest = likeliest or rule
            if number == MOST:
                raise TooMany
            if proves(rule):
                return replace(rule, proven=True)
    except TooMany:
        return likeliest and replace(likeliest, complete=False)
    return likeliest


def ways(found: Shapes, expected: Shapes, heads: int, layers: int) -> Iterator[ParameterMapping]:
    """Every way in which the student's parameters can hold the reference's, the likeliest first.

    Args:
        found: the student's parameters, at a configuration whose sizes are all different.
        expected: the reference's.
        heads: H, or 1 where there are none.
        layers: how many equal layers there are, or 0.

    Raises:
        TooMany: on the way to the next one.
    """
    theirs, ours = _patterns(found, heads, layers), _patterns(expected, 0, layers)
    if sum(map(_count, theirs.values())) == sum(map(_count, ours.values())):
        for turned in (False, True):
            options = {name: _options(name, shape, ours, heads, turned) for name, shape in theirs.items()}
            if all(options.values()):
                yield from map(
                    ParameterMapping, _covers(list(theirs), options, frozenset(ours), (), Steps(STEPS))
                )


@dataclass
class Steps:
    """How many steps of a search are left: dead ends count too."""

    left: int


def _covers(
    names: list[str],
    options: Mapping[str, list[ParameterRule]],
    unused: frozenset[str],
    done: tuple[ParameterRule, ...],
    steps: Steps,
) -> Iterator[tuple[ParameterRule, ...]]:
    """Every way in which the named parameters hold all that is unused, each once."""
    if not names:
        if not unused:
            yield done
        return
    name, *rest = names
    partner = next((recipe for recipe in done if _layer(recipe.name) == _layer(name)), None)
    for recipe in options[name]:
        free = unused.issuperset(recipe.sources)
        if free and (partner is None or _layers(partner) == _layers(recipe)):
            steps.left -= 1
            if steps.left < 0:
                raise TooMany
            yield from _covers(rest, options, unused.difference(recipe.sources), (*done, recipe), steps)


def _options(name: str, shape: Shape, ours: Shapes, heads: int, turned: bool) -> list[ParameterRule]:
    """What one parameter may hold, the likeliest first."""
    options = []
    inside = {n: s for n, s in ours.items() if (LAYER in n) is (LAYER in name)}
    for one in dict.fromkeys(inside.values()):
        alike = [n for n, s in inside.items() if s == one]
        for count, forms in FORMS.items():
            parts = [torch.empty(one)] * count
            fitting = _oriented([form for form in forms if form.fits(parts, heads, shape)], turned)
            for sources in itertools.permutations(alike, count) if fitting else ():
                options += [ParameterRule(name, sources, form) for form in fitting]
    return sorted(options, key=lambda recipe: -_likeness(recipe))


def _oriented(forms: list[Layout], turned: bool) -> list[Layout]:
    """Where a square matrix could stand either way, only one way."""
    if {form.turned for form in forms} == {True, False}:
        return [form for form in forms if form.turned is turned]
    return forms


def _likeness(recipe: ParameterRule) -> float:
    """How many words of the names mean the same, on average over the sources."""
    theirs = _meanings(recipe.name)
    shares = [len(theirs & (ours := _meanings(source))) / len(ours) for source in recipe.sources]
    return sum(shares) / len(shares)


def _meanings(name: str) -> frozenset[str]:
    # nn.MultiheadAttention's in_proj is neither a first layer nor the output's projection.
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d", name.replace("in_proj", ""))
    return frozenset(_WORD.get(word.lower(), word.lower()) for word in words)


def _layers(recipe: ParameterRule) -> list[str]:
    return [_layer(source) for source in recipe.sources]


def _layer(name: str) -> str:
    """The name without its last word: what a weight and its bias have in common."""
    return re.sub(r"[._]?(weight|bias)$", "", name)


def _patterns(shapes: Shapes, heads: int, layers: int) -> dict[str, Shape]:
    """The parameters with equal layers and equal heads under one name each; a head's become (H, *shape)."""
    made: dict[str, Shape] = {}
    for name, shape in shapes.items():
        pattern = _starred(name, shapes, layers, LAYER) if layers else name
        full = _starred(pattern, shapes, heads, HEAD) if heads > 1 else pattern
        made.setdefault(full, (heads, *shape) if HEAD in full else shape)
    return made


def _starred(name: str, shapes: Shapes, count: int, mark: str) -> str:
    """The name with `mark` for the first number that counts through `count` equal parts."""
    steps = name.split(".")
    for place, step in enumerate(steps):
        if step.isdigit():
            front = [s if s != LAYER else "0" for s in steps[:place]]
            if _repeats(".".join(front), shapes, count):
                return ".".join([*steps[:place], mark, *steps[place + 1 :]])
    return name


def _repeats(front: str, shapes: Shapes, count: int) -> bool:
    inside: dict[str, dict[str, Shape]] = {}
    for name, shape in shapes.items():
        if not front or name.startswith(f"{front}."):
            number, _, rest = name[len(front) + bool(front) :].partition(".")
            inside.setdefault(number, {})[rest] = shape
    return list(inside) == [str(n) for n in range(count)] and all(
        part == inside["0"] for part in inside.values()
    )


def _count(shape: Shape) -> int:
    return int(torch.Size(shape).numel())
