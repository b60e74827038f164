"""A sheet as a notebook and as a module, between which students choose; the same bytes each time."""

import json
import sys
from collections import Counter

from graders.handout.sheet import Cell, Sheet

_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": f"{sys.version_info.major}.{sys.version_info.minor}",
    },
}


def as_notebook(sheet: Sheet) -> str:
    """The sheet as a notebook of format 4.5. A cell's id is its exercise and number."""
    counted: Counter[str] = Counter()
    cells = []
    for cell in sheet.cells:
        counted[cell.exercise] += 1
        cells.append(_cell(cell, f"{cell.exercise or 'start'}-{counted[cell.exercise]}"))
    whole = {"cells": cells, "metadata": _METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _cell(cell: Cell, name: str) -> dict[str, object]:
    source = cell.text.splitlines(keepends=True)
    if cell.kind == "markdown":
        return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {"tags": list(cell.tags)} if cell.tags else {},
        "outputs": [],
        "source": source,
    }


def as_module(sheet: Sheet) -> str:
    """The sheet as a module in percent format, which editors open as a notebook too; no self-checks."""
    parts = []
    for cell in sheet.cells:
        if cell.kind == "markdown":
            commented = [f"# {line}".rstrip() for line in cell.text.split("\n")]
            parts.append("\n".join(["# %% [markdown]", *commented]))
        elif cell.kind == "code":
            parts.append(f"# %%\n{cell.text}")
    return "\n\n".join(parts) + "\n"
