"""The isolation levels of student code, best first."""

from enum import StrEnum, unique

from graders.language import tr, translatable


@unique
class IsolationLevel(StrEnum):
    """A way to enclose student code."""

    NESTED = "nested"
    BOXED = "boxed"
    FRESH = "fresh"
    REDUCED = "reduced"
    OPEN = "open"

    @property
    def bubblewrapped(self) -> bool:
        """Whether the warm interpreter runs under bubblewrap."""
        return self in (IsolationLevel.NESTED, IsolationLevel.BOXED, IsolationLevel.FRESH)

    @property
    def scratch(self) -> bool:
        """Whether a submission has a folder of its own to write to, gone with it."""
        return self in (IsolationLevel.NESTED, IsolationLevel.FRESH)

    @property
    def needs_landlock(self) -> bool:
        """Whether it holds only where the kernel has Landlock; on the others that is an extra."""
        return self in (IsolationLevel.BOXED, IsolationLevel.REDUCED)

    @property
    def says(self) -> str:
        """What it is, in a line."""
        says = {
            IsolationLevel.NESTED: translatable("bubblewrap, and namespaces of its own for each submission"),
            IsolationLevel.BOXED: translatable("bubblewrap, one submission at a time, nothing to write to"),
            IsolationLevel.FRESH: translatable("a bubblewrap and an interpreter of its own for each process"),
            IsolationLevel.REDUCED: translatable(
                "no namespaces: Landlock and a filter of system calls alone"
            ),
            IsolationLevel.OPEN: translatable("no wall at all, only limits"),
        }[self]
        return tr(says)
