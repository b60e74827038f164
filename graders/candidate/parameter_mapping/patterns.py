"""Names of parameters as patterns: `*` for the number of a layer, `#` for the number of a head.

Equal layers share a pattern, and equal heads, so that what holds for one configuration holds for all.
"""

import re
from collections.abc import Callable

from graders.candidate.parameter_mapping.mapping import HEAD, LAYER, Shape, Shapes

Fits = Callable[[str, Shape], bool]


def patterns(shapes: Shapes, heads: int, layers: int, fits: Fits = lambda *_: True) -> dict[str, Shape]:
    """The parameters by pattern; where heads are numbered, the shape is that of all: (H, *shape).

    Args:
        shapes: the parameters of a module.
        heads: H; 1 where heads are not numbered.
        layers: the number of equal layers, or 0.
        fits: whether a parameter of this pattern and shape is possible: a list of H equal layers need not be
            a list of heads.
    """
    by_pattern: dict[str, Shape] = {}
    for name, shape in shapes.items():
        pattern = _replace_number(name, shapes, layers, LAYER) if layers else name
        full = _replace_number(pattern, shapes, heads, HEAD) if heads > 1 else pattern
        if HEAD in full and not fits(full, (heads, *shape)):
            full = pattern
        by_pattern.setdefault(full, (heads, *shape) if HEAD in full else shape)
    return by_pattern


def full_names(pattern: str, heads: int, layers: int) -> list[list[str]]:
    """The names that a pattern stands for: a list per layer, of one name per head (or of one name)."""
    by_layer = (
        [pattern.replace(LAYER, str(layer)) for layer in range(layers)] if LAYER in pattern else [pattern]
    )
    return [
        [name.replace(HEAD, str(head)) for head in range(heads)] if HEAD in name else [name]
        for name in by_layer
    ]


def _replace_number(name: str, shapes: Shapes, count: int, mark: str) -> str:
    """The name with `mark` in place of its first number that numbers `count` equal parts."""
    steps = re.split(r"(\d+)", name)
    for place in range(1, len(steps), 2):
        if _repeats("".join(steps[:place]).replace(LAYER, "0"), shapes, count):
            return "".join([*steps[:place], mark, *steps[place + 1 :]])
    return name


def _repeats(front: str, shapes: Shapes, count: int) -> bool:
    inside: dict[str, dict[str, Shape]] = {}
    for name, shape in shapes.items():
        match = re.match(r"\d+", name[len(front) :]) if name.startswith(front) else None
        if match:
            inside.setdefault(match[0], {})[name[len(front) + match.end() :]] = shape
    return list(inside) == [str(n) for n in range(count)] and all(
        part == inside["0"] for part in inside.values()
    )
