"""Changed code whose loop would go on for ever is ended, and all other code answers as before."""

import pytest

from graders.audit.names.end_loops import TURN, NeverEnds, count_turns, make_turn

HALVE = """
def halve(number):
    turns = 0
    while number > 1:
        number {change}
        turns += 1
    return turns
"""


def halve(change: str, most: int) -> int:
    """The answer for 64, by code in which the loop changes the number so."""
    names: dict[str, object] = {TURN: make_turn(most)}
    exec(count_turns(HALVE.format(change=change)), names)
    answer: int = names["halve"](64)  # type: ignore[operator]
    return answer


def test_code_that_ends_answers_as_before() -> None:
    assert halve("//= 2", most=6) == 6


@pytest.mark.parametrize("change", ["//= 1", "*= 2"])
def test_a_loop_without_an_end_is_ended(change: str) -> None:
    with pytest.raises(NeverEnds):
        halve(change, most=100)


def test_turns_of_all_loops_count_together() -> None:
    with pytest.raises(NeverEnds):
        halve("//= 2", most=5)
