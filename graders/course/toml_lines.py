"""Where an entry stands in the text of a TOML file: Python's reader of TOML keeps no lines."""

import re
from collections.abc import Sequence


def line_of(text: str, table: str, words: Sequence[str], *, last: bool = False) -> int:
    """The line of an entry in a table, from 1 on; the line of what is around it where it is not found.

    Args:
        text: that of the file.
        table: the name of the table; `[table.below]` belongs to it.
        words: keys or names on the way to the entry, from the outermost on.
        last: whether the last line with the last word is meant, and not the first.
    """
    lines = [line.partition("#")[0] for line in text.split("\n")]
    start, end = _lines_of_table(lines, table)
    found = start
    for number, word in enumerate(words):
        pattern = re.compile(rf"(?<![\w.-]){re.escape(word)}(?![\w-])")
        fits = [n for n in range(found, end) if pattern.search(lines[n])]
        if fits:
            found = fits[-1] if last and number == len(words) - 1 else fits[0]
    return found + 1


def _lines_of_table(lines: Sequence[str], table: str) -> tuple[int, int]:
    """The number of a table's first line, and of the line after its last."""
    header = re.compile(rf"\s*\[\s*{re.escape(table)}\s*[\].]")
    starts = [n for n, line in enumerate(lines) if header.match(line)]
    if not starts:
        return 0, len(lines)
    other = re.compile(r"\s*\[{1,2}\s*[\w.\"'-]+\s*\]{1,2}\s*$")
    after = [n for n in range(starts[0] + 1, len(lines)) if other.match(lines[n]) and n not in starts]
    return starts[0], after[0] if after else len(lines)
