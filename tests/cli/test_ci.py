"""`softmark check --format`: the outputs for steps of a workflow, and the exit status."""

import json
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from click import UsageError
from click.testing import CliRunner
from click.testing import Result as Done

from graders.batch import prepare_run
from graders.cli.main import main
from graders.cli.output_formats import FORMATS, parse_formats
from graders.cli.source_locations import locate
from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.results.result import Outcome, Place, Result, from_json
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from reports.ci import classroom, classroom50
from reports.ci.github import Spot
from tests.reports import sample
from tests.reports.on_github import RESULT_V1, read_commands, read_report
from tests.support.notebooks import notebook

pytestmark = pytest.mark.programs

RUNNER = {
    "CLASSROOM": "ml",
    "ASSIGNMENT": "attention",
    "OWNER": "alice",
    "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "COMMIT_URL": "https://github.com/o/r/commit/1",
    "RELEASE_URL": "https://github.com/o/r/releases/tag/t",
}
VARIABLES = (
    *RUNNER,
    *("USERNAME", "REVIEW_URL", "ASSIGNMENT_TYPE"),
    *("GITHUB_ACTIONS", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "GITHUB_REPOSITORY"),
)
WRONG = "def concat_heads(x):\n    b, h, s, d = x.shape\n    return x.reshape(b, s, h * d)\n"
SUBMISSIONS = {
    "full": ("def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n", Outcome.PASSED),
    "partial": (WRONG, Outcome.FAILED),
    "zero": ("def concat_heads(x):\n    return x[0, 0, 0, 0, 0]\n", Outcome.RAISED),
    "timed out": ("def concat_heads(x):\n    while True:\n        pass\n", Outcome.TIMED_OUT),
    "broken": (WRONG, Outcome.BROKEN),
}


@pytest.fixture(autouse=True)
def no_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the variables of a real runner, on which these tests may run."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def check(*arguments: str | Path, **variables: str | Path) -> Done:
    environment = {name: str(value) for name, value in variables.items()}
    return CliRunner().invoke(main, ["check", *map(str, arguments)], env=environment, catch_exceptions=False)


def wrong() -> Result:
    return sample.result(sample.exercise(sample.finding(Outcome.FAILED)))


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, assignment: Assignment, draws) -> dict[str, Result]:
    """Grade a small submission of each kind."""
    folder, results = tmp_path_factory.mktemp("handed-in"), {}
    box, _ = best(Limits(call_s=1.0, later_call_s=0.2, load_s=30.0))
    with box, pytest.MonkeyPatch.context() as patch:
        grader = Grader(assignment.only(("concat_heads",)), draws, box)
        for kind, (text, _) in SUBMISSIONS.items():
            if kind == "broken":
                patch.setattr("graders.judging.judge.Judge.try_check", lambda *given: 1 / 0)
            path = folder / f"{kind}.py"
            path.write_text(text, encoding="utf-8")
            results[kind] = grader.grade(path, "alice")
    return results


@pytest.mark.parametrize("kind", SUBMISSIONS)
def test_github_classroom_gets_the_points_of_a_real_submission(kind: str, graded: dict[str, Result]) -> None:
    result = graded[kind]
    assert [exercise.outcome for exercise in result.exercises] == [SUBMISSIONS[kind][1]]
    points, most, fails = read_report(classroom.output(result, lambda place: None))
    assert (points, most) == (result.points, result.max_points)
    assert fails == {"full": "", "broken": "Some tests errored."}.get(kind, "Some tests failed.")
    who = classroom50.Identity("ml", "a", "individual", "alice", "submit/1", "c", "r", "v")
    data = json.loads(classroom50.result_json(result, who))
    jsonschema.validate(data, RESULT_V1)
    assert (data["score"], data["max-score"]) == (result.points * 100, 200)
    assert (points == most) is (kind == "full")
    assert (points == 0) is (kind in ("zero", "timed out", "broken"))


def test_an_annotation_stands_on_the_cells_line_in_the_notebook_and_does_not_fail_the_job(tmp_path: Path):
    (tmp_path / "work").mkdir()
    path = tmp_path / "work/rendu.ipynb"
    raising = "def concat_heads(x):\n    b, h, s, d = x.shape\n    return x.views(b, s, h * d)\n"
    path.write_text(json.dumps(json.loads(notebook("x = 1", raising)), indent=1), encoding="utf-8")
    summary = tmp_path / "summary.md"
    arguments = (path, "--exercise", "concat_heads", "--format", "github")
    done = check(*arguments, GITHUB_STEP_SUMMARY=summary, GITHUB_WORKSPACE=tmp_path, GITHUB_ACTIONS="true")
    assert done.exit_code == 0, done.output
    error = next(command for command in read_commands(done.stdout) if command.name == "error")
    assert error.properties["file"] == "work/rendu.ipynb"
    line = path.read_text(encoding="utf-8").split("\n")[int(error.properties["line"]) - 1]
    assert "return x.views" in line
    assert "cell 2, line 3" in error.data and "AttributeError" in error.data
    assert "### Joining the heads" in summary.read_text(encoding="utf-8")


def test_one_grading_gives_all_formats(tmp_path: Path) -> None:
    path, to, output = tmp_path / "rendu.py", tmp_path / "out", tmp_path / "output"
    path.write_text(WRONG, encoding="utf-8")
    asked = [word for name in FORMATS for word in ("--format", name)]
    arguments = (path, "--exercise", "concat_heads", *asked, "--to", to)
    done = check(*arguments, GITHUB_OUTPUT=output, GITHUB_STEP_SUMMARY=tmp_path / "s", **RUNNER)
    assert done.exit_code == 0, done.output
    assert "Joining the heads" in done.stdout
    result = from_json((to / "softmark.json").read_text(encoding="utf-8"))
    assert 0 < result.points < result.max_points == 2
    assert result.seconds > 0
    assert json.loads((to / "results.json").read_text(encoding="utf-8"))["score"] == result.points
    assert ElementTree.parse(to / "junit.xml").getroot().get("failures") != "0"
    jsonschema.validate(json.loads((to / "result.json").read_text(encoding="utf-8")), RESULT_V1)
    assert "Joining the heads" in (to / "release-body.md").read_text(encoding="utf-8")
    assert "</html>" in (to / "softmark-report.html").read_text(encoding="utf-8")
    lines = output.read_text(encoding="utf-8").splitlines()
    assert [line.partition("=")[0] for line in lines] == ["result", "status", "summary"]
    assert read_report(lines[0])[:2] == (result.points, 2)


def test_json_alone_is_all_that_is_printed_and_warnings_go_beside_it(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(prepare_run, "best", lambda limits, *_: (Box(IsolationLevel.OPEN, limits), []))
    path = tmp_path / "rendu.py"
    path.write_text(WRONG, encoding="utf-8")
    done = check(path, "--exercise", "concat_heads", "--format", "json", "--fail-on", "wrong")
    assert done.exit_code == 1
    assert from_json(done.stdout).sandbox == "open"
    assert "NOT BOXED" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "variables", "message"),
    [
        (["--format", "json", "--format", "text"], {}, "--to FOLDER is needed"),
        (["--format", "classroom50"], {}, "CLASSROOM, ASSIGNMENT, OWNER, SUBMISSION_TAG, COMMIT_URL"),
        (["--format", "classroom50"], RUNNER | {"SUBMISSION_TAG": "v1"}, "should begin with submit/"),
        (["--format", "yaml"], {}, "yaml"),
    ],
    ids=["no folder", "no runner", "no submission", "no format"],
)
def test_impossible_formats_are_refused_before_grading(
    arguments: list[str], variables: dict[str, str], message: str, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(prepare_run, "best", lambda *_: pytest.fail("graded"))
    path = tmp_path / "rendu.py"
    path.write_text(WRONG, encoding="utf-8")
    done = check(path, *arguments, **variables)
    assert done.exit_code == 2
    assert message in done.stderr


def test_the_variables_of_actions_name_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = RUNNER | {
        "COMMIT_URL": "",
        "RELEASE_URL": "",
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_SHA": "abc",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    who = parse_formats(("classroom50",), None, None).runner.identity()
    assert who.commit == who.review == "https://github.com/o/r/commit/abc"
    assert who.release == f"https://github.com/o/r/releases/tag/{RUNNER['SUBMISSION_TAG']}".replace(
        "submit/", "submit%2F"
    )
    monkeypatch.delenv("GITHUB_REPOSITORY")
    with pytest.raises(UsageError, match="COMMIT_URL, RELEASE_URL"):
        parse_formats(("classroom50",), None, None)


ENDS = {"passed": 0, "failed": 1, "broken": 3}


@pytest.mark.parametrize(
    ("formats", "fail_on", "statuses"),
    [
        (("text",), None, (0, 1, 3)),
        ((), None, (0, 1, 3)),
        (("text",), "ours", (0, 0, 3)),
        (("github",), None, (0, 0, 3)),
        (("text", "classroom"), None, (0, 0, 3)),
        (("classroom50",), "wrong", (0, 1, 3)),
    ],
    ids=str,
)
def test_a_job_fails_on_our_faults_and_on_a_students_where_asked(
    formats: tuple[str, ...], fail_on: str | None, statuses: tuple[int, ...], monkeypatch
) -> None:
    for name, value in RUNNER.items():
        monkeypatch.setenv(name, value)
    outputs = parse_formats(formats, None, fail_on)
    results = [sample.result(sample.exercise(sample.finding(Outcome(outcome)))) for outcome in ENDS]
    assert tuple(map(outputs.status, results)) == statuses


def test_on_a_runner_no_command_is_taken_from_the_text(tmp_path: Path, monkeypatch, capsys) -> None:
    text = "x\n::notice title=Autograding report::{}"
    printed = sample.result(sample.exercise(sample.finding(Outcome.FAILED, output=text)))
    parse_formats(("text",), None, None).write(printed, tmp_path)
    assert [command.name for command in read_commands(capsys.readouterr().out)] == ["notice"]
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    parse_formats(("text",), None, None).write(printed, tmp_path)
    out = capsys.readouterr().out
    assert read_commands(out) == []
    assert "0 / 1" in out


def test_outside_actions_outputs_are_printed_and_a_missing_summary_is_reported(
    tmp_path: Path, capsys
) -> None:
    parse_formats(("classroom",), None, None).write(wrong(), tmp_path)
    assert read_report(capsys.readouterr().out)[:2] == (0, 1)
    parse_formats(("github",), None, None).write(wrong(), tmp_path)
    assert "there is no summary" in capsys.readouterr().err


def test_a_summary_has_room_only_for_what_the_step_has_left(tmp_path: Path, monkeypatch, capsys) -> None:
    path = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    path.write_text("x" * 1_045_000, encoding="utf-8")
    many = sample.result(*(sample.exercise(sample.finding(Outcome.FAILED)) for _ in range(40)))
    parse_formats(("github",), None, None).write(many, tmp_path)
    assert 1_045_000 < path.stat().st_size < 1_048_576
    assert "no room here" in path.read_text(encoding="utf-8")


def test_a_place_is_named_from_the_repositorys_folder_and_only_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "repo/work"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("", encoding="utf-8")
    (folder / "all.zip").write_bytes(b"")
    at = Place("a.py", None, 3)
    assert locate(folder, tmp_path / "repo")(at) == Spot("work/a.py", 3)
    assert locate(folder / "a.py", tmp_path / "repo")(at) == Spot("work/a.py", 3)
    assert locate(folder / "all.zip", tmp_path / "repo")(at) is None
    assert locate(folder, tmp_path / "repo")(Place(".", None, 1)) is None
    assert locate(folder, tmp_path / "other")(at) is None
