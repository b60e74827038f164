"""Verdicts on a notebook's parts, kept from one check to the next while their code is the same."""

from dataclasses import dataclass, field
from typing import Any

from graders.notebook.reach import Reach

PLAIN = (int, float, str, bool, type(None))


@dataclass
class KeptVerdicts:
    """Whether objects are wrong, by assignment and symbol, with the code of which that was found out.

    Code is the same if it reaches the same functions, classes and plain values: a cell that is run again
    makes new ones. What a list holds, or a tensor, is not looked at.
    """

    _kept: dict[tuple[str, str], tuple[list[Any], bool]] = field(default_factory=dict)

    def find(self, assignment: str, symbol: str, reach: Reach) -> bool | None:
        """Whether the code is wrong; None where that is not known of just this code."""
        code, wrong = self._kept.get((assignment, symbol), ([], None))
        now = _code_of(reach)
        same = len(code) == len(now) and all(a is b for a, b in zip(code, now, strict=True))
        return wrong if same else None

    def keep(self, assignment: str, symbol: str, reach: Reach, wrong: bool) -> None:
        """Keep a verdict on the code that an object reaches."""
        self._kept[assignment, symbol] = _code_of(reach), wrong


def _code_of(reach: Reach) -> list[Any]:
    plain = (name.value for name in reach.names if isinstance(name.value, PLAIN))
    return [*reach.functions, *reach.classes, *plain]
