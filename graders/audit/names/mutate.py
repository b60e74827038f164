"""One small change to code: another constant or axis, other operands, a line left out, an error raised.

What comes of it is nearly always wrong, and rarely what a known mistake does.
"""

import ast
import contextlib
import copy
import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from graders.audit.styles.answer_code import parse
from graders.course.exercise import Exercise
from graders.course.reference import mistakes

Changed = list[ast.AST]  # what stands in the place of a node: none, one or two
AXES = frozenset(("dim", "axis", "transpose", "softmax", "cumsum", "sum", "mean", "permute", "movedim"))
LARGE = 1e3  # a number that is larger hides what is masked
SWAPPED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Pow: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
ERRORS = (
    "raise RuntimeError('the sizes of the tensors must match')",
    "raise TypeError('an argument has the wrong type')",
    "raise RuntimeError('mat1 and mat2 shapes cannot be multiplied (10x12 and 5x12)')",
)
SPOILED = (
    "{value}.reshape(-1, 7)",
    "{value}.unsqueeze(0)",
    "{value}[..., 1:]",
    "{value}.transpose(-1, -2)",
    "{value}.flatten()",
    "{value} + 1",
    "{value} * 2",
    "-{value}",
    "{value}.abs()",
    "{value}.detach()",
)


@dataclass(frozen=True)
class Mutation:
    """One change.

    Attributes:
        kind: what is changed, as in `constant`.
        place: the number of the node, in the order of `ast.walk`.
        number: which of the changes of this kind.
        within: the name of the function in which it stands.
    """

    kind: str
    place: int
    number: int
    within: str

    def apply(self, tree: ast.Module) -> ast.Module:
        """The code with this change."""
        changed = copy.deepcopy(tree)
        node = list(ast.walk(changed))[self.place]
        new = KINDS[self.kind](node)[self.number]
        replaced: ast.Module = _Replace(node, new).visit(changed)  # type: ignore[assignment]
        return ast.fix_missing_locations(replaced)


def hides_alike(tree: ast.Module, mutation: Mutation) -> bool:
    """Whether a change puts a number that still hides what is masked where a lower one does.

    Only scores of its own size show the difference: what a hint says of hiding is true of both.
    """
    nodes = list(ast.walk(tree))
    node = nodes[mutation.place]
    is_negative = any(
        isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.USub) and n.operand is node for n in nodes
    )
    if mutation.kind != "constant" or not is_negative:
        return False
    [new] = KINDS[mutation.kind](node)[mutation.number]
    return LARGE < _number(new) < _number(node)


def _number(node: ast.AST) -> float:
    """The value of a number; of any other expression 0."""
    text = ast.unparse(node)
    with contextlib.suppress(ValueError):
        return float(text.removeprefix("math."))
    return 0.0


def draw_mutation(
    tree: ast.Module, numbers: random.Random, kinds: Collection[str] = (), within: Collection[str] = ()
) -> Mutation | None:
    """A change that a generator draws: first the kind, then the place; None where nothing can be changed.

    Args:
        tree: the code.
        numbers: the generator.
        kinds: from which it is drawn; all by default.
        within: the functions in one of which it stands; any by default.
    """
    possible = sorted(kinds or KINDS)
    for kind in numbers.sample(possible, len(possible)):
        if places := [place for place in _places(tree, kind) if not within or place[2] in within]:
            place, changes, within = numbers.choice(places)
            return Mutation(kind, place, numbers.randrange(changes), within)
    return None


def _places(tree: ast.Module, kind: str) -> Iterator[tuple[int, int, str]]:
    """The places where a kind of change can be made, with the number of changes there, and the function."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = {id(node): f.name for f in functions for s in f.body for node in ast.walk(s)}
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in inside and (changes := KINDS[kind](node)):
            yield place, len(changes), inside[id(node)]


def own_functions(exercise: Exercise, mistake: str) -> frozenset[str]:
    """The functions in which a known mistake stands: those that it overrides, or itself.

    A change elsewhere leaves the mistake as it is, and its name true.
    """
    symbol = mistakes(exercise.name, exercise.symbol)[mistake]
    own = {n for n, value in vars(symbol).items() if callable(value)} if isinstance(symbol, type) else set()
    return frozenset({*own, exercise.symbol})


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: Changed) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:
        """What stands in the place of a node."""
        if node is self._old:
            return self._new[0] if len(self._new) == 1 else self._new
        answer: ast.AST | list[ast.AST] = self.generic_visit(node)
        if isinstance(getattr(node, "body", None), list) and not node.body:  # type: ignore[attr-defined]
            node.body = [ast.Pass()]  # type: ignore[attr-defined]
        return answer


def _constant(node: ast.AST) -> list[Changed]:
    """Another number."""
    if isinstance(node, ast.Attribute) and ast.unparse(node) == "math.inf":
        return [[_expression(text)] for text in ("10000.0", "100000000.0", "1.0")]
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool | str | bytes):
        return []
    value = node.value
    if isinstance(value, int):
        others: list[float] = [value + 1, value - 1, 2 * value, -value]
    elif isinstance(value, float):
        others = [10 * value, value / 10, value / 2, 1 - value, -value]
        others += [1e4, 1e8] if abs(value) > LARGE else []
    else:
        return []
    return [[_expression(repr(other))] for other in dict.fromkeys(others) if other != value]


def _size(node: ast.AST) -> list[Changed]:
    """Another size: of what a root is taken, or what an index gives of a shape."""
    text = ast.unparse(node) if isinstance(node, ast.expr) else ""
    if isinstance(node, ast.Call) and text.startswith(("math.sqrt(", "torch.sqrt(")) and node.args:
        inner, root = ast.unparse(node.args[0]), ast.unparse(node.func)
        changes = [f"{root}({inner} + 1)", f"{root}(2 * {inner})", f"{root}({inner} / 2)", inner]
    elif isinstance(node, ast.Subscript) and text.split("[")[0].endswith(".shape"):
        changes = [f"({text} + 1)", f"(2 * {text})", f"({text} // 2)"]
    else:
        return []
    return [[_expression(change)] for change in changes]


def _axis(node: ast.AST) -> list[Changed]:
    """Other axes in a call."""
    if not isinstance(node, ast.Call):
        return []
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    keywords = {k.arg for k in node.keywords}
    if name not in AXES and not keywords & AXES:
        return []
    values = [*node.args, *(k.value for k in node.keywords if k.arg in AXES)]
    found: list[Changed] = []
    for at, value in enumerate(values):
        axis = _as_axis(value)
        for other in () if axis is None else {-1, -2, -3, 0, 1, 2} - {axis}:
            found.append([_with_axis(node, at, other)])
    return found


def _as_axis(value: ast.expr) -> int | None:
    try:
        axis = ast.literal_eval(value)
    except ValueError:
        return None
    return axis if isinstance(axis, int) and not isinstance(axis, bool) else None


def _with_axis(call: ast.Call, at: int, axis: int) -> ast.Call:
    other = copy.deepcopy(call)
    new = _expression(str(axis))
    if at < len(other.args):
        other.args[at] = new
    else:
        [k for k in other.keywords if k.arg in AXES][at - len(other.args)].value = new
    return other


def _operands(node: ast.AST) -> list[Changed]:
    """Two operands, or two arguments, in each other's place."""
    other = copy.deepcopy(node)
    if isinstance(other, ast.BinOp) and isinstance(other.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow):
        other.left, other.right = other.right, other.left
        return [[other]]
    if isinstance(other, ast.Call | ast.Tuple):
        values = other.args if isinstance(other, ast.Call) else other.elts
        names = [v for v in values if isinstance(v, ast.Name | ast.Attribute | ast.Call)]
        if len(values) >= 2 and len(names) >= 2 and isinstance(getattr(other, "ctx", ast.Load()), ast.Load):
            first, second = values.index(names[0]), values.index(names[1])
            values[first], values[second] = values[second], values[first]
            return [[other]]
    return []


def _operator(node: ast.AST) -> list[Changed]:
    """Another operator."""
    other = copy.deepcopy(node)
    if isinstance(other, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(other.op) in SWAPPED:
        other.op = SWAPPED[type(other.op)]()  # type: ignore[assignment]
        return [[other]]
    if isinstance(other, ast.Compare) and type(other.ops[0]) in SWAPPED:
        other.ops[0] = SWAPPED[type(other.ops[0])]()  # type: ignore[call-overload]
        return [[other]]
    if isinstance(other, ast.UnaryOp):
        return [[other.operand]]
    return []


def _condition(node: ast.AST) -> list[Changed]:
    """A condition that holds in the other case, always, or never."""
    if not isinstance(node, ast.If | ast.IfExp | ast.While):
        return []
    texts = (f"not ({ast.unparse(node.test)})", "True", "False")
    changes: list[Changed] = []
    for text in texts[: 1 if isinstance(node, ast.While) else 3]:
        other = copy.deepcopy(node)
        other.test = _expression(text)
        changes.append([other])
    return changes


def _left_out(node: ast.AST) -> list[Changed]:
    """A statement that is not there, or a call of which its argument alone is left."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.If | ast.For | ast.Raise):
        return [[]]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and "super(" not in ast.unparse(node):
        return [[]]
    if not isinstance(node, ast.Call):
        return []
    method = node.func.value if isinstance(node.func, ast.Attribute) else None
    left = [*node.args[:1], *([method] if isinstance(method, ast.Call | ast.Name) else [])]
    names = ("self", "torch", "nn", "math", "F")
    return [[n] for n in left if not isinstance(n, ast.Starred) and getattr(n, "id", "") not in names]


def _error(node: ast.AST) -> list[Changed]:
    """An error that has nothing to do with any mistake, raised before a statement."""
    if not isinstance(node, ast.Assign | ast.Return | ast.Expr | ast.If) or "super(" in ast.unparse(node):
        return []
    return [[*parse(error), node] for error in ERRORS]


def _value(node: ast.AST) -> list[Changed]:
    """What is assigned or returned, in another shape or changed."""
    if not isinstance(node, ast.Assign | ast.Return) or node.value is None:
        return []
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    changes: list[Changed] = []
    for at, value in enumerate(values):
        for form in () if isinstance(value, ast.Starred) else SPOILED:
            other = copy.deepcopy(node)
            assert other.value is not None
            new = _expression(form.format(value=f"({ast.unparse(value)})"))
            if isinstance(other.value, ast.Tuple):
                other.value.elts[at] = new
            else:
                other.value = new
            changes.append([other])
    return changes


def _mask(node: ast.AST) -> list[Changed]:
    """A mask in another sense, of one's own, or none."""
    if not isinstance(node, ast.Name) or "mask" not in node.id or not isinstance(node.ctx, ast.Load):
        return []
    name = node.id
    texts = (f"(~{name})", "None", f"({name} == 0)", f"{name}.float()", f"{name}[..., :1]", f"{name}.mT")
    return [[_expression(text)] for text in texts]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


KINDS: dict[str, Callable[[ast.AST], list[Changed]]] = {
    "axis": _axis,
    "condition": _condition,
    "constant": _constant,
    "error": _error,
    "left_out": _left_out,
    "mask": _mask,
    "operands": _operands,
    "operator": _operator,
    "size": _size,
    "value": _value,
}
