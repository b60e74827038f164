"""An object that stands in for what computes nothing of an answer: a logger, a progress bar, `get_ipython()`.

Imports nothing but the standard library.
"""

from collections.abc import Iterable, Iterator
from typing import Any


class Silent:
    """Every attribute gives it again; a call gives what it is given: a function, or a value to look at.

    It passes on what it is called with to be gone through, as a progress bar does. As a number it is 0.
    """

    def __init__(self, values: Any = (), *args: object, **named: object) -> None:
        del args, named
        self.__dict__["_values"] = values

    def __getattr__(self, name: str) -> "Silent":
        if name.startswith("__"):
            raise AttributeError(name)
        return Silent()

    def __setattr__(self, name: str, value: object) -> None:
        del name, value

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The first argument, which may be gone through; a new object where there is none, or a text."""
        del named
        if not args or isinstance(args[0], str):
            return Silent()
        plain = callable(args[0]) or hasattr(args[0], "shape") or not isinstance(args[0], Iterable)
        return args[0] if plain else Silent(args[0])

    def __getitem__(self, key: object) -> "Silent":
        del key
        return Silent()

    def __setitem__(self, key: object, value: object) -> None:
        del key, value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.__dict__["_values"])

    def __len__(self) -> int:
        return len(self.__dict__["_values"])

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> "Silent":
        return self

    def __exit__(self, *error: object) -> None:
        del error

    def __float__(self) -> float:
        return 0.0

    def __index__(self) -> int:
        return 0

    def __add__(self, other: object) -> float:
        del other
        return 0.0

    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __floordiv__ = __add__

    def __format__(self, how: str) -> str:
        return format(0.0, how)
