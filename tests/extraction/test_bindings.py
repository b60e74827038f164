"""The last binding of a symbol counts, whatever its form, where the code says that it is a function."""

import pytest

from tests.support.notebooks import cells, taken, value

BEFORE = "import contextlib\ndef wrap(f): return lambda: 'wrapped'\ndef f(): return 'defined'"


@pytest.mark.parametrize(
    "last",
    [
        "f, g = wrap(f), 1",
        "[f, g] = [wrap(f), 1]",
        "*g, f = 1, 2, wrap(f)",
        "g, (f, h) = 1, (wrap(f), 2)",
        "f, g = map(wrap, [f, wrap])",
        "print(f := wrap(f))",
        "for f in [wrap(f)]: pass",
        "with contextlib.nullcontext(wrap(f)) as f: pass",
        "match wrap(f):\n    case f: pass",
        "globals()['f'] = wrap(f)",
        "globals().update(f=wrap(f))",
        "globals().update({'f': wrap(f)})",
        "import sys\nsetattr(sys.modules[__name__], 'f', wrap(f))",
        "exec('f = wrap(f)')",
    ],
)
def test_a_last_binding_that_wraps_the_definition_counts_in_every_form(last: str) -> None:
    assert value(cells(BEFORE, last), "f")() == "wrapped"


@pytest.mark.parametrize("last", ["f, g = f(), 3", "g = [f := f()]", "with open('x') as f: pass"])
def test_what_is_plainly_a_result_leaves_the_definition(last: str) -> None:
    assert value(cells(BEFORE, last), "f")() == "defined"


@pytest.mark.parametrize(
    ("last", "says"),
    [
        ("f = {1: wrap(f)}[1]", "f gets another value here"),
        ("def begin():\n    global f\n    f = 1\nbegin()", "f is also set within this function"),
    ],
)
def test_a_binding_that_the_code_alone_does_not_tell_is_said(last: str, says: str) -> None:
    assert any(says in remark.says for remark in taken(cells(BEFORE, last), "f").remarks)
