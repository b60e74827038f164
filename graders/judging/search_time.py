"""How long the smallest failing draw may be looked for: so many seconds of the code's own time.

On a busy machine the same code gets the same search.
"""

from collections.abc import Callable

SEARCH_S = 2.0  # only very slow code takes so long


class SearchTime:
    """The time of one search, from now on.

    `spent` gives the seconds of own time that the code has taken so far, exactly or at most.
    """

    def __init__(self, spent: Callable[[bool], float]) -> None:
        self._spent, self._until = spent, spent(True) + SEARCH_S

    def is_over(self) -> bool:
        """Whether the code has taken too long; seldom asks for it exactly."""
        return self._spent(False) > self._until and self._spent(True) > self._until
