"""Supply the names of the course's own imports (`math`, `torch`, `nn`, `F`, `np`, `typing`) that code forgot.

A name is supplied only where it is used as the module is (`F.softmax`), so that a forgotten `self.` or a
variable of that name stays an error.
"""

import importlib
import typing
from collections.abc import Iterator
from dataclasses import dataclass

from graders.extraction.dependencies import Part
from graders.extraction.name_usage import Names
from graders.extraction.statements import Unit, is_star
from graders.results.result import Place

# The statement that binds each name, and the module that the name then means.
_MODULES = {
    "math": ("import math", "math"),
    "torch": ("import torch", "torch"),
    "nn": ("import torch.nn as nn", "torch.nn"),
    "F": ("import torch.nn.functional as F", "torch.nn.functional"),
    "np": ("import numpy as np", "numpy"),
}
_TYPING = frozenset(typing.__all__)
# Packages whose star imports are known without running the submission.
_KNOWN_STARS = frozenset({"math", "torch", "numpy", "typing"})


@dataclass(frozen=True)
class SuppliedImport:
    """A name that is used and not imported, the statement that is missing, and where the name is used."""

    name: str
    statement: str
    place: Place


def find_forgotten(part: Part) -> list[SuppliedImport]:
    """The imports that the kept statements of a file lack."""
    units = [part.code_file.units[at] for at in sorted(part.kept)]
    supplied: dict[str, SuppliedImport] = {}
    for unit in units:
        for name in sorted((unit.names.eager | unit.names.deferred) & (_MODULES.keys() | _TYPING)):
            if name not in supplied and name not in part.code_file.binders:
                statement = _MODULES[name][0] if name in _MODULES else f"from typing import {name}"
                if _is_meant(name, units) and not _may_come_from_star(name, part.code_file.units):
                    supplied[name] = SuppliedImport(name, statement, _place(unit))
    return list(supplied.values())


def _place(unit: Unit) -> Place:
    return unit.page.place(unit.node.lineno)


def _is_meant(name: str, units: list[Unit]) -> bool:
    """Whether every use of a name is one of the module that the course calls so."""
    if name in _TYPING:
        return True
    module = importlib.import_module(_MODULES[name][1])
    return all(chain and hasattr(module, chain[0]) for u in units for chain in _chains(name, u.names))


def _chains(name: str, names: Names) -> Iterator[tuple[str, ...]]:
    yield from names.dotted.get(name, ()) if name in names.eager | names.deferred else ()


def _may_come_from_star(name: str, units: tuple[Unit, ...]) -> bool:
    """Whether a star import binds a name; unknown packages may bind any."""
    for unit in units:
        module = str(getattr(unit.node, "module", None) or "")
        if is_star(unit.node):
            if module.partition(".")[0] not in _KNOWN_STARS:
                return True
            if name in _public_names(module):
                return True
    return False


def _public_names(module: str) -> frozenset[str]:
    try:
        imported = importlib.import_module(module)
    except ImportError:
        return frozenset()
    return frozenset(
        getattr(imported, "__all__", None) or (n for n in vars(imported) if not n.startswith("_"))
    )
