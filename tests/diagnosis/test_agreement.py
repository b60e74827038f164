"""When two candidates behave the same: in all that is seen, in their output alone, in what they do."""

import math
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

from graders.candidate.local_candidate import LocalCandidate
from graders.diagnosis.by_behaviour import agreeing_by_behaviour
from graders.diagnosis.by_values import agreeing_by_values, compared_draws, difference, has_nan
from graders.diagnosis.fingerprint import Fingerprint, fingerprint
from graders.diagnosis.projection import ANY, FEW, Projection, project
from graders.diagnosis.stages import stages_of


def numbers(*values: float) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


SEEN = Fingerprint(
    None, ((2,), (3, 2)), "tensor", (numbers(1, 2),), True, (True,), {"input 0": numbers(1), "w": None}
)


@pytest.mark.parametrize(
    ("change", "loosely", "wholly"),
    [
        ({}, True, True),
        ({"drops": True}, True, True),
        ({"absent": frozenset({"bias"})}, True, True),
        ({"values": (numbers(1, 2 + 1e-10),)}, True, True),
        ({"values": (numbers(1, 2 + 1e-3),)}, True, False),
        ({"settled": False}, True, False),
        ({"stopped": "when called: KeyError"}, False, False),
        ({"shapes": ((2,), (2, 3))}, False, False),
        ({"shapes": ((2,), (2, 3)), "renamed": True}, True, True),
        ({"shapes": ((2,), (2, 2)), "renamed": True}, False, False),
        ({"form": "list"}, False, False),
        ({"kept": (False,)}, False, False),
        ({"gradients": None}, True, True),
        ({"gradients": {"input 0": numbers(2), "w": None}}, True, False),
        ({"gradients": {"input 0": None, "w": None}}, True, False),
        ({"gradients": {"input 0": numbers(1), "w": numbers(1)}}, True, False),
        ({"gradients": {"input 0": numbers(1), "w": numbers(1)}, "renamed": True}, True, True),
        ({"gradients": {"input 0": numbers(2)}, "renamed": True}, True, False),
        ({"gradients": {"v": numbers(9)}}, True, True),
    ],
)
def test_what_is_seen_of_two_is_the_same_but_for_dropout_and_for_names(
    change: dict[str, Any], loosely: bool, wholly: bool
):
    other = replace(SEEN, **change)
    assert SEEN.loosely_matches(other) is other.loosely_matches(SEEN) is loosely
    assert SEEN.matches(other) is other.matches(SEEN) is wholly


@dataclass
class Call:
    """A draw of a function."""

    arguments: tuple[Any, ...]


@pytest.mark.parametrize(
    ("argument", "changes", "kept"),
    [
        (numbers(1, 2), lambda x: None, True),
        (numbers(1, 2), lambda x: x.data.add_(1), False),
        ([numbers(1), numbers(2)], lambda x: x[1].data.add_(1), False),
        ([numbers(1), numbers(2)], lambda x: x.pop(), False),
        ([numbers(1), numbers(2)], lambda x: None, True),
        (3, lambda x: None, True),
    ],
)
def test_an_argument_is_kept_where_it_is_as_before_the_call(argument: Any, changes: Any, kept: bool):
    def function(x: Any) -> Tensor:
        changes(x)
        return numbers(1)

    assert fingerprint(LocalCandidate(function), Call((argument,))).kept == (kept,)


CALLS: list[int] = []


def each_time_another(x: Tensor) -> Tensor:
    CALLS.append(1)
    return x + len(CALLS)


def test_what_answers_otherwise_the_second_time_has_no_values_and_no_gradients():
    draw = Call((numbers(1, 2),))
    settled = fingerprint(LocalCandidate(lambda x: 3 * x), draw)
    assert settled.settled and torch.equal(settled.values[0], numbers(3, 6))
    assert settled.gradients is not None and settled.gradients["input 0"] is not None
    unsettled = fingerprint(LocalCandidate(each_time_another), draw)
    assert (unsettled.settled, unsettled.values, unsettled.gradients) == (False, (), None)
    raising = fingerprint(LocalCandidate(lambda x: {}["x"]), draw)
    assert raising.stopped == "when called: KeyError"
    assert fingerprint(LocalCandidate(lambda x: x.long()), draw).gradients == {}


@pytest.mark.parametrize(
    ("theirs", "ours", "apart"),
    [
        ([numbers(1, 2)], [numbers(1, 2)], 0.0),
        ([numbers(1, 3)], [numbers(1, 2)], 0.5),
        ([numbers(1, 1)], [numbers(1, 2)], 0.5),
        ([numbers(1e-4, 0)], [numbers(0, 0)], 0.1),
        ([numbers(9), numbers(1, 2)], [numbers(1, 2)], 0.0),
        ([numbers(1, 2)[None, :, None]], [numbers(1, 2)], 0.0),
        ([numbers(1, 2, 3)], [numbers(1, 2)], math.inf),
        ([], [numbers(1, 2)], math.inf),
        ([numbers(1, 2)], [], math.inf),
        ([numbers(math.inf, 3)], [numbers(math.inf, 2)], 0.5),
        ([numbers(math.inf, 3)], [numbers(1, 2)], math.inf),
        ([numbers(math.nan, math.inf)], [numbers(math.nan, math.inf)], 0.0),
    ],
)
def test_a_difference_of_outputs_is_a_share_of_the_largest_value(theirs: Any, ours: Any, apart: float):
    assert difference(theirs, ours, numbers(0, 0)) == pytest.approx(apart)
    empty = torch.zeros(0, dtype=torch.float64)
    assert difference([empty], [empty], empty) == 0.0
    assert has_nan([numbers(1), numbers(math.nan, 1)], numbers(0, 0)) and not has_nan(
        [numbers(math.nan), numbers(1, 1)], numbers(0, 0)
    )


@dataclass(frozen=True)
class Known:
    """A known mistake, or the reference, that answers a draw's number times a factor and adds a bias."""

    factor: float
    names: tuple[str, ...] = ()
    variant: Any = None
    form: str = "tensor"
    draws: int = 4
    raises_on: tuple[int, ...] = field(default=())

    def values(self, number: int, absent: frozenset[str]) -> list[Tensor]:
        bias = 0.0 if absent else 1.0
        return [] if number in self.raises_on else [self.factor * numbers(number + 1, 5) + bias]

    def fingerprint(self, number: int) -> Fingerprint:
        return Fingerprint(form=self.form, values=tuple(self.values(number, frozenset())))


RIGHT = Known(1.0)
TWICE, THRICE = Known(2.0, ("twice",)), Known(3.0, ("thrice",))


def seen_of(known: Known, times: float = 1.0, **more: Any) -> list[Fingerprint]:
    absent = more.get("absent", frozenset())
    return [
        Fingerprint(form="tensor", values=tuple(times * v for v in known.values(n, absent)), **more)
        for n in range(known.draws)
    ]


@pytest.mark.parametrize(
    ("seen", "possible", "names"),
    [
        (seen_of(TWICE), [TWICE, THRICE], [("twice",)]),
        (seen_of(TWICE, absent=frozenset({"bias"})), [TWICE, THRICE], [("twice",)]),
        (seen_of(RIGHT), [TWICE, THRICE], []),
        (seen_of(RIGHT), [Known(1.0, ("nothing",))], []),
        (seen_of(Known(4.0)), [TWICE, THRICE], []),
        # float32's rounding: one mistake is far closer than all others.
        (seen_of(TWICE, 1 + 1e-5), [TWICE, Known(2.1, ("other",))], [("twice",)]),
        (seen_of(TWICE, 1 + 1e-5), [TWICE, Known(2.0002, ("other",))], []),
        (seen_of(TWICE, 1 + 1e-2), [TWICE], []),
        # Of two with one output the one that has the code's form.
        (seen_of(TWICE), [TWICE, Known(2.0, ("listed",), form="list")], [("twice",)]),
        (seen_of(TWICE), [TWICE, Known(2.0, ("alike",))], [("twice",), ("alike",)]),
        # One as it stands before one that needs another epsilon.
        (seen_of(TWICE), [Known(2.0, ("varied",), variant=abs), TWICE], [("twice",)]),
        (seen_of(TWICE), [Known(2.0, ("varied",), variant=abs)], [("varied",)]),
        # Draws that are not answered do not count, but three must be.
        (seen_of(Known(2.0, raises_on=(3,))), [TWICE], [("twice",)]),
        (seen_of(Known(2.0, raises_on=(3,))), [TWICE, Known(2.0, ("alike",))], []),
        (seen_of(Known(2.0, raises_on=(2, 3))), [TWICE], []),
        (seen_of(Known(2.0, raises_on=(0,), draws=5)), [TWICE], []),
    ],
)
def test_a_mistake_is_named_by_its_output_where_no_other_and_not_the_reference_is_as_close(
    seen: list[Fingerprint], possible: list[Known], names: list[tuple[str, ...]]
):
    assert agreeing_by_values(seen, [RIGHT], possible) == names


def test_draws_are_compared_that_the_code_and_the_reference_answer_and_none_without_the_first():
    assert compared_draws(seen_of(Known(2.0, raises_on=(1,))), [RIGHT]) == [0, 2, 3]
    assert compared_draws(seen_of(TWICE), [Known(1.0, raises_on=(2,))]) == [0, 1, 3]
    assert compared_draws(seen_of(Known(2.0, raises_on=(0,))), [RIGHT]) == []


def fact(*facts: str, names: tuple[str, ...] = ()) -> Any:
    return SimpleNamespace(names=names, fingerprint=lambda number: Fingerprint(form=facts[number]))


TRIALS: Any = [SimpleNamespace(aside=aside) for aside in (False, False, True)]
A, B = fact("bad", "ok", "ok", names=("a",)), fact("ok", "bad", "ok", names=("b",))
BOTH = fact("bad", "bad", "ok", names=("a", "b"))
DROPS = fact("ok", "ok", "none", names=("drops",))


@pytest.mark.parametrize(
    ("facts", "names"),
    [
        (("ok", "ok", "ok"), []),
        (("bad", "ok", "ok"), [("a",)]),
        (("bad", "bad", "ok"), [("a", "b")]),
        (("worse", "ok", "ok"), []),
        (("ok", "ok", "none"), [("drops",)]),
        # What is aside hides no mistake that explains all else.
        (("bad", "ok", "none"), [("a",)]),
        (("bad", "bad", "none"), [("a", "b")]),
        (("ok", "ok", "else"), []),
    ],
)
def test_by_what_code_does_a_mistake_is_named_where_all_facts_agree(facts: Any, names: Any):
    seen = [Fingerprint(form=one) for one in facts]
    right = fact("ok", "ok", "ok")
    assert agreeing_by_behaviour(TRIALS, seen, right, [A, B, DROPS], [BOTH]) == names


def test_a_projection_tells_a_tensor_from_every_other_within_the_tolerance():
    assert project(numbers(*range(FEW))).__class__ is Tensor  # so small a tensor is kept itself
    assert project(torch.ones(FEW + 1)).__class__ is Tensor
    values = torch.linspace(-2, 1, FEW + 1, dtype=torch.float64)
    kept = project(values)
    assert isinstance(kept, Projection)
    assert (kept.shape, kept.finite, kept.largest) == ((FEW + 1,), FEW + 1, 2.0)
    assert kept.fits(values * (1 + 1e-12), 1e-9) and not kept.fits(values + 1e-3, 1e-9)
    assert not kept.fits(values[:-1], 1e-9) and not kept.fits(values.flip(0), 1e-9)
    assert not kept.fits(values.reshape(1, -1), 1e-9)
    hole = values.clone()
    hole[3] = math.nan
    assert not kept.fits(hole, 1e-9) and project(hole).fits(hole, 1e-9)  # type: ignore[union-attr]
    assert ANY.fits(values, 0.0)


@dataclass(frozen=True)
class Masked:
    """A draw with or without a mask."""

    number: int
    mask: Tensor | None = None


def test_few_mistakes_show_in_the_first_stages_and_masks_come_last():
    hidden = torch.ones(1, dtype=torch.bool)
    draws = [
        Masked(0),
        Masked(1, hidden),
        Masked(2),
        Masked(3, hidden),
        Masked(4),
        Masked(5, hidden),
        Masked(6),
    ]
    shapes = dict.fromkeys(("a.W_q.bias", "a.W_o.weight", "f.linear2.bias", "f.linear1.bias", "W_q"), (2,))
    stages = stages_of(draws, shapes)
    scores, attention, network = {"a.W_q.bias"}, {"a.W_o.weight"}, {"f.linear2.bias"}
    assert [set(s.silenced) for s in stages[:4]] == [
        attention | network,
        network | scores,
        network,
        attention,
    ]
    assert [(s.draw.number, s.masked) for s in stages] == [
        *[(0, False)] * 4,
        *[(0, False), (1, False), (3, False), (2, False), (4, False)],
        *[(1, True), (3, True), (5, True)],
    ]
    assert all(s.draw.mask is None or s.masked for s in stages)
    assert [set(s.silenced) for s in stages_of(draws, {"query.weight": (2,)})][:2] == [
        {"query.weight"},
        set(),
    ]
    assert stages_of([], {}) == []
