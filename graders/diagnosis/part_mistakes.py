"""Known mistakes of the parts that a whole is built of: a block whose attention does not scale its scores.

They are told by values alone, after the whole's own mistakes, some of which do the same.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from torch import nn

from graders.check_api.variants import Variant
from graders.course.reference import mistakes


def part_mistakes(whole: nn.Module) -> dict[str, Any]:
    """The mistakes of the whole's parts, by name: those that override methods alone.

    Args:
        whole: a module of the reference's.
    """
    parts = dict.fromkeys(type(part) for part in whole.modules() if part is not whole)
    known: dict[str, Any] = {}
    for part in parts:
        package, _, exercise = part.__module__.partition(".")
        if package == "solutions":
            of_part = mistakes(exercise, part.__name__)
            known |= {name: mistake for name, mistake in of_part.items() if overrides_methods_alone(mistake)}
    return known


@contextmanager
def with_part(whole: nn.Module, mistake: Any) -> Iterator[None]:
    """In the block, the parts of the whole make the mistake."""
    name = base_of(mistake).__name__
    parts = [(part, type(part)) for part in whole.modules() if type(part).__name__ == name]
    try:
        for part, _ in parts:
            part.__class__ = mistake
        yield
    finally:
        for part, before in parts:
            part.__class__ = before


def variant_with_part(mistake: Any, variant: Variant | None) -> Callable[[nn.Module], nn.Module]:
    """A variant of the whole whose parts make the mistake for good."""
    return partial(_apply, mistake, variant)


def _apply(mistake: Any, variant: Variant | None, whole: nn.Module) -> nn.Module:
    name = base_of(mistake).__name__
    for part in whole.modules():
        if type(part).__name__ == name:
            part.__class__ = mistake
    return variant(whole) if variant else whole


def base_of(mistake: Any) -> Any:
    """The reference's class of which a class is a mistake, or several at once."""
    symbol = mistake.__name__.partition("__")[0]
    return next(ancestor for ancestor in mistake.__mro__ if ancestor.__name__ == symbol)


def overrides_methods_alone(mistake: Any) -> bool:
    """Whether a mistake is a class that is constructed as the reference is: its modules can be shared."""
    return isinstance(mistake, type) and mistake.__init__ is base_of(mistake).__init__  # type: ignore[misc]
