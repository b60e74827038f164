"""The small changes that can be made to a module: another node in the place of one of its syntax tree."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

LARGE = 16  # integers from here on are multiplied by it, smaller ones grow by one
OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPPOSITES = ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn
OTHER_OPERATOR: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
OTHER_FUNCTION = {"all": "any", "any": "all", "min": "max", "max": "min"}
# What a function can answer whatever it is asked, by what it returns; others answer None.
OTHER_ANSWERS = {
    "bool": ("True", "False"),
    "str": ("''",),
    "list": ("[]",),
    "dict": ("{}",),
    "tuple": ("()",),
    "Iterator": ("iter(())",),
}
# What these are given are sentences with their values, or types: no decisions.
NO_DECISIONS = {"tr", "trn", "translatable", "isinstance", "cast"}
# Types, and what decorators and operators are, by the fields of nodes.
LEFT_ALONE = {"annotation", "returns", "decorator_list", "bases", "op", "ops", "ctx", "kwd_attrs", "targets"}


@dataclass(frozen=True)
class Place:
    """A place of a tree, in a field of `parent`, at `index` where the field is a list.

    Attributes:
        function: the qualified name of the function or class around it; empty in the module itself.
        block: the first line of the innermost block around it, in a function; empty outside of functions.
        returns: the name of the type that the function returns.
        shown: the node that describes a change here: a constant alone would say too little.
    """

    parent: ast.AST
    field: str
    index: int | None
    function: str
    block: str
    returns: str
    shown: ast.AST

    @property
    def node(self) -> ast.AST:
        """The node that stands here."""
        there = getattr(self.parent, self.field)
        node: ast.AST = there if self.index is None else there[self.index]
        return node

    def put(self, node: ast.AST) -> None:
        """Put another node here."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Change:
    """A place, and what is put there."""

    place: Place
    instead: ast.AST

    def make(self) -> None:
        """Change the tree."""
        self.place.put(ast.copy_location(self.instead, self.place.node))

    def describe(self) -> str:
        """What stands there, and what instead; the tree is as before."""
        node, shown = self.place.node, self.place.shown
        before = _line_of(shown)
        if shown is node:
            return f"{before} -> {_line_of(self.instead)}"
        self.place.put(self.instead)
        after = _line_of(shown)
        self.place.put(node)
        return f"{before} -> {after}"


def changes_of(tree: ast.Module) -> Iterator[Change]:
    """All changes of a module, in the order of its text, each of the tree as it was."""
    yield from _below(Place(tree, "body", None, "", "", "", tree), tree)


def _below(place: Place, node: ast.AST) -> Iterator[Change]:
    around = _around(place, node)
    for field, value in ast.iter_fields(node):
        if field in LEFT_ALONE:
            continue
        if around.function and is_block(node, field):
            around = replace(around, block=first_line(value))
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not _decides_nothing(child):
                shown = _shown(around.shown, node, child)
                here = replace(around, parent=node, field=field, index=index, shown=shown)
                yield from (Change(here, instead) for instead in _instead_of(here, child))
                yield from _below(here, child)


def _around(place: Place, node: ast.AST) -> Place:
    """The place, as seen from what is below a node."""
    match node:
        case ast.ClassDef():
            return replace(place, function=_joined(place, node.name), returns="", block="")
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            function, returns = _joined(place, node.name), _name_of(node.returns)
            # What stands in its head is seen where its body runs.
            return replace(place, function=function, returns=returns, block=first_line(node.body))
    return place


def _joined(place: Place, name: str) -> str:
    return f"{place.function}.{name}".removeprefix(".")


def is_block(node: ast.AST, field: str) -> bool:
    """Whether a field of a node holds statements that run one after another, in a function."""
    return (
        field in {"body", "orelse", "finalbody"}
        and not isinstance(node, ast.ClassDef | ast.Lambda | ast.IfExp | ast.Expression)
        and bool(getattr(node, field))
    )


def first_line(block: list[ast.stmt]) -> str:
    """By which a block is known in its function: its first line, beside a docstring."""
    return _line_of(block[1] if len(block) > 1 and _is_docstring(block[0]) else block[0])


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _name_of(returned: ast.expr | None) -> str:
    outer = returned.value if isinstance(returned, ast.Subscript) else returned
    return outer.id if isinstance(outer, ast.Name) else ""


def _shown(around: ast.AST, parent: ast.AST, child: ast.AST) -> ast.AST:
    """The node that describes a change of `child`: the one around it, where the child says little."""
    if not isinstance(child, ast.Constant | ast.Name | ast.keyword | ast.UnaryOp | ast.operator):
        return child
    if isinstance(parent, ast.keyword | ast.arguments | ast.UnaryOp | ast.Tuple):
        return around
    return around if isinstance(parent, ast.If | ast.While | ast.For) else parent


def _decides_nothing(node: ast.AST) -> bool:
    match node:
        case (
            ast.Expr(value=ast.Constant()) | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.JoinedStr()
        ):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in NO_DECISIONS
        case ast.keyword(arg="strict"):  # of zip: an assertion
            return True
        case ast.ClassDef(bases=bases):
            return any(isinstance(base, ast.Name) and base.id == "Protocol" for base in bases)
    return False


def _instead_of(place: Place, node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            yield from _other_comparisons(node)
        case ast.BoolOp():
            yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        case ast.BinOp() if type(node.op) in OTHER_OPERATOR and not _joins(node):
            yield ast.BinOp(node.left, OTHER_OPERATOR[type(node.op)](), node.right)
        case ast.Constant():
            yield from _other_constants(node)
        case ast.Name() if place.field == "func" and node.id in OTHER_FUNCTION:
            yield ast.Name(OTHER_FUNCTION[node.id], ast.Load())
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield operand
        case ast.stmt():
            yield from _other_statements(place, node)
    if place.field in {"test", "ifs"} and isinstance(node, ast.expr):
        yield from _opposites(node)


def _other_comparisons(node: ast.Compare) -> Iterator[ast.expr]:
    for number, operator in enumerate(node.ops):
        others = [*node.ops]
        others[number] = OTHER_COMPARISON[type(operator)]()
        yield ast.Compare(node.left, others, node.comparators)


def _opposites(condition: ast.expr) -> Iterator[ast.expr]:
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Compare(ops=[operator]) if isinstance(operator, OPPOSITES):
            return  # `_other_comparisons` gives it
        case _:
            yield ast.UnaryOp(ast.Not(), condition)


def _joins(node: ast.BinOp) -> bool:
    """Whether a sum is one of texts or lists, or a union one of types."""
    lists = ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp
    return any(
        isinstance(side, lists) or (isinstance(side, ast.Constant) and isinstance(side.value, str | None))
        for side in (node.left, node.right)
    )


def _other_constants(node: ast.Constant) -> Iterator[ast.expr]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value * LARGE if value >= LARGE else value + 1)
    elif isinstance(value, float):
        yield ast.Constant(value * 100 or 1.0)


def _other_statements(place: Place, node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.Return(value=ast.expr() as value):
            others = OTHER_ANSWERS.get(place.returns, ("None",))
            parsed = (ast.parse(other, mode="eval").body for other in others)
            yield from (ast.Return(other) for other in parsed if ast.dump(other) != ast.dump(value))
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break() | ast.Delete():
            yield ast.Pass()
        case ast.AugAssign() | ast.Return() | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Name(id=name)]) if _names(node.value, name):
            yield ast.Pass()  # an earlier value of the same name stays


def _names(expression: ast.expr, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(expression))


def _line_of(node: ast.AST) -> str:
    """A node as text on a line; of a statement that has others in it, the first line."""
    return ast.unparse(node).partition("\n")[0]
