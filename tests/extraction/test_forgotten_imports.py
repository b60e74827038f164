"""A standard import of the course that was forgotten is supplied; what may be a mistake is not."""

import pytest

from tests.support.notebooks import cells, handed_in, loading, notebook, taken, value


def supplied(*sources: str, symbol: str = "f") -> list[str]:
    return [one.statement for one in taken(cells(*sources), symbol).supplied]


@pytest.mark.parametrize(
    ("body", "statement", "answer"),
    [
        ("return math.floor(1.5)", "import math", 1),
        ("return torch.ones(3).sum().item()", "import torch", 3),
        ("return nn.Linear(1, 2).out_features", "import torch.nn as nn", 2),
        ("return F.relu is not None", "import torch.nn.functional as F", True),
        ("return int(np.sqrt(9))", "import numpy as np", 3),
        ("return Optional[int] is not None", "from typing import Optional", True),
    ],
)
def test_a_forgotten_import_is_supplied(body: str, statement: str, answer: object) -> None:
    assert supplied(f"def f():\n    {body}") == [statement]
    assert value(cells(f"def f():\n    {body}"), "f")() == answer


def test_a_base_class_and_a_default_value_need_it_at_once() -> None:
    body = "        super().__init__()\n        self.n = nn.Linear(1, 1)\n"
    source = f"class A(nn.Module):\n    def __init__(self, n=math.pi):\n{body}"
    assert supplied(source, symbol="A") == ["import math", "import torch.nn as nn"]
    assert value(cells(source), "A")() is not None


def test_it_is_supplied_to_a_file_beside_it_too() -> None:
    helper = "def g(): return math.floor(2.5)"
    program = handed_in(
        {"rendu.ipynb": notebook("from helper import g\ndef f(): return g()"), "helper.py": helper}
    )
    assert [one.place.file for one in taken(program, "f").supplied] == ["helper.py"]
    assert value(program, "f")() == 2


@pytest.mark.parametrize(
    "sources",
    [
        ("def f(): return math.floor(1)", "import math"),  # imported in a later cell
        ("import torch.nn.functional as F", "def f(x): return F.relu(x)"),
        ("from math import *\nfrom torch import nn", "def f(x): return sqrt(x), nn.Module"),
        ("from fastai.basics import *", "def f(x): return np.sqrt(x)"),  # may bind it
        ("def f(x: Optional[Tensor] = None) -> List[int]: return x",),  # annotations need nothing
        ("def f(x, F): return F.relu(x)",),  # an argument
        ("def f(x):\n    np = x\n    return np.shape",),
        ("F = 64\ndef f(x): return x.view(-1, F)",),
    ],
)
def test_what_is_bound_or_never_evaluated_is_not_supplied(sources: tuple[str, ...]) -> None:
    assert supplied(*sources) == []


@pytest.mark.parametrize(
    "body",
    [
        "return x.view(-1, F)",  # the width that was meant to be called F
        "return F(x)",  # a forgotten self.
        "return F.weight",
        "return nn(x)",
        "return np",
        "y = F.relu(x)\n    return y * F",
        "return math.squareroot(x)",
        "return plt.figure()",
    ],
)
def test_what_may_be_a_mistake_is_not_supplied(body: str) -> None:
    assert supplied(f"def f(x):\n    {body}") == []


def test_a_traceback_still_has_the_students_lines() -> None:
    with loading(taken(cells("x = 1", "def f():\n    return math.sqrt(-1)"), "f")) as loaded:
        with pytest.raises(ValueError) as caught:
            loaded.namespace["f"]()
        assert caught.traceback[-1].lineno == 1
