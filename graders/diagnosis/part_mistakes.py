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
    known = all_part_mistakes(whole)
    return {name: mistake for name, mistake in known.items() if overrides_methods_alone(mistake)}


def all_part_mistakes(whole: nn.Module) -> dict[str, Any]:
    """The mistakes of the whole's parts, by name: those too that are constructed in another way.

    Args:
        whole: a module of the reference's.
    """
    parts = dict.fromkeys(type(part) for part in whole.modules() if part is not whole)
    known: dict[str, Any] = {}
    for part in parts:
        package, _, exercise = part.__module__.partition(".")
        if package == "solutions":
            known |= mistakes(exercise, part.__name__)
    return known


def parts_alike(whole: nn.Module) -> list[set[str]]:
    """The names of the parts that have the same parameters as another part, together: two attentions, say."""
    by_shapes: dict[tuple[tuple[str, tuple[int, ...]], ...], set[str]] = {}
    for part in whole.modules():
        if part is not whole and type(part).__module__.startswith("solutions."):
            shapes = tuple((name, tuple(value.shape)) for name, value in part.named_parameters())
            by_shapes.setdefault(shapes, set()).add(type(part).__name__)
    return [names for names in by_shapes.values() if len(names) > 1]


@contextmanager
def with_part(whole: nn.Module, mistake: Any) -> Iterator[None]:
    """In the block, the parts of the whole make the mistake."""
    name = base_of(mistake).__name__
    parts = [(part, type(part)) for part in whole.modules() if symbol_of(type(part)) == name]
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
        if symbol_of(type(part)) == name:
            part.__class__ = mistake
    return variant(whole) if variant else whole


def symbol_of(mistake: Any) -> str:
    """The name of the reference's class of which a class makes mistakes; its own name if it makes none."""
    return str(mistake.__name__).partition("__")[0]


def base_of(mistake: Any) -> Any:
    """The reference's class of which a class is a mistake, or several at once."""
    symbol = symbol_of(mistake)
    return next(ancestor for ancestor in mistake.__mro__ if ancestor.__name__ == symbol)


def overrides_methods_alone(mistake: Any) -> bool:
    """Whether a mistake is a class that is constructed as the reference is: its modules can be shared."""
    return isinstance(mistake, type) and mistake.__init__ is base_of(mistake).__init__  # type: ignore[misc]
