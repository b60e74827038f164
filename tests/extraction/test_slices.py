"""The kept statements alone compute what the whole notebook computes."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.conftest import NIGHTLY
from tests.support.notebooks import cells, kept, loading, taken

DATA = st.sampled_from("abc")
FUNCTION = st.sampled_from("gh")
NUMBER = st.integers(0, 9)

# No two names share a list: changes through another name are not tracked.
simple = st.one_of(
    st.builds("{} = [{}]".format, DATA, NUMBER),
    st.builds("{} = {} + [{}]".format, DATA, DATA, NUMBER),
    st.builds("{} += [{}]".format, DATA, NUMBER),
    st.builds("{}.append({})".format, DATA, NUMBER),
    st.builds("{}[0] = {}".format, DATA, NUMBER),
    st.builds("{} = list({}())".format, DATA, FUNCTION),
    st.builds("{} = [x for x in {} if x != len({})]".format, DATA, DATA, DATA),
    st.builds("def {}(): return {}".format, FUNCTION, DATA),
    st.builds("def {}(x={}): return list(x) + {}".format, FUNCTION, DATA, DATA),
    st.builds("{} = lambda: [0] + {}".format, FUNCTION, DATA),
    st.just("print(a, b)"),
)


def block(head: str) -> Any:
    return st.lists(simple, min_size=1, max_size=3).map(lambda body: "\n    ".join([head, *body]))


compound = st.one_of(
    block("if len(a) > 1:"),
    st.builds("{}\n{}".format, block("if len(b) > 1:"), block("else:")),
    block("for i in range(2):"),
    block("with nullcontext():"),
    st.builds("{}\n{}".format, block("try:"), block("except IndexError:")),
)
START = "from contextlib import nullcontext\na, b, c = [1], [2], [3]\ndef g(): return a\ndef h(): return b"
programs = st.lists(simple | compound, max_size=12)


@settings(max_examples=300 if NIGHTLY else 75)
@given(programs, DATA, FUNCTION)
@pytest.mark.slow
def test_the_kept_statements_compute_what_the_notebook_computes(
    parts: list[str], data: str, function: str
) -> None:
    sources = [START, *parts, f"def f(): return {data}, {function}()"]
    namespace: dict[str, Any] = {"print": lambda *_: None}
    try:
        exec("\n".join(sources), namespace)
        expected = namespace["f"]()
    except Exception:
        assume(False)
    source = taken(cells(*sources), "f")
    with loading(source) as loaded:
        assert loaded.problems == []
        assert loaded.namespace["f"]() == expected, kept(source)
    assert not any(line.startswith("print") for line in kept(source))


def test_a_default_value_of_the_previous_round_of_a_loop_is_kept() -> None:
    loop = "for i in range(2):\n    def g(x=b): return list(x) + a\n    b = [0]"
    source = taken(cells(START, loop, "def f(): return g()"), "f")
    with loading(source) as loaded:
        assert loaded.namespace["f"]() == [0, 1]
