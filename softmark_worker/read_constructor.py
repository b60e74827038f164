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

from softmark_worker.argument_roles import CONFIGURATIONS, role_of

# What is read of code, which is the same each time its class is constructed, is kept for so many pieces.
_KEPT = 256


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
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(symbol.__init__)))
    except (OSError, TypeError, SyntaxError, ValueError, AttributeError):
        return False
    quotients = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and _quotient(node, name)]
    targets = [target for node in quotients for target in node.targets]
    return bool(targets) and all(role_of(_name(target)) != "heads" for target in targets)


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
    members = vars(symbol) if isinstance(symbol, type) else {"forward": symbol}
    own: list[Any] = [members.get(name) for name in ("__init__", "forward")]
    namespace: dict[str, Any] = next((f.__globals__ for f in own if hasattr(f, "__globals__")), {})
    read: set[str] = set()
    waiting, seen = [symbol], set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        for name in _names_read(value):
            if name not in namespace:
                read |= set() if hasattr(builtins, name) else {name}
            elif type(namespace[name]) in (int, float):
                read.add(name)
            elif getattr(namespace[name], "__module__", None) == symbol.__module__:
                waiting.append(namespace[name])
    return namespace, read


def read_of_configurations(symbol: Any) -> frozenset[str]:
    """The attributes and keys that the class, and the classes that it uses, read of a configuration."""
    read: set[str] = set()
    waiting, seen = [symbol], set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or not isinstance(value, type):
            continue
        seen.add(id(value))
        init = vars(value).get("__init__")
        code, namespace = getattr(init, "__code__", None), getattr(init, "__globals__", {})
        read.update(_read_of_configurations(code))
        used = [namespace[name] for name in _globals_of(code) if name in namespace]
        waiting += [part for part in used if isinstance(part, type) and "forward" in vars(part)]
    return frozenset(read)


@functools.lru_cache(_KEPT)
def _read_of_configurations(code: types.CodeType | None) -> tuple[str, ...]:
    instructions = list(dis.get_instructions(code)) if code else []
    return tuple(
        second.argval
        for first, second in itertools.pairwise(instructions)
        if first.opname.startswith("LOAD_FAST")
        and first.argval in CONFIGURATIONS
        and second.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_CONST")
        and isinstance(second.argval, str)
    )


def keep_globals(module: Any, namespace: dict[str, Any], values: dict[str, Any]) -> None:
    """Give these global variables their values before each call of the module, whose code may read them."""
    forward: Callable[..., Any] = module.forward

    def call(*args: Any, **kwargs: Any) -> Any:
        namespace.update(values)
        return forward(*args, **kwargs)

    call.__signature__ = inspect.signature(forward)  # type: ignore[attr-defined]
    module.forward = call


def _names_read(value: Any) -> Iterator[str]:
    """The global names that a function reads, or a class while it is made and called."""
    if not isinstance(value, type):
        yield from _globals_of(getattr(value, "__code__", None))
        return
    members, waiting = dict(vars(value)), ["__init__", "forward"]
    while waiting:
        member = members.pop(waiting.pop(), None)
        code = getattr(getattr(member, "__func__", member), "__code__", None)
        yield from _globals_of(code)
        waiting += code.co_names if isinstance(code, types.CodeType) else ()


@functools.lru_cache(_KEPT)
def _globals_of(code: types.CodeType | None) -> tuple[str, ...]:
    if code is None:
        return ()
    instructions = dis.get_instructions(code)
    own = [str(one.argval) for one in instructions if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    inner = [_globals_of(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return (*own, *itertools.chain(*inner))
