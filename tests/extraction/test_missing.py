"""The sentences for symbols without code to run."""

import pytest

from graders.extraction.extract import study
from graders.results.result import Outcome
from graders.submission.read import Submission
from tests.support.notebooks import cells, missing, value


def test_an_absent_symbol_is_not_attempted() -> None:
    result = missing(cells("x = 1"), "concat_heads")
    assert result.outcome is Outcome.NOT_ATTEMPTED
    assert result.says == "concat_heads is not defined in what was handed in."


@pytest.mark.parametrize("near", ["concat_head", "Concat_Heads", "concatheads", "concate_heads"])
def test_a_name_that_is_nearly_right_is_mentioned(near: str) -> None:
    result = missing(cells("x = 1", f"def {near}(x): return x"), "concat_heads")
    assert result.says == (
        f"concat_heads is not defined in what was handed in; there is a {near}. "
        "The name must be concat_heads."
    )


def test_another_name_is_not_mentioned() -> None:
    program = cells("def split_heads(x): return x\nfrom torch.nn import MultiheadAttention")
    assert "there is" not in missing(program, "concat_heads").says
    assert "there is" not in missing(program, "MultiHeadAttention").says


def test_a_definition_in_a_cell_that_does_not_parse_raised() -> None:
    result = missing(cells("x = 1", "import math\ndef f(x):\n    return (x"), "f")
    assert result.outcome is Outcome.RAISED
    where = "`return (x`, cell 2, line 3"
    why = "its code is not valid Python"
    assert result.says == f"f cannot be read: {why} ({where}: '(' was never closed)."


def test_a_cell_that_does_not_parse_is_remarked_and_the_rest_is_used() -> None:
    program = cells("def broken(:", "def f(): return 1", "def g(a, a): pass")
    assert [(remark.cell, remark.line) for remark in program.remarks] == [(1, 1), (3, 1)]
    assert program.remarks[0].says == "This cell is not valid Python and was left out: invalid syntax."
    assert value(program, "f")() == 1


def test_an_untouched_stub_is_not_attempted() -> None:
    result = missing(cells("def f(x):\n    # your code here\n    pass"), "f")
    assert result.outcome is Outcome.NOT_ATTEMPTED
    assert result.says == "f is still as it was handed out"
    assert result.definitions[0].code.startswith("def f(x):")


def test_a_stub_whose_real_code_does_not_parse_raised() -> None:
    assert missing(cells("def f(x): pass", "def f(x):\n    return x +"), "f").outcome is Outcome.RAISED


def test_a_submission_without_code_has_no_symbols() -> None:
    assert study(Submission("nobody", (), "", (), ())).symbols == frozenset()
    assert missing(cells(), "f").outcome is Outcome.NOT_ATTEMPTED
