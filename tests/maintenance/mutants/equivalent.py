"""Changes that no test can see, as written down in `equivalent.toml`."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

WRITTEN = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Equivalent:
    """A change of a function that nothing can see, and why; `*` in it stands for any text."""

    function: str
    change: str
    reason: str

    def covers(self, function: str, change: str) -> bool:
        """Whether it is this change, or one of these."""
        return self.function == function and fnmatchcase(change, self.change.replace("[", "[[]"))


@cache
def read_equivalents() -> tuple[Equivalent, ...]:
    """All that are written down."""
    tables = tomllib.loads(WRITTEN.read_text("utf-8")).get("equivalent", [])
    return tuple(Equivalent(**table) for table in tables)


def gone(mutants: Iterable[tuple[str, str]]) -> list[Equivalent]:
    """Those that are no longer there among all changes, each given by its function and its text."""
    there = {*mutants}
    return [e for e in read_equivalents() if not any(e.covers(*mutant) for mutant in there)]
