"""How long the smallest failing draw may be looked for: so many seconds of the code's own CPU time.

On a busy machine the same code gets the same search.
"""

import time
from collections.abc import Callable

CPU_S = 5.0  # only very slow code takes so long
PATIENCE = 3  # times as many seconds may pass: code may sleep


class SearchTime:
    """The time of one search, from now on.

    `worked` gives the seconds of CPU that the code has taken so far.
    """

    def __init__(self, worked: Callable[[], float]) -> None:
        self._worked, self._before, self._since = worked, worked(), time.monotonic()

    def is_over(self) -> bool:
        """Whether the code has worked for too long; seldom asks for it."""
        passed = time.monotonic() - self._since
        return passed > CPU_S and (passed > CPU_S * PATIENCE or self._worked() - self._before > CPU_S)
