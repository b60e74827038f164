"""Classes and functions that a constructor must be given: `Block(dim, heads, norm_layer, activation)`.

The contract has none, and its values are none: such an argument gets what is usual. What it is for, the code
shows by calling it, alone or in a class of the same file to which it is handed on.
"""

import ast
import re
import types
from collections.abc import Iterable, Iterator
from typing import Any

from torch import nn

from softmark_worker.argument_roles import role_of
from softmark_worker.read_constructor import handed_on, tree_of

_MOST = 12  # classes that an argument is handed on to
_PARTS = {
    "attn",
    "attention",
    "mha",
    "ff",
    "ffn",
    "feed",
    "forward",
    "mlp",
}  # which are the author's own classes
_GATED = {"llama", "swi", "glu"}  # words of symbols whose networks have a gate, and whose norms no mean


def find_makers(symbol: Any, names: Iterable[str], contract: str) -> dict[str, tuple[Any, str]]:
    """For each of the arguments that the code calls what it is given, and how that is told.

    Args:
        symbol: the student's class.
        names: of arguments without a default that the contract does not have.
        contract: the contract's name of the class.
    """
    gated = bool(_words(contract) & _GATED)
    found = {name: _made(name, _uses(symbol, name), gated) for name in names}
    return {name: (value, told) for name, made in found.items() if made for value, told in (made,)}


def calls_it(symbol: Any, name: str) -> bool:
    """Whether the constructor calls an argument: it is a class, or makes something else."""
    return not {"sized", "class"}.isdisjoint(_uses(symbol, name))


def _made(name: str, uses: set[str], gated: bool) -> tuple[Any, str] | None:
    activation: type[nn.Module] = nn.SiLU if gated else nn.GELU
    if "layer" in uses:
        return activation(), f"nn.{activation.__name__}()"
    if "class" in uses:
        return activation, f"nn.{activation.__name__}"
    if "sized" in uses and not _words(name) & _PARTS:
        usual: dict[str, type[nn.Module]] = {"drop": nn.Dropout, "dropout": nn.Dropout, "linear": nn.Linear}
        norm = getattr(nn, "RMSNorm", nn.LayerNorm) if gated else nn.LayerNorm
        made = next((usual[word] for word in _words(name) if word in usual), norm)
        return made, f"nn.{made.__name__}"
    return None


def _uses(symbol: Any, name: str) -> set[str]:
    """How an argument is called: for a layer ("class"), with sizes ("sized"), or in forward ("layer")."""
    waiting, uses, seen = [(symbol, name)], set[str](), 0
    while waiting and seen < _MOST:
        owner, own = waiting.pop(0)
        seen += 1
        uses |= set(_uses_in(owner, own))
        waiting += [(part, parameter.name) for part, parameter in handed_on(owner, own)]
    return uses


def _uses_in(symbol: Any, name: str) -> Iterator[str]:
    init = tree_of(getattr(symbol, "__init__", None))
    calls = [node for node in ast.walk(init) if isinstance(node, ast.Call)]
    for call in calls:
        if _name(call.func) == name:
            yield "sized" if call.args else "class"
        of_torch = isinstance(call.func, ast.Attribute) and call.func.attr == "Sequential"
        if of_torch and role_of(name) == "activation" and name in map(_name, call.args):
            yield "layer"
    kept = [target for target in _kept_as(init, name) if role_of(name) in (None, "activation")]
    for method in vars(symbol).values() if kept else ():
        if isinstance(method, types.FunctionType) and method.__name__ != "__init__":
            called = [
                n.func for n in ast.walk(tree_of(method)) if isinstance(n, ast.Call) and len(n.args) == 1
            ]
            if any(
                isinstance(f, ast.Attribute) and f.attr in kept and _name(f.value) == "self" for f in called
            ):
                yield "layer"


def _kept_as(init: ast.AST, name: str) -> list[str]:
    """The attributes of `self` that are the argument."""
    assigned = [node for node in ast.walk(init) if isinstance(node, ast.Assign)]
    pairs = [(target, node.value) for node in assigned for target in node.targets]
    pairs += [
        pair
        for target, value in pairs
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
        for pair in zip(target.elts, value.elts, strict=False)
    ]
    kept = [target for target, value in pairs if _name(value) == name]
    return [t.attr for t in kept if isinstance(t, ast.Attribute) and _name(t.value) == "self"]


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}
