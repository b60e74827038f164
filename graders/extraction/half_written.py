"""Which part that is still to be written a call has come to: what shows only when the code runs."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graders.extraction.empty_functions import is_nothing
from graders.extraction.name_usage import FUNCTIONS
from graders.extraction.plain_tree import Function
from graders.extraction.qualified_names import enclosing, parse
from graders.extraction.stub import does_nothing
from graders.extraction.unfinished import (
    ABSENT,
    BODY,
    CALLED,
    DOCSTRING,
    RAISES,
    VARIABLE,
    UnwrittenPart,
    never_answers,
)
from graders.results.result import Definition, Place

# How an error's text names what a variable holds, or a function has returned.
_EMPTY = {"None": "NoneType", "...": "ellipsis"}
_RAISES = re.compile(r"\braise\s+NotImplemented(?:Error)?\b")
# What PyTorch says of a module without `forward`.
_NO_FORWARD = re.compile(r'Module \[(\w+)\] is missing the required "forward" function')
# What Python says of arguments for a class without a constructor.
_NO_ARGUMENTS = re.compile(r"\b(\w+)(?:\.__init__)?\(\) takes (?:1 positional|no) argument")


@dataclass(frozen=True)
class ReachedPart:
    """A part that is still to be written and that a call has come to.

    `owner` is the function or class at the top level that it belongs to; `always` says that no call can get
    past it.
    """

    part: UnwrittenPart
    owner: str
    place: Place | None
    always: bool


def find_reached(
    symbol: str, definitions: Sequence[Definition], kind: str, text: str, place: Place | None
) -> ReachedPart | None:
    """The part that is still to be written because of which the code raised; None for errors of other kinds.

    Args:
        symbol: the name that the exercise asks for.
        definitions: the student's definitions, as far as they are known.
        kind: the type of the error.
        text: the error as a sentence, with its type.
        place: the student's line that raised it.
    """
    absent = _NO_FORWARD.search(text) if kind == "NotImplementedError" else None
    if absent:
        return ReachedPart(UnwrittenPart(ABSENT, absent[1], 1, "forward"), absent[1], place, True)
    refused = _NO_ARGUMENTS.search(text) if kind == "TypeError" else None
    if refused and (empty := _empty_class(definitions, refused[1])):
        return empty
    if place is None or place.within is None:
        return None
    try:
        return _find_at(symbol, definitions, kind, text, place)
    except RecursionError:  # the code is nested more deeply than Python can write it
        return None


def _find_at(
    symbol: str, definitions: Sequence[Definition], kind: str, text: str, place: Place
) -> ReachedPart | None:
    within = place.within or ""
    owner = within.partition(".")[0]
    name = within.removeprefix(f"{symbol}.")
    function, around = _function_at(definitions, place)
    if kind == "NotImplementedError":
        if not _RAISES.search(place.code or ""):
            return None
        always = function is not None and never_answers(function, name) is not None
        return ReachedPart(UnwrittenPart(RAISES, name, place.line), owner, place, always)
    if function is None or around is None:
        return None
    line = place.line - around[0].line + 1
    if variable := _variable(around[1], function, line, text):
        always = not _is_in_a_branch(function, line)
        return ReachedPart(UnwrittenPart(VARIABLE, name, place.line, *variable), owner, place, always)
    return _called(symbol, definitions, text)


def _function_at(
    definitions: Sequence[Definition], place: Place
) -> tuple[Function | None, tuple[Definition, ast.AST] | None]:
    """The function around a place, with the definition that it stands in and its tree."""
    definition = next((d for d in definitions if _holds(d, place)), None)
    tree = parse(definition.code) if definition else None
    if definition is None or tree is None:
        return None, None
    path = enclosing(tree, place.line - definition.line + 1)
    function = next((node for node in reversed(path) if isinstance(node, FUNCTIONS)), None)
    return function, (definition, tree)


def _variable(tree: ast.AST, function: Function, line: int, text: str) -> tuple[str, str] | None:
    """What a variable is instead of a value, and the variable, if the error on a line is about it."""
    values = {n: v for n, v in _without_value(tree).items() if "." in n} | _without_value(function)
    for node in ast.walk(function):
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            variable = ast.unparse(node)
            if variable in values and _EMPTY[values[variable]] in text:
                return values[variable], variable
    return None


def _is_in_a_branch(function: Function, line: int) -> bool:
    branches = (node for node in ast.walk(function) if isinstance(node, ast.If | ast.Try | ast.Match))
    return any(branch.lineno <= line <= (branch.end_lineno or line) for branch in branches)


def _without_value(scope: ast.AST) -> dict[str, str]:
    """The names and attributes that are `None` or `...` wherever a scope binds them, with which of both.

    What is made of such a value (`scores = scores / 2`) is none either.
    """
    empty: dict[str, str] = {}
    targets: set[ast.expr] = set()
    for node in ast.walk(scope):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and is_nothing(node.value, set())
        ):
            targets |= set(node.targets)
            empty |= {ast.unparse(target): ast.unparse(node.value) for target in node.targets}
        elif isinstance(node, ast.Assign):
            read = {
                ast.unparse(part)
                for part in ast.walk(node.value)
                if isinstance(part, ast.Name | ast.Attribute)
            }
            targets |= {target for target in node.targets if ast.unparse(target) in read}
    for node in ast.walk(scope):
        stored = isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load)
        if (stored and node not in targets) or isinstance(node, ast.arg):
            empty.pop(node.arg if isinstance(node, ast.arg) else ast.unparse(node), None)
    return empty


def _called(symbol: str, definitions: Sequence[Definition], text: str) -> ReachedPart | None:
    """The function without an answer that the code calls, if the error is about such an answer."""
    if not any(word in text for word in _EMPTY.values()):
        return None
    functions = list(_functions(definitions))
    calls = (node.func for _, _, f in functions for node in ast.walk(f) if isinstance(node, ast.Call))
    names = {ast.unparse(call).rpartition(".")[2] for call in calls}
    for definition, owner, called in functions:
        if called.name == "__init__":  # it never answers: what is called is the class
            continue
        name = called.name if called.name == owner else f"{owner}.{called.name}".removeprefix(f"{symbol}.")
        is_called = called.name in names or (called.name in CALLED and owner in names)
        if is_called and (part := never_answers(called, name)):
            place = Place(definition.file, definition.cell, definition.line + part.line - 1, name)
            return ReachedPart(part, owner, place, True)
    return None


def _empty_class(definitions: Sequence[Definition], name: str) -> ReachedPart | None:
    """The class of this name, if it is empty."""
    for definition in definitions:
        tree = parse(definition.code)
        for node in tree.body if tree else ():
            if isinstance(node, ast.ClassDef) and node.name == name and does_nothing(node):
                line = definition.line + node.lineno - 1
                text = ast.unparse(node.body[-1])
                part = UnwrittenPart(BODY if text in ("pass", "...") else DOCSTRING, name, line, text)
                place = Place(definition.file, definition.cell, line, name)
                return ReachedPart(part, name, place, True)
    return None


def _functions(definitions: Sequence[Definition]) -> Iterator[tuple[Definition, str, Function]]:
    """The functions and methods of definitions, with the name at the top level that they belong to."""
    for definition in definitions:
        tree = parse(definition.code)
        for node in tree.body if tree else ():
            inner = node.body if isinstance(node, ast.ClassDef) else [node]
            for part in inner:
                if isinstance(part, FUNCTIONS):
                    yield definition, getattr(node, "name", ""), part


def _holds(definition: Definition, place: Place) -> bool:
    same = (definition.file, definition.cell) == (place.file, place.cell)
    return same and 0 <= place.line - definition.line <= definition.code.count("\n")
