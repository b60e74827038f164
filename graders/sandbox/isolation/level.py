"""The isolation levels of student code, best first."""

from enum import StrEnum, unique

from graders.language import tr, translatable


@unique
class IsolationLevel(StrEnum):
    """A way to isolate student code."""

    NESTED = "nested"
    BOXED = "boxed"
    FRESH = "fresh"
    REDUCED = "reduced"
    OPEN = "open"
    PROCESS = "process"

    @property
    def walled(self) -> bool:
        """Whether there is a wall around the code; without one it has the rights of whoever runs it."""
        return self not in (IsolationLevel.OPEN, IsolationLevel.PROCESS)

    @property
    def several(self) -> bool:
        """Whether processes of submissions may run side by side in one box."""
        return self is IsolationLevel.NESTED or not self.walled

    @property
    def bubblewrapped(self) -> bool:
        """Whether the warm interpreter runs under bubblewrap."""
        return self in (IsolationLevel.NESTED, IsolationLevel.BOXED, IsolationLevel.FRESH)

    @property
    def scratch(self) -> bool:
        """Whether a submission has a folder of its own to write to, deleted with its process."""
        return self in (IsolationLevel.NESTED, IsolationLevel.FRESH)

    @property
    def needs_landlock(self) -> bool:
        """Whether it requires a kernel with Landlock; the other levels use Landlock if there is one."""
        return self in (IsolationLevel.BOXED, IsolationLevel.REDUCED)

    @property
    def says(self) -> str:
        """A description in one line."""
        text = {
            IsolationLevel.NESTED: translatable("bubblewrap, and namespaces of its own for each submission"),
            IsolationLevel.BOXED: translatable("bubblewrap, one submission at a time, nothing to write to"),
            IsolationLevel.FRESH: translatable("a bubblewrap and an interpreter of its own for each process"),
            IsolationLevel.REDUCED: translatable(
                "no namespaces: Landlock and a filter of system calls alone"
            ),
            IsolationLevel.OPEN: translatable("no isolation at all, only limits"),
            IsolationLevel.PROCESS: translatable(
                "no isolation: code runs with your rights, in a process of its own; only its time is limited"
            ),
        }[self]
        return tr(text)
