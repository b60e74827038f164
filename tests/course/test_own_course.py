"""A course in a folder of one's own: its exercises, those that it takes over, and what is wrong in it."""

import json
import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner, Result
from hypothesis import find

from graders import locations
from graders.batch.cache_key import Settings, facts_of_run
from graders.batch.kept_course import keep_course
from graders.check_api.variants import GELUS, WITH_RELU
from graders.cli.main import main
from graders.course.course_around import use_course_around
from graders.course.course_file import late_policy, read_course, require_course
from graders.course.course_table import BadCourse
from graders.course.exercise import load_assignment
from graders.course.faults import fault_of
from graders.course.gravity import Gravity
from graders.course.open_course import find_course, open_course
from graders.course.outline import choose, recognise
from graders.course.reference import gravities, mistakes, reference, text, texts_below
from graders.course.right_answers import right_answers
from graders.judging.draws import Draws
from graders.notebook.magic import Softmark
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.visible_paths import ours
from graders.sandbox.limits import Limits
from tests.support.own_course import write_own_course

WORK = """
def running_total(x):
    return x.cumsum(1)


def join_heads(x):
    return x.flip(2).transpose(1, 2).flatten(2)
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """The folder of a course, which is the one of this process."""
    folder = write_own_course(tmp_path / "my-course")
    locations.use_course(open_course(folder))
    return folder


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--lang", "en"], catch_exceptions=False)


def change(path: Path, old: str, new: str) -> None:
    before = path.read_text(encoding="utf-8")
    assert old in before
    path.write_text(before.replace(old, new, 1), encoding="utf-8")


def test_a_course_has_its_own_exercises_and_those_that_it_takes_over(course: Path):
    require_course()
    names = [(o.name, o.symbol, o.points, o.title) for o in choose("tp1", ())]
    assert names == [
        ("running_total", "running_total", 3, "Totals"),
        ("concat_heads", "concat_heads", 5, "Joining the heads"),
        ("split_heads", "split_heads", 2, "Splitting into heads"),
    ]
    assignment = load_assignment("tp1")
    assert [len(e.checks) > 4 for e in assignment.exercises] == [True] * 3
    assert assignment.exercises[1].options.other_names == ("join_heads",)
    assert recognise({"join_heads"}) == "tp1"
    assert list(read_course()) == ["tp1"]


def test_dates_without_an_offset_are_in_the_time_zone_of_the_course(course: Path):
    policy = late_policy("tp1")
    assert policy is not None
    assert policy.due == datetime(2026, 10, 1, 23, 59, tzinfo=ZoneInfo("Europe/Paris"))


def test_what_a_course_adds_to_a_solution_stands_below_it(course: Path):
    added = "concat_heads__reverses_the_positions"
    known = mistakes("concat_heads", "concat_heads")
    assert added in known and "concat_heads__interleaved" in known
    assert known[added](torch_heads()).flip(1).equal(reference("concat_heads", "concat_heads")(torch_heads()))
    assert added in str(text("concat_heads"))
    assert known["concat_heads__reversed"].__doc__ == "Count the heads of slide 12 from the left."
    assert gravities("concat_heads", "concat_heads")[added] is Gravity.SMALL
    assert set(texts_below("concat_heads")) == {"concat_heads"}
    with right_answers("concat_heads") as shipped, right_answers("running_total") as own:
        assert (len(shipped) >= 6, len(own)) == (True, 6)
    locations.use_course(None)
    shipped_ones = mistakes("concat_heads", "concat_heads")
    assert added not in shipped_ones, "softmark's own course stays as it is"
    assert "slide 12" not in str(shipped_ones["concat_heads__reversed"].__doc__)
    assert reference("running_total", "running_total") is None


def torch_heads():
    import torch

    return torch.arange(24.0).reshape(1, 2, 3, 4)


def test_a_course_may_accept_other_activations_and_wider_tolerances(course: Path):
    rows = '{ name = "bert_feed_forward", activations = ["gelu", "relu"], tolerance = 4 }, "bert_layer"'
    change(course / "course.toml", '"split_heads"', rows)
    require_course()
    *_, changed, plain = load_assignment("tp1").exercises
    [core] = [check for check in changed.checks if check.core]
    assert core.answer.keywords["activations"] == changed.options.activations == WITH_RELU
    assert plain.options.activations == GELUS
    assert (changed.tolerance, plain.tolerance) == (4, 1)
    assert dict(changed.changed).keys() == {"activations", "tolerance"} and not plain.changed
    draw = find(core.given, lambda _: True)
    exact, wide = (
        Draws(1)._with_answer(exercise, core, draw).answer[0].outputs[0][0].tolerance
        for exercise in (replace(changed, tolerance=1), changed)
    )
    assert wide == pytest.approx(4 * exact)


def test_a_shipped_assignment_is_taken_over_by_its_name(course: Path):
    (course / "course.toml").write_text(
        '[course]\nextends = "softmark"\n[attention]\nlate = { due = 2026-10-01T00:00:00+02:00 }\n',
        encoding="utf-8",
    )
    locations.use_course(open_course(course))
    require_course()
    assert len(read_course()["attention"]["exercises"]) == 8
    (course / "course.toml").write_text('[course]\nextends = "softmark"\n', encoding="utf-8")
    assert list(read_course())[:2] == ["attention", "foundations"]


WRONG = {
    "key": ('title = "Deep', 'titel = "Deep', "course.toml, line 2, [course]: there is no titel; there are"),
    "zone": ("Europe/Paris", "Europe/Pari", "line 4, [course]: time_zone: there is no 'Europe/Pari'"),
    "extends": ('"softmark"', '"other"', 'line 5, [course]: extends must be "softmark"'),
    "assignment_key": ("late =", "lates =", "course.toml, line 15, [tp1]: there is no lates"),
    "row_key": ("points = 5", "pionts = 5", "course.toml, line 12, [tp1]: there is no pionts"),
    "unknown": ('"split_heads"', '"split_head"', "line 13, [tp1]: there is no exercise 'split_head'"),
    "twice": (
        '"split_heads"',
        '"split_heads", "running_total"',
        "line 13, [tp1]: there are two exercises run",
    ),
    "points": ("points = 5", "points = 0", "line 12, [tp1]: concat_heads: points must be a number above 0"),
    "late": ("per_day = 0.1", "per_day = 2", "line 15, [tp1]: late: per_day must be a number from 0 to 1"),
    "tolerance": ("points = 5", "points = 5, tolerance = 0.1", "tolerance must be a number from 1 to 1000"),
    "solutions": ("[tp1]", 'solutions = "../gone"\n[tp1]', "line 7, [course]: there is no folder ../gone"),
    "activations": (
        "points = 5",
        'points = 5, activations = ["relu"]',
        "line 12, [tp1]: concat_heads: activations must be",
    ),
    "toml": ('title = "Week 1"', 'title = "Week 1', "course.toml cannot be read"),
    "no_table": ("[tp1]", "tp1 = 3\n[tp2]", "line 7, [course]: there is no tp1"),
    "replaces": ("[tp1]", 'replaces = ["gate"]\n[tp1]', "line 7, [course]: there is no exercise gate"),
    "other_assignment": (
        "[tp1]",
        '[tp0]\ntitle = "Week 0"\nexercises = ["concat_heads"]\n[tp1]',
        "line 15, [tp1]: concat_heads is an exercise of [tp0] already",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_in_the_courses_file_is_told_with_its_line(course: Path, wrong: str):
    old, new, says = WRONG[wrong]
    change(course / "course.toml", old, new)
    with pytest.raises(BadCourse) as told:
        locations.use_course(open_course(course))
        require_course()
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_an_exercise_is_replaced_only_by_name(course: Path):
    for place in ("assignments", "checks", "solutions"):
        (course / place / "concat_heads.py").write_bytes((course / place / "running_total.py").read_bytes())
    with pytest.raises(
        BadCourse, match=r"concat_heads\.py has the name of one of softmark's exercises: write"
    ):
        require_course()
    change(course / "course.toml", "[tp1]", 'replaces = ["concat_heads"]\n[tp1]')
    locations.use_course(open_course(course))
    require_course()
    assert choose("tp1", ["concat_heads"])[0].symbol == "running_total"


def test_a_course_may_have_its_own_text_for_students_over_softmarks_checks(course: Path):
    text = course / "assignments/concat_heads.py"
    shipped = locations.SHIPPED.assignments / "concat_heads.py"
    text.write_text(f"# %% [markdown]\n# See slide 12.\n\n{shipped.read_text('utf-8')}", encoding="utf-8")
    change(course / "course.toml", "[tp1]", 'replaces = ["concat_heads"]\n[tp1]')
    locations.use_course(open_course(course))
    require_course()
    [exercise] = load_assignment("tp1").only(["concat_heads"]).exercises
    assert "See slide 12." in exercise.handed_out
    assert len(exercise.checks) >= 5 and exercise.fault is None
    assert {"concat_heads__reverses_the_positions", "concat_heads__interleaved"} <= mistakes(
        "concat_heads", "concat_heads"
    ).keys()


FAULTS = {
    "checks": ("checks", "def rows(draw", "def rows(draw:", "checks/running_total.py, line 26:"),
    "stub": (
        "assignments",
        "def running_total(x)",
        "def (x)",
        "assignments/running_total.py, line 8:",
    ),
    "no_stub": ("assignments", "def running_total(x):", "if x:", "line 1: it defines no function"),
    "solution": (
        "solutions",
        "return x.cumsum(1)\n",
        "return x.cumsum(1\n",
        "running_total.py, line 5",
    ),
    "symbol": (
        "solutions",
        "def running_total(x)",
        "def total(x)",
        "line 1: it does not define",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_file_is_told_with_its_line_and_costs_its_exercise_alone(course: Path, fault: str):
    place, old, new, says = FAULTS[fault]
    change(course / place / "running_total.py", old, new)
    assert says in str(fault_of("running_total"))
    assert [o.fault is None for o in choose("tp1", ())] == [False, True, True]
    assert [e.fault is None for e in load_assignment("tp1").exercises] == [False, True, True]


ADDED = {
    "def concat_heads(x):\n    return x\n": "line 2: concat_heads is in softmark's",
    "HINTS = {\n    'concat_heads__reverse': 'So.'}\n": "line 3: concat_heads__reverse is no known",
    "LEFT_OUT = ('concat_heads__reverse',)\n": "line 2: concat_heads__reverse is no known mistake",
    "return x\n": "line 2: SyntaxError: 'return' outside function",
}


@pytest.mark.parametrize("added", ADDED)
def test_what_is_added_to_a_solution_changes_nothing_of_it(course: Path, added: str):
    (course / "solutions/concat_heads.py").write_text(f"\n{added}", encoding="utf-8")
    assert f"solutions/concat_heads.py, {ADDED[added]}" in str(load_assignment("tp1").exercises[1].fault)


def test_without_softmarks_solutions_what_is_added_to_them_is_a_fault(course: Path, monkeypatch):
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(course / "nowhere"))
    locations.use_course(open_course(course))
    assert "solutions/concat_heads.py adds to softmark's solution, which is not" in fault_of("concat_heads")
    assert [o.fault is None for o in choose("tp1", ())] == [True, False, True]
    monkeypatch.delenv(locations.SOLUTIONS_VARIABLE)
    shipped = json.dumps(str(locations.SHIPPED.solutions))
    change(course / "course.toml", "[tp1]", f"solutions = {shipped}\n[tp1]")
    monkeypatch.setattr(locations, "SHIPPED", replace(locations.SHIPPED, solutions=course / "nowhere"))
    locations.use_course(open_course(course))
    assert fault_of("concat_heads") is None


@pytest.mark.parametrize("place", ["checks", "solutions"])
def test_a_file_that_is_missing_is_told(course: Path, place: str):
    (course / place / "running_total.py").unlink()
    assert fault_of("running_total") == f"{place}/running_total.py is missing"
    assert load_assignment("tp1").exercises[0].fault is not None


def test_checks_that_raise_when_they_are_loaded_are_a_fault_with_the_line(course: Path):
    change(course / "checks/running_total.py", "@dataclass(", "@dataklass(")
    fault = load_assignment("tp1").exercises[0].fault
    assert str(fault).startswith("checks/running_total.py, line 13: NameError: name 'dataklass'")


def test_a_course_is_found_around_the_current_folder(course: Path, monkeypatch: pytest.MonkeyPatch):
    inside = course / "notes/week1"
    inside.mkdir(parents=True)
    assert find_course(inside) == course / "course.toml"
    (inside / "course.toml").write_text("[attention]\ntitle = 'Other'\n", encoding="utf-8")
    assert find_course(inside) == course / "course.toml", "a file without [course] is no course's folder"
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    if course.stat().st_uid:
        assert find_course(inside) is None, "another user may have put it there"


def test_the_course_around_a_folder_is_used_unless_it_is_handed_in(course: Path):
    locations.use_course(None)
    inside = course / "notes"
    inside.mkdir()
    assert "is not used as the course" in str(use_course_around(inside, [course]))
    assert locations.chosen_course() is None
    assert use_course_around(inside, [inside]) == f"The course is that of {course / 'course.toml'}."
    assert locations.course().own.checks == course / "checks"
    locations.use_course(None)
    change(course / "course.toml", "title =", "titel =")
    with pytest.raises(BadCourse, match="line 2"):
        use_course_around(inside)
    assert locations.chosen_course() is None


def test_a_notebook_in_a_course_has_its_exercises(course: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(course)
    locations.use_course(None)
    notebook = Softmark(SimpleNamespace(user_ns={"running_total": len, "concat_heads": len}))
    assert notebook.complete(SimpleNamespace(symbol="run")) == ["running_total"]


def test_student_code_sees_nothing_of_the_course(course: Path):
    assert {course / place for place in ("assignments", "checks", "solutions")} <= set(ours())


def test_a_result_depends_on_the_files_of_the_course(course: Path):
    settings = Settings(
        seed=1, device="cpu", dtype="None", limits=Limits(), level=IsolationLevel.OPEN, language="en"
    )
    facts = facts_of_run(load_assignment("tp1"), settings)
    assert {
        "file course/checks/running_total.py",
        "file course/solutions/concat_heads.py",
        "file solutions/concat_heads.py",
        "file assignments/split_heads.py",
    } <= facts.keys()
    change(course / "solutions/concat_heads.py", "flip(2)", "flip(3)")
    again = facts_of_run(load_assignment("tp1"), settings)
    assert {name for name in facts if facts[name] != again[name]} == {"file course/solutions/concat_heads.py"}


def test_the_copy_that_a_run_keeps_says_where_the_course_lies(course: Path, tmp_path: Path):
    out = tmp_path / "out"
    out.mkdir()
    keep_course(out)
    kept = open_course(out)
    assert kept.own.checks == course / "checks"
    locations.use_course(kept)
    require_course()
    (course / "checks").rename(tmp_path / "gone")
    (course / "assignments").rename(tmp_path / "gone2")
    require_course(with_files=False)  # marks need no exercise
    with pytest.raises(BadCourse, match="there is no exercise 'running_total'"):
        require_course()


@pytest.mark.programs
def test_a_broken_exercise_stays_undecided_and_the_rest_is_judged(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(course)
    change(course / "checks/running_total.py", "def rows(draw", "def rows(draw:")
    work = tmp_path / "work.py"
    work.write_text(WORK, encoding="utf-8")
    done = run("check", work, "--assignment", "tp1", "--no-timing")
    assert done.exit_code == 3, done.output
    assert f"The course is that of {course / 'course.toml'}." in done.stderr
    assert done.stderr.count("checks/running_total.py, line 26: invalid syntax. The exercise") == 1
    assert "3 points still to be decided" in done.output
    assert "The positions come in the opposite order." in " ".join(done.output.split())
    change(course / "course.toml", "title =", "titel =")
    for command in (["report", tmp_path], ["audit"], ["key", "tp1", "--out", tmp_path / "k"]):
        done = run(*command)
        assert (done.exit_code, "course.toml, line 2, [course]: there is no titel" in done.output) == (
            2,
            True,
        )


def test_a_course_in_what_is_handed_in_is_not_used(course: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(course)
    done = run("check", ".", "--assignment", "tp1", "--no-timing")
    assert done.exit_code == 2, done.output
    assert "is not used as the course" in done.output
    assert "there is no assignment 'tp1'" in done.output
