"""Expressions and blocks are nested a thousand levels and more deep, in every way that the grammar knows.

outcome: passed
points: 2
says: is not valid Python
"""

from pathlib import Path

from tests.hostile.honest import with_right

N = 1_500
NESTED = (
    "(" * N + "1" + ")" * N,
    "[" * N,
    "{1:" * 90 + "1" + "}" * 90,
    "x = " + "-" * 10 * N + "1",
    "x = " + "not " * N + "1",
    "a" + ".a" * 10 * N,
    "a" + "[0]" * N + "()" * N,
    "x = " + "1 + " * 10 * N + "1",
    "x = " + "1 ** " * N + "1",
    "x = " + "1 if 1 else " * N + "1",
    "x = " + "lambda: " * N + "1",
    "x = " + "f'{" * 90 + "1" + "}'" * 90,
    "f'" + "{a:" * N + "}" * N + "'",
    "x = " + "[" * 90 + "1" + " for a in b]" * 90,
    "x = [1 " + "for a in b " * N + "]",
    "if 1:\n pass\n" + "elif 1:\n pass\n" * N,
    "@a\n" * 10 * N + "def f(): pass",
    "".join(" " * i + "class A:\n" for i in range(95)) + " " * 95 + "x = 1",
    "".join(" " * i + "if 1:\n" for i in range(500)),
    "match a:\n case " + "[" * 190 + "]" * 190 + ": pass",
)


def make(folder: Path) -> Path:
    return with_right(folder, *NESTED)
