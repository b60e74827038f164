"""Edits of calls: another function of the family, other arguments, or no call."""

import ast
import copy
import itertools
from collections.abc import Iterator
from dataclasses import replace

from graders.diagnosis.edits.edit import Edit, Kind, Slot, change
from graders.diagnosis.edits.scope import Scope, leaf_of
from graders.diagnosis.edits.values import expression

LIBRARIES = {"torch", "F", "nn", "math", "np", "numpy", "functional", "einops"}
FAMILIES = (
    ("relu", "gelu", "tanh", "sigmoid", "silu"),
    ("ReLU", "GELU", "Tanh", "Sigmoid", "SiLU", "Identity"),
    ("tril", "triu"),
    ("ones", "zeros"),
    ("ones_like", "zeros_like"),
    ("sum", "mean"),
    ("max", "min"),
    ("argmax", "argmin"),
    ("var", "std"),
    ("view", "reshape"),
    ("cat", "stack"),
    ("softmax", "log_softmax", "sigmoid"),
    ("mul", "add", "matmul", "bmm"),
    ("sin", "cos"),
    ("exp", "log"),
    ("LayerNorm", "RMSNorm"),
    ("repeat", "repeat_interleave", "expand"),
    ("masked_fill", "masked_fill_"),
    ("logical_and", "logical_or"),
    ("ceil", "floor"),
    ("ModuleList", "Sequential"),
)
_TRANSPOSED = ((1, 2), (-2, -1), (0, 1), (1, 3), (0, 2))
_ADDED = {
    "softmax": ("dim=-1",),
    "mean": ("dim=-1", "keepdim=True"),
    "sum": ("dim=-1", "keepdim=True"),
    "var": ("unbiased=False", "keepdim=True"),
    "std": ("unbiased=False", "keepdim=True"),
    "cat": ("dim=-1", "dim=1"),
    "stack": ("dim=-1", "dim=1"),
    "triu": ("diagonal=1",),
    "tril": ("diagonal=-1",),
    "gelu": ("approximate='tanh'",),
    "GELU": ("approximate='tanh'",),
    "Linear": ("bias=True",),
    "dropout": ("training=self.training",),
}
_ORDERS = {"transpose", "permute", "view", "reshape", "swapaxes"}
LONGEST = 4  # arguments that are put in another order


def edit_call(node: ast.AST, slot: Slot, scope: Scope) -> Iterator[Edit]:
    """The edits of a call."""
    if not isinstance(node, ast.Call):
        return
    leaf = leaf_of(node) or ""
    yield from _other_function(node, leaf)
    yield from _other_order(node, leaf)
    yield from _without_call(node, slot, scope)
    for index in range(len(node.keywords)):
        rest = [*node.keywords[:index], *node.keywords[index + 1 :]]
        yield change(Kind.ARGUMENTS, 1, node, "keywords", rest)
    for text in _ADDED.get(leaf, ()):
        added = expression(f"f({text})").keywords  # type: ignore[attr-defined]
        kept = [keyword for keyword in node.keywords if keyword.arg != added[0].arg]
        kind = Kind.AXIS if added[0].arg == "dim" else Kind.ARGUMENTS
        yield change(kind, 1, node, "keywords", kept + added)
    yield from _other_arguments(node, leaf, scope)


def _other_function(node: ast.Call, leaf: str) -> Iterator[Edit]:
    for family in FAMILIES:
        for other in family if leaf in family else ():
            if other != leaf:
                called = copy.copy(node.func)
                setattr(called, "attr" if isinstance(called, ast.Attribute) else "id", other)
                yield change(Kind.FUNCTION, 1, node, "func", called)


def _other_order(node: ast.Call, leaf: str) -> Iterator[Edit]:
    count = len(node.args)
    if any(isinstance(each, ast.Starred) for each in node.args):
        return
    if leaf == "permute" and 2 <= count <= LONGEST:
        for axes in itertools.permutations(range(count)):
            edit = change(Kind.AXES_ORDER, 1, node, "args", [expression(str(a)) for a in axes])
            yield replace(edit, rule=f"{_text_of(node)} -> {axes}")
        return
    if leaf in ("transpose", "swapaxes"):
        for pair in _TRANSPOSED:
            new = [*node.args[:-2], *(expression(str(axis)) for axis in pair)]
            edit = change(Kind.AXES_ORDER, 1, node, "args", new)
            yield replace(edit, rule=f"{_text_of(node)} -> {pair}")
        return
    kind = Kind.AXES_ORDER if leaf in ("view", "reshape") else Kind.ARGUMENTS
    for first, second in itertools.combinations(range(min(count, LONGEST + 1)), 2):
        swapped = [*node.args]
        swapped[first], swapped[second] = swapped[second], swapped[first]
        edit = change(kind, 1, node, "args", swapped)
        yield replace(
            edit, rule=f"{_text_of(node)} -> {first} {second}" if leaf in ("view", "reshape") else ""
        )


def _text_of(call: ast.Call) -> str:
    """The call without what it is called on."""
    return f"{leaf_of(call)} {' '.join(map(ast.unparse, call.args))}"


def _without_call(node: ast.Call, slot: Slot, scope: Scope) -> Iterator[Edit]:
    called = node.func
    if isinstance(slot.parent, ast.Expr):
        return
    is_method = isinstance(called, ast.Attribute) and not _is_library(called.value)
    if isinstance(called, ast.Attribute) and is_method and not _is_self(called.value):
        edit = slot.replaced(Kind.TOO_MUCH, 1, node.lineno, called.value)
        yield replace(edit, rule=f"without {_text_of(node)}" if called.attr in _ORDERS else "")
    elif node.args and not isinstance(node.args[0], ast.Starred):
        layer = isinstance(called, ast.Attribute) and called.attr in scope.layers
        kind = Kind.LAYER if layer else Kind.TOO_MUCH
        yield slot.replaced(kind, 1, node.lineno, node.args[0])


def _other_arguments(node: ast.Call, leaf: str, scope: Scope) -> Iterator[Edit]:
    """An argument more, where one of the function's variables is not among those given; or one less."""
    if isinstance(node.func, ast.Name) and leaf[:1].isupper():
        return
    given = {each.id for each in node.args if isinstance(each, ast.Name)}
    if len(node.args) < LONGEST and not _is_library(getattr(node.func, "value", node.func)):
        for name in scope.arguments:
            if name not in given:
                new = [*node.args, ast.Name(name, ast.Load())]
                yield change(Kind.ARGUMENTS, 2, node, "args", new)
    if len(node.args) >= 2:
        yield change(Kind.ARGUMENTS, 2, node, "args", node.args[:-1])


def _is_library(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in LIBRARIES


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
