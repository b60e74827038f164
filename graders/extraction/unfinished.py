"""Find what is still to be written in a definition that is no longer as it was handed out.

Nothing is run: a definition is unfinished here if it cannot answer, whatever it is given.
"""

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from graders.extraction.empty_functions import is_empty_function, is_not_implemented, is_nothing
from graders.extraction.name_usage import FUNCTIONS
from graders.extraction.plain_tree import Function
from graders.extraction.stub import EMPTY_BASES, handed_out
from graders.language import tr, translatable
from graders.safe_text import safe_text

RAISES = translatable("`{name}` still raises NotImplementedError")
BODY = translatable("the body of `{name}` is still `{text}`")
DOCSTRING = translatable("the body of `{name}` is still a docstring alone")
ENDS = translatable("`{name}` still ends in `{text}`, and returns nothing")
RETURNS = translatable("`{name}` still returns `{text}`")
VARIABLE = translatable("`{variable}` in `{name}` is still `{text}`")
ABSENT = translatable("`{name}` has no `{text}` yet")
_NEAR = 0.8  # difflib similarity: "foward" is near "forward", which is a misspelling and no missing part
CALLED = ("forward", "__call__")
_MAKES = ("register_buffer", "register_parameter", "add_module", "__dict__", "__setattr__")
OF_MODULES = frozenset(  # what each module has
    "training parameters named_parameters buffers named_buffers children named_children modules named_modules"  # noqa: SIM905
    " state_dict load_state_dict apply eval train to float double half cpu cuda type zero_grad requires_grad_"
    " get_parameter get_buffer get_submodule extra_repr __class__ __init__".split()
)


@dataclass(frozen=True)
class UnwrittenPart:
    """A part that is still to be written.

    Attributes:
        sentence: one of the constants above.
        name: the function's or class's name; qualified, but for methods of the symbol's own class.
        line: of the part, in the text that was parsed.
        text: what stands in the place of code, or the method that is absent.
        variable: the name that has no value yet.
    """

    sentence: str
    name: str
    line: int
    text: str = ""
    variable: str = ""

    @property
    def says(self) -> str:
        """The sentence for the student."""
        return safe_text(tr(self.sentence, name=self.name, text=self.text, variable=self.variable), 300)


def find_unwritten(node: ast.stmt, symbol: str, stub: str | None) -> UnwrittenPart | None:
    """What is still to be written in a definition because of which it cannot answer; None if it may answer.

    Args:
        node: the statement that binds `symbol` in the submission.
        symbol: the name that the exercise asks for.
        stub: the text of the handed-out module.
    """
    try:
        if isinstance(node, FUNCTIONS):
            return never_answers(node, node.name)
        return _in_class(node, symbol, stub) if isinstance(node, ast.ClassDef) else None
    except RecursionError:
        return None  # no work of a student's is nested so deeply


def never_answers(function: Function, name: str) -> UnwrittenPart | None:
    """What a function that is no generator has in the place of an answer; None if it may answer.

    A return that is missing at the end is a mistake, and nothing that is still to be written.
    """
    if is_empty_function(function):
        return _empty(function, name)
    nothing: dict[str, str] = {}
    for statement in function.body:
        for inner in _own_nodes(statement):
            if isinstance(inner, ast.Yield | ast.YieldFrom):
                return None
            if isinstance(inner, ast.Return) and inner is not statement and not _is_return_of(inner, nothing):
                return None
        if isinstance(statement, ast.Raise):
            raises = is_not_implemented(statement.exc)
            return UnwrittenPart(RAISES, name, statement.lineno) if raises else None
        if isinstance(statement, ast.Return):
            return _returned(statement, name, nothing)
        _note(statement, nothing)
    last = function.body[-1]
    if isinstance(last, ast.Pass) or _is_ellipsis(last):
        return UnwrittenPart(ENDS, name, last.lineno, ast.unparse(last))
    return None


def _in_class(node: ast.ClassDef, symbol: str, stub: str | None) -> UnwrittenPart | None:
    methods = {part.name: part for part in node.body if isinstance(part, FUNCTIONS)}
    if "__init__" in methods:
        found = never_answers(methods["__init__"], "__init__")
        if found and (found.sentence == RAISES or _needs_what_is_not_made(node, methods)):
            return found
    for name in CALLED:
        if name in methods and not methods[name].decorator_list:
            return never_answers(methods[name], name)
    return _lacks_forward(node, methods, symbol, stub)


def _needs_what_is_not_made(node: ast.ClassDef, methods: dict[str, Function]) -> bool:
    """Whether a method reads an attribute of its object that nothing in the class makes, nor a base."""
    if node.decorator_list or not {ast.unparse(base) for base in node.bases} <= EMPTY_BASES:
        return False
    inner = [part for part in ast.walk(node) if isinstance(part, ast.Attribute)]
    own = [part for part in inner if isinstance(part.value, ast.Name) and part.value.id == "self"]
    made = {part.attr for part in own if not isinstance(part.ctx, ast.Load)}
    of_class = any(isinstance(part, ast.Assign | ast.AnnAssign) for part in node.body)
    read = {part.attr for part in own} - made - methods.keys() - OF_MODULES
    return bool(read) and not made and not of_class and not any(part.attr in _MAKES for part in inner)


def _lacks_forward(
    node: ast.ClassDef, methods: dict[str, Function], symbol: str, stub: str | None
) -> UnwrittenPart | None:
    """That `forward` is absent, if it is due and neither a base nor a decorator may bring it."""
    due = handed_out(symbol, stub) if stub else None
    is_due = isinstance(due, ast.ClassDef) and "forward" in {getattr(part, "name", "") for part in due.body}
    bases = {ast.unparse(base) for base in node.bases}
    names = {name.id for part in node.body for name in ast.walk(part) if isinstance(name, ast.Name)}
    misspelt = difflib.get_close_matches("forward", methods, n=1, cutoff=_NEAR)
    if not is_due or node.decorator_list or misspelt or "forward" in names or not bases <= EMPTY_BASES:
        return None
    return UnwrittenPart(ABSENT, symbol, node.lineno, "forward")


def _empty(function: Function, name: str) -> UnwrittenPart:
    """What stands in the body of a function that computes nothing."""
    for statement in reversed(function.body):
        if isinstance(statement, ast.Raise):
            return UnwrittenPart(RAISES, name, statement.lineno)
        if isinstance(statement, ast.Return):
            text = ast.unparse(statement.value) if statement.value else "None"
            return UnwrittenPart(RETURNS, name, statement.lineno, text)
        if isinstance(statement, ast.Pass) or _is_ellipsis(statement):
            return UnwrittenPart(BODY, name, statement.lineno, ast.unparse(statement))
    return UnwrittenPart(DOCSTRING, name, function.lineno)


def _returned(statement: ast.Return, name: str, nothing: dict[str, str]) -> UnwrittenPart | None:
    value = statement.value
    if value is None or not _is_return_of(statement, nothing):
        return None
    variables = [part.id for part in ast.walk(value) if isinstance(part, ast.Name)]
    if variables:
        variable = variables[0]
        return UnwrittenPart(VARIABLE, name, statement.lineno, nothing[variable], variable)
    return UnwrittenPart(RETURNS, name, statement.lineno, ast.unparse(value))


def _is_return_of(statement: ast.Return, nothing: dict[str, str]) -> bool:
    return statement.value is None or is_nothing(statement.value, set(nothing))


def _note(statement: ast.stmt, nothing: dict[str, str]) -> None:
    """Keep in `nothing` the names that are `None` or `...` after a statement, with which of both."""
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    empty = isinstance(value, ast.Constant) and is_nothing(value, set())
    for node in _own_nodes(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            nothing.pop(node.id, None)
            if empty and value is not None:
                nothing[node.id] = ast.unparse(value)


def _own_nodes(statement: ast.AST) -> Iterator[ast.AST]:
    """A statement and what lies in it, without the bodies of functions and classes that it defines."""
    yield statement
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(statement):
        yield from _own_nodes(child)


def _is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...
