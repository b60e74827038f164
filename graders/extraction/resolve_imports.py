"""Find the handed-in file that an import means, also where Python would not find it.

Files are handed in without the folders that they came from, or under other names. So an import that cannot be
resolved means the handed-in file that defines the name.
"""

import ast
import site
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.machinery import PathFinder
from pathlib import PurePosixPath

from graders.extraction.definition_index import CodeFile
from graders.extraction.local_imports import (
    ROOT,
    LocalModule,
    choose_nearest,
    find_alternatives,
    find_module,
    find_modules,
    find_submodule,
    module_name,
)
from graders.extraction.name_usage import IMPORTS, Import
from graders.extraction.statements import DEFINITIONS, Unit


def resolve(
    code_files: Mapping[str, CodeFile],
    paths: frozenset[str],
    origin: LocalModule,
    node: ast.ImportFrom,
    name: str,
) -> LocalModule | None:
    """The handed-in module from which `from ... import name` imports; None if it is not handed in.

    Args:
        code_files: all files of the submission.
        paths: the names of all modules of the submission.
        origin: the module in which the import stands.
        node: the import.
        name: one of the names that it imports; `*` for all.
    """
    modules = list(find_modules(paths, origin, node.module or "", node.level))
    module = modules[0] if modules else None
    if name == "*" or (module is None and not node.level and is_installed(node.module or "")):
        return module
    holders = [m for m in modules if _binds(code_files, m, name) or find_submodule(paths, m, name)]
    if holders:
        # One that only imports the name comes last: what is used of a module is found in its package.
        return next((m for m in holders if not _only_imports(code_files, m, name)), holders[0])
    return _find_definer(code_files, origin, (node.module or "").rpartition(".")[2], name) or module


def resolve_module(paths: frozenset[str], origin: LocalModule, name: str) -> LocalModule | None:
    """The handed-in module that `import name` means; None if it is not handed in."""
    module = find_module(paths, origin, name)
    if module is not None or is_installed(name):
        return module
    last = name.rpartition(".")[2]
    same = [path for path in paths if PurePosixPath(path).stem == last and path != origin.path]
    path = choose_nearest(same, origin)
    return LocalModule(name, path) if path else None


def is_unresolved(paths: frozenset[str], origin: LocalModule, node: Import, name: str) -> bool:
    """Whether the import of `name` can neither be resolved in the submission nor by installed packages."""
    if isinstance(node, ast.ImportFrom):
        if not node.level and is_installed(node.module or ""):
            return False
        return find_module(paths, origin, node.module or "", node.level) is None
    modules = [a.name for a in node.names if name == (a.asname or a.name.split(".")[0])]
    return not any(is_installed(module) or find_module(paths, origin, module) for module in modules)


def is_ambiguous(paths: frozenset[str], origin: LocalModule, node: Import) -> bool:
    """Whether an import finds its module only in folders that Python does not search, and in several."""
    return (
        isinstance(node, ast.ImportFrom)
        and not node.level
        and not is_installed(node.module or "")
        and len(find_alternatives(paths, origin, node.module or "")) > 1
    )


def overruled_names(
    paths: frozenset[str], origin: LocalModule, units: Sequence[Unit]
) -> dict[int, frozenset[str]]:
    """The names of imports that cannot be resolved and that the same file defines, by index of the import."""
    own = frozenset(name for u in units if isinstance(u.node, DEFINITIONS) for name in u.names.binds)
    overruled: dict[int, frozenset[str]] = {}
    for unit in units:
        if isinstance(unit.node, IMPORTS) and unit.names.binds & own:
            node = unit.node
            names = {n for n in unit.names.binds & own if is_unresolved(paths, origin, node, n)}
            overruled[unit.index] = frozenset(names)
    return overruled


def is_installed_import(node: ast.stmt) -> bool:
    """Whether a statement imports from installed packages alone."""
    if isinstance(node, ast.ImportFrom):
        return not node.level and is_installed(node.module or "")
    return isinstance(node, ast.Import) and all(is_installed(alias.name) for alias in node.names)


@cache
def is_installed(module: str) -> bool:
    """Whether the package of a module is part of Python or installed for it. Nothing is imported."""
    package = module.partition(".")[0]
    if package in sys.stdlib_module_names:
        return True
    folders = [*site.getsitepackages(), site.getusersitepackages()]
    return PathFinder.find_spec(package, [*folders, *filter(_holds_packages, sys.path)]) is not None


def _holds_packages(folder: str) -> bool:
    return PurePosixPath(folder).name in ("site-packages", "dist-packages")


def _binds(code_files: Mapping[str, CodeFile], module: LocalModule, name: str) -> bool:
    code_file = code_files.get(module.path)
    return code_file is not None and name in code_file.binders


def _only_imports(code_files: Mapping[str, CodeFile], module: LocalModule, name: str) -> bool:
    return _binds(code_files, module, name) and not _defines(code_files[module.path], name)


def _find_definer(
    code_files: Mapping[str, CodeFile], origin: LocalModule, last: str, name: str
) -> LocalModule | None:
    """The file that defines a name, first of all one that is called as the last part of the module is."""
    definers = [f for f in code_files.values() if f.path != origin.path and _defines(f, name)]
    if not definers:
        return None

    def rank(file: CodeFile) -> tuple[bool, bool]:
        return PurePosixPath(file.path).stem != last, file.kind != "module"

    best = min(map(rank, definers))
    likely = {file.path: file for file in definers if rank(file) == best}

    def measure(path: str) -> tuple[int, int]:
        return -(likely[path].written or 0), -len(likely[path].definitions())

    path = choose_nearest(list(likely), origin, measure)
    return LocalModule(f"{ROOT}.{module_name(path)}", path)


def _defines(code_file: CodeFile, name: str) -> bool:
    return any(not isinstance(code_file.units[at].node, IMPORTS) for at in code_file.definers.get(name, ()))
