"""Odd values, texts and bytes, chosen by a generator of random numbers: the same number, the same
choice."""

import json
import random
from typing import Any

ODD_INTEGERS = (0, 1, 2, 3, -1, 2**31, 2**63, 2**64, 2**300, 10**4_200, 131_072)
ODD_FLOATS = (0.0, -0.0, 1e308, -1e308, 1e-320, 1e300, -5.0, float("nan"), float("inf"), 0.5)
ODD_TEXTS = (
    "", " ", "a", "\x00", "\ud800", "\u202e", "<b>", "</script>", "é" * 50, "e\u0301" * 40, "../..", "/",
    "\\", "a/b",
    "..", ".", "CON", "x" * 300, "\n", "\r\n", "{n}", "%s", "{}", "=1+1", "__class__", "args", "1_0", "٣",
    "²",
    "Infinity", "NaN", "1e999", "0x10", "-0", "+5", "1,5", "1.5.5", "2026-11-20T10:00:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-12:00", "changed", "\ufeff", "🙂", "\x1b[31m", "passed", "nul",
)  # fmt: skip
NASTY_BYTES = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"PK\x03\x04", b"%PDF-1.4", b"\x89PNG", b"{",
    b"[" * 100_000, b"null",
    b"[]", b"{}", b"true", b'"', b"\xff" * 50, b"\x80\x04N.", b"-5", b"1e300", b"9" * 5_000, b"\n" * 1_000,
    b"<html>",
)  # fmt: skip


def odd_scalar(draws: random.Random) -> Any:
    """A value of JSON that holds no other."""
    kinds = (None, draws.random() < 0.5, *map(draws.choice, (ODD_INTEGERS, ODD_FLOATS, ODD_TEXTS, ODD_TEXTS)))
    return draws.choice(kinds)


def odd_value(draws: random.Random, depth: int = 2) -> Any:
    """Any value of JSON, with containers of at most `depth` levels."""
    kind = draws.randrange(7 if depth else 5)
    if kind == 5:
        return [odd_value(draws, depth - 1) for _ in range(draws.randrange(4))]
    if kind == 6:
        return {draws.choice(ODD_TEXTS): odd_value(draws, depth - 1) for _ in range(draws.randrange(4))}
    return odd_scalar(draws)


def change_json(draws: random.Random, text: str) -> str:
    """A text of JSON in which a value is another, gone, or there twice."""
    tree = json.loads(text)
    for _ in range(draws.choice((1, 1, 2, 5))):
        container, key = draws.choice(list(_places(tree)) or [([0], 0)])
        old = container[key]
        change = draws.randrange(6)
        if change == 0:
            del container[key]
        elif change == 1 and isinstance(container, list):
            container.extend([old] * draws.choice((1, 3, 200)))
        elif change == 2 and isinstance(container, dict):
            container[draws.choice(ODD_TEXTS)] = old
        elif change == 3 and isinstance(old, int | float) and not isinstance(old, bool):
            container[key] = draws.choice((-old, old + 1, old * 2, old * 1e6, str(old)))
        else:
            container[key] = odd_value(draws)
    # NaN and half a character are written as Python writes them: somebody might.
    return json.dumps(tree, indent=draws.choice((None, 1)), ensure_ascii=draws.random() < 0.5)


def _places(tree: Any):
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(items):
        yield tree, key
        yield from _places(value)


def damage(draws: random.Random, data: bytes) -> bytes:
    """The same bytes with one damage: cut, mixed up, in another encoding, or other bytes altogether."""
    where, size = draws.randrange(len(data) + 1), draws.choice((1, 2, 30))
    kind = draws.randrange(9)
    if kind == 0:
        return data[:where]
    if kind == 1:
        return data[:where] + draws.randbytes(size) + data[where + size :]
    if kind == 2:
        return data[:where] + draws.choice(NASTY_BYTES) + data[where:]
    if kind == 3:
        return data[:where] + data[where + size :]
    if kind == 4:
        return data[where:] + data[:where]
    if kind == 5:
        return draws.choice(NASTY_BYTES)
    if kind == 6:
        return draws.randbytes(draws.choice((1, 40, 5_000)))
    if kind == 7:
        return data.decode("utf-8", "replace").encode(
            draws.choice(("utf-16", "utf-8-sig", "utf-32-be", "utf-7"))
        )
    return data * draws.choice((2, 3))
