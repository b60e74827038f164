"""In a notebook: parts are judged where a whole fails, and right ones stand in the place of wrong ones."""

import functools
import linecache
import textwrap
import types
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

from graders.diagnosis.right_parts import RightParts
from graders.notebook import check_live
from graders.notebook.check_live import NotebookChecker
from graders.notebook.in_process import InProcessSession
from graders.notebook.reach import find_reach
from graders.notebook.restore_state import isolating_calls, restore_state
from graders.notebook.source_places import Places
from graders.results.result import ExerciseResult, Outcome

RIGHT_PARTS = """
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return scores.softmax(-1) @ V, scores.softmax(-1)

def concat_heads(x):
    return x.transpose(1, 2).flatten(2)
"""
WRONG_PART = """
def concat_heads(x):
    return x.flatten(2) if x.shape[1] == x.shape[2] else x.reshape(x.shape[0], x.shape[2], -1)
"""
WHOLE = """
class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("embed_dim")
        self.num_heads = num_heads
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (split_heads(layer(x), self.num_heads) for layer in (self.q, self.k, self.v))
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.o(JOIN(heads)), weights
"""


class Notebook:
    """Names, and cells that are run in them."""

    def __init__(self, checker: NotebookChecker) -> None:
        self.names: dict[str, Any] = {"torch": torch, "nn": nn, "__name__": "__main__"}
        self.checker = checker
        self.cells = 0

    def run(self, code: str) -> None:
        """Run a new cell."""
        self.cells += 1
        code, file = textwrap.dedent(code), f"<cell {self.cells}>"
        linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
        exec(compile(code, file, "exec"), self.names)

    def check(self, name: str) -> ExerciseResult:
        """What `%check NAME` finds."""
        with restore_state(self.names):
            target = self.checker.find_by_name(name, self.names, "attention")
            return self.checker.check([target])[0].exercises[0]


@pytest.fixture(scope="module")
def checker() -> NotebookChecker:
    return NotebookChecker(Places(lambda file: ("Cell", file) if file.startswith("<cell") else None))


@pytest.fixture
def notebook(checker: NotebookChecker) -> Notebook:
    return Notebook(checker)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The exercises that were judged without a word."""
    names: list[str] = []
    judge = check_live.is_found_wrong

    def judge_and_note(part: Any, *given: Any) -> bool:
        names.append(part.name)
        return judge(part, *given)

    monkeypatch.setattr(check_live, "is_found_wrong", judge_and_note)
    return names


def test_a_right_whole_around_a_wrong_part_loses_nothing(notebook: Notebook, judged: list[str]):
    notebook.run(RIGHT_PARTS)
    notebook.run(WRONG_PART)
    method = "    def join(self, x, by=concat_heads):\n        return joined(x) if len(x) > 1 else by(x)\n"
    whole_cell = "joined = concat_heads\n" + WHOLE.replace("JOIN", "self.join") + method
    notebook.run(whole_cell)
    before = dict(notebook.names)
    whole = notebook.check("multi_head_attention")
    assert (whole.outcome, whole.points) == (Outcome.PASSED, whole.max_points)
    assert judged == ["scaled_dot_product_attention", "split_heads", "concat_heads"]
    assert all(notebook.names[name] is before[name] for name in before)
    assert notebook.check("concat_heads").outcome is Outcome.FAILED
    assert notebook.check("multi_head_attention").points == whole.max_points
    assert len(judged) == 3  # the same code has the same verdict
    notebook.run(RIGHT_PARTS + whole_cell)
    assert notebook.check("multi_head_attention").points == whole.max_points
    assert len(judged) == 3  # a whole that passes asks for no verdict


def test_the_mistake_of_a_whole_is_named_around_a_wrong_part(notebook: Notebook):
    notebook.run(RIGHT_PARTS)
    notebook.run(WRONG_PART)
    notebook.run(WHOLE.replace("JOIN", "concat_heads").replace("(q, k, v, mask)", "(q, k, v)"))
    whole = notebook.check("multi_head_attention")
    named = {f.mistake.name for f in whole.findings if f.mistake}
    assert named == {"MultiHeadAttention__mask_ignored"}
    assert 0 < whole.points < whole.max_points


def test_what_an_interruption_leaves_is_bound_as_before(notebook: Notebook):
    notebook.run(RIGHT_PARTS)
    notebook.run("def whole(x, by=concat_heads):\n    return by(concat_heads(x))\n")
    whole, part = notebook.names["whole"], notebook.names["concat_heads"]
    session = InProcessSession(whole, isolating_calls(), find_reach(whole))
    session.use_parts(RightParts({"concat_heads": lambda x: x.transpose(1, 2).flatten(2)}))
    assert notebook.names["concat_heads"] is not part
    assert whole.__defaults__ == (notebook.names["concat_heads"],)
    session.use_parts(None)
    assert notebook.names["concat_heads"] is part
    assert whole.__defaults__ == (part,)


def test_code_is_followed_through_whatever_holds_it(notebook: Notebook):
    notebook.names["beside"] = beside = types.ModuleType("beside")
    exec("def of_module(x):\n    return SIZE\nSIZE = 3", vars(beside))
    notebook.names["functools"] = functools
    notebook.run("""
        def leaf(x): return x
        def wrapped(x): return leaf(x)
        decorated = functools.lru_cache(wrapped)
        partly = functools.partial(decorated, 1)
        def make():
            inner = partly
            def made(x): return inner(), beside.of_module(x)
            return made
        made = make()
        class Base:
            @staticmethod
            def static(x): return made(x)
        class Whole(Base, nn.Module):
            @torch.no_grad()
            def forward(self, x): return self.static(x), 7
    """)
    reach = find_reach(notebook.names["Whole"])
    assert {f.__name__ for f in reach.functions} == {
        "forward", "static", "made", "wrapped", "leaf", "of_module"
    }  # fmt: skip
    assert [one.__name__ for one in reach.classes] == ["Whole", "Base"]
    assert {name.name for name in reach.names} >= {"made", "leaf", "of_module", "SIZE"}
