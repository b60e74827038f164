"""Behaviour trials: each computes its own summary, for answers that cannot be compared numerically.

They are needed where an answer is random, and where more than one architecture is right.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import Violation

RAISES, NO_ANSWER = "raises", "no answer"


@dataclass(frozen=True)
class BehaviourTrial:
    """Summarises a candidate's behaviour in a situation, as a text or values that do not vary by chance.

    A known mistake and a student who makes it then have the same summary, in whatever order they draw random
    numbers and however their model is built.

    Attributes:
        observed_call: gives the summary.
        aside: whether a check of its own tells what is seen here, as of dropout. It then hides no mistake
            that explains all other trials.
    """

    observed_call: Callable[[Candidate], Any]
    aside: bool = False

    def observe(self, candidate: Candidate) -> Any:
        """The summary: the error's shape where it raises, NO_ANSWER where the answer has a wrong form."""
        try:
            return self.observed_call(candidate)
        except Raised as error:
            return f"{RAISES}: {error.shape}"
        except Violation:
            return NO_ANSWER
