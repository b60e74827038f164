"""What a class's own code says of arguments that are options: texts that it expects, and conditions.

The classes that it uses are asked too, also those of the author's other files: they are often given the
option under the same name.
"""

import ast
import linecache
import types
from collections.abc import Iterator, Mapping
from typing import Any

from softmark_worker.read_constructor import namespace_of, tree_of

_MOST_USED = 40  # classes and functions that are read
_SAME_TEXT = {"lower", "upper", "strip", "casefold"}
_LIKELY = ("gelu", "relu")  # where texts name activations: what the course's networks have


def find_texts(symbol: Any) -> dict[str, tuple[str, ...]]:
    """The texts that each argument or attribute is compared with, or looked up as, the likely ones first."""
    found: dict[str, list[str]] = {}
    for value in _used(symbol):
        for node in _nodes(value):
            name, texts = _texts_in(node, namespace_of(value))
            if name and texts:
                found.setdefault(name, []).extend(texts)
    return {name: tuple(sorted(dict.fromkeys(texts), key=_rank)) for name, texts in found.items()}


def find_conditions(symbol: Any) -> frozenset[str]:
    """The arguments and attributes that are conditions by themselves: `if self.masked:`."""
    tests = [
        node.test for value in _used(symbol) for node in _nodes(value) if isinstance(node, ast.If | ast.IfExp)
    ]
    return frozenset(name for test in tests for name in _conditions_in(test) if name)


def _texts_in(node: ast.AST, namespace: Mapping[str, Any]) -> tuple[str, list[str]]:
    """A name, and the texts that a piece of code expects it to be."""
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn):
        expected = [one.value for one in ast.walk(node.comparators[0]) if isinstance(one, ast.Constant)]
        return _name(node.left), [one for one in expected if isinstance(one, str)]
    if isinstance(node, ast.Subscript):
        return _name(node.slice), _keys(node.value, namespace)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        return _name(node.args[0]) if node.args else "", _keys(node.func.value, namespace)
    return "", []


def _keys(node: ast.AST, namespace: Mapping[str, Any]) -> list[str]:
    """The keys of a dict that is written here, or is a global variable."""
    if isinstance(node, ast.Dict):
        return [k.value for k in node.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    table = namespace.get(_name(node))
    return [key for key in table if isinstance(key, str)] if isinstance(table, dict) else []


def _conditions_in(test: ast.expr) -> list[str]:
    if isinstance(test, ast.BoolOp):
        return [name for value in test.values for name in _conditions_in(value)]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _conditions_in(test.operand)
    return [_name(test)]


def _name(node: ast.AST) -> str:
    """The variable, or the attribute of `self`, that an expression is; "" for others."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SAME_TEXT:
        return _name(node.func.value)
    if isinstance(node, ast.Attribute):
        return node.attr if isinstance(node.value, ast.Name) and node.value.id == "self" else ""
    return node.id if isinstance(node, ast.Name) else ""


def _rank(text: str) -> int:
    return _LIKELY.index(text.lower()) if text.lower() in _LIKELY else len(_LIKELY)


def _nodes(value: Any) -> Iterator[ast.AST]:
    for function in _functions(value):
        yield from ast.walk(tree_of(function))


def _functions(value: Any) -> list[Any]:
    members = vars(value).values() if isinstance(value, type) else [value]
    return [member for member in members if isinstance(member, types.FunctionType)]


def _used(symbol: Any) -> list[Any]:
    """A class, and the author's classes and functions that it uses."""
    used: list[Any] = []
    waiting = [symbol]
    while waiting and len(used) < _MOST_USED:
        value = waiting.pop(0)
        if any(value is one for one in used):
            continue
        used.append(value)
        namespace = namespace_of(value)
        named = (namespace.get(node.id) for node in _nodes(value) if isinstance(node, ast.Name))
        bases = value.__mro__[1:] if isinstance(value, type) else ()
        waiting += [one for one in (*bases, *named) if _is_of_the_author(one, symbol)]
    return used


def _is_of_the_author(value: Any, symbol: Any) -> bool:
    """Whether it is code of the class's file, or of another that was read from no disk."""
    functions = _functions(value) if isinstance(value, type | types.FunctionType) else []
    if not functions:
        return False
    kept = linecache.cache.get(functions[0].__code__.co_filename, ())
    return value.__module__ == symbol.__module__ or (len(kept) > 1 and kept[1] is None)
