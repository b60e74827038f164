"""Draw again what Hypothesis chose in an earlier run: the same sizes, masks and flags, with new values.

For each draw of a check Hypothesis makes four, and to make one takes it much longer than the values take.
What it chooses follows from the check alone, so that a run under another seed need not look for it anew.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis.control import BuildContext, current_build_context
from hypothesis.errors import StopTest
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.strategies import SearchStrategy

from graders.check_api.values_of_run import ValuesOfRun

Choices = list[Any]  # of one draw, in their order: bools, numbers, texts


class ChosenBefore:
    """What was chosen for the draws of a check, by a name for each strategy that gives some of them.

    Args:
        known: by an earlier run, and whether any draw, also one that was not taken, had values of the run.
            What is chosen now is added to it.
    """

    def __init__(self, known: dict[str, tuple[bool, list[Choices]]] | None = None) -> None:
        self.known = dict(known or {})
        self.changed = False
        self._noted: dict[int, tuple[Any, Choices]] = {}

    def draw(
        self,
        name: str,
        given_draws: SearchStrategy[Any],
        make: Callable[[], Sequence[Any]],
        values: ValuesOfRun,
    ) -> list[Any]:
        """The draws that `make` gives, by what was chosen for them before, if that is known and fits."""
        asked, chosen = self.known.get(name, (False, None))
        if chosen is not None and (draws := redraw(given_draws, chosen)) is not None:
            values.asked |= asked
            return draws
        made = [*make()]
        self.known[name] = values.asked, [self._noted[id(draw)][1] for draw in made]
        self.changed, self._noted = True, {}
        return made

    def note(self, draw: Any) -> None:
        """Note what Hypothesis has chosen for a draw, which it has just made."""
        self._noted[id(draw)] = draw, list(current_build_context().data.choices)


_before: list[ChosenBefore | None] = [None]


@contextlib.contextmanager
def choosing_as(before: ChosenBefore) -> Iterator[None]:
    """Until the end of the block, draws are made by what was chosen before, and what is chosen is noted."""
    earlier, _before[0] = _before[0], before
    try:
        yield
    finally:
        _before[0] = earlier


def draw_as_before(
    name: str, given_draws: SearchStrategy[Any], make: Callable[[], Sequence[Any]], values: ValuesOfRun
) -> list[Any]:
    """The draws that `make` gives, as `ChosenBefore.draw` has them; outside of `choosing_as`, just those."""
    before = _before[0]
    return [*make()] if before is None else before.draw(name, given_draws, make, values)


def note_choices(draw: Any) -> None:
    """Note what Hypothesis has chosen for a draw, which it has just made."""
    if _before[0] is not None:
        _before[0].note(draw)


def redraw(given_draws: SearchStrategy[Any], chosen: Sequence[Choices]) -> list[Any] | None:
    """The draws for which these choices were made; None where a strategy no longer makes just these."""
    draws = []
    for choices in chosen:
        data = ConjectureData.for_choices(choices)
        try:
            with BuildContext(data, wrapped_test=redraw):
                draws.append(data.draw(given_draws))
        except (Exception, StopTest):  # a strategy that asks for something else may raise anything
            return None
        if list(data.choices) != choices:
            return None
    return draws
