"""What a class's own code says: arguments whose names mislead, and sizes that are global variables."""

import ast
import builtins
import dis
import functools
import inspect
import itertools
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from softmark_worker.argument_roles import role_of

# What is read of code, which is the same each time its class is constructed, is kept for so many pieces.
_KEPT = 256
# What is read of numbers, tensors, texts and modules: no field of a configuration.
_NO_FIELDS = {
    *("shape", "size", "weight", "forward", "parameters", "modules", "children", "to", "clone", "train"),
    *("items", "keys", "values", "update", "copy", "get", "pop", "split", "lower", "upper", "append", "eval"),
}
_COPIES = {"copy", "deepcopy", "dict"}
_IDLE = {"CACHE", "PRECALL", "PUSH_NULL", "NOP", "EXTENDED_ARG", "RESUME"}


def find_counts(symbol: Any, names: Iterable[str]) -> dict[str, str]:
    """The arguments that are called the width of a head but hold the number of heads, with that meaning.

    So it is where no argument is called a number of heads, and the width is divided by this one:
    `att_size = hidden_size // head_size`.
    """
    roles = {name: role_of(name) for name in names}
    widths = [name for name, role in roles.items() if role == "head_width"]
    if "heads" in roles.values() or len(widths) != 1 or not _divides_by(symbol, widths[0]):
        return {}
    return {widths[0]: "heads"}


def _divides_by(symbol: Any, name: str) -> bool:
    """Whether the constructor divides by the argument, and the quotient is not called a number of heads."""
    tree = tree_of(getattr(symbol, "__init__", None))
    quotients = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and _quotient(node, name)]
    targets = [target for node in quotients for target in node.targets]
    return bool(targets) and all(role_of(_name(target)) != "heads" for target in targets)


def tree_of(function: Any) -> ast.AST:
    """The syntax tree of a function; an empty one where its source is not known."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError, AttributeError):
        return ast.Module([], [])


def _quotient(node: ast.Assign, name: str) -> bool:
    value = node.value
    if isinstance(value, ast.Call) and len(value.args) == 1:  # int(width / heads)
        value = value.args[0]
    divides = isinstance(value, ast.BinOp) and isinstance(value.op, ast.FloorDiv | ast.Div)
    return divides and _name(value.right) == name  # type: ignore[attr-defined]


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def read_globals(symbol: Any) -> tuple[dict[str, Any], set[str]]:
    """The class's module, and the names of numbers, or of nothing, that its code and what it uses read."""
    namespace = namespace_of(symbol)
    names = {name for value in _used(symbol) for code in _codes_of(value) for name in _globals_of(code)}
    missing = {name for name in names if name not in namespace and not hasattr(builtins, name)}
    return namespace, missing | {name for name in names if type(namespace.get(name)) in (int, float)}


def namespace_of(symbol: Any) -> dict[str, Any]:
    """The global variables of a class's module, or of a function's."""
    members = vars(symbol) if isinstance(symbol, type) else {"forward": symbol}
    own: list[Any] = [members.get(name) for name in ("__init__", "forward")]
    return next((f.__globals__ for f in own if hasattr(f, "__globals__")), {})


def fields_read(symbol: Any, name: str) -> tuple[str, ...]:
    """The attributes and keys that a function, or a class's methods, read of an argument of this name."""
    read: dict[str, None] = {}
    functions = _functions(symbol)
    kept = not any(_is_made_from(value) for value in _kept_as(functions[0], name)) if functions else True
    for place, function in enumerate(functions):
        code = getattr(function, "__code__", None)
        if isinstance(code, types.CodeType):
            read |= dict.fromkeys(_fields_read(code, name, place == 0, kept))
    return tuple(read)


def groups_read(symbol: Any, name: str) -> tuple[str, ...]:
    """The fields of an argument of which further fields are read: `model`, for `hp.model.d_ff`."""
    found: dict[str, None] = {}
    for place, function in enumerate(_functions(symbol)):
        for node in ast.walk(tree_of(function)):
            group, inner = _field(node)
            owner, field = _field(group)
            if inner not in ("", *_NO_FIELDS) and field and _is_owner(owner, name, place == 0):
                found[field] = None
    return tuple(found)


def _field(node: Any) -> tuple[ast.AST | None, str]:
    """Of what an attribute or key is read, and its name; None and "" where nothing is."""
    if isinstance(node, ast.Attribute):
        return node.value, node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return node.value, node.slice.value if isinstance(node.slice.value, str) else ""
    return None, ""


def _is_owner(node: ast.AST | None, name: str, is_constructor: bool) -> bool:
    if isinstance(node, ast.Name):
        return is_constructor and node.id == name
    return isinstance(node, ast.Attribute) and _name(node.value) == "self" and node.attr == name


def texts_compared(symbol: Any) -> dict[str, str]:
    """The first text that a class, or what it uses, compares each attribute with, by the attribute."""
    found: dict[str, str] = {}
    for node in (node for value in _used(symbol) for node in ast.walk(tree_of(value))):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
            constants = [one.value for one in ast.walk(node.comparators[0]) if isinstance(one, ast.Constant)]
            for text in (one for one in constants if isinstance(one, str)):
                found.setdefault(node.left.attr, text)
    return found


def _kept_as(init: Any, name: str) -> list[ast.expr]:
    """What a constructor assigns to `self.NAME`."""
    assigned = [node for node in ast.walk(tree_of(init)) if isinstance(node, ast.Assign | ast.AnnAssign)]
    pairs = [(t, n.value) for n in assigned for t in getattr(n, "targets", [getattr(n, "target", None)])]
    return [
        value
        for target, value in pairs
        if isinstance(target, ast.Attribute) and target.attr == name and value is not None
    ]


def _is_made_from(value: ast.expr) -> bool:
    """Whether it is something else than the argument, as in `self.dropout = nn.Dropout(dropout)`."""
    return isinstance(value, ast.Call) and _name(value.func) not in _COPIES


def handed_on(symbol: Any, name: str) -> list[tuple[type, inspect.Parameter]]:
    """The classes of the same file that a constructor gives an argument of this name, and as what."""
    init, found = getattr(symbol, "__init__", None), []
    for call in ast.walk(tree_of(init)) if isinstance(init, types.FunctionType) else ():
        part = init.__globals__.get(_name(call.func)) if isinstance(call, ast.Call) else None  # type: ignore[union-attr]
        if isinstance(call, ast.Call) and isinstance(part, type) and part.__module__ == symbol.__module__:
            found += [(part, p) for p in _given(call, name, part)]
    return found


def _given(call: ast.Call, name: str, part: type) -> list[inspect.Parameter]:
    """The arguments of a part that a call gives a variable, or an attribute, of this name."""
    places = [place for place, value in enumerate(call.args) if _name(value) == name]
    names = [keyword.arg for keyword in call.keywords if _name(keyword.value) == name]
    parameters = inspect.signature(part).parameters.values()
    return [p for place, p in enumerate(parameters) if place in places or p.name in names]


def fields_of_globals(symbol: Any) -> dict[str, tuple[str, ...]]:
    """The attributes and keys that a class and what it uses read of global variables, by the variable."""
    fields: dict[str, dict[str, None]] = {}
    for value in _used(symbol):
        for code in _codes_of(value):
            for name, field in _fields_of_globals(code):
                fields.setdefault(name, {})[field] = None
    return {name: tuple(read) for name, read in fields.items()}


def _functions(symbol: Any) -> list[Any]:
    """A function, or a class's own methods: first its constructor."""
    if not isinstance(symbol, type):
        return [symbol]
    methods: dict[str, Any] = {}
    for base in symbol.__mro__:
        if base.__module__ == symbol.__module__:
            methods = {name: m for name, m in vars(base).items() if hasattr(m, "__code__")} | methods
    init = methods.pop("__init__", None)
    return [init, *methods.values()] if init else []


@functools.lru_cache(_KEPT)
def _fields_read(code: types.CodeType, name: str, is_constructor: bool, is_kept: bool) -> tuple[str, ...]:
    def is_argument(before: Any, one: Any) -> bool:
        loaded = _loaded(one)
        local = one.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) and is_constructor
        kept = is_kept and one.opname == "LOAD_ATTR" and before is not None and _is_self(before)
        return loaded == name and (local or kept)

    own = tuple(field for _, field in _pairs(code, is_argument) if field not in _NO_FIELDS)
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return (*own, *itertools.chain(*(_fields_read(c, name, is_constructor, is_kept) for c in inner)))


@functools.lru_cache(_KEPT)
def _fields_of_globals(code: types.CodeType) -> tuple[tuple[str, str], ...]:
    own = _pairs(code, lambda _, one: one.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return (*own, *itertools.chain(*map(_fields_of_globals, inner)))


def _is_self(instruction: Any) -> bool:
    return bool(instruction.opname.startswith("LOAD_FAST")) and _loaded(instruction) == "self"


def _loaded(instruction: Any) -> Any:
    """The name that an instruction loads: the last one, where it loads two."""
    value = instruction.argval
    return value[-1] if isinstance(value, tuple) and value else value


def _pairs(code: types.CodeType, is_owner: Callable[[Any, Any], bool]) -> list[tuple[str, str]]:
    """What is read of what: `a.b`, `a["b"]`, `a.get("b")` and `getattr(a, "b")`, where `a` is an owner."""
    found = []
    steps = [one for one in dis.get_instructions(code) if one.opname not in _IDLE]
    for place, one in enumerate(steps[:-1]):
        before, following = steps[place - 1] if place else None, steps[place + 1 : place + 3]
        if not is_owner(before, one):
            continue
        owner = str(_loaded(one))
        read, then = following[0], following[-1]
        if read.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(read.argval, str):
            by_key = read.argval in ("get", "pop") and then.opname == "LOAD_CONST"
            found.append((owner, then.argval if by_key else read.argval))
        elif read.opname == "LOAD_CONST" and (then.opname.startswith("BINARY") or _reads_attribute(before)):
            found.append((owner, read.argval))
    return [(owner, field) for owner, field in found if isinstance(field, str)]


def _reads_attribute(instruction: Any) -> bool:
    return instruction is not None and instruction.argval in ("getattr", "hasattr")


def _used(symbol: Any) -> list[Any]:
    """A class or function, and all that it uses of its file."""
    namespace, used, waiting = namespace_of(symbol), [], [symbol]
    seen = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        used.append(value)
        names = (name for code in _codes_of(value) for name in _globals_of(code) if name in namespace)
        read = [namespace[name] for name in names]
        waiting += [other for other in read if getattr(other, "__module__", None) == symbol.__module__]
    return used


def keep_globals(module: Any, namespace: dict[str, Any], values: dict[str, Any]) -> None:
    """Give these global variables their values before each call of the module, whose code may read them."""
    forward: Callable[..., Any] = module.forward

    def call(*args: Any, **kwargs: Any) -> Any:
        namespace.update(values)
        return forward(*args, **kwargs)

    call.__signature__ = inspect.signature(forward)  # type: ignore[attr-defined]
    module.forward = call


def _codes_of(value: Any) -> Iterator[types.CodeType]:
    """The code of a function, or that of a class that runs while it is made and called."""
    if not isinstance(value, type):
        code = getattr(value, "__code__", None)
        yield from [code] if isinstance(code, types.CodeType) else []
        return
    members, waiting = dict(vars(value)), ["__init__", "forward"]
    while waiting:
        member = members.pop(waiting.pop(), None)
        code = getattr(getattr(member, "__func__", member), "__code__", None)
        if isinstance(code, types.CodeType):
            yield code
            waiting += code.co_names


@functools.lru_cache(_KEPT)
def _globals_of(code: types.CodeType | None) -> tuple[str, ...]:
    if code is None:
        return ()
    instructions = dis.get_instructions(code)
    own = [str(one.argval) for one in instructions if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    inner = [_globals_of(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return (*own, *itertools.chain(*inner))
