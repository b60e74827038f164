"""How well student code is enclosed: the rungs of one ladder, best first."""

from enum import StrEnum, unique

from graders.language import later, tr


@unique
class Rung(StrEnum):
    """A way to enclose student code."""

    NESTED = "nested"
    BOXED = "boxed"
    FRESH = "fresh"
    REDUCED = "reduced"
    OPEN = "open"

    @property
    def bubblewrapped(self) -> bool:
        """Whether the warm interpreter runs under bubblewrap."""
        return self in (Rung.NESTED, Rung.BOXED, Rung.FRESH)

    @property
    def scratch(self) -> bool:
        """Whether a submission has a folder of its own to write to, gone with it."""
        return self in (Rung.NESTED, Rung.FRESH)

    @property
    def needs_landlock(self) -> bool:
        """Whether it holds only where the kernel has Landlock; on the others that is an extra."""
        return self in (Rung.BOXED, Rung.REDUCED)

    @property
    def says(self) -> str:
        """What it is, in a line."""
        says = {
            Rung.NESTED: later("bubblewrap, and namespaces of its own for each submission"),
            Rung.BOXED: later("bubblewrap, one submission at a time, nothing to write to"),
            Rung.FRESH: later("a bubblewrap and an interpreter of its own for each process"),
            Rung.REDUCED: later("no namespaces: Landlock and a filter of system calls alone"),
            Rung.OPEN: later("no wall at all, only limits"),
        }[self]
        return tr(says)
