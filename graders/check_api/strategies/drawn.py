"""What the draws of all exercises have in common."""

from dataclasses import fields
from typing import Any, ClassVar

NO_ARGUMENTS = ("config", "seed", "dtype")  # fields of draws that are no arguments of the call


class Drawn:
    """A draw: a frozen dataclass whose fields are the arguments of a call, in their order.

    Attributes:
        alive_at: the places of the arguments for whose other values every right answer is another. It is the
            first for a module; of a function nothing is known unless its draws say it.
    """

    alive_at: ClassVar[tuple[int, ...]] = ()

    @property
    def argument_names(self) -> list[str]:
        """The names of the arguments of a call, as the contract has them."""
        return [f.name for f in fields(self) if f.name not in NO_ARGUMENTS]  # type: ignore[arg-type]

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call, without those at the end that are None."""
        values = [getattr(self, name) for name in self.argument_names]
        while values and values[-1] is None:
            values.pop()
        return values
