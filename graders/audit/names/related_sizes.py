"""Sizes that are simple functions of one another in all draws by which mistakes are named.

Where every length is the width of a head and 1, `sqrt(d + 1)` answers as `sqrt(S)` does, and one is told as
the other.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from torch import Tensor

from graders.diagnosis.fingerprint import is_behaviour_trial
from graders.language import tr

Sizes = dict[str, int]
LEAST = 3  # draws that have both sizes
RELATIONS: tuple[tuple[str, Callable[[int, int], bool]], ...] = (
    ("{other}", lambda size, other: size == other),
    ("{other} + 1", lambda size, other: size == other + 1),
    ("2 * {other}", lambda size, other: size == 2 * other),
)


def related_sizes(diagnostic: Sequence[Any], fresh: Sequence[Any]) -> list[str]:
    """A sentence for each size that follows from another in all diagnostic draws, and does not in general.

    Args:
        diagnostic: the draws by which mistakes are named.
        fresh: draws of the checks, which have all sizes that the contract allows.
    """
    if not diagnostic or is_behaviour_trial(diagnostic[0]):
        return []
    general = list(map(sizes_of, fresh))
    found: dict[str, None] = {}
    for draws, names in (diagnostic, None), (_of_first_configuration(diagnostic), _free(diagnostic, general)):
        here = list(map(sizes_of, draws))
        found |= dict.fromkeys(_relations(here, general, names))
    return [
        tr(
            "in all diagnostic draws, or all of the first configuration, {relation}: give one another size,"
            " since code with one in the place of the other is named falsely",
            relation=relation,
        )
        for relation in found
    ]


def _relations(here: list[Sizes], general: list[Sizes], names: set[str] | None) -> Iterator[str]:
    """Each relation of two sizes that always holds here; one is among `names`, where these are given."""
    for size, other in itertools.permutations(here[0], 2):
        if names is not None and not {size, other} & names:
            continue
        for text, holds in RELATIONS:
            if size > other and text == "{other}":
                continue  # said once
            if _always(here, size, other, holds) and _fails(general, size, other, holds):
                yield f"{size} = {text.format(other=other)}"


def _of_first_configuration(draws: Sequence[Any]) -> list[Any]:
    """A mistake that explains all of these is named, though draws of other configurations may not show it."""
    return [draw for draw in draws if getattr(draw, "config", None) == getattr(draws[0], "config", None)]


def _free(draws: Sequence[Any], general: list[Sizes]) -> set[str]:
    """The sizes that no configuration determines; none for functions, whose draws all count."""
    config = list(getattr(draws[0], "config", ()))
    axes = [name for name in sizes_of(draws[0]) if "[" in name]
    fixed = {a for a in axes for c in config if _always(general, a, c, lambda size, other: size == other)}
    return set(axes) - fixed if config else set()


def sizes_of(draw: Any) -> Sizes:
    """The sizes of a draw: those of its configuration, of its arguments' axes, and of a head."""
    found: Sizes = {}
    config: Mapping[str, Any] = getattr(draw, "config", {})
    for field in fields(draw):
        value = getattr(draw, field.name)
        if isinstance(value, Tensor):
            # Axis 0 of three is not axis 0 of two.
            found |= {f"{field.name}.shape[{n}] of {value.dim()}": size for n, size in enumerate(value.shape)}
        elif isinstance(value, int) and not isinstance(value, bool) and field.name != "seed":
            found[field.name] = value
    found |= {n: v for n, v in config.items() if isinstance(v, int) and not isinstance(v, bool)}
    heads = config.get("num_heads")
    for width in ("embed_dim", "hidden_size"):
        if heads and config.get(width) and config[width] % heads == 0:
            found[f"{width} / num_heads"] = config[width] // heads
    return found


def _always(draws: Sequence[Sizes], size: str, other: str, holds: Callable[[int, int], bool]) -> bool:
    both = [(sizes[size], sizes[other]) for sizes in draws if size in sizes and other in sizes]
    return len(both) >= LEAST and all(holds(a, b) for a, b in both)


def _fails(draws: Sequence[Sizes], size: str, other: str, holds: Callable[[int, int], bool]) -> bool:
    """Whether a relation does not hold in some draw: else it may be the contract's."""
    return any(not holds(sizes[size], sizes[other]) for sizes in draws if size in sizes and other in sizes)
