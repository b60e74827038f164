"""The answer keys that lie here: in softmark's wheel, in the working directory, or where a variable says."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graders import locations
from graders.answer_key.answer_key import AnswerKey
from graders.answer_key.pack import BadKey

VARIABLE = "SOFTMARK_KEYS"  # names a folder


class AnswerKeys:
    """Several keys of one seed; the first that has a part gives it."""

    def __init__(self, keys: Sequence[AnswerKey]) -> None:
        self._keys = keys
        self.seed = keys[0].seed

    def part(self, exercise: str, name: str) -> Any:
        """A part of an exercise; None where no key has it."""
        parts = (key.part(exercise, name) for key in self._keys)
        return next((part for part in parts if part is not None), None)


def find_keys(seed: int) -> AnswerKeys | None:
    """The keys for this seed; None where there are none, or where the solutions themselves are here."""
    if locations.solutions() is not None:
        return None
    keys = [key for path in _files() if (key := _read(path))]
    fitting = [key for key in keys if key.seed == seed]
    return AnswerKeys(fitting) if fitting else None


def key_names() -> list[str]:
    """The assignments of which a key lies here, whatever its seed."""
    return sorted({key.assignment for path in _files() if (key := _read(path))})


def _files() -> list[Path]:
    named = os.environ.get(VARIABLE)
    folders = [Path(named)] if named else [Path(), locations.ANSWER_KEYS]
    return [path for folder in folders for path in sorted(folder.glob("*.key"))]


def _read(path: Path) -> AnswerKey | None:
    """The key in a file; None where it is none, as a key for something else."""
    try:
        return AnswerKey.read(path)
    except (BadKey, OSError):
        return None
