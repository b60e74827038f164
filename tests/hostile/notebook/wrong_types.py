"""Everything but one cell is of another type than it should be.

outcome: passed
points: 2
says: damaged and was left out
"""

import json
from pathlib import Path

from tests.hostile.honest import RIGHT

ODD = (None, True, 7, -1.5, "code", [], [[]], {}, {"code": "code"}, ["x = 1", 7], [None])


def make(folder: Path) -> Path:
    cells = [{"cell_type": "code", "source": odd, "outputs": odd, "metadata": odd} for odd in ODD]
    cells += [{"cell_type": odd, "source": "x = 1"} for odd in ODD if odd != "code"]
    good = {"cell_type": "code", "source": RIGHT, "outputs": 7, "metadata": None, "execution_count": []}
    whole = {"nbformat": 4, "nbformat_minor": "five", "metadata": [], "cells": [*ODD, *cells, good]}
    (folder / "work.ipynb").write_text(json.dumps(whole), encoding="utf-8")
    return folder / "work.ipynb"
