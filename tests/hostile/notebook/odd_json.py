"""NaN, infinities, keys that come twice, an escaped half of a character: what JSON hardly allows.

outcome: passed
points: 2
"""

import json
from pathlib import Path

from tests.hostile.honest import RIGHT


def make(folder: Path) -> Path:
    cell = f'{{"cell_type": "markdown", "cell_type": "code", "x": NaN, "source": {json.dumps(RIGHT)}}}'
    half = '{"cell_type": "code", "source": "x = \'\\ud800\'"}'
    cells = f'"cells": 7, "cells": [{half}, {cell}]'
    text = f'{{"nbformat": 3, "nbformat": 4, "nbformat_minor": -Infinity, "\\udfff": 1e999, {cells}}}'
    (folder / "work.ipynb").write_text(text, encoding="utf-8")
    return folder / "work.ipynb"
