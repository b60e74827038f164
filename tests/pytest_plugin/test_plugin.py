"""The pytest plugin: what it lists, what it leaves alone, and what pytest says of a finding."""

import contextlib
import inspect
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from tomllib import loads
from types import SimpleNamespace

import pytest

from graders.course.exercise import Assignment, assignment_names, load_assignment
from graders.course.outline import FOR_TIME, CheckOutline, ExerciseOutline, outlines
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.extraction.extract import Source
from graders.grade import Grader
from graders.judging import speed_points
from graders.judging.draws import Draws
from graders.language import LANGUAGES, Language, current_language, speaking
from graders.pytest_plugin import grading
from graders.pytest_plugin.grading import GradedExercise, Run
from graders.pytest_plugin.items import BrokenFile, ExerciseNode
from graders.results.result import ExerciseResult, Finding, Mistake, Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import NoIsolation
from tests.conftest import HANDED_IN
from tests.support.notebooks import cells, notebook
from tests.support.own_course import write_own_course

pytestmark = pytest.mark.programs

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
# By its module: installed or not, it is the plugin of this tree.
PLUGIN = ("-p", "no:cacheprovider", "-p", "no:softmark", "-p", "graders.pytest_plugin.hooks")
JOINS = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
MIXES = "def concat_heads(x):\n    b, h, s, d = x.shape\n    return x.reshape(b, s, h * d)\n"
MASK = "import torch\n\ndef causal_mask(seq_len):\n    return torch.ones(seq_len, seq_len).triu(1).bool()\n"
STUB = '%pip install torch\ndef split_heads(x, num_heads):\n    """x"""\n    raise NotImplementedError\n'
SPY = """
import sys
{more}

def pytest_unconfigure():
    print("loaded:", *sorted({{"graders.course.outline", "torch"}} & sys.modules.keys()))
"""


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", *PLUGIN, *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def listed(output: str) -> list[str]:
    """What `--collect-only -q` lists."""
    return [line for line in output.splitlines() if "::" in line]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", assignment_names())
def test_an_outline_tells_what_loading_the_checks_would(name: str, language: Language):
    with speaking(language):
        loaded, told = load_assignment(name), outlines(name)
        assert [as_outlined(exercise) for exercise in loaded.exercises] == list(told)
        for exercise, outline in zip(loaded.exercises, told, strict=True):
            says = [check.says for check in (*exercise.checks, *exercise.criteria)]
            assert [check.says for check in outline.checks] == says
            assert sum(check.points for check in outline.checks) == pytest.approx(exercise.points, abs=0.001)


def as_outlined(exercise) -> ExerciseOutline:
    checks = [
        CheckOutline(c.name, _doc(c.doc), exercise.points_of(c))
        for c in (*exercise.checks, *exercise.criteria)
    ]
    e = exercise
    return ExerciseOutline(
        e.name, e.title, e.symbol, e.points, e.handed_out, tuple(checks), e.options.other_names, rule=e.rule
    )


def _doc(text: str) -> str:
    return inspect.cleandoc(text)


def test_code_under_a_name_of_the_documents_is_not_absent(monkeypatch):
    monkeypatch.setattr("graders.pytest_plugin.items.speaking_of", lambda _: contextlib.nullcontext())
    outline = next(e for name in assignment_names() for e in outlines(name) if e.other_names)
    node = SimpleNamespace(outline=outline, config=None)
    node._program = cells(f"class {outline.other_names[0]}:\n    size = 3")
    assert isinstance(ExerciseNode.source.func(node), Source)


def test_an_exercise_with_a_broken_file_is_one_failure_that_says_so(monkeypatch):
    monkeypatch.setattr(BrokenFile, "from_parent", lambda _, **given: given)
    outline = replace(outlines("attention")[0], fault="checks/gate.py, line 3: invalid syntax")
    [listed_item] = ExerciseNode.collect(SimpleNamespace(outline=outline))
    assert listed_item == {"name": "files", "fault": outline.fault}


def test_a_run_in_somebodys_own_course_has_its_exercises(tmp_path):
    course = write_own_course(tmp_path / "my-course")
    handed_in = course / "in/work"
    handed_in.mkdir(parents=True)
    (handed_in / "work.py").write_text(JOINS, encoding="utf-8")
    found = pytest_in(course, "in/work", "--softmark", "tp1", "--collect-only", "-q").stdout
    assert any("work::running_total::adds_the_second" in line for line in listed(found)), found
    refused = pytest_in(course, ".", "--softmark", "tp1", "--collect-only", "-q")
    assert "there is no assignment 'tp1'" in refused.stderr, "it lies in what is handed in"
    (course / "course.toml").write_text("[course]\ntitel = 3\n", encoding="utf-8")
    wrong = pytest_in(course, "in/work", "--softmark", "tp1", "--collect-only", "-q")
    assert "softmark: course.toml, line 2, [course]: there is no titel" in wrong.stderr


def test_points_for_time_are_a_check_too(monkeypatch):
    entry = {"name": "concat_heads", "title": "Joining", "points": 3}
    course = {
        "timed": {"title": "Timed", "exercises": [entry | {"timing": {"points": 1, "full": 2, "none": 10}}]}
    }
    monkeypatch.setattr("graders.course.outline.read_course", lambda: course)
    [outline] = outlines("timed")
    assert outline.checks[-1].name == FOR_TIME == speed_points.CHECK
    assert outline.checks[-1].points == 1
    assert sum(check.points for check in outline.checks) == pytest.approx(3, abs=0.001)


def test_pytest_finds_the_plugin_where_softmark_is_installed():
    project = loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert import_module(project["entry-points"]["pytest11"]["softmark"]).pytest_collect_file


@pytest.fixture
def spied(tmp_path: Path):
    """Lists the checks of a notebook: what is listed, and what was loaded for it."""

    def spied(more: str) -> tuple[list[str], str]:
        if more:
            (tmp_path / "torch.py").write_text("")  # its name is all that is looked at, and it is quick
        (tmp_path / "conftest.py").write_text(SPY.format(more=more), encoding="utf-8")
        (tmp_path / "rendu.ipynb").write_bytes((HANDED_IN / "alice.ipynb").read_bytes())
        done = pytest_in(tmp_path, "--collect-only", "-q", "rendu.ipynb")
        assert done.returncode == 0, done.stdout + done.stderr
        return listed(done.stdout), done.stdout.splitlines()[-1]

    return spied


def test_all_checks_of_a_notebook_are_listed_and_torch_is_not_loaded(spied, assignment: Assignment):
    found, loaded = spied("")
    every = [f"rendu.ipynb::{e.name}::{check.name}" for e in assignment.exercises for check in e.checks]
    assert found == every
    assert loaded == "loaded: graders.course.outline"


def test_that_torch_is_loaded_would_be_noticed(spied):
    _, loaded = spied("import torch")
    assert loaded == "loaded: graders.course.outline torch"


def test_where_nothing_is_handed_in_nothing_of_ours_is_loaded(tmp_path: Path):
    (tmp_path / "conftest.py").write_text(SPY.format(more=""), encoding="utf-8")
    (tmp_path / "test_other.py").write_text("def test_it():\n    pass\n", encoding="utf-8")
    (tmp_path / "rendu.ipynb").write_bytes(notebook(JOINS))  # met, not named
    done = pytest_in(tmp_path, "--collect-only", "-q")
    assert listed(done.stdout) == ["test_other.py::test_it"]
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_for_what_was_not_attempted_nothing_is_loaded(tmp_path: Path):
    (tmp_path / "conftest.py").write_text(SPY.format(more=""), encoding="utf-8")
    (tmp_path / "rendu.ipynb").write_bytes(notebook(STUB))
    done = pytest_in(tmp_path, "rendu.ipynb")
    checks = sum(len(exercise.checks) for exercise in outlines("attention"))
    assert f"{checks} skipped" in done.stdout
    assert "softmark: 0 / 20" in done.stdout
    assert done.stdout.splitlines()[-1] == "loaded: graders.course.outline"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory) -> Path:
    """A notebook with one exercise wrong, one right, one as it was handed out."""
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "rendu.ipynb").write_bytes(notebook(MIXES, MASK, STUB))
    return folder


THREE = [f"--softmark-exercise={name}" for name in ("split_heads", "concat_heads", "causal_mask")]
CHECKS = {outline.name: len(outline.checks) for outline in outlines("attention")}
ALL = sum(CHECKS.values())


def ends(text: str) -> dict[str, int]:
    """How many checks ended how, as pytest's last lines say."""
    return {how: int(count) for count, how in re.findall(r"(\d+) (failed|passed|skipped)", text)}


@pytest.fixture(scope="module")
def ran(mixed: Path) -> subprocess.CompletedProcess:
    return pytest_in(mixed, "-rs", "--junitxml=junit.xml", *THREE, "rendu.ipynb")


def test_a_run_ends_as_its_checks_do(ran):
    assert ran.returncode == pytest.ExitCode.TESTS_FAILED, ran.stdout
    ended = ends(ran.stdout)
    assert ended["skipped"] == CHECKS["split_heads"]
    assert ended["failed"] + ended["passed"] == CHECKS["concat_heads"] + CHECKS["causal_mask"]
    assert CHECKS["causal_mask"] < ended["passed"]


def test_a_failure_is_the_finding_without_a_traceback_of_ours(ran):
    assert "concat_heads: loses_no_value (cell 1, line 1)" in ran.stdout
    assert "✗  each position holds all values of its heads, each once" in ran.stdout
    assert ran.stdout.count("they differ most at [0, 0, ") == ran.stdout.count("hint: ") == 1
    same = "the same hint as for puts_each_head_in_its_columns"
    assert ran.stdout.count(same) == ends(ran.stdout)["failed"] - 1
    for ours in ("graders/pytest_plugin", "def runtest", "Traceback", "Failed:"):
        assert ours not in ran.stdout


def test_what_was_not_attempted_is_skipped_with_the_reason(ran):
    assert (
        f"SKIPPED [{CHECKS['split_heads']}] rendu.ipynb:1: split_heads is still as it was handed out"
        in ran.stdout
    )


def test_the_last_lines_are_the_points(ran, mixed: Path, assignment: Assignment, draws: Draws, box: Box):
    whole = Grader(assignment, draws, box).only(("split_heads", "concat_heads", "causal_mask"))
    result = whole.grade(mixed / "rendu.ipynb", "rendu")
    assert f"softmark: {result.points:g} / 5" in ran.stdout
    for exercise in result.exercises:
        assert f"{exercise.title}  " in ran.stdout
    assert "softmark: next: mend concat_heads\n" in ran.stdout


def test_the_junit_file_has_points_and_findings(ran, mixed: Path):
    cases = list(ElementTree.parse(mixed / "junit.xml").iter("testcase"))
    points = [{p.get("name"): p.get("value") for p in case.iter("property")} for case in cases]
    assert len(points) == sum(CHECKS[name] for name in ("split_heads", "concat_heads", "causal_mask"))
    assert sum(float(p["max_points"]) for p in points) == pytest.approx(5, abs=0.001)
    failed = {case.get("name"): case.find("failure") for case in cases}["loses_no_value"]
    assert failed is not None
    assert "the same hint as for puts_each_head_in_its_columns" in failed.text


@pytest.mark.slow
@pytest.mark.nightly
def test_processes_share_the_exercises(mixed: Path):
    done = pytest_in(mixed, "-n2", *THREE, "-v", "rendu.ipynb")
    assert ends(done.stdout)["skipped"] == CHECKS["split_heads"], done.stdout
    workers: dict[str, set[str]] = {}
    for line in done.stdout.splitlines():
        if line.startswith("[gw") and "::" in line:
            workers.setdefault(line.split("::")[1], set()).add(line[:5])
    assert sorted(map(len, workers.values())) == [1, 1, 1]
    assert "softmark: 1.4 / 5" in done.stdout


@pytest.mark.parametrize(
    "options",
    [[], ["--doctest-modules"], ["-o", "python_files=*.py"]],
    ids=["alone", "beside doctest", "where all modules are tests"],
)
def test_a_module_is_listed_but_never_imported(options: list[str], pytester: pytest.Pytester):
    pytester.makepyfile(rendu=f"{JOINS}\nraise SystemExit('it ran')")
    found = pytester.runpytest(*PLUGIN, "--softmark=attention", *options, "--collect-only", "-q", "rendu.py")
    assert "rendu.py::concat_heads::loses_no_value" in listed(found.stdout.str())
    assert "it ran" not in found.stdout.str()


def test_without_the_option_a_module_is_a_test_as_ever(pytester: pytest.Pytester):
    pytester.makepyfile(rendu=JOINS + "\ndef test_it():\n    pass\n")
    assert listed(pytester.runpytest(*PLUGIN, "--collect-only", "-q", "rendu.py").stdout.str()) == [
        "rendu.py::test_it"
    ]


def test_a_test_stays_one_beside_the_option(pytester: pytest.Pytester):
    pytester.makepyfile(test_rendu=JOINS + "\ndef test_it():\n    pass\n")
    pytester.makeini("[pytest]\nsoftmark = attention\n")
    assert listed(pytester.runpytest(*PLUGIN, "--collect-only", "-q").stdout.str()) == [
        "test_rendu.py::test_it"
    ]


def test_with_the_setting_notebooks_are_found_and_others_left_alone(pytester: pytest.Pytester):
    pytester.makeini("[pytest]\nsoftmark = attention\n")
    for name, data in (("rendu", notebook(JOINS)), ("other", notebook("x = 1")), ("broken", b"{")):
        (pytester.path / f"{name}.ipynb").write_bytes(data)
    found = pytester.runpytest(*PLUGIN, "--collect-only", "-q")
    assert {line.partition("::")[0] for line in listed(found.stdout.str())} == {"rendu.ipynb"}
    assert found.ret == 0


def test_a_folder_beside_the_option_is_one_submission(pytester: pytest.Pytester):
    folder = pytester.mkdir("chloe")
    for path in (HANDED_IN / "chloe").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    found = pytester.runpytest(*PLUGIN, "--softmark=attention", "--collect-only", "-q", "chloe")
    assert {line.partition("::")[0] for line in listed(found.stdout.str())} == {"chloe"}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{", "rendu.ipynb is not a notebook: its content is not JSON."),
        (notebook("x = 1"), "rendu.ipynb defines nothing that an assignment asks for; --softmark names one"),
    ],
    ids=["not JSON", "of another course"],
)
def test_a_notebook_that_cannot_be_listed_says_why(data: bytes, says: str, pytester: pytest.Pytester):
    (pytester.path / "rendu.ipynb").write_bytes(data)
    found = pytester.runpytest(*PLUGIN, "rendu.ipynb")
    assert found.ret == pytest.ExitCode.INTERRUPTED
    assert says in found.stdout.str()
    assert "Traceback" not in found.stdout.str()


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--softmark=attentoin", "there is no assignment 'attentoin': did you mean attention?"),
        ("--softmark-sandbox=none", "there is no box 'none': there are nested, boxed, fresh, reduced, open"),
    ],
    ids=["assignment", "box"],
)
def test_a_name_that_nothing_has_is_refused(option: str, says: str, pytester: pytest.Pytester):
    found = pytester.runpytest(*PLUGIN, option)
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    assert says in found.stderr.str()


def found(outcome: Outcome, says: str) -> Finding:
    mistake = Mistake("concat_heads__x", "look there", "regardez là") if outcome is Outcome.FAILED else None
    staff = "a traceback for us" if outcome is Outcome.BROKEN else None
    name = "joins_widths_to_one"
    return Finding(name, outcome, 0, 0.2, "it joins", message=says, mistake=mistake, staff=staff)


def graded(outcome: Outcome, *findings: Finding) -> GradedExercise:
    staff = "a traceback for us" if outcome is Outcome.BROKEN else None
    result = ExerciseResult("concat_heads", "", outcome, 0, 2, findings, "all of it", staff=staff)
    return GradedExercise(result, ("rendu.ipynb",), (), "open")


class Given:
    """A run that grades as it is told."""

    def __init__(self, graded: GradedExercise) -> None:
        self.given = graded

    def grade(self, *_: object) -> GradedExercise:
        return self.given


@pytest.mark.parametrize(
    ("outcome", "whole"),
    [(o, False) for o in Outcome if o not in (Outcome.PASSED, Outcome.UNREADABLE) and not o.unwritten]
    + [(o, True) for o in Outcome if o is not Outcome.PASSED],
    ids=lambda value: value if isinstance(value, str) else "exercise" if value else "check",
)
def test_pytest_ends_a_check_as_softmark_does(
    outcome: Outcome, whole: bool, pytester: pytest.Pytester, monkeypatch
):
    given = graded(outcome) if whole else graded(outcome, found(outcome, "not so"))
    monkeypatch.setattr(grading, "run_of", lambda config: Given(given))
    (pytester.path / "rendu.ipynb").write_bytes(notebook(JOINS))
    node = "rendu.ipynb::concat_heads::joins_widths_to_one"
    done = pytester.runpytest(*PLUGIN, "-rsfE", node)
    absent = outcome in (Outcome.SKIPPED, Outcome.NOT_ATTEMPTED)
    # Of unfinished code the first check fails, which this is.
    kind = "skipped" if absent else "errors" if outcome is Outcome.BROKEN else "failed"
    done.assert_outcomes(**{kind: 1})
    said = done.stdout.str()
    assert ("all of it" if whole else "not so") in said
    assert ("a traceback for us" in said) is (outcome is Outcome.BROKEN)
    undecided = outcome in (Outcome.SKIPPED, Outcome.BROKEN)
    decided_later = r", [\d.]+ points still to be decided" if undecided else ""
    assert re.search(rf"softmark: 0 / [\d.]+{decided_later}\n", said)
    assert "NOT BOXED" in said


def test_checks_are_selected_and_the_first_failure_can_be_the_last(pytester: pytest.Pytester, monkeypatch):
    failed = graded(Outcome.RAISED)
    monkeypatch.setattr(grading, "run_of", lambda config: Given(failed))
    (pytester.path / "rendu.ipynb").write_bytes(notebook(MIXES))
    done = pytester.runpytest(*PLUGIN, "-x", "-k", "concat_heads and not widths", "rendu.ipynb")
    done.assert_outcomes(failed=1, deselected=ALL - CHECKS["concat_heads"] + 1)
    assert f"1 of {ALL} checks is counted" in done.stdout.str()


def test_those_that_failed_last_can_be_run_again(pytester: pytest.Pytester, monkeypatch):
    wrong, right = found(Outcome.FAILED, "not so"), found(Outcome.PASSED, "")
    both = graded(Outcome.FAILED, wrong, replace(right, check="loses_no_value"))
    monkeypatch.setattr(grading, "run_of", lambda config: Given(both))
    (pytester.path / "rendu.ipynb").write_bytes(notebook(MIXES))
    first = pytester.runpytest(*PLUGIN[2:], "-k", "joins_widths or loses_no_value", "rendu.ipynb")
    first.assert_outcomes(failed=1, passed=1, skipped=1, deselected=ALL - 3)
    pytester.runpytest(*PLUGIN[2:], "--lf", "rendu.ipynb").assert_outcomes(failed=1, deselected=ALL - 1)


def test_findings_are_in_the_language_that_is_asked_for(pytester: pytest.Pytester, monkeypatch):
    heard: list[Language] = []
    (pytester.path / "rendu.ipynb").write_bytes(notebook(JOINS))

    class Listening(Given):
        def grade(self, *given: object) -> GradedExercise:
            heard.append(current_language())
            return super().grade(*given)

    given = Listening(graded(Outcome.FAILED, found(Outcome.FAILED, "non")))
    monkeypatch.setattr(grading, "run_of", lambda config: given)
    node = "rendu.ipynb::concat_heads::joins_widths_to_one"
    said = pytester.runpytest(*PLUGIN, "--softmark-lang=fr", node).stdout.str()
    assert heard == ["fr"]
    lists = pytester.runpytest(*PLUGIN, "--softmark-lang=fr", "--collect-only", node).stdout.str()
    assert "<Exercise concat_heads: Réunir les têtes>" in lists
    assert "<Check joins_widths_to_one: (B, H, S, D) devient (B, S, H*D), dans le même dtype>" in lists
    assert "SANS PROTECTION" in said
    assert "Réunir les têtes" in said


def test_without_a_box_a_check_is_an_error(draws: Draws):
    def start() -> Box:
        raise NoIsolation("no process can be started")

    run = Run(lambda _: draws, start)
    for _ in range(2):
        with pytest.raises(pytest.fail.Exception, match="softmark: no process can be started"):
            run.grade(HANDED_IN / "manon.ipynb", "attention", "concat_heads")


def test_what_fails_by_its_parts_alone_counts_where_they_are(box: Box, assignment: Assignment, monkeypatch):
    names = ["scaled_dot_product_attention", "multi_head_attention"]
    two, brief = assignment.only(names), Draws(1, tries=0).first(3)
    monkeypatch.setattr(grading, "load_assignment", lambda name: two)
    monkeypatch.setattr(KnownMistakes, "identify", lambda *_: ())  # names are not asked for
    run, path = Run(lambda _: brief, lambda: box), HANDED_IN / "emma.ipynb"
    whole, part = (run.grade(path, "attention", e.name).result for e in reversed(two.exercises))
    alone = Grader(two.only(names[1:]), brief, box).grade(path, "emma").exercises[0]
    assert (alone.outcome, part.outcome, whole.outcome) == (Outcome.FAILED, Outcome.FAILED, Outcome.PASSED)
