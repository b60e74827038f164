"""A cell's source is a list of a million texts of one letter.

outcome: passed
points: 2
says: longer than 500000 characters
"""

import json
from pathlib import Path

from tests.hostile.honest import RIGHT


def make(folder: Path) -> Path:
    letters = '["' + '","'.join("a" * 1_000_000) + '"]'
    cells = [f'{{"cell_type": "code", "source": {source}}}' for source in (letters, json.dumps(RIGHT))]
    text = f'{{"nbformat": 4, "cells": [{", ".join(cells)}]}}'
    (folder / "work.ipynb").write_text(text, encoding="utf-8")
    return folder / "work.ipynb"
