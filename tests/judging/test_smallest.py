"""A failed check is shown on the draw that shows it best, with what the code printed there."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from graders.candidate.student_error import RaisedByStudent
from graders.check_api.compare import Violation
from graders.judging.another_answer import AnotherAnswer
from graders.judging.kept_draws import Example
from graders.judging.show_smallest import show_on_smallest
from graders.judging.smallest_failure import FAINT, Failure, find_smallest
from graders.results.limit import Limit
from graders.results.result import Finding, Outcome


@dataclass
class Drawn:
    """A draw that is told by its number."""

    number: int


def differs(share: float) -> Violation:
    values = (torch.tensor([value], dtype=torch.float64) for value in (1.0, 1.0 + share))
    return Violation(f"differs by {share}", *values, (0,))


RAISES = RaisedByStudent("KeyError: 1", "KeyError", None)
EXAMPLES = [Example(Drawn(number), ()) for number in range(12)]
CHECK: Any = SimpleNamespace(name="a_check")


class Tries:
    """Tries a check whose failure on each draw is given; prints the draw's number."""

    def __init__(self, failures: dict[int, Exception], parts: list[list[int]], tries: int = 100) -> None:
        self._failures, self._parts = failures, parts
        self.tried: list[int] = []
        self.readings: list[Any] = []  # of the mask, while the check was tried
        self.exercise: Any = None
        self.draws: Any = SimpleNamespace(tries=tries, small_cases=self._cases)
        self.spent = 0.0
        self.session: Any = SimpleNamespace(printed="", spent=lambda exactly: self.spent)
        self.candidate: Any = SimpleNamespace(mask_reading="now")
        self.sizes_matter: bool | None = None

    def _cases(self, _: Any, check: Any, first: Example, sizes_matter: bool) -> Iterator[Iterator[Example]]:
        self.sizes_matter = sizes_matter
        yield from (iter([EXAMPLES[n] for n in part]) for part in self._parts)

    def try_on(self, check: Any, example: Example) -> Exception | str | None:
        self.readings.append(self.candidate.mask_reading)
        number = example.draw.number
        self.tried.append(number)
        self.session.printed += f"draw {number}"
        return self._failures.get(number)

    def finding(
        self, check: Any, outcome: Outcome, message: str = "", case: Any = None, **named: Any
    ) -> Finding:
        return Finding(check.name, outcome, 0, 1, "", message, case, **named)


def first(failure: Exception, number: int = 9) -> Failure:
    return Failure(CHECK, EXAMPLES[number], failure, "at first", ("a mask", "then"))  # type: ignore[arg-type]


def shown(tries: Tries, failure: Exception) -> tuple[int, str, str]:
    example, found = find_smallest(tries, first(failure))
    return example.draw.number, str(found), tries.session.printed


@pytest.mark.parametrize(
    ("failures", "parts", "expected"),
    [
        # The first plain one, in the order of the ladder.
        ({3: differs(1.0), 2: differs(0.5)}, [[1, 2, 3]], (2, "differs by 0.5", "draw 2")),
        # A plain one before a faint one, however small that is.
        ({1: differs(0.001), 3: differs(0.5)}, [[1, 2, 3]], (3, "differs by 0.5", "draw 3")),
        # Of faint ones the first of the largest power of ten.
        (
            {1: differs(0.001), 2: differs(0.03), 3: differs(0.05)},
            [[1, 2, 3]],
            (2, "differs by 0.03", "draw 2"),
        ),
        # What fails in another way is another failure.
        ({1: RAISES, 3: differs(0.5)}, [[1, 2, 3]], (3, "differs by 0.5", "draw 3")),
        # The second part is looked at only where the first shows nothing.
        ({1: differs(0.001), 4: differs(0.5)}, [[1, 2], [4]], (1, "differs by 0.001", "draw 1")),
        ({4: differs(0.5)}, [[1, 2], [4, 9]], (4, "differs by 0.5", "draw 4")),
        # Where no other fails, the first is shown if it fails again.
        ({9: differs(0.5)}, [[1, 2], [9, 4]], (9, "differs by 0.2", "at first")),
    ],
)
def test_the_first_plain_failure_is_shown_and_of_faint_ones_the_first_of_the_largest_power_of_ten(
    failures: dict[int, Exception], parts: list[list[int]], expected: tuple[int, str, str]
):
    assert shown(Tries(failures, parts), differs(0.2)) == expected


def test_what_comes_after_the_first_failing_draw_is_no_simpler():
    tries = Tries({4: differs(0.5)}, [[1, 9, 4]])
    assert shown(tries, differs(0.2))[0] == 9
    assert 4 not in tries.tried


def test_after_six_faint_failures_the_search_ends():
    faint = {number: differs(0.01) for number in range(FAINT)}
    tries = Tries({**faint, FAINT: differs(0.5)}, [[*range(9)]])
    assert shown(tries, differs(0.2))[0] == 0
    assert tries.tried == [*range(FAINT)]


@pytest.mark.parametrize(("most", "tried"), [(2, [1, 2, 9]), (3, [1, 2, 3, 9])])
def test_so_many_draws_are_tried_at_most(most: int, tried: list[int]):
    tries = Tries({5: differs(0.5), 9: differs(0.2)}, [[1, 2, 3, 4, 5]], most)
    assert shown(tries, differs(0.2))[0] == 9
    assert tries.tried == tried


def test_the_search_ends_where_the_code_has_taken_too_long():
    tries = Tries({5: differs(0.5), 9: differs(0.2)}, [[1, 5]])
    readings = iter([0.0, *[9.0] * 9])
    tries.session.spent = lambda exactly: next(readings)
    assert shown(tries, differs(0.2))[0] == 9
    assert tries.tried == [9]


def test_sizes_matter_where_the_answer_is_wrong_and_not_where_the_code_raises():
    wrong, raising = Tries({}, [[]]), Tries({9: RAISES}, [[]])
    shown(wrong, differs(0.2))
    shown(raising, RAISES)
    assert (wrong.sizes_matter, raising.sizes_matter) == (True, False)


def test_a_failure_that_does_not_come_back_is_another_answer_the_second_time():
    [number, said, printed] = shown(Tries({}, [[1]]), differs(0.2))
    assert (number, printed) == (9, "at first")
    assert said == "another answer the second time. The first time: differs by 0.2"
    limited = RaisedByStudent("too much memory", "memory", None, limit=Limit.MEMORY)
    assert shown(Tries({}, [[]]), limited)[1] == "too much memory"
    assert shown(Tries({9: differs(0.3)}, [[]]), differs(0.2))[1] == "differs by 0.2"
    nothing = Tries({}, [[1]])
    assert find_smallest(nothing, first(AnotherAnswer(RAISES)))[0] is EXAMPLES[9]
    assert nothing.tried == []


def test_the_finding_is_that_of_the_smallest_draw_and_the_mask_is_read_as_when_it_failed():
    tries = Tries({1: differs(0.5)}, [[1]])
    before = Finding("a_check", Outcome.FAILED, 0, 1, "", "differs by 0.2", staff="for staff")
    kept: dict[str, list[Failure]] = {}
    finding = show_on_smallest(tries, {"a_check": first(differs(0.2))}, kept, before)  # type: ignore[arg-type]
    assert (finding.message, finding.staff) == ("differs by 0.5", "for staff")
    assert [str(failure.failure) for failure in kept["a_check"]] == ["differs by 0.2", "differs by 0.5"]
    assert finding.case is not None and finding.case.text == "number=1"
    assert (tries.readings, tries.candidate.mask_reading) == ([("a mask", "then")], "now")
    assert show_on_smallest(tries, {}, kept, before) is before  # type: ignore[arg-type]


def test_a_message_that_was_given_meanwhile_stays_beside_the_smallest_case():
    tries = Tries({1: differs(0.5)}, [[1]])
    read = Finding("a_check", Outcome.FAILED, 0, 1, "", "the mask is read in another sense")
    kept: dict[str, list[Failure]] = {}
    finding = show_on_smallest(tries, {"a_check": first(differs(0.2))}, kept, read)  # type: ignore[arg-type]
    assert finding.message == "the mask is read in another sense"
    assert not kept  # no mistake explains it by these draws
    assert finding.case is not None and finding.case.text == "number=1"


def test_a_fault_of_ours_while_the_smallest_is_looked_for_costs_nobody_points():
    tries = Tries({1: differs(0.5)}, [[1]])
    tries.draws.small_cases = None
    kept: dict[str, list[Failure]] = {}
    before = Finding("a_check", Outcome.FAILED, 0, 1, "", "differs by 0.2")
    finding = show_on_smallest(tries, {"a_check": first(differs(0.2))}, kept, before)  # type: ignore[arg-type]
    assert finding.outcome is Outcome.BROKEN
    assert "TypeError" in (finding.staff or "")
    assert tries.candidate.mask_reading == "now"
