"""The sample class in `tests/handed_in/minigpt/`, with models trained on the French corpus."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graders.batch import prepare_run
from graders.course.exercise import Assignment, load_assignment
from tests.conftest import NIGHTLY
from tests.support.at_night import some_at_night
from tests.whole_line.grade_sample import grade_sample

pytestmark = [
    pytest.mark.programs,
    pytest.mark.slow,
]

# What is not "passed". anna is right in the course's style; elise has copied her model, and nothing else;
# basile has not trained his, takes the likeliest id each time, and leaves the model in evaluation mode; clara
# has no causal mask; denis has forgotten the model, and his targets are the inputs.
NOT_COPIED = ("bigram_model", "sinusoidal_positions", "get_batch", "estimate_loss", "generate")
DUE = {
    "anna": {},
    "elise": dict.fromkeys(NOT_COPIED, "not_attempted"),
    "basile": {"estimate_loss": "failed", "generate": "failed", "minigpt": "failed"},
    "clara": {"causal_head": "failed", "minigpt_model": "failed", "minigpt": "failed"},
    "denis": {"get_batch": "failed", "estimate_loss": "failed", "minigpt": "not_attempted"},
}
AT_EACH_PUSH = ("anna", "elise")

# An exercise that is added to the assignment later is in none of them, and is not compared.
EXERCISES = (
    *("bigram_model", "sinusoidal_positions", "causal_head", "get_batch", "estimate_loss", "generate"),
    *("minigpt_model", "minigpt"),
)


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("class")
    with pytest.MonkeyPatch.context() as patch:
        if not NIGHTLY:
            patch.setattr(prepare_run, "load_assignment", load_with_few_checks)
        grade_sample("minigpt", out, AT_EACH_PUSH, "--corpus", "french")
    return out


def load_with_few_checks(name: str) -> Assignment:
    """A check for each exercise, and all criteria of the model; the audit asks all checks."""
    whole = load_assignment(name)
    return replace(whole, exercises=tuple(replace(e, checks=e.checks[:1]) for e in whole.exercises))


def exercises(out: Path, name: str) -> dict[str, dict]:
    result = json.loads((out / name / "result.json").read_text(encoding="utf-8"))
    return {exercise["name"]: exercise for exercise in result["exercises"]}


@pytest.mark.parametrize("name", some_at_night(DUE, AT_EACH_PUSH))
def test_each_submission_gets_what_is_due(out: Path, name: str):
    graded = exercises(out, name)
    got = {exercise: graded[exercise]["outcome"] for exercise in EXERCISES}
    assert got == {exercise: DUE[name].get(exercise, "passed") for exercise in EXERCISES}


@pytest.mark.nightly
def test_mistakes_about_chance_and_architecture_have_their_names(out: Path):
    def named(student: str, exercise: str) -> set[str]:
        findings = exercises(out, student)[exercise]["findings"]
        return {f["mistake"]["name"] for f in findings if f["mistake"]}

    assert named("basile", "generate") == {"generate__argmax"}
    assert named("basile", "estimate_loss") == {"estimate_loss__stays_in_eval"}
    assert named("clara", "minigpt_model") == {"MiniGPT__not_causal"}
    assert named("denis", "get_batch") == {"get_batch__same_as_x"}


def test_a_trained_model_is_worth_its_loss(out: Path):
    anna = exercises(out, "anna")["minigpt"]
    assert anna["points"] == anna["max_points"]
    assert anna["trained"]["counted"] < anna["trained"]["target"] < anna["trained"]["bigram"]


@pytest.mark.nightly  # at each push, tests/trained/test_trained_cheats.py has such models
def test_a_model_that_sees_the_future_is_worth_its_loss_on_prefixes(out: Path):
    clara = exercises(out, "clara")["minigpt"]
    assert clara["trained"]["counted"] == clara["trained"]["prefixes"] > clara["trained"]["held_out"]
    told = {finding["check"]: finding for finding in clara["findings"]}["sees_no_future"]
    assert "is the causal mask applied in every block?" in told["message"]


@pytest.mark.nightly
def test_an_untrained_model_is_worth_little(out: Path):
    basile = exercises(out, "basile")["minigpt"]
    assert basile["points"] < 0.3 * basile["max_points"]
    assert basile["trained"]["counted"] > basile["trained"]["bigram"]


def test_the_class_page_names_those_with_the_same_model(out: Path):
    page = (out / "index.html").read_text(encoding="utf-8")
    same = [exercises(out, name)["minigpt"]["trained"]["weights"] for name in ("anna", "elise")]
    assert same[0] == same[1]
    assert "models' weights are equal" in page.lower()


@pytest.mark.nightly  # at each push, tests/trained asks a submission without a model
def test_who_forgot_the_model_is_told_what_to_hand_in(out: Path):
    assert "There is no minigpt.safetensors" in exercises(out, "denis")["minigpt"]["message"]
