"""Resolve imports to handed-in modules, as if the folders of the submission were on Python's path."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Any

from graders.submission.versions import keep_latest

DEEPEST = 30  # packages inside packages; folders are not read to this depth

# A running notebook has loaded these already, so a handed-in file of the same name is never imported.
_TAKEN = (sys.stdlib_module_names | {"torch", "numpy", "IPython"}) - {"test", "this", "antigravity"}


ROOT = "handed_in"  # the package of what lies at the submission's root, for relative imports


@dataclass(frozen=True)
class LocalModule:
    """A handed-in module: its import name and its file; the file is "" for a folder without __init__.py."""

    name: str
    path: str


def find_module(
    paths: frozenset[str], origin: LocalModule, module: str, level: int = 0
) -> LocalModule | None:
    """Find the file that `module` means in an import statement of `origin`; None if it was not handed in.

    Args:
        paths: the names of all modules of the submission.
        origin: the module in which the import stands.
        module: the name after `import` or `from`; "" in `from . import x`.
        level: the number of dots before it.
    """
    return next(find_modules(paths, origin, module, level), None)


def find_modules(
    paths: frozenset[str], origin: LocalModule, module: str, level: int = 0
) -> Iterator[LocalModule]:
    """All files that `module` may mean: first that of `find_module`, then those of folders further up."""
    if module.count(".") > DEEPEST:
        return
    parent = PurePosixPath(origin.path).parent
    if level:
        folder, package = _package(origin, level)
        places, name = [folder], ".".join(filter(None, (package, module)))
    elif not module or module.split(".", 1)[0] in _TAKEN:
        return
    else:
        places, name = [parent, *parent.parents], module
    found = [one for place in places if (one := _inside(paths, place, name, module))]
    found = [*found[:1], *map(_named_by_its_place, found[1:])]  # the first one has the name
    # No file means itself, but that of a package may import the package.
    yield from [one for one in found if level or one.path != origin.path] or found
    if not found and not level and (path := choose_nearest(_anywhere(paths, module), origin)):
        yield LocalModule(module, path)


def find_alternatives(paths: frozenset[str], origin: LocalModule, module: str) -> tuple[str, ...]:
    """The files that `module` may mean where no folder that Python searches has it."""
    module_found = find_module(paths, origin, module)
    anywhere = _anywhere(paths, module)
    return anywhere if module_found is not None and module_found.path in anywhere else ()


def _named_by_its_place(module: LocalModule) -> LocalModule:
    name = module_name(module.path) if module.path else module.name
    return LocalModule(f"{ROOT}.{name}", module.path)


def _package(origin: LocalModule, level: int) -> tuple[PurePosixPath, str]:
    folder = PurePosixPath(origin.path).parent
    names = origin.name.split(".")
    if not origin.path.endswith("__init__.py"):
        names = names[:-1]
    for _ in range(min(level, 100) - 1):
        folder, names = folder.parent, names[:-1]
    # A module that was not imported from a package gets the path of its folder as one.
    return folder, ".".join(names or [ROOT, *folder.parts])


def _inside(paths: frozenset[str], folder: PurePosixPath, name: str, module: str) -> LocalModule | None:
    path = folder.joinpath(*module.split(".")) if module else folder
    if not name:
        return None  # Python refuses a relative import at the top level, too
    for candidate in ([f"{path}.py"] if module else []) + [str(path / "__init__.py")]:
        if candidate in paths:
            return LocalModule(name, candidate)
    inside = str(path) in _folders(paths)
    return LocalModule(name, "") if inside and (path != PurePosixPath(".") or not module) else None


def _anywhere(paths: frozenset[str], module: str) -> tuple[str, ...]:
    # Students add folders such as "src" to sys.path: any file may be meant whose path ends in the name.
    return tuple(_tails(paths).get(module.replace(".", "/"), ()))


def choose_nearest(
    paths: Sequence[str], origin: LocalModule, measure: Callable[[str], Any] = lambda _: ()
) -> str:
    """Of files that an import may mean, the one that shares most folders with it, then the later version.

    Args:
        paths: the files.
        origin: the module in which the import stands.
        measure: least for what is to be taken where nearness and names leave several.
    """
    shared = {path: _nearness(path, origin) for path in paths}
    nearest = [path for path in paths if shared[path] == max(shared.values())]
    latest = keep_latest(nearest, str)
    return min(latest, key=lambda path: (measure(path), path.count("/"), path), default="")


def _nearness(path: str, origin: LocalModule) -> int:
    pairs = zip(PurePosixPath(path).parts[:-1], PurePosixPath(origin.path).parts[:-1], strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


# Cached: every import of a submission asks for the same paths.
@lru_cache(maxsize=2)
def _folders(paths: frozenset[str]) -> frozenset[str]:
    """All folders that contain a module at any depth."""
    return frozenset(str(folder) for path in paths for folder in PurePosixPath(path).parents)


@lru_cache(maxsize=2)
def _tails(paths: frozenset[str]) -> dict[str, list[str]]:
    """The paths that end in each suffix; suffixes have no ".py"."""
    tails: dict[str, list[str]] = {}
    for path in sorted(paths):
        parts = PurePosixPath(path.removesuffix("/__init__.py").removesuffix(".py")).parts
        for start in range(1, len(parts)):
            tails.setdefault("/".join(parts[start:]), []).append(path)
    return tails


def find_submodule(paths: frozenset[str], package: LocalModule, name: str) -> LocalModule | None:
    """Find the module `name` inside `package`, for `from package import name`."""
    if package.path and not package.path.endswith("__init__.py"):
        return None
    if package.path:
        return _inside(paths, PurePosixPath(package.path).parent, f"{package.name}.{name}", name)
    if package.name.partition(".")[0] == ROOT:
        folder = PurePosixPath(*package.name.split(".")[1:])
        return _inside(paths, folder, f"{package.name}.{name}", name)
    return find_module(paths, package, f"{package.name}.{name}")


def module_name(path: str) -> str:
    """The import name of a module, from its path below the submission's root."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
