"""A class of which nothing is left to grade: its results are taken without PyTorch and without a box."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from graders.batch import cache_key, events
from graders.batch.class_options import ClassOptions
from graders.batch.class_results import ClassResults
from graders.batch.open_class import open_class, settings_of
from graders.batch.regrade_policy import RegradePolicy
from graders.batch.reuse_class import reuse_class
from graders.cli.kept_levels import keep_held
from graders.course.exercise import load_assignment
from graders.course.outline import assignment_names, outline_assignment
from graders.locations import CACHE_VARIABLE
from graders.results.store import write_result
from graders.sandbox.box_options import BoxOptions
from graders.sandbox.isolation.level import IsolationLevel
from tests.reports import sample

BEST = IsolationLevel.NESTED
# What a command that neither grades nor draws has no use for; each takes a tenth of a second or more.
HEAVY = ("IPython", "distributed", "hypothesis", "jupytext", "matplotlib", "nbconvert", "numpy", "torch")
COMMAND = """
import sys
from graders.cli.main import main
try:
    main({words}, prog_name="softmark")
except SystemExit as ending:
    assert not ending.code
print("imported:", *(name for name in {heavy} if name in sys.modules))
"""


def grade_as_softmark_does(root: Path, *names: str) -> ClassOptions:
    """Submissions of these names with the results that a run at the best level leaves."""
    options = ClassOptions(out=root / "out", jobs=1)
    (root / "in").mkdir()
    for name in names:
        (root / "in" / f"{name}.py").write_text(f"# {name}\n", encoding="utf-8")
    attention = load_assignment("attention")
    with open_class(root / "in", attention, root / "out", options) as opened:
        facts = cache_key.facts_of_run(attention, settings_of(options, opened.seed, BEST))
        for entry in opened.entries:
            key = cache_key.of_submission(cache_key.digest_of(facts), entry.id, entry.path)
            passed = sample.exercise(sample.finding())
            write_result(root / "out", sample.result(passed, id=entry.id, key=key))
    return options


def reuse(
    root: Path, options: ClassOptions, level: IsolationLevel | None = BEST
) -> tuple[ClassResults | None, list[str]]:
    seen: list[events.Event] = []
    done = reuse_class(root / "in", "attention", options, level=level, on_event=seen.append)
    return done, [type(event).__name__ for event in seen]


@pytest.mark.parametrize("name", assignment_names())
def test_an_outline_has_all_on_which_results_depend(name: str):
    outline, assignment = outline_assignment(name), load_assignment(name)
    assert (outline.name, outline.title) == (assignment.name, assignment.title)
    for exercise, whole in zip(outline.exercises, assignment.exercises, strict=True):
        for fact in ("name", "title", "points", "speed_policy", "rule", "changed", "fault"):
            assert getattr(exercise, fact) == getattr(whole, fact), (exercise.name, fact)
    other, whole = outline.measured_on("grammar"), assignment.measured_on("grammar")
    assert [exercise.rule for exercise in other.exercises] == [exercise.rule for exercise in whole.exercises]


@pytest.mark.programs
def test_results_that_hold_are_told_as_they_are_by_a_run(tmp_path: Path):
    done, seen = reuse(tmp_path, grade_as_softmark_does(tmp_path, "alice", "bob"))
    assert done is not None
    assert (done.graded, done.reused, done.level) == ((), ("alice", "bob"), BEST)
    assert seen == ["ClassTaken", "SubmissionReused", "SubmissionReused", "ClassDone"]
    assert (tmp_path / "out/index.html").is_file()
    assert (tmp_path / "out/alice/index.html").is_file()


@pytest.mark.programs
def test_where_something_is_left_nothing_is_told(tmp_path: Path):
    options = grade_as_softmark_does(tmp_path, "alice", "bob")
    (tmp_path / "in/bob.py").write_text("# changed\n", encoding="utf-8")
    assert reuse(tmp_path, options) == (None, [])


def test_what_a_run_might_do_beside_is_left_to_it(tmp_path: Path):
    options = grade_as_softmark_does(tmp_path, "alice")
    assert reuse(tmp_path, options, level=None) == (None, [])
    assert reuse(tmp_path, replace(options, regrade=RegradePolicy.ALL)) == (None, [])
    assert reuse(tmp_path, replace(options, draw=lambda run: [])) == (None, [])
    assert reuse(tmp_path, options, level=IsolationLevel.OPEN) == (None, [])  # refused, or a warning
    assert reuse(tmp_path, replace(options, out=tmp_path / "elsewhere")) == (None, [])


@pytest.mark.programs
@pytest.mark.parametrize("other", [{"seed": 2}, {"box": BoxOptions(dtype="float64")}, {"timing": None}])
def test_results_of_other_settings_do_not_hold(tmp_path: Path, other: dict[str, object]):
    options = grade_as_softmark_does(tmp_path, "alice")
    assert reuse(tmp_path, replace(options, **other)) == (None, [])


@pytest.mark.programs
def test_a_command_imports_nothing_that_it_does_not_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    keep_held(BEST, is_best=True)
    grade_as_softmark_does(tmp_path, "alice")
    out = str(tmp_path / "out")
    grade = ("grade", str(tmp_path / "in"), "--assignment", "attention", "--out", out, "--jobs", "1")
    said = ""
    for words in (["--help"], ["report", out, "--force"], [*grade, "--timing"]):
        code = COMMAND.format(words=words, heavy=HEAVY)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        said, imported = done.stdout, done.stdout.splitlines()[-1]
        assert imported == "imported:", (words, done.stdout, done.stderr)
    assert "cached: 1 (alice)" in said
    assert list((tmp_path / "cache/templates").iterdir())
