"""What a function's code can name: its own variables, its module's attributes, the libraries' names."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from graders.diagnosis.edits.unit import Unit

MOST = 14  # names or attributes that may stand for one another: more make too many edits


@dataclass(frozen=True)
class Scope:
    """What the code of a unit can name."""

    unit: Unit

    @cached_property
    def arguments(self) -> list[str]:
        """The function's arguments, without `self`."""
        arguments = self.unit.node.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        return [each.arg for each in every if each.arg != "self"]

    @cached_property
    def names(self) -> list[str]:
        """The function's arguments and variables, in the order of the text."""
        stored = [
            node.id
            for node in in_order(self.unit.node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id != "_"
        ]
        return list(dict.fromkeys([*self.arguments, *stored]))[:MOST]

    @cached_property
    def sizes(self) -> frozenset[str]:
        """Its variables that are integers: what a shape is unpacked into, and what follows from it."""
        found: set[str] = set()
        for node in in_order(self.unit.node):
            if isinstance(node, ast.Assign) and self._is_size(node.value, found):
                targets = node.targets[0]
                named = targets.elts if isinstance(targets, ast.Tuple) else [targets]
                found |= {target.id for target in named if isinstance(target, ast.Name)}
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                called = node.iter.func if isinstance(node.iter, ast.Call) else None
                found |= {node.target.id} if getattr(called, "id", None) == "range" else set()
        found |= set(self.arguments) if self.unit.constructs else set()
        return frozenset(found - {"_"})

    def is_size(self, node: ast.AST) -> bool:
        """Whether a name or an attribute is an integer, as far as the text tells."""
        return self._is_size(node, self.sizes)

    def _is_size(self, node: ast.AST, known: "frozenset[str] | set[str]") -> bool:
        if isinstance(node, ast.Name):
            return node.id in known
        if isinstance(node, ast.Attribute):
            return node.attr == "shape" or (is_of_self(node) and node.attr in self.values)
        if isinstance(node, ast.Subscript):
            return self._is_size(node.value, known)
        if isinstance(node, ast.Tuple):
            return all(self._is_size(each, known) for each in node.elts)
        if isinstance(node, ast.BinOp):
            return self._is_size(node.left, known) and isinstance(node.op, ast.FloorDiv | ast.Mult | ast.Sub)
        return isinstance(node, ast.Call) and leaf_of(node) in ("size", "len", "dim")

    @cached_property
    def layers(self) -> list[str]:
        """The attributes of `self` that are layers: what a constructor makes by a call of a class."""
        return [name for name, made in self._attributes.items() if made][:MOST]

    @cached_property
    def values(self) -> list[str]:
        """The other attributes of `self`."""
        return [name for name, made in self._attributes.items() if not made][:MOST]

    @cached_property
    def _attributes(self) -> dict[str, bool]:
        found: dict[str, bool] = {}
        for node in in_order(self.unit.owner) if self.unit.owner else ():
            if not isinstance(node, ast.Assign | ast.AnnAssign):
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target, value in _pairs(targets, node.value):
                if is_of_self(target):
                    found.setdefault(target.attr, _makes_layer(value))  # type: ignore[attr-defined]
        return found


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it, in the order of the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)


def is_of_self(node: ast.AST) -> bool:
    """Whether a node is an attribute of `self`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def leaf_of(call: ast.Call) -> str | None:
    """The last name of what is called."""
    called = call.func
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)


def _pairs(targets: Sequence[ast.expr], value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Each target of an assignment with its value, as far as the text pairs them."""
    for target in targets:
        if isinstance(target, ast.Tuple):
            values = value.elts if isinstance(value, ast.Tuple) else [None] * len(target.elts)
            yield from zip(target.elts, values, strict=False)
        else:
            yield target, value


def _makes_layer(value: ast.AST | None) -> bool:
    if not isinstance(value, ast.Call):
        return False
    name = leaf_of(value) or ""
    return name[:1].isupper() or name in {"clones", "get_clones"}
