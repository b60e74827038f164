"""A mistake is named where a check fails on it as it fails on the code, and nowhere else."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.diagnosis.compare_failures import Likeness, compare_failures
from graders.diagnosis.known_mistakes import Explained
from graders.judging.kept_draws import Example
from graders.judging.prove_names import FailedCase, Trial, prove

HOLDS, UNLIKE, OTHER, ALIKE, SAME = Likeness


def differs(*values: float, due: float = 0.0, says: str = "3 values of the output differ") -> Violation:
    actual = torch.tensor(values)
    return Violation(says, torch.full_like(actual, due), actual)


@pytest.mark.parametrize(
    ("theirs", "ours", "likeness"),
    [
        (differs(1, 2), None, (HOLDS, HOLDS)),
        (differs(1, 2), differs(1, 2 + 1e-6), (SAME, ALIKE)),
        (differs(1, 2), differs(1, 3), (OTHER, ALIKE)),
        # Nearly right: what is due is as near as the mistake.
        (differs(1, 1.0001, due=1), differs(1, 1.0002, due=1), (OTHER, ALIKE)),
        (differs(1, 2), differs(1, 2, 3), (UNLIKE, UNLIKE)),
        (differs(1, 2), differs(1, 3, says="2 values of the weights differ"), (UNLIKE, UNLIKE)),
        (differs(1, 2), Violation("there should be two outputs"), (UNLIKE, UNLIKE)),
        (Violation("12 scores, not 10"), Violation("12 scores, not 10"), (SAME, ALIKE)),
        (Violation("12 scores, not 10"), Violation("24 scores, not 10"), (OTHER, ALIKE)),
        # Errors are alike by their sentence, and never prove a thing by themselves.
        (Raised("RuntimeError: 3x4 and 5x6", "RuntimeError"), differs(1, 2), (UNLIKE, UNLIKE)),
        (
            Raised("RuntimeError: shape '[2, 3]' is invalid for input of size 7", "RuntimeError"),
            Raised("RuntimeError: shape '[4, 4]' is invalid for input of size 3", "RuntimeError"),
            (ALIKE, ALIKE),
        ),
        (
            Raised("RuntimeError: shape '[2, 3]' is invalid for input of size 7", "RuntimeError"),
            Raised("RuntimeError: mat1 and mat2 shapes cannot be multiplied", "RuntimeError"),
            (UNLIKE, UNLIKE),
        ),
    ],
)
def test_failures_are_the_same_by_their_answer_and_alike_by_their_kind(
    theirs: Exception, ours: Exception | None, likeness: Any
):
    assert (compare_failures(theirs, ours, True), compare_failures(theirs, ours, False)) == likeness


def test_masks_of_numbers_fail_in_the_same_way_in_single_and_in_double_precision():
    single, double, half = (
        Violation(f"the mask should be of dtype bool, but is torch.{dtype}")
        for dtype in ("float32", "float64", "float16")
    )
    assert compare_failures(single, double, True) is SAME
    assert compare_failures(single, half, True) is not SAME


EFFECTS = {"twice": 2.0, "negated": -1.0, "hidden": 1.0}


class Known:
    """Mistakes of a function that returns its argument: each multiplies it; `hidden` shows from 10 on."""

    def candidates(self, names: tuple[str, ...], _: Any) -> list[LocalCandidate]:
        def function(x: Tensor) -> Tensor:
            for name in names:
                x = x * EFFECTS[name] if name != "hidden" or float(x.abs().max()) < 10 else x + 1
            return x

        return [LocalCandidate(function)]

    draws = (SimpleNamespace(arguments=[torch.tensor([7.0])]),)

    def anew(self, name: str) -> LocalCandidate:
        """The mistake before its first call; `kept` answers that for ever."""
        kept: list[Tensor] = []

        def function(x: Tensor) -> Tensor:
            kept.append(x * 2)
            return kept[0] if name == "kept" else x * EFFECTS[name]

        return LocalCandidate(function)


def judged(candidate: LocalCandidate, draw: Tensor) -> None:
    """The check: the answer is the draw itself."""
    actual = candidate(draw)
    if not torch.equal(actual, draw):
        raise Violation("the values differ", draw, actual)


def case(value: float, answer: float) -> FailedCase:
    check: Any = SimpleNamespace(needs_reference=True, judge=judged)
    draw, actual = torch.tensor([value]), torch.tensor([answer])
    return FailedCase(check, Example(draw, ()), Violation("the values differ", draw, actual))


def named(cases: dict[str, FailedCase], *alternatives: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    explained = Explained(Known(), alternatives, 6)  # type: ignore[arg-type]
    trial = Trial(explained, {name: [each] for name, each in cases.items()}, list, False)
    return {check: proven.names for check, proven in prove(trial).items()}


def test_a_mistake_is_named_where_its_answer_is_the_codes_and_not_beside_other_faults():
    assert named({"core": case(3, 6), "other": case(3, 5)}, ("twice",)) == {"core": ("twice",)}
    assert named({"core": case(3, 5)}, ("twice",)) == {}


def test_of_several_at_once_each_finding_has_those_without_which_it_would_not_fail_so():
    both = ("negated", "hidden")
    assert named({"small": case(3, -3), "large": case(20, -19)}, both) == {
        "small": ("negated",),
        "large": both,
    }


def test_a_mistake_that_shows_in_no_failed_check_by_itself_is_not_named():
    assert named({"small": case(3, -3)}, ("negated", "hidden")) == {"small": ("negated",)}


def test_one_of_two_mistakes_is_not_named_where_another_check_fails_otherwise():
    both, cases = ("negated", "hidden"), {"small": case(3, -3), "large": case(20, 5)}
    assert named(cases, both) == {}
    assert named(cases, both[:1]) == {"small": both[:1]}


def twice_judged(candidate: LocalCandidate, draw: Tensor) -> None:
    """The check, with the mistake `twice` in the reference's place, whose parameters the code has."""
    actual = candidate(draw)
    if not torch.equal(actual, 2 * draw):
        raise Violation("the values differ", 2 * draw, actual)


@pytest.mark.parametrize(
    ("base", "names"), [(None, {}), (type("twice", (), {}), {"core": ("twice", "negated")})]
)
def test_a_mistake_with_whose_parameters_the_code_was_compared_shows_by_them(base: Any, names: Any):
    check: Any = SimpleNamespace(needs_reference=True, judge=twice_judged)
    draw, actual = torch.tensor([3.0]), torch.tensor([-6.0])
    compared = FailedCase(check, Example(draw, ()), Violation("the values differ", 2 * draw, actual))
    matched: Any = SimpleNamespace(base=base)
    explained = Explained(Known(), (("twice", "negated"),), 6, matched)  # type: ignore[arg-type]
    proven = prove(Trial(explained, {"core": [compared]}, list, False))
    assert {name: each.names for name, each in proven.items()} == names


def test_of_two_explanations_as_good_none_is_named_and_the_better_one_is():
    cases = {"core": case(3, 6)}
    assert named(cases, ("twice",), ("twice", "hidden")) == {"core": ("twice",)}
    EFFECTS["doubled"] = 2.0
    try:
        assert named(cases, ("twice",), ("doubled",)) == {}
        assert named(cases, ("twice",), ("negated",)) == {"core": ("twice",)}
    finally:
        del EFFECTS["doubled"]


def test_code_that_keeps_its_first_answer_need_not_have_kept_the_same_as_ours():
    EFFECTS["kept"] = 2.0
    try:
        assert named({"core": case(3, 5)}, ("kept",)) == {"core": ("kept",)}
        assert named({"core": case(3, 5)}, ("twice",)) == {}
    finally:
        del EFFECTS["kept"]


def judged_with_dropout(candidate: LocalCandidate, draw: Tensor) -> None:
    """The check on code that drops its one value seldom: under the third seed, and none before."""
    judged(candidate, draw * float(torch.rand(()) > 0.3))


def test_dropout_that_drops_none_of_a_few_values_by_chance_is_random_all_the_same():
    check: Any = SimpleNamespace(needs_reference=True, judge=judged_with_dropout)
    draw, dropped = torch.tensor([3.0]), torch.tensor([1.0])
    by_chance = FailedCase(check, Example(draw, ()), Violation("the values differ", draw, dropped))
    assert named({"core": by_chance}, ("twice",)) == {"core": ("twice",)}
