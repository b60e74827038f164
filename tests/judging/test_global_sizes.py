"""Sizes that are global variables cost one check."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from graders.judging.global_sizes import fail_global_sizes
from graders.results.result import Finding, Outcome

FINDINGS = [
    Finding(name, Outcome.PASSED, 1.0, 1.0, says="")
    for name in ("keeps_the_shape", "has_four_layers_with_bias", "knows_no_order")
]


def candidate(taken: dict[str, str]) -> Any:
    contract = {"__init__": ["embed_dim", "num_heads"]}
    return SimpleNamespace(
        taken=taken, contract=contract, source=SimpleNamespace(symbol="MultiHeadAttention")
    )


def test_the_check_on_the_parameters_fails_for_sizes_in_global_variables():
    findings = fail_global_sizes(candidate({"d_model (global)": "embed_dim", "h": "num_heads"}), FINDINGS)
    assert [f.outcome for f in findings] == [Outcome.PASSED, Outcome.FAILED, Outcome.PASSED]
    assert findings[1].points == 0
    assert "reads d_model from global variables" in (findings[1].message or "")


def test_arguments_under_other_names_cost_nothing():
    assert fail_global_sizes(candidate({"d_model": "embed_dim"}), FINDINGS) == FINDINGS


@pytest.mark.parametrize(
    ("outcomes", "failed"),
    [
        ([Outcome.PASSED, Outcome.PASSED], [0]),
        ([Outcome.FAILED, Outcome.PASSED], [0]),
        ([Outcome.PASSED, Outcome.FAILED], [0, 1]),
        ([], []),
    ],
)
def test_without_a_check_on_the_parameters_the_first_check_fails(outcomes: list[Outcome], failed: list[int]):
    findings = [Finding("keeps_the_shape", outcome, 1.0, 1.0, says="") for outcome in outcomes]
    told = fail_global_sizes(candidate({"h (global)": "num_heads"}), findings)
    assert [n for n, f in enumerate(told) if f.outcome is Outcome.FAILED] == failed


def test_sizes_in_global_variables_cost_nothing_where_the_check_fails_already():
    findings = [replace(FINDINGS[1], outcome=Outcome.FAILED, message="other parameters")]
    assert fail_global_sizes(candidate({"h (global)": "num_heads"}), findings) == findings


@pytest.mark.parametrize(
    ("taken", "says"),
    [
        ("sublayer (forward)", "takes sublayer in forward"),
        ("Local() (class)", "Local is a class"),
        ("model.config.block_size (model)", "reads model.config.block_size"),
    ],
)
def test_arguments_that_are_given_elsewhere_cost_the_same_check(taken: str, says: str):
    failed = fail_global_sizes(candidate({taken: "layer"}), FINDINGS)[1]
    assert failed.outcome is Outcome.FAILED
    assert says in (failed.message or "")
