"""Compositions of styles on known answers: drawn from a seed, made smaller where a verdict changes."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graders.audit.styles.all_styles import STYLES
from graders.audit.styles.answer_code import AnswerCode
from graders.audit.styles.style import Step, Style

FEWEST, MOST = 2, 6  # styles at once
NUMBERS = 1000  # from which the choices of a style are drawn
TRIES = 30  # styles that are drawn until enough of them apply


@dataclass(frozen=True)
class Composition:
    """An answer in several styles, one after another."""

    code: AnswerCode
    steps: tuple[Step, ...] = ()

    @property
    def rewritten(self) -> AnswerCode | None:
        """The code in all styles; None where one of them does not apply."""
        code: AnswerCode | None = self.code
        for step in self.steps:
            code = step.apply(code) if code is not None else None
        return code

    @property
    def loses(self) -> frozenset[str]:
        """The checks that the code may fail by its styles."""
        code, lost = self.code, frozenset[str]()
        for step in self.steps:
            lost |= frozenset(step.style.loses(code))
            code = step.apply(code) or code
        return lost

    @property
    def styles(self) -> tuple[str, ...]:
        """The names of its styles."""
        return tuple(step.style.name for step in self.steps)


def compose(
    code: AnswerCode,
    numbers: random.Random,
    styles: Sequence[Style] = STYLES,
    wanted: int | None = None,
) -> Composition:
    """An answer in two to six styles that apply to it, or so many, each once; fewer where fewer apply."""
    wanted, composition = wanted or numbers.randint(FEWEST, MOST), Composition(code)
    for style in numbers.sample(styles, min(TRIES, len(styles))):
        longer = replace(composition, steps=(*composition.steps, Step(style, numbers.randrange(NUMBERS))))
        if longer.rewritten is not None:
            composition = longer
        if len(composition.steps) == wanted:
            break
    return composition


def make_smaller(composition: Composition, changes: Callable[[Composition], bool]) -> Composition:
    """The composition without the styles that are not needed for what `changes` asks.

    Args:
        composition: one of which it holds.
        changes: whether a composition still changes the verdict.
    """
    for step in composition.steps:
        fewer = replace(composition, steps=tuple(s for s in composition.steps if s is not step))
        if fewer.steps and fewer.rewritten is not None and changes(fewer):
            composition = fewer
    return composition
