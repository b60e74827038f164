"""The published schemas describe what is written: real results validate, with no key left over."""

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest

from graders.classroom import class_record
from graders.classroom.class_record import ClassRecord, Earlier, HandIn, Student, Unmatched
from graders.results.case import Reach, TensorView
from graders.results.measurements import Clocked, CostCurve, Logged, Timing, Trained
from graders.results.result import Outcome, to_json
from tests.maintenance.result_reference import meanings
from tests.reports import sample

DOCS = Path(__file__).parents[2] / "docs"
TRAINED = Trained(
    "ab",
    12,
    5,
    8,
    "french",
    100,
    held_out=2.5,
    by_context=((1, 3.5), (2, 3.0)),
    losses=(Logged(1, 2.0, None),),
)
TIMING = Timing(
    says=("1.2 times",),
    judged=64,
    ratio=1.2,
    growth={"student": 1.9},
    memory={"student": 4096},
    clocked=(Clocked(64, "forward", (0.1,), (0.1,), (), 1.2, 1.1, 1.3),),
)
WHEN = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)
CLASS = ClassRecord(
    assignment="attention",
    max_points=20,
    students=(Student("alice", "Alice", number="7"),),
    hand_ins=(
        HandIn("alice", "alice_7/rendu.ipynb", WHEN, "roster", students=("alice",)),
        HandIn("bob", "bob.py"),
    ),
    earlier=(Earlier("alice_7/old.ipynb", None, "alice"),),
    unmatched=(Unmatched("notes.txt", "it belongs to nobody"),),
)


def validator(name: str) -> jsonschema.Draft202012Validator:
    """The schema, closed: here a key that it does not name is an error."""
    schema = json.loads((DOCS / name).read_text(encoding="utf-8"))
    for part in (schema, *schema["$defs"].values()):
        part["additionalProperties"] = False
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_a_result_with_every_outcome_validates():
    validator("result.schema.json").validate(json.loads(to_json(sample.result())))


def test_measurements_and_odd_numbers_validate():
    view = TensorView((3,), "float32", ("nan", "inf", 1.5), clipped=True)
    costs = (CostCurve("memory", ((16, 0), (64, 4096)), 1, 1.5, None, 16, 2e7),)
    reach = Reach(1, (1, 3, 5), 4)
    wrong = sample.finding(Outcome.FAILED, case=replace(sample.case(), actual=view, reach=reach), costs=costs)
    result = sample.result(sample.exercise(wrong, trained=TRAINED, timing=TIMING), language="fr")
    validator("result.schema.json").validate(json.loads(to_json(result)))


def test_a_class_validates():
    validator("class.schema.json").validate(json.loads(class_record.to_json(CLASS)))


@pytest.mark.parametrize("change", [{"outcome": "fine"}, {"points": "2"}, {"findings": [{}]}, {"more": 1}])
def test_another_form_does_not_validate(change):
    data = json.loads(to_json(sample.result()))
    data["exercises"][0] |= change
    assert list(validator("result.schema.json").iter_errors(data))


def test_a_key_without_a_meaning_is_an_error():
    @dataclass
    class Bare:
        """A class.

        Attributes:
            one: described.
        """

        one: int
        two: int

    with pytest.raises(ValueError, match="two"):
        meanings(Bare)
