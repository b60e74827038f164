"""The code of an exercise as a notebook, rebuilt of a result: each line has the number that it had."""

import json
from collections.abc import Sequence
from pathlib import Path

from graders.results.result import Definition

# What code of the course imports by name; modules that an answer forgot are supplied anyway.
IMPORTS = "from math import sqrt\nfrom torch import Tensor, nn\nfrom typing import *"
LAST_LINE = 100_000  # of a cell: lines above it are empty


def write_code(path: Path, definitions: Sequence[Definition]) -> list[Definition]:
    """Write a notebook; returns the definitions that are in it, in their order.

    Each cell or module that was handed in is a cell, in which definitions stand where they stood.
    """
    cells: dict[tuple[str, int | None], list[Definition]] = {}
    kept = [d for d in definitions if 0 < d.line < LAST_LINE]
    for definition in sorted(kept, key=lambda d: (d.file, d.cell or 0, d.line)):
        cells.setdefault((definition.file, definition.cell), []).append(definition)
    sources = [IMPORTS, *map(_source, cells.values())]
    notebook = {
        "nbformat": 4,
        "metadata": {},
        "cells": [{"cell_type": "code", "source": source} for source in sources],
    }
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return [definition for there in cells.values() for definition in there]


def _source(definitions: Sequence[Definition]) -> str:
    lines: list[str] = []
    for definition in definitions:
        lines += [""] * (definition.line - 1 - len(lines))
        if len(lines) == definition.line - 1:  # one inside another is there already
            lines += definition.code.rstrip("\n").split("\n")
    return "\n".join(lines)
