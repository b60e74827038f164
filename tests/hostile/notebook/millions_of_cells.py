"""Twenty megabytes of the smallest cells that do not parse.

outcome: unreadable
says: more than 2000 cells
"""

from pathlib import Path


def make(folder: Path) -> Path:
    cell = '{"cell_type": "code", "source": "("},'
    path = folder / "work.ipynb"
    path.write_text(f'{{"nbformat": 4, "cells": [{cell * 500_000}{{}}]}}', encoding="utf-8")
    return path
