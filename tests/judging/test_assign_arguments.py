"""Which of the ways to give a call its arguments is taken, by what becomes of it on a few draws."""

from types import SimpleNamespace

import pytest

from graders.candidate.student_error import RaisedByStudent
from graders.check_api.compare import Violation
from graders.judging.assign_arguments import Misfit, assign_arguments
from graders.judging.kept_draws import Example
from graders.results.result import Outcome
from graders.sandbox.process_lost import ProcessLost

FITS, RAISES, SHAPE = None, RaisedByStudent("TypeError: x", "TypeError", None), Violation("another shape")
LOST = ProcessLost(Outcome.TIMED_OUT, "too long")


class Candidate:
    """A candidate whose code does on each draw what is said of the way that is in use."""

    lose_a_mask = ()  # the ways that do not give it

    @property
    def taken(self):
        return {"forward: mask": ""} if self.way in self.lose_a_mask else {"forward: mask": "attn_mask"}

    def __init__(self, *of_ways):
        self.of_ways, self.ways, self.way = of_ways, {"": len(of_ways)}, 0
        self.mapper = SimpleNamespace(mapping_draws=list)

    def take_arguments(self, call, way):
        self.way = way

    def use_mapping_draws(self, draws):
        pass


def way_taken(*of_ways, lose_a_mask=()):
    """The number of the way that is taken; each way says what becomes of three draws."""
    candidate = Candidate(*of_ways)
    candidate.lose_a_mask = lose_a_mask
    examples = [Example(number, ()) for number in range(3)]
    judge = SimpleNamespace(
        candidate=candidate,
        exercise=SimpleNamespace(value_checks=[SimpleNamespace(shape_only=True, on_its_word=False)]),
        draws=SimpleNamespace(decidable=lambda *_: True, for_check=lambda *_: examples),
        try_on=lambda _check, example: candidate.of_ways[candidate.way][example.draw],
    )
    assert assign_arguments(judge) is judge
    return candidate.way


@pytest.mark.parametrize(
    ("of_ways", "taken"),
    [
        ([[FITS] * 3, [FITS] * 3], 0),
        ([[RAISES] * 3, [FITS] * 3], 1),
        ([[SHAPE] * 3, [RAISES] * 3, [FITS] * 3, [FITS] * 3], 2),
        ([[FITS, RAISES, RAISES], [FITS, FITS, SHAPE]], 0),
        ([[FITS, RAISES, RAISES], [FITS] * 3], 1),
        ([[RAISES] * 3, [SHAPE] * 3, [FITS, SHAPE, RAISES]], 1),
        ([[RAISES] * 3, [RAISES] * 3], 0),
    ],
)
def test_the_first_way_that_fits_is_taken_and_the_likeliest_stays_where_it_fits_at_times(of_ways, taken):
    assert way_taken(*of_ways) == taken


def test_an_argument_is_left_out_only_where_the_code_fits_nowhere_with_it():
    refuses_masks, refuses_all = [FITS, RAISES, RAISES], [RAISES] * 3
    assert way_taken(refuses_masks, [FITS] * 3, lose_a_mask=[1]) == 0
    assert way_taken(refuses_masks, [FITS] * 3, [FITS] * 3, lose_a_mask=[1]) == 2
    assert way_taken(refuses_masks, [FITS] * 3, lose_a_mask=[0, 1]) == 1
    assert way_taken(refuses_all, [FITS] * 3, lose_a_mask=[1]) == 1


def test_a_process_that_is_lost_ends_the_search():
    assert way_taken([LOST] * 3, [FITS] * 3) == 0


def test_a_way_is_far_better_that_raises_no_more_and_has_all_shapes_where_another_has_few():
    likeliest = Misfit(raised=2, of_another_shape=9, trials=14)
    assert Misfit(2, 0, 14).is_far_better_than(likeliest)
    assert not Misfit(3, 0, 14).is_far_better_than(likeliest)
    assert not Misfit(2, 1, 14).is_far_better_than(likeliest)
    assert not Misfit(2, 0, 14).is_far_better_than(Misfit(2, 2, 14))
