"""Index the statements of one file by the names that they bind and change."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from graders.extraction.name_usage import IMPORTS
from graders.extraction.statements import DEFINITIONS, Unit, is_main_guard, magic_call
from graders.submission.decode import Kind

Index = dict[str, list[int]]


@dataclass(frozen=True, eq=False)
class CodeFile:
    """One file: its units, and the indices of those that bind and change each name, in order.

    `definers` are the `binders` that define a callable (`find_definers`). `stars` maps each star import of a
    handed-in module to the names that it binds. Units of a module under
    `if __name__ == "__main__":` are binders only of names that nothing else binds. `written` is its
    rank in time among the submission's files, where that is known.
    """

    path: str
    kind: Kind
    units: tuple[Unit, ...] = ()
    binders: Index = field(default_factory=dict)
    definers: Index = field(default_factory=dict)
    changers: Index = field(default_factory=dict)
    stars: dict[int, frozenset[str]] = field(default_factory=dict)
    certain: dict[tuple[int, str], bool] = field(default_factory=dict)  # cache for `find_reaching`
    written: int | None = None

    @property
    def end(self) -> int:
        """The position after all units."""
        return len(self.units)

    def definitions(self) -> list[Unit]:
        """The functions and classes at module scope."""
        return [unit for unit in self.units if isinstance(unit.node, DEFINITIONS)]

    def is_definer(self, at: int, name: str) -> bool:
        """Whether the unit at `at` binds `name` to a callable."""
        return contains(self.definers.get(name, []), at)


def contains(places: Sequence[int], at: int) -> bool:
    """Whether a sorted sequence contains `at`."""
    position = bisect_left(places, at)
    return position < len(places) and places[position] == at


def index_definitions(
    path: str,
    kind: Kind,
    units: Sequence[Unit],
    stars: dict[int, frozenset[str]],
    overruled: dict[int, frozenset[str]],
    written: int | None,
) -> CodeFile:
    """Index a file, without its `definers`.

    `stars` are the names that each star import of a module binds, `overruled` the names that an import does
    not bind; `written` as in `CodeFile`.
    """
    alive = [unit for unit in units if magic_call(unit.node) is None]
    guarded = _find_guarded(kind, units)
    outside = _index(
        (u, (u.names.binds | stars.get(u.index, frozenset())) - overruled.get(u.index, frozenset()))
        for u in alive
        if u.index not in guarded
    )
    inside = _index((u, u.names.binds) for u in alive if u.index in guarded)
    modules = frozenset(chain.from_iterable(u.names.binds for u in alive if isinstance(u.node, IMPORTS)))
    changers = _index((unit, unit.names.changes | (unit.names.touches - modules)) for unit in alive)
    return CodeFile(
        path=path,
        kind=kind,
        units=tuple(units),
        binders=inside | outside,
        definers={},
        changers=changers,
        stars=stars,
        written=written,
    )


def _index(pairs: Iterable[tuple[Unit, frozenset[str]]]) -> Index:
    index: Index = {}
    for unit, names in pairs:
        for name in names:
            index.setdefault(name, []).append(unit.index)
    return index


def _find_guarded(kind: Kind, units: Sequence[Unit]) -> frozenset[int]:
    if kind == "notebook":
        return frozenset()
    guards = {unit.index for unit in units if is_main_guard(unit.node)}
    return frozenset(unit.index for unit in units if any(step.header in guards for step in unit.within))
