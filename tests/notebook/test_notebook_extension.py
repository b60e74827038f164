"""`%load_ext graders` in a real kernel, and what it shows below a cell."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import nbformat
import pytest

from graders.notebook.magic import Softmark
from graders.results.case import Case, TensorView
from graders.results.result import Definition, ExerciseResult, Finding, Outcome, Place, Result, SubmissionInfo
from reports.pages import notebook_cell_output

pytestmark = pytest.mark.programs

CELLS = (
    "import json, torch\ntorch.manual_seed(3)\ntorch.set_num_threads(2)\n"
    "torch.set_default_dtype(torch.float64)",
    "%load_ext graders",
    "before = torch.get_rng_state()\n"
    "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
    "names = set(globals())\n%check concat_heads",
    "def concat_heads(x):\n    torch.set_num_threads(1)\n    b, h, s, d = x.shape\n"
    "    return x.reshape(b, s, h * d)\ncheck(concat_heads)",
    "%check --lang fr",
    "%check concat_head",
    "check(torch.nn.Identity())",
    "print(json.dumps([torch.equal(before, torch.get_rng_state()), torch.get_num_threads(),"
    " str(torch.get_default_dtype()), [n for n in set(globals()) - names if n[0] != '_' and n != 'names']]))",
    "from IPython import get_ipython\n"
    "print(json.dumps(get_ipython().complete('conc', '%check conc', 11)[1]))",
    "def split_heads(x, num_heads):\n    raise KeyboardInterrupt\n%check split_heads",
    "%unload_ext graders\nlines = get_ipython().magics_manager.magics['line']\n"
    "print(json.dumps(['check' in globals(), 'check' in lines]))",
)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[list[dict[str, Any]]]:
    """What each cell shows."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    path = tmp_path_factory.mktemp("notebook") / "rendu.ipynb"
    nbformat.write(made, path)
    # In a process of its own: the client's event loop leaves sockets open to the garbage collector.
    code = (
        "import sys, nbformat; from nbclient import NotebookClient as N; n = nbformat.read(sys.argv[1], 4);"
        "N(n, timeout=300, allow_errors=True, kernel_name='python3').execute();"
        "nbformat.write(n, sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True)
    return [found["outputs"] for found in json.loads(path.read_text(encoding="utf-8"))["cells"]]


def shown(outputs: list[dict[str, Any]], kind: str) -> str:
    [one] = outputs
    assert one["output_type"] == "display_data", one
    return "".join(one["data"][kind])


def printed(outputs: list[dict[str, Any]]) -> Any:
    return json.loads("".join(text for one in outputs for text in one["text"]))


def test_what_is_right_passes_below_its_cell(outputs):
    assert "passed</span>" in shown(outputs[2], "text/html")
    assert "Joining the heads  passed" in shown(outputs[2], "text/plain")


def test_what_is_wrong_shows_the_smallest_case_a_picture_and_the_code(outputs):
    html, text = shown(outputs[3], "text/html"), shown(outputs[3], "text/plain")
    assert "x (1, 2, 3, 4) float32" in text
    assert "failed" in html
    assert "<script" not in html
    assert html.count('<table class="values"') == 2
    assert all(re.search(r"the same hint for \d further checks", shown_text) for shown_text in (html, text))
    assert 'data-line="3"' in html
    assert "In[4], line 1" in html


def test_all_that_is_defined_is_a_line_each_in_the_language_asked_for(outputs):
    html = shown(outputs[4], "text/html")
    assert 'lang="fr"' in html
    assert "Réunir les têtes" in html
    assert "%check NOM" in html
    assert "<li" not in html


@pytest.mark.parametrize(
    ("number", "says"),
    [(5, "did you mean concat_heads"), (6, "give its class, Identity")],
    ids=["name", "instance"],
)
def test_what_cannot_be_checked_is_one_line_without_a_traceback(outputs, number: int, says: str):
    [one] = outputs[number]
    assert one["output_type"] == "stream"
    assert says in "".join(one["text"])


def test_the_notebook_is_as_it_was(outputs):
    assert printed(outputs[7]) == [True, 2, "torch.float64", []]


def test_names_are_completed(outputs):
    assert printed(outputs[8]) == ["concat_heads"]


def test_an_interruption_shows_what_was_found_and_no_line_of_ours(outputs):
    found, ended = outputs[9]
    assert "in split_heads, In[10], line 2" in "".join(found["data"]["text/plain"])
    assert (ended["output_type"], ended["traceback"]) == ("error", ["stopped"])


def test_what_is_unloaded_is_gone(outputs):
    assert printed(outputs[10]) == [False, False]


def test_loading_it_waits_for_no_pytorch():
    code = (
        "import sys; from IPython.core.interactiveshell import InteractiveShell as S; s = S.instance();"
        "s.run_line_magic('load_ext', 'graders'); print('torch' in sys.modules, 'check' in s.user_ns)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


HOSTILE = '<img src=x onerror="alert(1)">&amp;'


def result(*findings: Finding, message: str | None = None) -> Result:
    definition = Definition("In[1]", None, 1, f"def f():\n    '{HOSTILE}'")
    exercise = ExerciseResult(
        "f", HOSTILE, Outcome.FAILED, 0, 1, findings, message=message, definitions=(definition,)
    )
    return Result(
        assignment="a",
        title="A",
        submission=SubmissionInfo("", (), ""),
        graded_at="2026-01-01T00:00:00Z",
        versions={},
        device="cpu",
        seed=1,
        sandbox="notebook",
        points=0,
        max_points=1,
        undecided_points=0,
        remarks=(),
        exercises=(exercise,),
    )


def finding(outcome: Outcome = Outcome.FAILED, message: str = HOSTILE, case: Case | None = None) -> Finding:
    place = Place("In[1]", None, 2)
    return Finding("c", outcome, 0, 0.5, HOSTILE, message, case, place=place, output=HOSTILE)


def test_whatever_stands_in_a_result_it_is_text_in_the_cell():
    html = notebook_cell_output.render(result(finding(), message=HOSTILE), "n").html
    assert "<img" not in html
    assert html.count("&lt;img") >= 5


def test_pictures_are_few_and_share_no_ids():
    tensors = [
        TensorView((2, 2), "float32", values) for values in ((1.0, 2.0, 3.0, 4.0), (1.0, 2.0, 3.0, 5.0))
    ]
    case = Case("x", (), *tensors, worst=(1, 1))
    found = result(*[finding(message=f"wrong {n}", case=case) for n in range(6)])
    html = notebook_cell_output.render(found, "softmark-7").html
    assert html.count('<table class="values"') == 2 * notebook_cell_output.MAX_PICTURES
    assert html.count("they differ most at [1, 1]: expected 4, yours 5") == 6
    ids = [part.split('"')[0] for part in html.split(' id="')[1:]]
    assert len(set(ids)) == len(ids)
    assert all(name.startswith("softmark-7-") for name in ids)


def test_what_is_skipped_for_one_reason_is_one_line():
    skipped = [finding(Outcome.SKIPPED, "it needs the reference") for _ in range(4)]
    html = notebook_cell_output.render(result(finding(), *skipped), "n").html
    assert "the same in 3 further checks" in html
    assert html.count("it needs the reference") == 1
    assert "1.5 undecided" in html


def test_what_is_wrong_comes_first_and_what_holds_is_one_line():
    findings = [finding(Outcome.PASSED), finding(message="it is wrong"), finding(Outcome.PASSED)]
    found = result(*findings)
    right = replace(
        found.exercises[0],
        name="g",
        title="the other one",
        outcome=Outcome.PASSED,
        findings=tuple(findings[:1]),
    )
    output = notebook_cell_output.render(replace(found, exercises=(right, *found.exercises)), "n")
    for text in (output.html, output.text):
        assert text.index("it is wrong") < text.index("the other one")
    assert output.html.index("it is wrong") < output.html.index("2 checks hold")
    assert output.html.count("<script") == 0
    alone = notebook_cell_output.render(replace(found, exercises=(right,)), "n").html
    assert "1 check holds" not in alone and "<details" not in alone.partition('<ul class="checks">')[0]


@pytest.mark.parametrize(("line", "says"), [("--help", "this text"), ("-h --lang fr", "ce texte")])
def test_the_magic_explains_itself(line: str, says: str, capsys):
    assert Softmark(None).magic(line) is None
    said = capsys.readouterr().out
    assert "%check --help" in said and says in said and "fr:" not in said
