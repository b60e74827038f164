"""What the draws of a run consist of, and what is kept of them from submission to submission."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from graders.check_api.reference_answer import ReferenceAnswer
from graders.diagnosis.known_mistakes import KnownMistakes

MakeDraws = Callable[[Any, int], list[Any]]


@dataclass(frozen=True, eq=False)
class Example:
    """A draw, and the answer to it where the check has one."""

    draw: Any
    answer: tuple[Any, ...]


@dataclass
class KeptDraws:
    """What is made once per run, by the exercise's name and by what else it depends on."""

    examples: dict[tuple[str, str], list[Example]] = field(default_factory=dict)
    mapping_draws: dict[str, list[ReferenceAnswer]] = field(default_factory=dict)
    known_mistakes: dict[str, KnownMistakes | None] = field(default_factory=dict)
    ladders: dict[tuple[str, str, MakeDraws], list[Any]] = field(default_factory=dict)
    rungs: dict[tuple[str, str, Any, MakeDraws, int], Example] = field(default_factory=dict)
    larger: dict[tuple[str, str, int, int], Example] = field(default_factory=dict)
