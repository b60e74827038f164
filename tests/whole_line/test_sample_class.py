"""The sample class in `tests/handed_in/attention/`, graded by the command: `golden.toml` has what is due."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.cli.main import main
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import to_json
from graders.sandbox.box import Box
from tests.conftest import HANDED_IN, NIGHTLY
from tests.support.at_night import some_at_night

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden.toml").read_text(encoding="utf-8"))
EXERCISES = GOLDEN.pop("exercises")  # those that it speaks of
pytestmark = [
    pytest.mark.programs,
    pytest.mark.slow,
]
# Wrong work, a forger: graded a second time for an exercise with a known mistake, and one that is raised.
AGAIN = ("david.ipynb", "ines.ipynb")
EXERCISES_AGAIN = ("concat_heads", "causal_mask")
# At each push tests/diagnosis/test_blame.py shows what emma does, and the audit tries farid's mistakes and
# right answers with einops, as benoit's is.
AT_EACH_PUSH = [name for name in GOLDEN if name not in ("benoit", "emma", "farid")]
ASKED = list(GOLDEN) if NIGHTLY else AT_EACH_PUSH


def graded(out: Path) -> Result:
    arguments = [
        "grade",
        str(HANDED_IN),
        "--assignment",
        "attention",
        "--out",
        str(out),
        "--unsafe",
        "--seed",
        "1",
        "--notebooks",
        "--limit",
        "call=1",  # for an endless loop; all others need milliseconds
        "--jobs",
        "1",  # a second process makes the same small draws again
        *(f"--only={name}" for name in ASKED),
    ]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("class")
    done = graded(out)
    assert done.exit_code == 1, done.output
    return out


def result(out: Path, name: str) -> dict:
    return json.loads((out / name / "result.json").read_text(encoding="utf-8"))


def findings(out: Path, name: str, exercise: str) -> dict[str, dict]:
    [found] = [e for e in result(out, name)["exercises"] if e["name"] == exercise]
    return {finding["check"]: finding for finding in found["findings"]}


@pytest.mark.parametrize("name", some_at_night(GOLDEN, AT_EACH_PUSH))
def test_each_submission_gets_what_is_due(out: Path, name: str):
    due = dict(GOLDEN[name])
    others = due.pop("others")
    got = {e["name"]: e["outcome"] for e in result(out, name)["exercises"]}
    assert {exercise: got[exercise] for exercise in EXERCISES} == {
        exercise: due.get(exercise, others) for exercise in EXERCISES
    }


def test_the_golden_file_knows_the_whole_class():
    assert {path.stem for path in HANDED_IN.iterdir()} == set(GOLDEN)


@pytest.mark.parametrize("name", some_at_night(["alice", "benoit", "chloe", "gaelle"], AT_EACH_PUSH))
def test_right_answers_get_all_points(out: Path, name: str):
    graded = result(out, name)
    exercises = [exercise for exercise in graded["exercises"] if exercise["name"] in EXERCISES]
    assert graded["points"] == sum(exercise["max_points"] for exercise in exercises) > 0
    assert graded["undecided_points"] == 0


def test_heads_joined_without_the_transpose_fail_at_sizes_that_show_it(out: Path):
    finding = findings(out, "david", "concat_heads")["puts_each_head_in_its_columns"]
    assert finding["case"]["text"] == "x (1, 2, 3, 4) float32"
    assert finding["case"]["expected"]["values"][:8] == [0, 1, 2, 3, 12, 13, 14, 15]
    assert finding["case"]["actual"]["values"] == list(range(24))
    assert finding["message"] == "16 of 24 values of the output differ"


def test_an_endless_loop_is_shown_where_it_stands(out: Path):
    finding = findings(out, "hugo", "multi_head_attention")["keeps_the_shape"]
    assert finding["outcome"] == "timed_out"
    lines = (HANDED_IN / "hugo.py").read_text(encoding="utf-8").split("\n")
    assert (
        "self.W_q(x)" in lines[finding["place"]["line"] - 1] or "while" in lines[finding["place"]["line"] - 1]
    )


def test_a_liar_gets_nothing_from_what_it_lies_about(out: Path):
    # NaN of the right shapes passes the one check that is about these alone.
    assert [e["points"] for e in result(out, "ines")["exercises"] if e["points"]] == [0.14]


def test_a_shadowed_builtin_is_named(out: Path):
    assert any("float" in remark["says"] for remark in result(out, "lucas")["remarks"])


def test_an_environment_problem_is_said_to_be_one(out: Path):
    for finding in findings(out, "nora", "scaled_dot_product_attention").values():
        assert "an environment problem" in finding["message"]


def test_a_gpu_that_is_not_there_is_remarked_with_its_line(out: Path):
    [remark] = [
        remark for remark in result(out, "nora")["remarks"] if "the CPU took its place" in remark["says"]
    ]
    assert remark["code"] == "x = x.cuda()"


def test_students_text_is_shown_harmless(out: Path):
    page = (out / "ines" / "index.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "\x1b" not in page
    assert "{{ 7 * 7 }}" in page


def test_every_submission_has_a_page_and_the_class_too(out: Path):
    for name in ASKED:
        assert (out / name / "index.html").is_file()
    assert (out / "index.html").is_file()
    assert (out / "grades.csv").read_text(encoding="utf-8").count("\n") == len(GOLDEN) + 1
    assert (out / "alice" / "notebook.html").is_file()
    assert not list(out.rglob(".*"))


@pytest.mark.parametrize("file", AGAIN)
def test_a_second_run_gives_the_same_findings_to_the_byte(out: Path, box: Box, file: str):
    asked = load_assignment("attention").only(EXERCISES_AGAIN)
    grader = Grader(asked, Draws(1), box, finds_places=True, for_staff=True)
    second = json.loads(to_json(grader.grade(HANDED_IN / file, "someone")))
    first = [e for e in result(out, Path(file).stem)["exercises"] if e["name"] in EXERCISES_AGAIN]
    assert [finding["message"] for e in first for finding in e["findings"] if finding["message"]]
    assert json.dumps(second["exercises"]) == json.dumps(first)


def test_the_pages_can_be_made_again_without_grading(out: Path):
    page = out / "david" / "index.html"
    before = page.read_text(encoding="utf-8")
    page.unlink()
    done = CliRunner().invoke(main, ["report", str(out)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert page.read_text(encoding="utf-8") == before
