"""Extracting a symbol from a notebook: which definition counts, and which statements are kept."""

import pytest

from graders.extraction import extract
from graders.extraction.extract import to_wire
from tests.support.notebooks import cells, handed_in, kept, loading, markdown, missing, notebook, taken, value

TRAP = "raise SystemExit('this must not run')"


def remark_text(program_cells: list[str], symbol: str = "f") -> str:
    return " ".join(remark.says for remark in taken(cells(*program_cells), symbol).remarks)


def test_only_what_the_symbol_needs_is_kept() -> None:
    program = cells(
        "!pip install torch",
        "import math\nimport matplotlib.pyplot as plt\nprint('hello')",
        "def half(x):\n    return x / math.tau\n\ndef other(): pass",
        "plt.plot([1]); x = half(3)",
        "def whole(x):\n    return 2 * half(x)",
    )
    assert kept(taken(program, "whole")) == ["import math", "def half(x):", "def whole(x):"]
    assert value(program, "whole")(3) == pytest.approx(6 / 6.283185307)


def test_a_local_name_pulls_in_no_global_of_that_name() -> None:
    program = cells(f"x = 1\n{TRAP}\nx = input()", "def f(y):\n    x = y\n    return [x for x in (x,)]")
    assert kept(taken(program, "f")) == ["def f(y):"]


def test_the_last_definition_counts() -> None:
    program = cells("def f(): return 1", "def f(): return 2", markdown(), "def f(): return 3")
    assert value(program, "f")() == 3
    (remark,) = taken(program, "f").remarks
    assert remark.says == ("f is defined 3 times; the last definition counts.")
    assert (remark.cell, remark.line) == (4, 1)


def test_a_deleted_definition_still_counts() -> None:
    program = cells("def f(): return 1", "del f")
    assert value(program, "f")() == 1
    assert "f is deleted; its definition counts all the same." in remark_text(["def f(): return 1", "del f"])


@pytest.mark.parametrize(
    "later",
    [
        "f = f(4)",
        "f = sum([1])",
        "f, g = 1, 2",
        "for f in range(3): pass",
        "f = f(1) + 1",
        "x = 3\nf = x",
    ],
)
def test_data_of_the_same_name_does_not_hide_a_definition(later: str) -> None:
    assert value(cells("def f(x=1): return 'it'", later), "f")() == "it"


def test_an_instance_named_like_its_class_does_not_hide_the_class() -> None:
    assert isinstance(value(cells("class Block: n = 1", "Block = Block()"), "Block"), type)


@pytest.mark.parametrize(
    "definition",
    [
        "f = lambda: 'it'",
        "def g(): return 'it'\nf = g",
        "from functools import partial\ndef g(x): return x\nf = partial(g, 'it')",
        "def f(): return 'it'\ndef timed(f): return lambda: f()\nf = timed(f)",
        "class F:\n    def __call__(self): return 'it'\nf = F()",
        "class F:\n    @staticmethod\n    def g(): return 'it'\nf = F.g",
        "f = (lambda: 'it') if True else None",
    ],
)
def test_every_binding_of_a_callable_is_a_definition(definition: str) -> None:
    assert value(cells("def f(): return 'old'", definition, "f = f()"), "f")() == "it"


def test_data_counts_where_there_is_no_definition() -> None:
    program = cells("n = 4", "mask = [[j > i for j in range(n)] for i in range(n)]", "print(mask)")
    assert value(program, "mask")[0] == [False, True, True, True]


def test_a_function_sees_the_last_value_and_a_default_the_first() -> None:
    program = cells("scale = 1", "def f(x=scale):\n    return x, scale", "scale = 2", "del scale")
    assert value(program, "f")() == (1, 2)


def test_a_function_called_at_module_level_sees_the_names_bound_by_then() -> None:
    program = cells(
        "scale = 2",
        "def build(n): return n * scale",
        "table = build(10)",
        "scale = 5",
        "def f(): return table",
    )
    assert value(program, "f")() == 20


def test_a_notebook_run_out_of_order_is_put_in_order() -> None:
    program = cells(
        "class Model(Base):\n    size = helper(3)",
        "def helper(n): return n + step",
        "step = 1",
        "class Base: pass",
    )
    assert value(program, "Model").size == 4
    assert kept(taken(program, "Model"))[-1] == "class Model(Base):"


def test_a_name_rebound_in_between_is_bound_again() -> None:
    program = cells("a = x", "x = 1", "b = x", "x = 2", "def f(): return a, b, x")
    assert value(program, "f")() == (2, 1, 2)


def test_a_conditional_definition_keeps_the_earlier_one() -> None:
    program = cells("def g(): return 1", "if 1 > 2:\n    def g(): return 2", "def f(): return g()")
    assert value(program, "f")() == 1


def test_a_definition_in_both_branches_needs_no_earlier_one() -> None:
    program = cells(
        f"{TRAP}\nx = 0", "x = print()", "if 1 > 2:\n    x = 1\nelse:\n    x = 2", "def f(): return x"
    )
    assert value(program, "f")() == 2
    assert "x = print()" not in kept(taken(program, "f"))


def test_both_branches_of_a_try_import_are_kept() -> None:
    source = "try:\n    from nowhere import g\n    print(1)\nexcept ImportError:\n    g = len\n    print(2)"
    program = cells(source, "def f(): return g([1])")
    assert value(program, "f")() == 1
    assert not any(line.startswith("print") for line in kept(taken(program, "f")))


def test_a_magic_is_never_kept() -> None:
    source = "try:\n    import nowhere as g\nexcept ImportError:\n    !pip install x\n    g = len"
    program = cells(source, "files = !ls", "def f(): return g([1])")
    assert value(program, "f")() == 1
    assert not any("!" in line or "get_ipython" in line for line in kept(taken(program, "f")))


def test_statements_that_change_a_class_are_kept() -> None:
    program = cells(
        "def add_to(c):\n    return lambda m: setattr(c, m.__name__, m)",
        "class F: pass",
        "@add_to(F)\ndef one(self): return 1",
        "def second(self): return 2\nF.two = second",
        "setattr(F, 'three', lambda self: 3)",
        f"{TRAP}\nprint(F().one())",
    )
    instance = value(program, "F")()
    assert (instance.one(), instance.two(), instance.three()) == (1, 2, 3)


def test_statements_that_change_data_before_its_use_are_kept() -> None:
    program = cells(
        "t = []", "t.append(1)\nt += [2]", "u = list(t)", "t.append(3)\nprint(t)", "def f(): return t, u"
    )
    assert value(program, "f")() == ([1, 2, 3], [1, 2])


def test_a_table_filled_in_a_loop_is_filled() -> None:
    program = cells(
        "t = {}\nfor i in range(3):\n    j = 2 * i\n    print(i)\n    t[i] = j", "def f(): return t"
    )
    assert value(program, "f")() == {0: 0, 1: 2, 2: 4}
    assert "print(i)" not in kept(taken(program, "f"))


def test_a_function_inside_a_loop_does_not_start_the_loop() -> None:
    program = cells(
        f"while True:\n    def g(): return 1\n    import math\n    {TRAP}",
        "with open('/nowhere') as file:\n  for i in range(3):\n    if True:\n      class A: x = 2",
        "def f(): return g() + A.x + math.floor(0.5)",
    )
    assert value(program, "f")() == 3


def test_a_function_that_reads_the_loop_variable_keeps_the_loop() -> None:
    assert value(cells("for i in range(3):\n    def f(): return i"), "f")() == 2


def test_the_training_loop_is_dropped() -> None:
    program = cells(
        "class Model:\n    def step(self): return 1",
        f"model = Model()\nlosses = []\nfor epoch in range(10):\n    losses.append(model.step())\n    {TRAP}",
        "def f(): return Model().step()",
    )
    assert kept(taken(program, "f")) == ["class Model:", "def f(): return Model().step()"]


def test_star_imports_and_future_imports_are_always_kept() -> None:
    program = cells(
        "from __future__ import annotations\nfrom math import *", "def f(x: Unknown): return floor(x)"
    )
    assert value(program, "f")(1.5) == 1


def test_a_star_import_that_hides_a_builtin_is_remarked() -> None:
    program = cells(
        "import math\nfrom torch import *", "def f():\n    # the mask\n    return float('-inf'), max(1, 2)"
    )
    first, second = taken(program, "f").remarks
    assert first.says == (
        "`from torch import *` replaces Python's float by torch.float, which is used here: "
        "`return float('-inf'), max(1, 2)` in f, cell 2, line 3. Import the module by its name instead."
    )
    assert (first.cell, first.line) == (1, 2)
    assert "Python's max" in second.says
    assert (
        remark_text(["from torch import *", "float = int\ndef f(): return float(1)"]).count("float by") == 0
    )


def test_the_definitions_are_the_students_own_text() -> None:
    program = cells(
        "def g(): # mine\n    return 1",
        "%%time\nimport functools\n\n@functools.cache\ndef f():\n    return g()",
    )
    own, used = taken(program, "f").definitions
    assert (own.cell, own.line, own.code) == (2, 4, "@functools.cache\ndef f():\n    return g()")
    assert (used.cell, used.line, used.code) == (1, 1, "def g(): # mine\n    return 1")


def test_a_main_block_counts_only_if_nothing_else_binds_the_name() -> None:
    text = "def g(): return 1\nif __name__ == '__main__':\n    def g(): return 2\n    def f(): return g()"
    assert value(handed_in({"model.py": text}), "f")() == 1


def test_the_symbols_are_all_names_at_module_scope() -> None:
    program = cells("import math\nx = 1", "def f(y): z = 1", "if x:\n    class A: w = 1")
    assert program.symbols == {"math", "x", "f", "A"}


def test_the_wire_holds_plain_values_only() -> None:
    program = handed_in(
        {
            "rendu.ipynb": notebook("from helper import g", "def f(): return g()"),
            "helper.py": "def g(): return 1",
        }
    )
    wire = to_wire(taken(program, "f"))
    assert [module["name"] for module in wire["modules"]] == ["helper", "__main__"]
    assert wire["modules"][1]["pieces"][0] == {
        "label": "rendu.ipynb, cell 1",
        "file": "rendu.ipynb",
        "cell": 1,
        "code": "from helper import g",
        "keep": [[1, 0]],
    }


def test_parsing_a_submission_runs_nothing() -> None:
    with loading(taken(cells(f"def f(): return 1\n{TRAP}"), "f")) as loaded:
        assert loaded.problems == []


def test_too_much_repeated_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract, "CODE_LIMIT", 60)
    result = missing(cells("def g():\n    return 1  # " + "x" * 40, "def f():\n    return g()"), "f")
    assert "too many places" in result.says


def test_a_report_shows_only_so_many_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract, "SHOWN", 3)
    program = cells(*[f"def f{n}(): return f{n + 1}()" for n in range(9)])
    assert [d.code.split("(")[0] for d in taken(program, "f0").definitions] == ["def f0", "def f1", "def f2"]


def test_a_class_of_values_that_an_annotation_names_is_kept_and_no_other() -> None:
    values = "from dataclasses import dataclass\n@dataclass\nclass Sizes:\n    width: int = 4"
    program = cells(
        values, "class Part:\n    def forward(self): ...", "def f(sizes: Sizes, part: Part): return globals()"
    )
    found = value(program, "f")(None, None)
    assert found["Sizes"]().width == 4
    assert "Part" not in found
