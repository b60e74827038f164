"""A known mistake costs what its gravity says, or the audit tells."""

import pytest

from graders.audit.try_seeds import describe_disproportion
from graders.course.gravity import Gravity
from graders.course.reference import gravities, names_as_hand_ins


def test_a_mistake_that_costs_what_is_due_is_no_gap():
    assert describe_disproportion("f__unscaled", Gravity.HALF, 0.4) is None
    assert describe_disproportion("f__without_biases", Gravity.SMALL, 0.05) is None


@pytest.mark.parametrize(
    ("gravity", "cost"), [(Gravity.WHOLE, 0.36), (Gravity.HALF, 0.03), (Gravity.SMALL, 0.9)]
)
def test_a_mistake_that_costs_too_much_or_too_little_is_a_gap(gravity: Gravity, cost: float):
    told = describe_disproportion("f__mistake", gravity, cost)
    assert told is not None
    assert "f__mistake" in told


def test_a_solution_says_how_grave_its_mistakes_are():
    assert gravities("local_attention", "local_attention")["local_attention__full_matrix"] is Gravity.HALF


def test_a_name_that_is_no_mistake_is_refused(monkeypatch: pytest.MonkeyPatch):

    monkeypatch.setattr("solutions.local_attention.WHOLE", ("no_such_mistake",), raising=False)
    with pytest.raises(ValueError, match="no_such_mistake"):
        gravities("local_attention", "local_attention")


def test_a_solution_says_which_mistakes_are_not_named_as_themselves_alone(monkeypatch: pytest.MonkeyPatch):
    name = "CrossAttention__self_attention"
    both = {name, "CrossAttention__kv_dim_ignored"}
    assert names_as_hand_ins("cross_attention", "CrossAttention") == {name: both}
    assert names_as_hand_ins("minigpt_model", "MiniGPT") == {"MiniGPT__loss_first": frozenset()}
    monkeypatch.setattr("solutions.cross_attention.TOLD", ("self_attention",), raising=False)
    with pytest.raises(ValueError, match="ALSO: self_attention"):
        names_as_hand_ins("cross_attention", "CrossAttention")
