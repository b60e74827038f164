"""Draws and the reference's answers to them, made once in a process of the tests and in those that it forks.

To draw and to answer takes longer than to check. Tests of drawing itself undo this
(`tests/judging/test_draw.py`), since with it the same draws come twice whatever the code does. What an answer
key gives is never shared: it would not be told from what references give.

Most tests ask a check on its first draws alone; the nightly run asks it on all, and so does the whole audit.
A test that is about what only many draws show asks inside `with_all_draws`.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from functools import cache, wraps
from typing import Any

from graders import locations
from graders.check_api.check import Check
from graders.course.exercise import Exercise
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.judging import draws as drawing
from graders.judging.draws import Draws
from graders.judging.kept import kept_work
from graders.judging.kept_draws import Example

MOST = 5  # draws of a check, beside its longest: of most checks all but one

# Whether checks have all: where a test asks for it, and at night.
_all_draws = [os.environ.get("SOFTMARK_NIGHTLY") == "1"]
_examples: dict[tuple[Any, ...], tuple[Check, list[Example]]] = {}
_ladders: dict[tuple[Any, ...], tuple[dict[Any, Any], dict[Any, Any]]] = {}
_known_mistakes: dict[tuple[Any, ...], tuple[Exercise, KnownMistakes | None]] = {}


def share_draws() -> None:
    """From now on all runs with one seed share what they draw, and what known mistakes answer to it."""
    drawing.draw_examples = _fewer(cache(drawing.draw_examples))
    kept_work.made_from = _marked(kept_work.made_from)
    Draws.for_check = _shared(Draws.for_check)  # type: ignore[method-assign]
    Draws.small_cases = _with_shared_ladders(Draws.small_cases)  # type: ignore[method-assign]
    Draws.known_mistakes = _known_once(Draws.known_mistakes)  # type: ignore[method-assign]


@contextlib.contextmanager
def with_all_draws() -> Iterator[None]:
    """Inside the block, checks have all their draws."""
    before, _all_draws[0] = _all_draws[0], True
    try:
        yield
    finally:
        _all_draws[0] = before


def _fewer(draw_examples: Any) -> Any:
    @wraps(draw_examples)
    def draw(check: Check, *numbers: int) -> list[Any]:
        draws: list[Any] = draw_examples(check, *numbers)
        many = len(draws) - drawing.count_fixed_draws(check)
        return draws if _all_draws[0] else [*draws[: min(MOST, many)], *draws[many:]]

    return draw


def _marked(made_from: Any) -> Any:
    """What is kept of fewer draws has names of its own: programs that tests start have all."""

    @wraps(made_from)
    def digest(exercise: Exercise, seed: int | None) -> str:
        whole: str = made_from(exercise, seed)
        return whole if _all_draws[0] else f"{whole}-few"

    return digest


def _settings(draws: Draws) -> tuple[Any, ...]:
    return _all_draws[0], draws.seed, draws.dtype, draws._looser, draws._sizes, locations.course()


def _shared(for_check: Any) -> Any:
    @wraps(for_check)
    def find_or_draw(
        self: Draws, exercise: Exercise, check: Check, constants: Iterable[int] = ()
    ) -> list[Example]:
        if self._key is not None:
            with_key: list[Example] = for_check(self, exercise, check, constants)
            return with_key
        # A check of the same name may be another object: at usual sizes, or where a test has changed it.
        key = (*_settings(self), exercise.name, id(check))
        name = (exercise.name, check.name)
        if key in _examples:
            self._kept.examples[name] = _examples[key][1]
        else:
            self._kept.examples.pop(name, None)
        answers: list[Example] = for_check(self, exercise, check, constants)
        _examples.setdefault(key, (check, self._kept.examples[name]))
        return answers

    return find_or_draw


def _with_shared_ladders(small_cases: Any) -> Any:
    @wraps(small_cases)
    def find(self: Draws, *args: Any, **named: Any) -> Iterator[Iterator[Example]]:
        if self._key is None:
            self._kept.ladders, self._kept.rungs = _ladders.setdefault(_settings(self), ({}, {}))
        parts: Iterator[Iterator[Example]] = small_cases(self, *args, **named)
        return parts

    return find


def _known_once(known_mistakes: Any) -> Any:
    @wraps(known_mistakes)
    def find(self: Draws, exercise: Exercise) -> KnownMistakes | None:
        key = (*_settings(self), id(exercise))
        if self._key is None and key in _known_mistakes:
            return _known_mistakes[key][1]
        known: KnownMistakes | None = known_mistakes(self, exercise)
        if self._key is None:
            _known_mistakes[key] = exercise, known
        return known

    return find
