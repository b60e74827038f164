"""From a group of a class to a known mistake: what `name-mistake` writes, and what it refuses."""

import ast
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders import locations
from graders.cli.main import main
from graders.course.new_mistake import begin_mistake
from graders.course.open_course import open_course
from graders.results.result import Definition, Outcome
from graders.results.store import write_result
from tests.reports import sample

COURSE = '[course]\ntitle = "Deep learning"\nlanguages = ["en", "fr"]\nextends = "softmark"\n'
TRAP = "def concat_heads(x):\n    return x\x0cimport os; os.abort()\r    '''\n"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "my-course"
    folder.mkdir()
    (folder / "course.toml").write_text(COURSE, encoding="utf-8")
    locations.use_course(open_course(folder))
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A class of which two answer alike, and two make a known mistake."""
    unknown = {"mistake": None, "mistakes": (), "answers": "1f"}
    for who, more in {"ada": unknown, "ben": unknown, "cy": {}, "dan": {}}.items():
        code = TRAP if who == "ada" else TRAP * 2
        failed = sample.finding(Outcome.FAILED, check="a", **more)
        defined = (Definition("rendu.py", None, 1, code),)
        exercise = sample.exercise(failed, definitions=defined, symbol="concat_heads")
        write_result(tmp_path / "out", sample.result(exercise, id=who))
    return tmp_path / "out"


def name(out: Path, course: Path, *arguments: str) -> Result:
    asked = ["name-mistake", str(out), *arguments, "--course", str(course), "--lang", "en"]
    return CliRunner().invoke(main, asked, catch_exceptions=False)


def test_the_skeleton_is_still_right_and_has_the_students_lines_as_comments_alone(out: Path, course: Path):
    assert name(out, course, "sums_up", "--group", "1").exit_code == 0
    text = (course / "solutions/concat_heads.py").read_text(encoding="utf-8")
    [_, mistake] = ast.parse(text).body
    assert ast.unparse(mistake).endswith("return concat_heads(x)")
    assert "abort" not in ast.unparse(mistake)
    assert text.count("abort") == 1  # the shorter of the two
    assert "One of 2 who answer alike wrote:" in text
    assert "ada" not in text


def test_another_mistake_is_written_below_what_the_course_has(out: Path, course: Path):
    for short in ("sums_up", "sums_down"):
        assert name(out, course, short, "--group", "1").exit_code == 0
    text = (course / "solutions/concat_heads.py").read_text(encoding="utf-8")
    assert [node.name for node in ast.parse(text).body[1:]] == [
        "concat_heads__sums_up",
        "concat_heads__sums_down",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("transposes_nothing", "--group", "3"), "has no group 3: the last one is 2"),
        (("transposes_nothing", "--group", "2"), "are alike and that no known mistake explains: 1"),
        (("Transposes", "--group", "1"), "is no name of a mistake"),
        (("a-b", "--group", "1"), "is no name of a mistake"),
        (("without_transpose", "--group", "1"), "is a mistake of concat_heads already"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    out: Path, course: Path, arguments: tuple[str, ...], said: str
):
    refused = name(out, course, *arguments)
    assert refused.exit_code == 2
    assert said in refused.output
    assert not (course / "solutions").exists()


def test_of_a_class_the_methods_of_the_reference_are_told(course: Path):
    text = begin_mistake("multi_head_attention", "MultiHeadAttention", "twice", "class A: pass", 2)
    [_, mistake] = ast.parse(text).body
    assert isinstance(mistake, ast.ClassDef)
    assert "Override here the method in which it happens. The reference has __init__, " in text
