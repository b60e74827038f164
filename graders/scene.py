"""Trials for functions in which chance has a part: what is seen is said by the trial, not by the answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graders.check import Candidate, Raised


@dataclass(frozen=True)
class Scene:
    """What is seen of a function in one situation, in plain values of which chance decides none.

    So that it is seen of a mistake and of a student who makes it, in whatever order they draw.
    """

    look: Callable[[Candidate], Any]

    def watched(self, candidate: Candidate) -> Any:
        """What is seen; a word where the code raises, whatever it raises."""
        try:
            return self.look(candidate)
        except Raised:
            return "raises"
