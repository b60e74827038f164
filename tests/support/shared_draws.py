"""Draws and the reference's answers to them, made once in a process of the tests and in those that it forks.

To draw and to answer takes longer than to check. Tests of drawing itself undo this
(`tests/judging/test_draw.py`), since with it the same draws come twice whatever the code does.
"""

from collections.abc import Iterable
from functools import cache, wraps
from typing import Any

from graders import locations
from graders.check_api.check import Check
from graders.course.exercise import Exercise
from graders.judging import draws as drawing
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example

_examples: dict[tuple[Any, ...], tuple[Check, list[Example]]] = {}


def share_draws() -> None:
    """From now on all runs with one seed share what they draw."""
    drawing.draw_examples = cache(drawing.draw_examples)
    Draws.for_check = _shared(Draws.for_check)  # type: ignore[method-assign]


def _shared(for_check: Any) -> Any:
    @wraps(for_check)
    def find_or_draw(
        self: Draws, exercise: Exercise, check: Check, constants: Iterable[int] = ()
    ) -> list[Example]:
        # A check of the same name may be another object: at usual sizes, or where a test has changed it.
        key = (self.seed, self.dtype, self._looser, exercise.name, id(check), locations.solutions())
        name = (exercise.name, check.name)
        if key in _examples:
            self._kept.examples.setdefault(name, _examples[key][1])
        answers: list[Example] = for_check(self, exercise, check, constants)
        _examples.setdefault(key, (check, self._kept.examples[name]))
        return answers

    return find_or_draw
