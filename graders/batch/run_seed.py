"""The seed of a class's draws: secret, the same for the whole class, and kept in its folder of results."""

import secrets
from pathlib import Path

from graders.results.atomic_write import write_atomically
from graders.results.read_below import read_below

NAME = "seed.txt"
LARGEST = (1 << 31) - 1
MOST_BYTES = 40  # of its file


def run_seed(out: Path, chosen: int | None) -> int:
    """The seed of the runs into `out`: the chosen one, else the one kept there, else a random one.

    The seed is kept in `OUT/seed.txt`: later runs into the same folder make the same draws. A file that holds
    no number is replaced.

    Args:
        out: the folder of results; it exists.
        chosen: the seed that the instructor gives, if any.
    """
    before = _read(out)
    seed = chosen if chosen is not None else before
    if seed is None:
        seed = 1 + secrets.randbelow(LARGEST)
    if seed != before:
        write_atomically(out / NAME, f"{seed}\n".encode(), durable=True)
    return seed


def _read(out: Path) -> int | None:
    try:
        text = read_below(out, MOST_BYTES, NAME).text.strip()
    except (OSError, ValueError):
        return None
    return int(text) if text.isdecimal() else None
