"""What only newer Pythons take is written as the oldest one that softmark runs on takes it."""

import ast
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.extraction.ipython_cells import to_python
from graders.extraction.newer_python import rewrite
from graders.extraction.python_tokens import Unfinished, tokens_of
from graders.results.result import Outcome
from tests.support.notebooks import handed_in, missing, taken, value

OLD = (3, 11)


def older(text: str) -> str:
    """The text as Python 3.11 takes it, with as many lines."""
    new = rewrite(text, OLD).text
    assert new.count("\n") == text.count("\n")
    return new


F_STRINGS = [
    ("""f"{d["a"]}" """, "1"),
    ("""f"{'\\n'.join(["x", "y"])}" """, "x\ny"),
    ("""f'{d['a']!r:>{w}}' """, "   1"),
    ("""f"{d["a"]=}" """, 'd["a"]=1'),
    ("""f"{d["a"] = !s:<3}|" """, 'd["a"] = 1  |'),
    ("""f"{{{d["a"]}}}" '{}' f"{w}" """, "{1}{}4"),
    ("""f"{f"{f"{w}"}"}" """, "4"),
    ("""f"{(lambda x: x)(d["a"])}" """, "1"),
    ("""f"{d["a"]:{">" + str(w)}}" """, "   1"),
    ('f"""{\nd["a"]  # one "\n}""" ', "1"),
    ("""rf"\\d{d["a"]}\\{w}" """, "\\d1\\4"),
    ("""f"\\N{BULLET}{d["a"]}" """, "\u20221"),
    ("""f"{d["a"] != 2}{d["a"] == 1}" """, "TrueTrue"),
]


@pytest.mark.parametrize(("text", "expected"), F_STRINGS)
def test_an_f_string_of_any_expression_keeps_its_value(text: str, expected: str) -> None:
    code = older(f"x = {text}").removeprefix("x = ")
    ast.parse(code, feature_version=OLD)
    assert eval(code, {"d": {"a": 1}, "w": 4}) == expected


@given(st.text(st.sampled_from("f\"'{}!:=\\ \nax#"), max_size=14))
def test_any_text_has_tokens_that_cover_it_or_does_not_end(text: str) -> None:
    try:
        tokens = tokens_of(text)
    except Unfinished:
        return
    assert [t.start for t in tokens] == sorted({t.start for t in tokens})
    assert all(t.start < t.end <= max(len(text), 1) + 1 for t in tokens)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f[T: (int, str), *Ts, **P](x: T) -> T: return x", "def f(x: T) -> T: return x"),
        ("type Pair[T] = tuple[\n  T, T]", "Pair = object\n"),
        ("type X = int; y = 1", "X = object; y = 1"),
        ("type = 3; type(x); type[0] = 1", "type = 3; type(x); type[0] = 1"),
        ("try: pass\nexcept A, B: pass", "try: pass\nexcept (A, B): pass"),
        ("try: pass\nexcept (A, B) as e: pass", "try: pass\nexcept (A, B) as e: pass"),
        ("lazy import json\nlazy from a import b", "import json\nfrom a import b"),
    ],
)
def test_newer_statements_have_an_older_form(text: str, expected: str) -> None:
    assert older(text) == expected


@pytest.mark.parametrize("bases", ["", "()", "(Base)", "(Base,)", "(Base, flag=1)", "(Box[T], flag=1)"])
def test_a_class_with_type_parameters_is_generic(bases: str) -> None:
    code = older(f"class A[T, *Ts]{bases}:\n    x = 1")
    names: dict[str, type] = {}
    base = "class Base:\n    def __init_subclass__(cls, flag=0): super().__init_subclass__()\n"
    box = "import typing\nclass Box(Base, typing.Generic[typing.TypeVar('S')]): pass\n"
    exec(base + box + code, names)
    assert names["A"][int, str]().x == 1


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python takes it as it is")
def test_a_module_for_a_newer_python_is_run_and_said() -> None:
    text = 'def f[T](x: T) -> str:\n    return f"{x["a"]}"\n'
    program = handed_in({"a.py": text})
    assert value(program, "f")({"a": 3}) == "3"
    assert [(r.line, "needs Python 3.12" in r.says) for r in program.remarks] == [(1, True), (2, True)]
    assert taken(program, "f").definitions[0].code == text.strip()
    assert program.remarks[1].code == 'return f"{x["a"]}"'


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this Python takes it as it is")
def test_what_cannot_be_written_for_an_older_python_is_left_to_a_person() -> None:
    found = missing(handed_in({"a.py": 'def f(x):\n    return t"{x}"\n'}), "f")
    assert found.outcome is Outcome.UNREADABLE
    assert "needs Python 3.14" in found.says and "instructor" in found.says


def test_magics_beside_newer_python_are_magics() -> None:
    code = to_python('!echo it\'s\n%time y\nx = f"{d[\'a\']}{d["b"]}"\npip install a\n')
    assert code.problem is None
    assert len(code.text.split("\n")) == 5
