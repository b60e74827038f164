"""Six megabytes of empty lists, which are twenty times as large in memory.

outcome: unreadable
megabytes: 80
"""

from pathlib import Path


def make(folder: Path) -> Path:
    path = folder / "work.ipynb"
    path.write_text(f'{{"nbformat": 4, "cells": [], "x": [{"[]," * 2_000_000}[]]}}', encoding="utf-8")
    return path
