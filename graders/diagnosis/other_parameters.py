"""Known mistakes, of a whole or of its parts, under which a module has other parameters than the reference.

On top of each, mistakes that change no parameter are looked for: code in which all heads share a projection
has its norms at the wrong place too.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any

from graders.candidate.parameter_mapping.mapping import Shapes, shapes_of
from graders.candidate.parameter_mapping.names import is_bias, says_gain
from graders.check_api.quick_linear import quick_linear
from graders.course.reference import copy_around, mistakes_in
from graders.diagnosis.combinations import Names, twins
from graders.diagnosis.combine import both
from graders.diagnosis.part_mistakes import overrides_methods_alone, symbol_of


@dataclass(frozen=True)
class Base:
    """The reference, or mistakes by which a module has other parameters.

    Attributes:
        symbol: the class that makes them, or the reference's function.
        shapes: those of its parameters, in the configuration of the first draw; {} for a function.
        own: the mistakes of the whole that can be made on top, by name.
        parts: the classes of parts that make a mistake already, by the names of the reference's.
    """

    symbol: Any
    shapes: Shapes = field(default_factory=dict)
    own: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, Any] = field(default_factory=dict)


class OtherParameters:
    """The mistakes of one exercise under which a module has other matrices or gains than the reference.

    Pairs are made where a module has as many values as they have.

    Args:
        name: that of the reference's class.
        reference: its class.
        mistakes: its mistakes by name, from one copy of their file.
        of_parts: those of its parts.
        config: the configuration of the first draw.
        alike: the names of parts that have the same parameters.
    """

    def __init__(
        self,
        name: str,
        reference: Any,
        mistakes: Mapping[str, Any],
        of_parts: Mapping[str, Any],
        config: Mapping[str, Any],
        alike: Sequence[set[str]] = (),
    ) -> None:
        self._alike = alike
        self._name, self._config, self._mistakes, self._of_parts = name, config, mistakes, of_parts
        due = _shapes(reference, config)
        shapes = {name: _shapes(mistake, config) for name, mistake in mistakes.items()}
        own = {name: mistake for name, mistake in mistakes.items() if shapes[name] == due}
        self.right = Base(reference, due, own)
        self._alone = self._new([(name,) for name in mistakes if name not in own])
        self._alone |= self._new(self._of_parts_alike())
        self._pairs: dict[Names, Base | None] = {}

    def fitting(self, shapes: Shapes) -> Iterator[tuple[Names, Base]]:
        """The mistakes, alone and then two at once, that have about as many values as a module has.

        Args:
            shapes: those of the module's parameters, in the configuration of the first draw.
        """
        yield from ((names, base) for names, base in self._alone.items() if _may_hold(shapes, base))
        more = _size(shapes, 2) - _size(self.right.shapes, 2)
        sizes = {n: _size(base.shapes, 2) - _size(self.right.shapes, 2) for n, base in self._alone.items()}
        for first, second in itertools.combinations(self._alone, 2):
            if sizes[first] + sizes[second] == more and self._may_be_at_once(first, second):
                names = (*first, *second)
                if names not in self._pairs:
                    self._pairs[names] = self._new([names]).get(names)
                base = self._pairs[names]
                if base and _may_hold(shapes, base):
                    yield names, base

    def _new(self, several: Iterable[Names]) -> dict[Names, Base]:
        """The bases that make these mistakes; without those that have the matrices of the reference."""
        due = _matrices(self.right.shapes)
        made = {names: self._make(names) for names in several}
        return {names: base for names, base in made.items() if base and _matrices(base.shapes) != due}

    def _of_parts_alike(self) -> list[Names]:
        """The mistakes of parts that are constructed in another way; both make one that they share."""
        names = [name for name, mistake in self._of_parts.items() if not overrides_methods_alone(mistake)]
        shared = twins(names, self._alike)
        return [*((name,) for name in names if not any(name in pair for pair in shared)), *shared]

    def _may_be_at_once(self, first: Names, second: Names) -> bool:
        """Whether one of them is the whole's, or both are of one part or of parts that are alike."""
        a, b = ({name.partition("__")[0] for name in names} for names in (first, second))
        return self._name in a | b or a == b or any(a | b <= parts for parts in self._alike)

    def _make(self, names: Names) -> Base | None:
        """The base that makes these mistakes; None where they do not go together."""
        symbol, mistakes = self.right.symbol, self._mistakes
        parts: Mapping[str, Any] = {}
        if of_parts := [self._of_parts[name] for name in names if name in self._of_parts]:
            around = around_parts(self._name, symbol, of_parts)
            if around is None:
                return None
            symbol, mistakes, parts = around
        made = [mistakes[name] for name in names if name in mistakes]
        symbol = reduce(partial(both, self._name), made) if made else symbol
        shapes = _shapes(symbol, self._config) if symbol else {}
        own = {name: mistake for name, mistake in mistakes.items() if overrides_methods_alone(mistake)}
        return Base(symbol, shapes, own, parts) if shapes else None


def around_parts(
    name: str, reference: Any, of_parts: Sequence[Any]
) -> tuple[Any, Mapping[str, Any], Mapping[str, Any]] | None:
    """A copy of a whole that constructs mistakes of its parts, its mistakes, and the classes of these parts.

    None where the mistakes do not go together, or the whole has no such parts.

    Args:
        name: that of the whole's class.
        reference: its class.
        of_parts: the classes of the mistakes.
    """
    by_part: dict[str, list[Any]] = {}
    for mistake in of_parts:
        by_part.setdefault(symbol_of(mistake), []).append(mistake)
    parts = {part: reduce(partial(both, part), several) for part, several in by_part.items()}
    if not all(parts.values()):
        return None
    around = copy_around(reference.__module__.partition(".")[2], parts)
    return None if around is None else (around[name], mistakes_in(around, name), parts)


def _may_hold(theirs: Shapes, base: Base) -> bool:
    """Whether a module with these parameters may be the base's, as far as their sizes tell."""
    gains = {name: shape for name, shape in theirs.items() if len(shape) == 1 and says_gain(name)}
    if _size(gains) > _size(_gains(base.shapes)) or (
        base.parts and _size(theirs, 2) != _size(base.shapes, 2)
    ):
        return False
    return _size(base.shapes, 2) <= _size(theirs) and _size(theirs, 2) <= _size(base.shapes)


def _shapes(symbol: Any, config: Mapping[str, Any]) -> Shapes:
    try:
        with quick_linear():
            return shapes_of(dict(symbol(**config).named_parameters()))
    except Exception:  # some mistakes refuse what the reference takes
        return {}


def _matrices(shapes: Shapes) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The matrices and gains of norms among parameters: missing biases are no parameters of another kind."""
    return tuple((name, shape) for name, shape in shapes.items() if not is_bias(name, shape))


def _gains(shapes: Shapes) -> Shapes:
    return {name: shape for name, shape in shapes.items() if len(shape) == 1 and not is_bias(name, shape)}


def _size(shapes: Shapes, axes: int = 0) -> int:
    return sum(math.prod(shape) for shape in shapes.values() if len(shape) >= axes)
