"""Cells become the Python that IPython would run, and keep their line numbers."""

import ast
import subprocess
import sys
import time
import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graders.extraction import ipython_cells
from graders.extraction.ipython_cells import LENGTH_LIMIT, parse_cell, to_python


def lines(source: str) -> list[str]:
    code = to_python(source)
    assert code.problem is None
    return code.text.split("\n")


@pytest.mark.programs
def test_plain_python_stays_as_it_is_and_needs_no_ipython() -> None:
    program = (
        "import sys; from graders.extraction.ipython_cells import to_python; "
        "assert to_python('x = 1\\n').text == 'x = 1\\n'; assert to_python('%cd a\\n%check').text; "
        "assert 'IPython' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


ARGUMENTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=12)
MAGIC = st.builds("%{} {}".format, st.sampled_from(["check", "time", "_x", "load_ext", "cd"]), ARGUMENTS)
PYTHON = st.sampled_from(["x = 1", "", "# %check", "def f():", "    return 1", 'text = """', '"""', "(", ")"])


@given(st.lists(MAGIC | PYTHON, max_size=5))
@example(["%check", "%check ", "%check a  b", "%check 'a'", "x = 1"])
@example(['text = """', "%check a", '"""'])
@example(["(", "%check a", ")"])
@example(["%time x = 1", "%check?", "%check a\\", "b"])
def test_line_magics_are_converted_as_ipython_converts_them(lines: list[str]) -> None:
    text = "\n".join(lines)
    ours = ipython_cells._with_line_magics(text)
    if ours is not None and not isinstance(parse_cell(text), ast.Module):
        assert ast.dump(ours.tree) == ast.dump(ast.parse(ipython_cells._transform(text)))


@pytest.mark.parametrize(
    "source",
    [
        "!pip install torch\nx = 1",
        "%matplotlib inline\nx = 1",
        "torch?\nx = 1",
        "files = !ls\nx = 1",
        "pip install torch\nx = 1",
        "conda install -y pytorch\nx = 1",
        "cd /content/drive\nx = 1",
        ">>> y = 2\n>>> x = 1",
        "%%time\nx = 1",
        "%%capture out\nx = 1",
    ],
)
def test_line_two_stays_line_two(source: str) -> None:
    assert lines(source)[1] == "x = 1"


def test_continued_magics_keep_their_lines() -> None:
    assert lines("!pip install \\\n  torch \\\n  numpy\nx = 1")[3] == "x = 1"
    assert lines("pip install \\\n  torch\nx = 1")[2] == "x = 1"
    assert lines("x = 0\nif x:\n    !echo \\\n       hello\n    y = 1\nz = 2")[4:6] == ["    y = 1", "z = 2"]


def test_blank_lines_at_the_top_are_counted() -> None:
    assert lines("\n\n!ls\n\nx = 1")[4] == "x = 1"
    assert lines("\n\n%%time\n\nx = 1")[4] == "x = 1"


def test_magics_under_a_cell_magic_are_magics() -> None:
    assert lines("%%time\n%%capture\n!ls\nx = 1")[3] == "x = 1"


@pytest.mark.parametrize(
    "magic", ["bash", "html", "timeit", "script bash", "javascript", "latex", "!", "unknown"]
)
def test_other_cell_magics_leave_nothing_behind(magic: str) -> None:
    code = to_python(f"%%{magic}\nx = 1")
    assert (code.text, code.problem, code.writes) == ("", None, None)


def test_a_written_module_is_reported_with_its_lines() -> None:
    code = to_python("%%writefile -a 'my model.py'\nx = 1")
    assert code.text == ""
    assert code.writes is not None
    assert (code.writes.name, code.writes.text, code.writes.appends) == ("my model.py", "\nx = 1", True)
    assert to_python("%%writefile notes.txt\nx = 1").writes is None
    assert to_python("%%writefile 'torn name\nx = 1").writes is None


def test_a_magic_inside_a_text_is_text() -> None:
    source = 's = """\n!ls\npip install x\n"""'
    assert to_python(source).text == source


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        ("x = 1\ndef f(:\n  pass", 2, "invalid syntax"),
        ("x = '\x00'", 1, ""),
        ("x = '\ud800'", 1, "character"),
        ("-" * 100_000 + "1", 1, "nested too deeply"),
        ("(" * 1000 + ")" * 1000, 1, "parentheses"),
        ("!ls\n(" + "f(" * 5000, 2, ""),
        ("x" * (LENGTH_LIMIT + 1), 1, "longer than"),
        ("print 'hello'", 1, "print"),
        ("pip install x\ny = (", 2, "never closed"),
    ],
)
def test_what_is_not_python_is_a_problem_with_its_line(source: str, line: int, reason: str) -> None:
    problem = to_python(source).problem
    assert problem is not None
    assert problem.line == line
    assert reason in problem.reason


def test_an_invalid_escape_gives_no_problem_and_no_warning() -> None:
    assert to_python(r"x = '\d'").problem is None
    assert to_python("!ls\n" + r"x = '\d'").problem is None


def test_many_magics_in_a_long_cell_take_no_time() -> None:
    # IPython reads the cell once per magic, and its limit of 500 alone would let this run for minutes.
    assert to_python("!ls\n" * 450 + "x = 1\n" * 20_000).problem is not None


statements = st.sampled_from(
    ["x = 1", "", "def f():\n    return 1", "if x:\n    !ls \\\n      -l\n    y = 2", "y = '''\n%z\n'''"]
)
magics = st.sampled_from(["!ls", "%time x", "!a \\\n b \\\n c", "x?", "v = !ls", "", "\n", "pip install a"])


@given(st.lists(statements | magics, max_size=8), st.sampled_from(["", "%%time\n", "\n\n", "%%capture\n\n"]))
def test_every_assignment_keeps_its_line(parts: list[str], first: str) -> None:
    source = first + "\n".join([*parts, "last = 1"])
    code = to_python(source)
    assert code.problem is None
    target = ast.parse(code.text).body[-1]
    assert target.lineno == source.count("\n") + 1
    assert code.text.split("\n")[target.lineno - 1] == "last = 1"


@given(st.text(alphabet="x=1 \n\t!%?()'\"\\#:def", max_size=60))
def test_any_text_is_python_or_a_problem(source: str) -> None:
    code = to_python(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\\:" is deprecated, and still Python
        assert code.problem is not None or isinstance(ast.parse(code.text), ast.Module)


def test_a_cell_that_ipython_fails_on_is_a_problem() -> None:
    assert to_python("x=%\\").problem is not None


@pytest.mark.parametrize(
    "source",
    [
        "," * 50_000,
        "%a\n(" + "a.a" * 80_000 + " ?",
        "%%time\n" * 50_000,
        "a" + "\u0345\u0301" * 200_000 + " = 1",
        "a" + "\uff9e\u0301" * 200_000 + " = 1",
        "%%writefile " + "a/" * 100_000 + "m.py\nx = 1",
        "x = 1; import a" + " . a" * 100_000,
        "from a" + ".\\\na" * 100_000 + " import b",
    ],
    ids=["commas", "question", "magics", "accents", "japanese accents", "path", "import", "lines"],
)
def test_hostile_cells_take_no_time(source: str) -> None:
    started = time.process_time()
    to_python(source)
    assert time.process_time() - started < 10


def test_magics_under_magics_are_python_up_to_a_depth() -> None:
    assert to_python("%%time\n%%capture\nx = 1").text == "\n\nx = 1"
    assert "one under the other" in to_python("%%time\n" * 20 + "x = 1").problem.reason
