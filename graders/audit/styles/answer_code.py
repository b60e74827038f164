"""The code of a known answer as a syntax tree, which styles rewrite, and what they ask of it."""

import ast
import copy
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graders.course.exercise import Exercise

Function = ast.FunctionDef
MAIN = "answer.py"


@dataclass(frozen=True)
class AnswerCode:
    """The code of an answer.

    Attributes:
        exercise: the one that it answers.
        tree: the file that defines the exercise's symbol.
        others: the trees of further files, by their paths beside it, as in `parts/heads.py`.
        is_right: whether all of it is right, so that a part may be another right one.
    """

    exercise: Exercise
    tree: ast.Module
    others: Mapping[str, ast.Module] = field(default_factory=dict)
    is_right: bool = False

    def copy(self) -> "AnswerCode":
        """The same code in trees of its own, which a style may change."""
        return replace(self, tree=copy.deepcopy(self.tree), others=copy.deepcopy(dict(self.others)))

    def texts(self) -> dict[str, str]:
        """The text of each file, by its path."""
        trees = {MAIN: self.tree, **self.others}
        return {path: f"{ast.unparse(ast.fix_missing_locations(tree))}\n" for path, tree in trees.items()}

    @property
    def symbol(self) -> ast.ClassDef | Function | None:
        """The class or function that the exercise asks for; None where it is something else."""
        found = [s for s in self.tree.body if isinstance(s, ast.ClassDef | Function)]
        return next((s for s in found if s.name == self.exercise.symbol), None)

    def method(self, name: str) -> Function | None:
        """A method of the exercise's class; None where that has none of this name, or is no class."""
        symbol = self.symbol
        return find_method(symbol, name) if isinstance(symbol, ast.ClassDef) else None

    @property
    def constructor(self) -> Function | None:
        """The `__init__` of the exercise's class."""
        return self.method("__init__")

    @property
    def called(self) -> Function | None:
        """What the checks call: the `forward` of a class, or the function itself."""
        symbol = self.symbol
        return symbol if isinstance(symbol, Function) else self.method("forward")


def find_method(symbol: ast.ClassDef, name: str) -> Function | None:
    """A method that a class defines itself."""
    return next((s for s in symbol.body if isinstance(s, Function) and s.name == name), None)


def parameters_of(function: Function) -> list[ast.arg]:
    """The parameters of a function or method, in order, without `self`, `*args` and `**kwargs`."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [one for one in named if one.arg != "self"]


def names_in(*trees: ast.AST) -> set[str]:
    """All names that occur: variables, parameters, attributes, keywords, definitions and imports."""
    found: set[str] = set()
    for node in (node for tree in trees for node in ast.walk(tree)):
        for name in ("id", "arg", "attr", "name", "asname"):
            value = getattr(node, name, None)
            found |= set(value.split(".")) if isinstance(value, str) else set()
    return found


def rename_variables(function: Function, names: Mapping[str, str]) -> None:
    """Give parameters and variables of a function other names, which must be free in it."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
        elif isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)


def rename_attributes(symbol: ast.ClassDef, names: Mapping[str, str]) -> None:
    """Give attributes of `self` other names, which must be free in the class."""
    for node in ast.walk(symbol):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            node.attr = names.get(node.attr, node.attr)


def calls_of(trees: Collection[ast.AST], name: str) -> Iterator[ast.Call]:
    """The calls of a function or class by its plain name."""
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def rename_keywords(calls: Iterator[ast.Call], names: Mapping[str, str]) -> None:
    """Give the keywords of calls the new names of the parameters."""
    for keyword in (keyword for call in calls for keyword in call.keywords):
        keyword.arg = names.get(keyword.arg, keyword.arg) if keyword.arg else None


def parse(text: str) -> list[ast.stmt]:
    """The statements of a text."""
    return ast.parse(text).body


def insert_in_front(tree: ast.Module, statements: Sequence[ast.stmt]) -> None:
    """Insert statements at the top of a file, behind its docstring and `from __future__` imports."""
    at = 0
    while at < len(tree.body) and (_is_text(tree.body[at]) or _is_future(tree.body[at])):
        at += 1
    tree.body[at:at] = statements


def insert_before(tree: ast.Module, statement: ast.stmt, statements: Sequence[ast.stmt]) -> None:
    """Insert statements before one of the file."""
    at = tree.body.index(statement)
    tree.body[at:at] = statements


def insert_in_body(function: Function, statements: Sequence[ast.stmt]) -> None:
    """Insert statements at the head of a function's body, behind its docstring and `super().__init__()`.

    Before one with arguments, which may read what the statements bind.
    """
    at = 1 if _is_text(function.body[0]) else 0
    while at < len(function.body) and _is_bare_super(function.body[at]):
        at += 1
    function.body[at:at] = statements


def _is_bare_super(statement: ast.stmt) -> bool:
    text = ast.unparse(statement)
    return "super(" in text and text.endswith("()")


def _is_text(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    return (
        isinstance(statement, ast.Expr) and isinstance(value, ast.Constant) and isinstance(value.value, str)
    )


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
