"""Modules name encodings that are no text, or unpack, or take quadratic time.

outcome: passed
points: 2
says: Save it with the encoding UTF-8
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, files

NAMES = (
    "utf-7 punycode idna rot13 zlib bz2 hex base64 quopri uu unicode_escape raw_unicode_escape undefined mbcs"
)


def make(folder: Path) -> Path:
    padding = "x = 'xn--" + "a+AG" * 400_000 + "'\n"
    odd = [(f"{name}.py", f"# coding: {name}\n{padding}") for name in NAMES.split()]
    return files(folder, [("answers.py", RIGHT), *odd])
