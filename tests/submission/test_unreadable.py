"""What cannot be read is an outcome of its own: 0 points, nothing undecided, and a reason."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.submission import files
from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook

pytestmark = pytest.mark.programs


def empty_zip(folder: Path) -> str:
    zipfile.ZipFile(folder / "a.zip", "w").close()
    return "a.zip"


def damaged(folder: Path) -> str:
    (folder / "a.ipynb").write_bytes(notebook(RIGHT)[:-20])
    return "a.ipynb"


def no_text(folder: Path) -> str:
    (folder / "a.py").write_bytes(b"x = '\xe9\0'\n" + RIGHT.encode())
    return "a.py"


def too_large(folder: Path) -> str:
    (folder / "a.py").write_bytes(RIGHT.encode() + b"#" * files.MODULE_LIMIT)
    return "a.py"


@pytest.fixture(scope="module")
def grader(assignment: Assignment, box: Box) -> Grader:
    return Grader(assignment.only(["concat_heads", "split_heads"]), Draws(1), box)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (empty_zip, "no notebook (.ipynb) and no module"),
        (damaged, "not JSON"),
        (no_text, "Save it with the encoding UTF-8"),
        (too_large, "larger than 2 MB"),
    ],
)
def test_a_file_that_cannot_be_read_is_neither_wrong_nor_undecided_nor_left_out(
    make: Callable[[Path], str], reason: str, tmp_path: Path, grader: Grader
):
    result = grader.grade(tmp_path / make(tmp_path), "alice")
    assert {e.outcome for e in result.exercises} == {Outcome.UNREADABLE}
    assert reason in (result.unreadable or "")
    assert (result.points, result.undecided_points, result.remarks) == (0, 0, ())
    assert not (Outcome.UNREADABLE.wrong or Outcome.UNREADABLE.undecided or Outcome.UNREADABLE.decided)


def test_what_is_absent_may_be_in_the_file_that_cannot_be_read(tmp_path: Path, grader: Grader):
    damaged(tmp_path)
    (tmp_path / "b.py").write_text(RIGHT, encoding="utf-8")
    right, absent = sorted(grader.grade(tmp_path, "alice").exercises, key=lambda e: e.name)
    assert (right.name, right.outcome) == ("concat_heads", Outcome.PASSED)
    assert (absent.outcome, "not JSON" in (absent.message or "")) == (Outcome.UNREADABLE, True)
