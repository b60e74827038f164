"""What is begun and cannot answer yet is unfinished; what may answer is judged."""

import textwrap

import pytest

from graders.extraction.extract import Missing, extract
from graders.results.result import Outcome
from tests.support.notebooks import cells, handed_in, missing, notebook

INIT = "class F(nn.Module):\n    def __init__(self, d):\n        super().__init__()\n        "
CLASS = f"{INIT}self.w = nn.Linear(d, d)\n"
STUB = f"{CLASS}    def forward(self, x):\n        raise NotImplementedError\n"


def forward(body: str) -> str:
    return f"{CLASS}    def forward(self, x, mask=None):\n{textwrap.indent(textwrap.dedent(body), ' ' * 8)}\n"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise NotImplementedError", "`forward` still raises NotImplementedError"),
        ("q = self.w(x)\nraise NotImplementedError('TODO')", "`forward` still raises NotImplementedError"),
        ("pass", "the body of `forward` is still `pass`"),
        ("...", "the body of `forward` is still `...`"),
        ("'''Attend.'''", "the body of `forward` is still a docstring alone"),
        ("q = self.w(x)\n...", "`forward` still ends in `...`, and returns nothing"),
        ("q = self.w(x)\nreturn None  # TODO", "`forward` still returns `None`"),
        ("q = self.w(x)\nreturn ...", "`forward` still returns `...`"),
        ("q = self.w(x)\nscores = ...\nreturn scores", "`scores` in `forward` is still `...`"),
        ("q = self.w(x)\nout = weights = None\nreturn out, weights", "`out` in `forward` is still `None`"),
    ],
)
def test_a_method_that_cannot_answer_is_unfinished(body: str, says: str):
    result = missing(cells("import torch.nn as nn", forward(body)), "F")
    assert (result.outcome, result.says) == (Outcome.UNFINISHED, says)
    assert result.place is not None and result.place.within == "F.forward"


@pytest.mark.parametrize(
    "body",
    [
        "return self.w(x)",
        "if mask is None:\n    return self.w(x)\nraise NotImplementedError",
        "if mask is None:\n    return self.w(x)\nelse:\n    raise NotImplementedError",
        "weights = None\nif mask is None:\n    weights = self.w(x)\nreturn weights",
        "q = self.w(x)",  # a return is missing, which is a mistake
        "...\nreturn self.w(x)",
        "raise ValueError",
        "try:\n    return self.w(x)\nfinally:\n    pass",
        "yield self.w(x)\n...",
    ],
)
def test_what_may_answer_is_judged(body: str):
    assert not isinstance(extract(cells("import torch.nn as nn", forward(body)), "F", STUB), Missing)


def test_a_function_is_read_as_a_method_is():
    result = missing(cells("def f(x):\n    y = x @ x\n    raise NotImplementedError"), "f")
    assert result.says == "`f` still raises NotImplementedError"
    assert (result.place.within, result.place.code) == ("f", "raise NotImplementedError")


def test_a_class_without_forward_is_unfinished_where_forward_is_due():
    result = extract(cells("import torch.nn as nn", CLASS), "F", STUB)
    assert isinstance(result, Missing)
    assert (result.outcome, result.says) == (Outcome.UNFINISHED, "`F` has no `forward` yet")


@pytest.mark.parametrize(
    "code",
    [
        CLASS + "    def foward(self, x):\n        return self.w(x)\n",
        CLASS.replace("nn.Module", "Base"),
        CLASS + "    forward = nn.Linear.forward\n",
        CLASS + "\nF.forward = lambda self, x: self.w(x)\n",
        forward("raise NotImplementedError") + "\nF.forward = lambda self, x: self.w(x)\n",
    ],
    ids=["misspelt", "inherited", "borrowed", "added", "filled"],
)
def test_a_forward_that_may_come_from_elsewhere_is_judged(code: str):
    program = cells("import torch.nn as nn\nclass Base(nn.Module):\n    def forward(self, x): return x", code)
    assert not isinstance(extract(program, "F", STUB), Missing)


def test_a_constructor_that_raises_is_unfinished():
    code = f"{INIT}raise NotImplementedError\n    def forward(self, x):\n        return x\n"
    result = missing(cells("import torch.nn as nn", code), "F")
    assert result.says == "`__init__` still raises NotImplementedError"


@pytest.mark.parametrize("body", ["...", "pass", "return"])
def test_a_constructor_that_makes_nothing_of_what_forward_reads_is_unfinished(body: str):
    code = f"{INIT}{body}\n    def forward(self, x):\n        return self.w(x)\n"
    result = missing(cells("import torch.nn as nn", code), "F")
    assert "`__init__`" in (result.says or "")


@pytest.mark.parametrize(
    "rest",
    [
        "    def half(self, x): return x / 2\n    def forward(self, x):\n        return self.half(x)\n",
        "    w = nn.Linear(1, 1)\n    def forward(self, x):\n        return self.w(x)\n",
        "    def forward(self, x):\n        self.w = nn.Linear(1, 1)\n        return self.w(x)\n",
        "    def forward(self, x):\n        return x * self.training\n",
    ],
    ids=["method", "of the class", "made later", "of each module"],
)
def test_a_constructor_that_need_make_nothing_is_judged(rest: str):
    code = f"{INIT}pass\n{rest}"
    assert not isinstance(extract(cells("import torch.nn as nn", code), "F", STUB), Missing)


def test_an_unfinished_definition_in_another_file_does_not_count():
    begun, done = "def f(x):\n    y = x\n    raise NotImplementedError", "def f(x):\n    return x\n"
    program = handed_in({"rendu.ipynb": notebook(begun), "other.py": done})
    assert not isinstance(extract(program, "f", None), Missing)
