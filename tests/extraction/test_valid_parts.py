"""One statement that is not Python costs itself alone, in a module as in a cell."""

import pytest

from graders.extraction.valid_parts import read_parts
from graders.results.result import Outcome
from tests.support.notebooks import cells, handed_in, missing, notebook, value

GOOD = "import math\n\ndef f(x):\n    '''Doubles.\n\nAt the left.\n'''\n    return (\n2 * x)\n"
BROKEN = {
    "a bracket": "def g(x):\n    return (x\n",
    "a text": 'def g(x):\n    """Never ends.\n    return x\n',
    "a line": "def g(x):\n    return x +\n",
    "an indentation": "class g:\n    def a(self):\n        pass\n  def b(self):\n        pass\n",
    "no indentation": "def g(x):\nreturn x\n",
    "a colon": "@decorated\ndef g(x)\n    return x\n",
    "outside": "nonlocal z\n",
    "words": "Here I explain what g does, it's easy.\n",
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("form", ["module", "percent", "cell", "markdown"])
def test_a_broken_statement_costs_itself_alone(name: str, form: str) -> None:
    text = f"{GOOD}\n{BROKEN[name]}\n{GOOD.replace('f(', 'h(')}"
    marked = "# %%\n" + text.replace("\ndef ", "\n# %%\ndef ")
    files: dict[str, str | bytes] = {
        "module": {"a.py": text},
        "percent": {"a.py": marked},
        "cell": {"a.ipynb": notebook(text)},
        "markdown": {"a.md": f"```python\n{text}\n```\n"},
    }[form]
    program = handed_in(files)
    assert (value(program, "f")(2), value(program, "h")(3)) == (4, 6)
    assert "not valid Python" in program.remarks[0].says
    assert all(broken.page.source.split("\n")[broken.problem.line - 1] for broken in program.broken)
    if "def g" in BROKEN[name]:
        assert missing(program, "g").outcome is Outcome.RAISED


def test_lines_keep_their_numbers_and_texts_are_not_cut() -> None:
    text = "x = '''\ndef f(:\nimport a\n'''\n\ndef g(:\n    pass\n\ny = 2"
    code, (part,) = read_parts(text)
    assert code.text.split("\n") == ["x = '''", "def f(:", "import a", "'''", "", "", "", "", "y = 2"]
    assert (part.first, part.last, part.problem.line) == (6, 7, 6)


def test_a_cell_is_valid_or_broken_as_a_whole_if_it_is_one_statement() -> None:
    program = cells("x = (", "y = 1")
    assert program.remarks[0].says.startswith("This cell is not valid Python")


def test_many_broken_statements_take_no_time() -> None:
    code, parts = read_parts("def f(:\n" * 2_000 + "x = 1")
    assert (code.text.strip(), len(parts)) == ("x = 1", 2_000)
