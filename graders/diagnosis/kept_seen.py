"""What is seen of known mistakes, as earlier runs have kept it: their answers to the diagnostic draws.

Only of modules: some functions of ours remember their first call, so that what they answer depends on what
they were asked before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from graders.check_api.kept_values import Shelf


def _nowhere() -> None:
    return None


@dataclass(frozen=True)
class KeptSeen:
    """Where what is seen is kept, and of what it is: names of mistakes, a variant, a precision.

    Attributes:
        find_shelf: finds where it is kept, which is read when it is first needed; None is nowhere.
        about: of what it is.
    """

    find_shelf: Callable[[], Shelf | None] = _nowhere
    about: tuple[Any, ...] = ()

    def of(self, *about: Any) -> "KeptSeen":
        """The same, of something in it."""
        return replace(self, about=(*self.about, *about))

    def find_or_make(self, make: Callable[[], Any], *about: Any) -> Any:
        """What an earlier run has kept; else it is made, and kept.

        Args:
            make: makes it; it is never None.
            about: what it is: numbers and texts.
        """
        shelf = self.find_shelf()
        if shelf is None:
            return make()
        key = repr((*self.about, *about))
        found = shelf.find(key)
        if found is None:
            found = make()
            shelf.put(key, found)
        return found


NOWHERE = KeptSeen()
