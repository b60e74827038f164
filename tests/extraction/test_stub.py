"""Telling an untouched stub from an attempt."""

import ast

import pytest

from graders.extraction.stub import is_untouched


def is_stub(source: str, handed_out: str | None = None) -> bool:
    node = ast.parse(source).body[-1]
    return is_untouched(node, "f" if not isinstance(node, ast.ClassDef) else node.name, handed_out)


@pytest.mark.parametrize(
    "body",
    [
        "pass",
        "...",
        '"""Says what to do."""',
        '"""Says what to do."""\n    # TODO\n    return None',
        "return",
        "raise NotImplementedError",
        "raise NotImplementedError('to do')",
        "output = None\n    weights = None\n    return output, weights",
        "a = b = None; return (a, b)",
        "a, b = None, None\n    return a, b",
        "x: int\n    y: int = None",
        "result = ...\n    return result",
    ],
)
def test_a_body_without_code_is_a_stub(body: str) -> None:
    assert is_stub(f"def f(x):\n    {body}")


@pytest.mark.parametrize(
    "body",
    [
        "return x",
        "return 0",
        "x = None\n    return y",
        "raise ValueError",
        "print(x)",
        "return []",
        "y = x",
        "return True",
    ],
)
def test_a_body_with_code_is_an_attempt(body: str) -> None:
    assert not is_stub(f"def f(x):\n    {body}")


@pytest.mark.parametrize(
    "source",
    [
        "class A: pass",
        "class A(nn.Module):\n    '''What to do.'''",
        "class A(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.W = None",
        "class A:\n  def __init__(self): super(A, self).__init__()\n  def f(self): raise NotImplementedError",
        "f = None",
        "f = lambda x: None",
        "f: Tensor = ...",
    ],
)
def test_empty_classes_and_names_are_stubs(source: str) -> None:
    assert is_stub(source)


@pytest.mark.parametrize(
    "source",
    [
        "class A(nn.Module):\n  def __init__(self): self.W = nn.Linear(1, 1)\n  def forward(self, x): pass",
        "class A(nn.MultiheadAttention): pass",
        "class A:\n    n = 3",
        "f = 3",
        "f = lambda x: x",
        "from torch import f",
    ],
)
def test_other_classes_and_names_are_attempts(source: str) -> None:
    assert not is_stub(source)


HANDED_OUT = '''
# %% [markdown]
# Write it.
# %%
class A(nn.Module):
    """What to do."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n
        ### your code here

    def forward(self, x: Tensor) -> Tensor:
        """Also this."""
        n = x.shape[0]
        raise NotImplementedError
'''


OWN = """
class A(nn.Module):
  def __init__(self, n):
    super().__init__()
    self.n=n
  def forward(self, x):
    # mine
    n = x.shape[0]
    raise NotImplementedError
"""


def test_the_handed_out_text_without_its_words_is_a_stub() -> None:
    assert is_stub(OWN, HANDED_OUT)
    assert not is_stub(OWN)
    assert not is_stub(OWN.replace("raise NotImplementedError", "return n"), HANDED_OUT)


def test_a_handed_out_text_without_the_symbol_changes_nothing() -> None:
    assert not is_stub("def f(x): return x", HANDED_OUT)
    assert not is_stub("def f(x): return x", "not python (")
