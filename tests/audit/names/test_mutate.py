"""One small change to code: drawn from a seed, at any place in a function, and nothing else changes."""

import ast
import random

import pytest

from graders.audit.names.mutate import KINDS, Mutation, draw_mutation, hides_alike

CODE = '''
import math


def scores(Q, K, mask=None):
    """Scores."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    return scores.softmax(dim=-1)
'''


def changes(kind: str) -> set[str]:
    """The lines that the changes of a kind give."""
    tree, found = ast.parse(CODE), set()
    for place, node in enumerate(ast.walk(tree)):
        for number in range(len(KINDS[kind](node))):
            text = ast.unparse(Mutation(kind, place, number, "scores").apply(tree))
            found |= set(text.splitlines()) - set(ast.unparse(tree).splitlines())
    return {line.strip() for line in found}


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("axis", "return scores.softmax(dim=-2)"),
        ("axis", "scores = Q @ K.transpose(0, -1) / math.sqrt(Q.shape[-1])"),
        ("condition", "if True:"),
        ("constant", "scores = scores.masked_fill(mask, -10000.0)"),
        ("error", "raise RuntimeError('the sizes of the tensors must match')"),
        ("left_out", "return scores"),
        ("mask", "scores = scores.masked_fill(~mask, -1000000000.0)"),
        ("operands", "scores = K.transpose(-2, -1) @ Q / math.sqrt(Q.shape[-1])"),
        ("operator", "scores = Q @ K.transpose(-2, -1) * math.sqrt(Q.shape[-1])"),
        ("size", "scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1] + 1)"),
        ("value", "return scores.softmax(dim=-1).unsqueeze(0)"),
    ],
)
def test_each_kind_changes_one_thing(kind: str, line: str) -> None:
    assert line in changes(kind)


def test_a_statement_is_left_out_whole() -> None:
    tree = ast.parse(CODE)
    place = next(n for n, node in enumerate(ast.walk(tree)) if isinstance(node, ast.If))
    assert "if mask" not in ast.unparse(Mutation("left_out", place, 0, "scores").apply(tree))


def test_the_same_seed_gives_the_same_change_within_a_function() -> None:
    tree = ast.parse(CODE)
    drawn = [draw_mutation(tree, random.Random(3)) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] is not None and drawn[0].within == "scores"
    assert draw_mutation(ast.parse("import math"), random.Random(3)) is None


def hidden_alike(line: str, changed: str) -> bool:
    """Whether the change of a line to another is one of numbers that hide alike."""
    tree = ast.parse(f"def f(x, hidden):\n    return {line}")
    for place, node in enumerate(ast.walk(tree)):
        for number in range(len(KINDS["constant"](node))):
            mutation = Mutation("constant", place, number, "f")
            if ast.unparse(mutation.apply(tree)).endswith(f"return {changed}"):
                return hides_alike(tree, mutation)
    raise AssertionError(changed)


@pytest.mark.parametrize(
    ("line", "changed", "alike"),
    [
        ("x.masked_fill(hidden, -1e9)", "x.masked_fill(hidden, -10000.0)", True),
        ("x.masked_fill(hidden, -math.inf)", "x.masked_fill(hidden, -10000.0)", True),
        ("x.masked_fill(hidden, -math.inf)", "x.masked_fill(hidden, -1.0)", False),
        ("x.masked_fill(hidden, -10000.0)", "x.masked_fill(hidden, -100000000.0)", False),
        ("x + 1e9 * hidden", "x + 10000.0 * hidden", False),
        ("500000.0 ** x", "10000.0 ** x", False),
    ],
)
def test_a_fill_that_is_less_low_and_still_hides_is_the_same_mistake(
    line: str, changed: str, alike: bool
) -> None:
    assert hidden_alike(line, changed) is alike
