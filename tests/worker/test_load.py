"""Loading extracted code: what runs, what is reported, and that tracebacks speak of the notebook."""

import inspect
import linecache
import subprocess
import sys
import traceback
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.locations import WORKER
from softmark_worker import run_source
from tests.conftest import NIGHTLY
from tests.support.notebooks import (
    Loaded,
    cells,
    handed_in,
    loading,
    loading_plain,
    notebook,
    taken,
    value,
)


def loaded(*sources: str, symbol: str = "f") -> Loaded:
    with loading(taken(cells(*sources), symbol)) as found:
        return found


def piece(code: str, *keep: tuple[int, int]) -> dict[str, Any]:
    return {
        "label": "a.py",
        "file": "a.py",
        "cell": None,
        "code": code,
        "keep": [list(place) for place in keep],
    }


def run(code: str, *keep: tuple[int, int]) -> Loaded:
    with loading_plain({"modules": [{"name": "__main__", "pieces": [piece(code, *keep)]}]}) as found:
        return found


@pytest.mark.programs
def test_the_worker_imports_only_the_standard_library() -> None:
    program = (
        f"import runpy, sys; runpy.run_path({str(WORKER / 'start.py')!r})['load_package'](); "
        "from softmark_worker import run_source; "
        "known = sys.stdlib_module_names | {'softmark_worker'}; "
        "found = {name.split('.')[0] for name in sys.modules} - known - {'__main__'}; "
        "assert not found, found"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)


NOISE = [
    "!pip install torch\npip install numpy",
    "import os\nos.environ['SOFTMARK_TRACE'] = 'ran'",
    "name = input('who? ')",
    "while True:\n    pass",
    "import nowhere.plotting as plt\nplt.plot([1])\nplt.show()",
    "import urllib.request\nurllib.request.urlopen('http://localhost:9')",
    "model.train()\nfor epoch in range(10**9):\n    loss = model.step()",
    "%%bash\nexit 1",
    "%matplotlib inline\n%load_ext autoreload\n%autoreload 2",
    "files = !ls\nprint(files)",
    "raise SystemExit(3)",
    "def broken(:\n    pass",
    "print 'python 2'",
    "assert f(2) == 5, 'wrong'\nquit()",
    "x = f(3); x += 1; y = [f(i) for i in range(3)]",
    "del x",
    "with open('/dev/null') as g: lines = g.read()",
    "for k in [1]:\n    scale2 = k\n    def unrelated(): return scale2",
    "%%time\nz = helper2(1)",
    "\n\n# only words\n",
    "f?",
]
CODE = [
    "import math",
    "scale = 3",
    "def helper(x):\n    return x * scale",
    "def f(x):\n    return helper(x) + math.floor(x)",
]


@settings(max_examples=100 if NIGHTLY else 40)
@given(st.data())
@pytest.mark.slow
def test_noise_between_the_cells_never_changes_the_answer(data: st.DataObject) -> None:
    sources: list[str] = []
    for code in CODE:
        sources += data.draw(st.lists(st.sampled_from(NOISE), max_size=4))
        sources.append(code)
    sources += data.draw(st.lists(st.sampled_from(NOISE), max_size=4))
    assert value(cells(*sources), "f")(2.5) == 9.5


def test_none_of_the_noise_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOFTMARK_TRACE", raising=False)
    import os

    assert value(cells(*NOISE, *CODE, *NOISE), "f")(2.5) == 9.5
    assert "SOFTMARK_TRACE" not in os.environ


@given(st.permutations(CODE))
def test_the_order_of_the_cells_does_not_matter_where_names_are_bound_once(order: list[str]) -> None:
    assert value(cells(*order), "f")(2.5) == 9.5


@pytest.mark.parametrize(
    "before", ["", "\n\n", "%%time\n", "!pip install \\\n   torch\n", "%matplotlib inline\n# words\n"]
)
def test_a_traceback_tells_the_cell_and_its_line(before: str) -> None:
    source = f"{before}def f(x):\n    y = x\n    return y / 0"
    with loading(taken(cells("x = 1", source), "f")) as found, pytest.raises(ZeroDivisionError) as caught:
        found.namespace["f"](1)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.filename, frame.lineno, frame.line) == (
        "rendu.ipynb, cell 2",
        source.count("\n") + 1,
        "return y / 0",
    )


def test_the_source_of_a_function_can_be_looked_up() -> None:
    function = loaded("!ls\ndef f(x):\n    return x  # mine").namespace["f"]
    linecache.checkcache()
    assert inspect.getsource(function) == "def f(x):\n    return x  # mine\n"


def test_a_statement_that_raises_is_reported_and_skipped() -> None:
    found = loaded("import nowhere\nx, y = 1, 2", "def f(): return nowhere, x")
    assert found.problems == [
        {
            "file": "rendu.ipynb",
            "cell": 1,
            "line": 1,
            "type": "ModuleNotFoundError",
            "error": "ModuleNotFoundError: No module named 'nowhere'",
            "message": None,
            "binds": ["nowhere"],
            "through": [run_source.__file__] * 3 + ["rendu.ipynb, cell 1"],
        }
    ]
    assert found.namespace["x"] == 1


@pytest.mark.parametrize(
    "raising", ["exit()", "raise KeyboardInterrupt", "raise GeneratorExit", "1 / 0", "input()"]
)
def test_whatever_a_statement_raises_the_rest_goes_on(raising: str) -> None:
    found = loaded(f"def g():\n    {raising}\nx = g()", "def f(): return x")
    assert [(problem["line"], problem["binds"]) for problem in found.problems] == [(2, ["x"])]
    assert callable(found.namespace["f"])


def test_an_error_whose_text_raises_is_still_reported() -> None:
    found = loaded(
        "class E(Exception):\n    def __str__(self): raise self\ndef g(): raise E\nx = g()",
        "def f(): return x",
    )
    assert found.problems[0]["error"] == "E"


def test_what_python_refuses_to_compile_is_reported_with_its_line() -> None:
    found = loaded("x = 1\ny = await g()", "def f(): return y")
    assert [(problem["line"], problem["error"].split(":")[0]) for problem in found.problems] == [
        (2, "SyntaxError")
    ]


def test_input_raises_at_once() -> None:
    found = loaded("name = input('who? ')", "def f(): return name")
    [problem] = found.problems[:1]
    assert problem["type"] == "RuntimeError"
    assert problem["message"] == {"says": "input_waits", "prompt": "'who? '"}


def test_ipython_is_there_and_does_nothing() -> None:
    found = loaded(
        "shell = 'colab' in str(get_ipython())\nif shell:\n    n = 1\nelse:\n    n = 2",
        "def f():\n    display(n)\n    return n, list(get_ipython().magic('x'))",
    )
    assert found.problems == []
    with loading(
        taken(cells("def f():\n    display(1)\n    return list(get_ipython().magic('x'))"), "f")
    ) as again:
        assert again.namespace["f"]() == []


def test_a_header_is_kept_only_with_its_own_place() -> None:
    code = "for i in range(3):\n    x = i\n    y = i\nelse:\n    z = 1"
    assert {name for name in run(code, (1, 0), (2, 4)).namespace if len(name) == 1} == {"i", "x"}
    assert {name for name in run(code, (5, 4)).namespace if len(name) == 1} == {"z"}


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    x = 1\nfinally:\n    y = 1",
        "try:\n    x = 1\nexcept E:\n    y = 1\nelse:\n    z = 1",
        "if x:\n    y = 1\nelif z:\n    y = 2\nelse:\n    y = 3",
        "while x:\n    y = 1\nelse:\n    z = 1",
        "with x as y:\n    z = 1",
        "match 1:\n    case 2:\n        y = 1",
        "async def f():\n    pass",
    ],
)
def test_whatever_is_kept_of_a_block_compiles(code: str) -> None:
    places = [
        (number, len(line) - len(line.lstrip())) for number, line in enumerate(code.split("\n"), start=1)
    ]
    for size in range(len(places) + 1):
        for keep in combinations(places, size):
            found = run(code, *keep)
            assert not any("SyntaxError" in problem["error"] for problem in found.problems)
            assert not any("ValueError" in problem["error"] for problem in found.problems)


def test_future_imports_reach_all_later_cells() -> None:
    found = loaded("from __future__ import annotations", "def f(x: Unknown) -> Nothing: return x")
    assert found.problems == []
    assert found.namespace["f"].__annotations__["x"] == "Unknown"


def test_a_module_knows_its_name_and_file() -> None:
    program = handed_in({"model.py": "where = __name__, __file__\ndef f(): return where"})
    assert value(program, "f")() == ("model", "model.py")
    assert value(cells("where = __name__\ndef f(): return where"), "f")() == "__main__"


def test_a_failing_line_in_a_sibling_is_reported_with_its_file() -> None:
    program = handed_in(
        {
            "rendu.ipynb": notebook("from helper import g\ndef f(): return g()"),
            "helper.py": "\nx = 1 / 0\ndef g(): return x",
        }
    )
    with loading(taken(program, "f")) as found:
        (problem,) = found.problems
        assert (problem["file"], problem["cell"], problem["line"], problem["binds"]) == (
            "helper.py",
            None,
            2,
            ["x"],
        )


def test_a_second_load_does_not_see_the_first_ones_siblings() -> None:
    def program(answer: int) -> Any:
        files = {"rendu.ipynb": notebook("import helper\ndef f(): return helper.g()")}
        return handed_in({**files, "helper.py": f"def g(): return {answer}"})

    with loading(taken(program(1), "f")):
        assert value(program(2), "f")() == 2


def test_a_default_of_a_file_that_is_not_there_is_left_out() -> None:
    found = loaded(
        "from settings import cfg",
        "class f:\n    def __init__(self, dim=cfg.dim, n=2):\n        self.taken = dim, n",
    )
    assert found.namespace["f"]().taken == (None, 2)
    assert [note["message"]["name"] for note in found.notes] == ["cfg.dim"]


def test_a_definition_that_raises_for_another_reason_is_reported() -> None:
    [problem] = loaded("class f(Base):\n    def __init__(self, n=2): ...").problems
    assert problem["type"] == "NameError"
