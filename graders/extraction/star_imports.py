"""Which names `from module import *` brings from the modules that were handed in."""

import ast
from collections.abc import Mapping, Sequence

from graders.extraction.local_imports import Sibling, dotted, sibling
from graders.extraction.statements import Unit, is_star
from graders.submission.decode import Kind

FOLLOWED = 100  # modules that a star leads to, one after the other

Units = Mapping[str, Sequence[Unit]]


def star_names(kinds: Mapping[str, Kind], units: Units) -> dict[str, dict[int, frozenset[str]]]:
    """For each file, the names that its star imports of siblings bring, by the index of the import."""
    modules = frozenset(path for path, kind in kinds.items() if kind == "module")
    sources = {path: _sources(path, kinds[path], units[path], modules) for path in units}
    public = {path: _public(path, sources, units) for path in modules}
    return {path: {at: public[source] for at, source in imports.items()} for path, imports in sources.items()}


def _sources(path: str, kind: Kind, units: Sequence[Unit], modules: frozenset[str]) -> dict[int, str]:
    origin = Sibling("__main__" if kind == "notebook" else dotted(path), path)
    paths: dict[int, str] = {}
    for unit in units:
        if isinstance(unit.node, ast.ImportFrom) and is_star(unit.node):
            source = sibling(modules, origin, unit.node.module or "", unit.node.level)
            if source and source.path and source.path != path:
                paths[unit.index] = source.path
    return paths


def _public(path: str, sources: Mapping[str, Mapping[int, str]], units: Units) -> frozenset[str]:
    """A module's own public names, and those that it has by a star itself."""
    reached = [path]
    for module in reached:  # grows on the way
        reached += sorted(set(sources[module].values()).difference(reached))
        if len(reached) > FOLLOWED:
            break
    names = (name for module in reached for unit in units[module] for name in unit.names.binds)
    return frozenset(name for name in names if not name.startswith("_"))
