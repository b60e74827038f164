"""Names hold control characters, overrides of the direction of writing, and a thousand folders.

outcome: passed
points: 2
says: damaged notebook
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    odd = [
        "\u202ebpnyi.\x07\x1b[2J.ipynb",
        "line\nbreak.ipynb",
        "\u200fx.ipynb",
        "a/" * 500 + "x.ipynb",
    ]
    empty = '{"nbformat": 4, "cells": 7}'
    return packed(folder, ("answers.py", RIGHT), *((name, empty) for name in odd))
