"""On macOS and on Windows, which are simulated here, a student gets what they get on Linux."""

import json
from pathlib import Path

import pytest

from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.results.result import to_json
from graders.sandbox.box import Box
from graders.sandbox.limits import Limits
from tests.other_systems import journey
from tests.other_systems.journey import STEPS, Place
from tests.support.at_night import at_night

pytestmark = pytest.mark.programs
SHORT = ("call=1s", "later-call=0.5s")  # for code that never ends
HERE = Path(__file__).parent
# A console of Windows in France, and what every program needs there.
OF_WINDOWS = {"PYTHONIOENCODING": "cp1252", "SYSTEMROOT": "C:/Windows"}


def place_on(system: str, folder: Path) -> Place:
    """Commands under a simulation."""
    own = OF_WINDOWS if system == "windows" else {}
    return Place(folder, {"PYTHONPATH": str(HERE / system), **own})


@pytest.mark.parametrize(
    ("system", "step"),
    [
        pytest.param(
            system, step, marks=[] if (system, step) == ("macos", "right") else [pytest.mark.nightly]
        )
        for system in ("macos", "windows")
        for step in STEPS
    ],
)
def test_each_step_of_a_student_can_be_gone(system, step, tmp_path):
    STEPS[step](place_on(system, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize(
    "exercises",
    [
        # A right answer is the step `right`.
        ["split_heads", "causal_mask"],
        at_night(["concat_heads"]),
        # Each check loses its process, and each loss costs an import of PyTorch.
        at_night(["scaled_dot_product_attention"]),
    ],
)
def test_on_windows_each_kind_of_answer_gets_what_it_gets_in_the_box(exercises, box: Box, draws, tmp_path):
    place = place_on("windows", tmp_path)
    file, options = journey.write_mixed(place, exercises)
    result = place.check(file, *options, *(word for change in SHORT for word in ("--limit", change)))
    assert result["sandbox"] == "process"
    journey.assert_mixed(result)
    with Box(box.level, Limits().change(SHORT)) as own:
        boxed = Grader(load_assignment("attention").only(exercises), draws, own).grade(file, "rendu")
    assert journey.verdicts(result) == journey.verdicts(json.loads(to_json(boxed)))
