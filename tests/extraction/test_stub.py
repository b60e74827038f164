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
        "B, S, D = x.shape\n    E = S * D\n    # TODO\n    x = None\n    # TODO\n    x = None\n    return x",
        "n = x.size(1)\n    raise NotImplementedError",
        "n = len(x)\n    if n > 2:\n        y = None\n    else:\n        y = None\n    return y",
        "assert x % 2 == 0, 'even'\n    half = x // 2\n    total = None\n    return total",
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
        "n = x.shape[0]",
        "total = 4 * x",
        "total = None\n    total = 4 * x\n    return total",
        "y = x.reshape(2, 3)\n    return None",
        "if x > 2:\n        y = 2 * x\n    else:\n        y = None\n    return y",
        "x = None\n    for i in range(3): x = i\n    return x",
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
        "class A(nn.Module):\n  def __init__(self, d):\n    super().__init__()\n    self.d = d\n"
        "  def forward(self, x): raise NotImplementedError",
        "class A(pl.LightningModule):\n  def forward(self, x): ...",
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
        "class A(nn.Sequential):\n  def __init__(self, d): super().__init__(nn.Linear(d, d), nn.GELU())",
        "class A(Attention):\n  def __init__(self, d): super().__init__()",
        "class A(nn.Module):\n  def __init__(self, d):\n    super().__init__()\n    self.d = d",
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
    work = OWN.replace("self.n=n", "self.n = nn.Linear(n, n)")
    assert is_stub(work, HANDED_OUT.replace("self.n = n", "self.n = nn.Linear(n, n)"))
    assert not is_stub(work)
    assert not is_stub(OWN.replace("raise NotImplementedError", "return n"), HANDED_OUT)


# The form in which the course hands out its notebook: sizes are there, each step is None under a TODO.
COURSE = '''
class MultiHeadAttention(nn.Module):
    """
    Multi-head attention.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim and num_heads"
        self.embed_dim = embed_dim
        self.d_k = embed_dim // num_heads
        # TODO 1
        self.W_q = None
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask=None):
        """
        Attend.
        """
        batch_size, seq_len, _ = x.shape
        # TODO 2
        Q = None
        # TODO 3
        attn_output, attn_weights = None, None
        output = None
        return output, attn_weights
'''


def test_the_stub_of_the_course_with_none_under_each_todo_is_a_stub() -> None:
    assert is_stub(COURSE)
    assert not is_stub(COURSE.replace("Q = None", "Q = self.W_q(x)"))
    assert not is_stub(COURSE.replace("self.W_q = None", "self.W_q = nn.Linear(embed_dim, embed_dim)"))


def test_a_handed_out_text_without_the_symbol_changes_nothing() -> None:
    assert not is_stub("def f(x): return x", HANDED_OUT)
    assert not is_stub("def f(x): return x", "not python (")
