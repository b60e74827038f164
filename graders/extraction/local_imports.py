"""Which of the handed-in modules an import means, as if the submission's folders were on Python's path."""

import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

DEEPEST = 30  # packages inside packages; more than any folder is read for

# A running notebook has these loaded already, so that a file of the same name is never reached.
_TAKEN = (sys.stdlib_module_names | {"torch", "numpy", "IPython"}) - {"test", "this", "antigravity"}


@dataclass(frozen=True)
class Sibling:
    """A handed-in module: the name it is imported by, and its file; "" for a folder without __init__.py."""

    name: str
    path: str


def sibling(paths: frozenset[str], origin: Sibling, module: str, level: int = 0) -> Sibling | None:
    """The file that `module` means in an import statement of `origin`; None where it is not handed in.

    Args:
        paths: the names of all modules of the submission.
        origin: the module in which the import stands.
        module: the dotted name after `import` or `from`; "" in `from . import x`.
        level: the number of dots before it.
    """
    if module.count(".") > DEEPEST:
        return None
    parent = PurePosixPath(origin.path).parent
    if level:
        folder, package = _package(origin, level)
        return _inside(paths, folder, ".".join(filter(None, (package, module))), module)
    if not module or module.split(".", 1)[0] in _TAKEN:
        return None
    for place in (parent, *parent.parents):
        module_file = _inside(paths, place, module, module)
        if module_file:
            return module_file
    return _anywhere(paths, module)


def _package(origin: Sibling, level: int) -> tuple[PurePosixPath, str]:
    folder = PurePosixPath(origin.path).parent
    names = origin.name.split(".")
    if not origin.path.endswith("__init__.py"):
        names = names[:-1]
    for _ in range(min(level, 100) - 1):
        folder, names = folder.parent, names[:-1]
    return folder, ".".join(names)


def _inside(paths: frozenset[str], folder: PurePosixPath, name: str, module: str) -> Sibling | None:
    path = folder.joinpath(*module.split(".")) if module else folder
    if not name:
        return None  # a relative import at the top: Python refuses it as well
    for candidate in ([f"{path}.py"] if module else []) + [str(path / "__init__.py")]:
        if candidate in paths:
            return Sibling(name, candidate)
    inside = str(path) in _folders(paths)
    return Sibling(name, "") if inside and path != PurePosixPath(".") else None


def _anywhere(paths: frozenset[str], module: str) -> Sibling | None:
    # Students put "src" on the path by hand; a file that ends in the right way is what they mean.
    path = _tails(paths).get(module.replace(".", "/"))
    return Sibling(module, path) if path else None


# A set of paths is asked again for every import of a submission.
@lru_cache(maxsize=2)
def _folders(paths: frozenset[str]) -> frozenset[str]:
    """The folders that hold a module, at whatever depth."""
    return frozenset(str(folder) for path in paths for folder in PurePosixPath(path).parents)


@lru_cache(maxsize=2)
def _tails(paths: frozenset[str]) -> dict[str, str]:
    """The first path for each way in which paths end, without their first folders and the ".py"."""
    first_paths: dict[str, str] = {}
    for path in sorted(paths):
        parts = PurePosixPath(path.removesuffix("/__init__.py").removesuffix(".py")).parts
        for start in range(1, len(parts)):
            first_paths.setdefault("/".join(parts[start:]), path)
    return first_paths


def submodule(paths: frozenset[str], package: Sibling, name: str) -> Sibling | None:
    """The module `name` inside `package`, for `from package import name`."""
    if package.path and not package.path.endswith("__init__.py"):
        return None
    if package.path:
        return _inside(paths, PurePosixPath(package.path).parent, f"{package.name}.{name}", name)
    return sibling(paths, package, f"{package.name}.{name}")


def dotted(path: str) -> str:
    """The name of a module by its path from the submission's root."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
