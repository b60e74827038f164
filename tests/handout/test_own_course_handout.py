"""A handout of somebody's own course: students get its stubs and checks, and nothing of its solutions."""

from pathlib import Path

import pytest

from graders import locations
from graders.answer_key.code_digest import exercise_digests
from graders.answer_key.find_keys import find_keys
from graders.course import reference
from graders.course.course_file import read_course
from graders.course.exercise import load_assignment
from graders.course.open_course import open_course
from graders.course.outline import assignment_names
from graders.handout.course_for_wheel import course_for_wheel
from graders.handout.leak_check import find_leaks
from graders.handout.make_key import make_key
from graders.handout.refused import HandoutRefused
from graders.handout.reproducible_zip import make_zip
from graders.handout.wheel import name_by_content
from tests.support.own_course import write_own_course

ALONE = """\
[course]
[tp1]
title = "A"
exercises = [{ name = "running_total", title = "A", points = 3 }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a course, which is the one of this process."""
    course = write_own_course(tmp_path / "my-course")
    locations.use_course(open_course(course))
    return course


def install(files: dict[str, bytes], site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let softmark be the one of a student who has installed the handout's wheel."""
    for name, data in files.items():
        path = site / name.removeprefix("graders/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.setattr(locations, "HANDED_OUT", site / "own_course")
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(site / "nowhere"))
    locations.use_course(None)


def test_the_wheel_has_the_stubs_and_checks_and_says_no_place_of_the_instructors(folder: Path):
    file = folder / "course.toml"
    before = file.read_text(encoding="utf-8")
    places = f'solutions = "."\nfolder = "{folder.as_posix()}"\n'
    file.write_text(before.replace("extends", f"{places}extends"), encoding="utf-8")
    files = course_for_wheel()
    assert sorted(files) == [
        "graders/own_course/assignments/running_total.py",
        "graders/own_course/checks/running_total.py",
        "graders/own_course/course.toml",
    ]
    assert files["graders/own_course/course.toml"].decode() == before


@pytest.mark.parametrize("extends", [True, False])
def test_students_have_the_same_assignment_without_solutions(folder: Path, tmp_path, monkeypatch, extends):
    if not extends:
        (folder / "course.toml").write_text(ALONE, encoding="utf-8")
        locations.use_course(open_course(folder))
    own, names = load_assignment("tp1"), [row["name"] for row in read_course()["tp1"]["exercises"]]
    digests = exercise_digests(names)
    install(course_for_wheel(), tmp_path / "site", monkeypatch)
    theirs = load_assignment("tp1")
    assert assignment_names() == ["tp1"]
    assert [(e.name, e.points, e.title, e.contract, len(e.checks), e.fault) for e in theirs.exercises] == [
        (e.name, e.points, e.title, e.contract, len(e.checks), None) for e in own.exercises
    ]
    assert exercise_digests(names) == digests, "the key fits"
    assert reference.reference("running_total", "running_total") is None
    assert locations.course().is_own and not locations.course().solution_folders


def test_an_autograder_with_the_solutions_finds_those_of_the_course(folder: Path, tmp_path, monkeypatch):
    texts, files = reference.texts(), course_for_wheel()
    for name in ("added/running_total.py", "added/concat_heads.py", "concat_heads.py"):
        path = tmp_path / "solutions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[name], encoding="utf-8")
    install(files, tmp_path / "site", monkeypatch)
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(tmp_path / "solutions"))
    assert reference.reference("running_total", "running_total") is not None
    known = reference.mistakes("concat_heads", "concat_heads")
    assert {"concat_heads__reverses_the_positions", "concat_heads__interleaved"} <= known.keys()


def test_the_key_of_an_own_exercise_decides_at_a_students(folder: Path, tmp_path, monkeypatch):
    (tmp_path / "tp1.key").write_bytes(make_key(load_assignment("tp1").only(["running_total"]), 1))
    install(course_for_wheel(), tmp_path / "site", monkeypatch)
    keys = find_keys(1, [tmp_path])
    assert keys is not None
    assert keys.part("running_total", "examples") is not None
    assert keys.describe_unused("tp1", ["running_total"]) == []


def test_a_key_fits_only_what_the_course_says_is_due(folder: Path):
    names, file = ["running_total", "concat_heads", "split_heads"], folder / "course.toml"
    before, text = exercise_digests(names), file.read_text(encoding="utf-8")
    for change in ("tolerance = 4", 'activations = ["gelu", "relu"]'):
        file.write_text(text.replace("points = 5", f"points = 5, {change}"), encoding="utf-8")
        after = exercise_digests(names)
        assert {name for name in names if before[name] != after[name]} == {"concat_heads"}
    file.write_text(text.replace("points = 5", "points = 6"), encoding="utf-8")
    assert exercise_digests(names) == before


def test_an_exercise_of_softmarks_whose_solution_is_not_here_is_refused_by_name(folder: Path, monkeypatch):
    (folder / "solutions/concat_heads.py").unlink()
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(folder / "nowhere"))
    locations.use_course(open_course(folder))
    with pytest.raises(HandoutRefused, match="concat_heads has no solution here: SOFTMARK_SOLUTIONS names"):
        make_key(load_assignment("tp1"), 1)


LEAKS = {
    "own": ("README.md", "    return x.cumsum(1)  # the reference\n", True),
    "added": ("a.py", "    return concat_heads(x.flip(2))\n", True),
    "added_hint": ("README.md", "The positions come in the opposite order. Look at position 0.\n", True),
    "stub": ("a.py", "def running_total(x):\n    raise NotImplementedError\n", False),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_lines_of_own_and_added_solutions_are_leaks(folder: Path, leak: str):
    name, text, leaks = LEAKS[leak]
    assert bool(find_leaks({name: text.encode()})) is leaks


def test_a_solution_among_the_checks_is_a_leak(folder: Path):
    assert not find_leaks(course_for_wheel())
    with (folder / "checks/running_total.py").open("a", encoding="utf-8") as checks:
        checks.write((folder / "solutions/running_total.py").read_text(encoding="utf-8"))
    locations.use_course(open_course(folder))
    [leak] = find_leaks(course_for_wheel())
    assert leak.startswith("graders/own_course/checks/running_total.py: ")


def test_a_wheel_has_one_course_alone():
    described = {"softmark-0.1.0.dist-info/METADATA": b"Name: softmark\nVersion: 0.1.0\n"}
    earlier = {"graders/own_course/checks/a.py": b"", "softmark-0.1.0.dist-info/RECORD": b""}
    further = {"graders/own_course/checks/b.py": b""}
    _, data = name_by_content(make_zip(described | earlier), further)
    assert b"own_course/checks/b.py" in data
    assert b"own_course/checks/a.py" not in data
