"""Find the names that `from module import *` binds, for handed-in modules."""

import ast
from collections.abc import Mapping, Sequence

from graders.extraction.local_imports import LocalModule, find_module, module_name
from graders.extraction.statements import Unit, is_star
from graders.submission.decode import Kind

FOLLOWED = 100  # modules followed in a chain of star imports

Units = Mapping[str, Sequence[Unit]]


def star_names(kinds: Mapping[str, Kind], units: Units) -> dict[str, dict[int, frozenset[str]]]:
    """For each file, the names that its star imports of handed-in modules bind, by index of the import."""
    modules = frozenset(path for path, kind in kinds.items() if kind == "module")
    sources = {path: _sources(path, kinds[path], units[path], modules) for path in units}
    public = {path: _public(path, sources, units) for path in modules}
    return {path: {at: public[source] for at, source in imports.items()} for path, imports in sources.items()}


def _sources(path: str, kind: Kind, units: Sequence[Unit], modules: frozenset[str]) -> dict[int, str]:
    origin = LocalModule("__main__" if kind == "notebook" else module_name(path), path)
    paths: dict[int, str] = {}
    for unit in units:
        if isinstance(unit.node, ast.ImportFrom) and is_star(unit.node):
            source = find_module(modules, origin, unit.node.module or "", unit.node.level)
            if source and source.path and source.path != path:
                paths[unit.index] = source.path
    return paths


def _public(path: str, sources: Mapping[str, Mapping[int, str]], units: Units) -> frozenset[str]:
    """The public names of a module, with those that it gets from its own star imports."""
    reached = [path]
    for module in reached:  # the list grows while it is read
        reached += sorted(set(sources[module].values()).difference(reached))
        if len(reached) > FOLLOWED:
            break
    names = (name for module in reached for unit in units[module] for name in unit.names.binds)
    return frozenset(name for name in names if not name.startswith("_"))
