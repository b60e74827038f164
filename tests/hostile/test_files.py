"""Files that try to escape their folder, to explode or never to end: each ends in a message or a remark."""

import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from graders import grade
from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome, Result
from graders.sandbox.box import Box
from graders.submission import resource_bounds
from tests.hostile.honest import RIGHT

HERE = Path(__file__).parent
SMALL = 30.0  # seconds after which an attack hangs; each takes one or two
GROWTH = 1_500  # megabytes
KEYS = {"outcome", "says", "points", "seconds", "megabytes"}


@dataclass(frozen=True)
class Expected:
    """How an attack must end, from its docstring: the exercise's outcome, its points, words of a message.

    `seconds` and `megabytes` replace the usual bounds of reading where reaching those would take too long.
    """

    outcomes: frozenset[Outcome]
    points: float = 0
    says: str = ""
    seconds: float = resource_bounds.SECONDS
    megabytes: float = resource_bounds.BYTES / 1e6


def attacks(family: str) -> list[str]:
    return sorted(path.stem for path in (HERE / family).glob("*.py"))


ATTACKS = [(family, name) for family in ("archive", "notebook") for name in attacks(family)]


def expected(docstring: str) -> Expected:
    attack, _, rest = docstring.strip().partition("\n\n")
    assert attack.endswith("."), f"the first line is a sentence: {attack}"
    keys = dict(line.split(": ", 1) for line in rest.splitlines())
    assert keys.keys() <= KEYS, keys
    numbers = {name: float(keys[name]) for name in ("points", "seconds", "megabytes") if name in keys}
    outcomes = frozenset(map(Outcome, keys["outcome"].split(" or ")))
    return Expected(outcomes, says=keys.get("says", ""), **numbers)


@pytest.fixture(scope="module")
def grader(assignment: Assignment, box: Box) -> Grader:
    return Grader(assignment.only(["concat_heads"]), Draws(1).first(3), box)  # files are attacked, not checks


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the submission, inside one that holds the working directory and all temporary files."""
    for name in ("here", "temporary", "a/b/handed"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield tmp_path / "a/b/handed"
    # Pytest keeps the folders of the last runs, and some of these files are large.
    for path in (tmp_path / "a/b/handed").iterdir():
        path.unlink()


def listing(folder: Path) -> set[tuple[str, int]]:
    return {(str(path), path.lstat().st_size) for path in folder.rglob("*")}


def memory(name: str) -> float:
    """A figure of this process in megabytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1_000 for line in lines if line.startswith(name))


def words(result: Result) -> str:
    messages = [exercise.message or "" for exercise in result.exercises]
    return "\n".join([*messages, *(remark.says for remark in result.remarks)])


# The bound may raise inside a callback that swallows the exception; it raises again.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("family", "name"), ATTACKS, ids=[f"{f}-{n}" for f, n in ATTACKS])
def test_a_hostile_file_ends_as_expected_and_harms_nobody(
    family: str, name: str, ground: Path, grader: Grader, monkeypatch: pytest.MonkeyPatch
):
    attack = runpy.run_path(str(HERE / family / f"{name}.py"))
    expect = expected(attack["__doc__"])
    path = attack["make"](ground)
    around = ground.parent.parent.parent
    before = listing(around)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the peak
    memory_before = memory("VmRSS")
    bounded = partial(resource_bounds.bound_resources, expect.seconds, int(expect.megabytes * 1e6))
    with monkeypatch.context() as patch:
        patch.setattr(grade, "bound_resources", bounded)
        with resource_bounds.bound_resources(SMALL, 1 << 40):
            result = grader.grade(path, "somebody")

    [exercise] = result.exercises
    assert exercise.outcome in expect.outcomes, (exercise.outcome, words(result), exercise.staff)
    assert exercise.points <= expect.points
    assert exercise.points == expect.points or Outcome.PASSED not in expect.outcomes
    assert expect.says in words(result), words(result)[:3_000]
    assert len(words(result)) < 20_000
    assert listing(around) == before
    assert memory("VmHWM") - memory_before < GROWTH
    assert_graded_as_ever(grader, around)


def assert_graded_as_ever(grader: Grader, folder: Path) -> None:
    """An honest submission loses nothing in the same process afterwards."""
    (folder / "honest.py").write_text(RIGHT, encoding="utf-8")
    honest = grader.grade(folder / "honest.py", "honest")
    assert (honest.points, honest.remarks) == (honest.max_points, ())


def test_there_are_attacks_of_both_families():
    assert len(attacks("archive")) >= 14
    assert len(attacks("notebook")) >= 16
