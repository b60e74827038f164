"""Trials for what cannot be compared value by value: what is seen is said by the trial, not by the answer.

So where chance has a part in an answer, and where more than one architecture is right.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graders.check_api.check import Candidate, Raised, Violation


@dataclass(frozen=True)
class BehaviourTrial:
    """What is seen of an answer in one situation: a text or plain values, of which chance decides none.

    So that the same is seen of a mistake and of a student who makes it, in whatever order they draw and
    however their model is built.
    """

    observed_call: Callable[[Candidate], Any]

    def observe(self, candidate: Candidate) -> Any:
        """What is seen; a word where the code raises, whatever it raises, or answers out of all form."""
        try:
            return self.observed_call(candidate)
        except Raised:
            return "raises"
        except Violation:
            return "no answer"
