"""A style: a way to write the same code otherwise, and what it may cost."""

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from graders.audit.styles.answer_code import AnswerCode

T = TypeVar("T")
Rewrite = Callable[[AnswerCode, "Choice"], bool]
Loses = Callable[[AnswerCode], Collection[str]]


def words(text: str) -> tuple[str, ...]:
    """The words of a vocabulary."""
    return tuple(text.split())


@dataclass(frozen=True)
class Choice:
    """What a style leaves open, drawn from a seed: the same seed gives the same code."""

    numbers: random.Random

    def one(self, values: Sequence[T]) -> T:
        """One of the values."""
        return self.numbers.choice(values)

    def some(self, values: Sequence[T], least: int = 1) -> list[T]:
        """Some of the values, in their order, at least so many."""
        count = self.numbers.randint(min(least, len(values)), len(values))
        chosen = set(self.numbers.sample(range(len(values)), count))
        return [value for place, value in enumerate(values) if place in chosen]

    def order(self, values: Sequence[T]) -> list[T]:
        """The values in any order."""
        return self.numbers.sample(values, len(values))

    def names(self, count: int, vocabulary: Sequence[str], taken: Collection[str]) -> list[str]:
        """So many different names of a vocabulary that are not taken; fewer where it has no more."""
        free = sorted(set(vocabulary) - set(taken))
        return self.numbers.sample(free, min(count, len(free)))


@dataclass(frozen=True)
class Style:
    """A way to write the same code otherwise.

    Attributes:
        name: its family and its own name, as in `names.constructor`.
        rewrite: changes the code, a copy, in place; False where the style does not apply, whatever it has
            changed by then.
        loses: the checks that code in this style may fail, by what it says of the code before; none where
            the style may cost a remark at most.
    """

    name: str
    rewrite: Rewrite
    loses: Loses = lambda _code: ()


@dataclass(frozen=True)
class Step:
    """One style of a composition, with the number from which its choices are drawn."""

    style: Style
    number: int

    def apply(self, code: AnswerCode) -> AnswerCode | None:
        """The code in this style; None where the style does not apply."""
        changed = code.copy()
        numbers = random.Random(self.number)  # noqa: S311 - no secret
        done = self.style.rewrite(changed, Choice(numbers))
        return changed if done and changed.texts() != code.texts() else None
