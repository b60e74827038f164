"""Searches all mappings by which parameters of these shapes can hold those of the reference.

Likely mappings come first: names that mean the same, the order of declaration, matrices as nn.Linear keeps
them. A mapping is only called proven because of the module's answers, never because of its names.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import torch

from graders.candidate.parameter_mapping.layouts import LAYOUTS, Layout
from graders.candidate.parameter_mapping.mapping import (
    HEAD,
    LAYER,
    ParameterMapping,
    ParameterRule,
    Shape,
    Shapes,
)

MOST_TRIED = 600  # mappings that are tried at most
MAX_STEPS = 20_000  # parameters that the search matches at most, dead ends included
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


class SearchTooLong(Exception):
    """There are more mappings than may be tried."""


def has_all_by_name(actual: Shapes, expected: Shapes) -> bool:
    """Whether all of the reference's parameters are there under their names and in their shapes."""
    return all(actual.get(name) == shape for name, shape in expected.items())


def find_mapping(
    mappings: Iterable[ParameterMapping], proves: Callable[[ParameterMapping], bool]
) -> ParameterMapping | None:
    """The first mapping for which `proves` holds; else the likeliest, unproven; None where there are none.

    Args:
        mappings: the likeliest first, see `possible_mappings`; at most `MOST_TRIED` are tried.
        proves: whether the student's module, loaded by a mapping, gives the reference's answers.
    """
    likeliest: ParameterMapping | None = None
    try:
        for number, mapping in enumerate(mappings):
            likeliest = likeliest or mapping
            if number == MOST_TRIED:
                raise SearchTooLong
            if proves(mapping):
                return replace(mapping, proven=True)
    except SearchTooLong:
        return likeliest and replace(likeliest, complete=False)
    return likeliest


def possible_mappings(
    actual: Shapes, expected: Shapes, heads: int, layers: int
) -> Iterator[ParameterMapping]:
    """Every mapping by which the student's parameters can hold the reference's, the likeliest first.

    Args:
        actual: the student's parameters, at a configuration whose sizes are all different.
        expected: the reference's.
        heads: H, or 1 where there are none.
        layers: the number of equal layers, or 0.

    Raises:
        SearchTooLong: the search for the next mapping takes too many steps.
    """
    theirs, ours = _patterns(actual, heads, layers), _patterns(expected, 0, layers)
    if sum(map(_count, theirs.values())) == sum(map(_count, ours.values())):
        for transposed in (False, True):
            options = {name: _options(name, shape, ours, heads, transposed) for name, shape in theirs.items()}
            if all(options.values()):
                yield from map(
                    ParameterMapping, _complete(list(theirs), options, frozenset(ours), (), Steps(MAX_STEPS))
                )


@dataclass
class Steps:
    """The number of steps that the search has left; dead ends count too."""

    left: int


def _complete(
    names: list[str],
    options: Mapping[str, list[ParameterRule]],
    unused: frozenset[str],
    done: tuple[ParameterRule, ...],
    steps: Steps,
) -> Iterator[tuple[ParameterRule, ...]]:
    """Every way to complete `done`: the named parameters hold all unused ones of the reference, each once."""
    if not names:
        if not unused:
            yield done
        return
    name, *rest = names
    partner = next((rule for rule in done if _name_of_layer(rule.name) == _name_of_layer(name)), None)
    for rule in options[name]:
        free = unused.issuperset(rule.sources)
        if free and (partner is None or _layers_of_sources(partner) == _layers_of_sources(rule)):
            steps.left -= 1
            if steps.left < 0:
                raise SearchTooLong
            yield from _complete(rest, options, unused.difference(rule.sources), (*done, rule), steps)


def _options(name: str, shape: Shape, ours: Shapes, heads: int, transposed: bool) -> list[ParameterRule]:
    """The rules that are possible for one parameter, the likeliest first."""
    options = []
    inside = {n: s for n, s in ours.items() if (LAYER in n) is (LAYER in name)}
    for source_shape in dict.fromkeys(inside.values()):
        sources_of_shape = [n for n, s in inside.items() if s == source_shape]
        for count, layouts in LAYOUTS.items():
            parts = [torch.empty(source_shape)] * count
            fitting = [layout for layout in layouts if layout.fits(parts, heads, shape)]
            fitting = _keep_one_orientation(fitting, transposed)
            for sources in itertools.permutations(sources_of_shape, count) if fitting else ():
                options += [ParameterRule(name, sources, layout) for layout in fitting]
    return sorted(options, key=lambda rule: -_similarity_of_names(rule))


def _keep_one_orientation(layouts: list[Layout], transposed: bool) -> list[Layout]:
    """Where a square matrix fits transposed or not, keep only the asked orientation."""
    if {layout.transposed for layout in layouts} == {True, False}:
        return [layout for layout in layouts if layout.transposed is transposed]
    return layouts


def _similarity_of_names(rule: ParameterRule) -> float:
    """The share of words in the names that mean the same, on average over the sources."""
    theirs = _meanings(rule.name)
    shares = [len(theirs & (ours := _meanings(source))) / len(ours) for source in rule.sources]
    return sum(shares) / len(shares)


def _meanings(name: str) -> frozenset[str]:
    # nn.MultiheadAttention's in_proj is neither a first layer nor the output's projection.
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d", name.replace("in_proj", ""))
    return frozenset(_WORD.get(word.lower(), word.lower()) for word in words)


def _layers_of_sources(rule: ParameterRule) -> list[str]:
    return [_name_of_layer(source) for source in rule.sources]


def _name_of_layer(name: str) -> str:
    """The name without `weight` or `bias`: the same for the two parameters of a layer."""
    return re.sub(r"[._]?(weight|bias)$", "", name)


def _patterns(shapes: Shapes, heads: int, layers: int) -> dict[str, Shape]:
    """The parameters by pattern: equal layers share one, and equal heads, whose shape becomes (H, *shape)."""
    patterns: dict[str, Shape] = {}
    for name, shape in shapes.items():
        pattern = _replace_number(name, shapes, layers, LAYER) if layers else name
        full = _replace_number(pattern, shapes, heads, HEAD) if heads > 1 else pattern
        patterns.setdefault(full, (heads, *shape) if HEAD in full else shape)
    return patterns


def _replace_number(name: str, shapes: Shapes, count: int, mark: str) -> str:
    """The name with `mark` in place of its first number that numbers `count` equal parts."""
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
