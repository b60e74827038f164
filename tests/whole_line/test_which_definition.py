"""Of several definitions the one that can be asked counts, and of equals the better one; no name decides."""

from pathlib import Path

import pytest

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome, Result
from graders.sandbox.box import Box
from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook

pytestmark = pytest.mark.programs

WRONG = "def concat_heads(x):\n    return x.flatten(2)\n"
RUNS = "def concat_heads(x, scheme):\n    return x.flatten(2)\n"
HALF = "def concat_heads(x, weight, bias):\n    return x @ weight.T + bias\n"


@pytest.fixture(scope="module")
def grader(assignment: Assignment, box: Box) -> Grader:
    return Grader(assignment.only(["concat_heads"]), Draws(1), box)


def graded(grader: Grader, folder: Path, files: dict[str, str | bytes]) -> Result:
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return grader.grade(folder, "someone")


@pytest.mark.parametrize("names", [("a.py", "b.py"), ("b.py", "a.py")])
def test_of_two_files_the_better_one_counts_whatever_they_are_called(
    grader: Grader, tmp_path: Path, names: tuple[str, str]
) -> None:
    right, wrong = names
    result = graded(grader, tmp_path, {right: RIGHT, wrong: WRONG})
    assert result.points == result.max_points
    assert result.exercises[0].versions == ("a.py", "b.py")
    assert any("Nothing says" in remark.says or "does better" in remark.says for remark in result.remarks)


HALF_COPIES: dict[str, dict[str, str | bytes]] = {
    "imported": {"a.ipynb": notebook("from half import concat_heads"), "half.py": HALF, "full.py": RIGHT},
    "the longer file": {"a.py": f"{HALF}\n\ndef other(): pass\n", "b.py": RIGHT},
    "the last": {"a.ipynb": notebook(RIGHT, HALF)},
    "one that runs": {"a.ipynb": notebook(RIGHT, RUNS)},
}


@pytest.mark.parametrize("name", HALF_COPIES)
def test_a_half_copy_that_cannot_be_asked_gives_way(grader: Grader, tmp_path: Path, name: str) -> None:
    result = graded(grader, tmp_path, HALF_COPIES[name])
    assert [e.outcome for e in result.exercises] == [Outcome.PASSED]
    assert "is defined more than once" in result.remarks[0].says
    assert not any("the last definition counts" in remark.says for remark in result.remarks)


def test_a_wrong_answer_stays_the_one_that_counts(grader: Grader, tmp_path: Path) -> None:
    result = graded(grader, tmp_path, {"a.ipynb": notebook(RIGHT, WRONG)})
    assert result.points < result.max_points
