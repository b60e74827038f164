"""Notebooks of formats 0, 1, 2, -7 and a billion lie beside one another.

outcome: passed
points: 2
says: old format
"""

import json
from pathlib import Path

from tests.hostile.honest import RIGHT, files


def make(folder: Path) -> Path:
    cell = {"cell_type": "code", "code": "x = 1", "input": "x = 1"}
    sheets = [{"cells": [cell]}]
    odd = {n: {"nbformat": n, "cells": [cell], "worksheets": sheets} for n in (0, 1, 2, -7, 10**9)}
    odd[3] = {"nbformat": 3, "worksheets": [{"cells": {}}, 7]}
    right = {"nbformat": 1, "cells": [{"cell_type": "code", "code": RIGHT}]}
    notebooks = [*odd.values(), right]
    return files(folder, [(f"{i}.ipynb", json.dumps(each)) for i, each in enumerate(notebooks)])
