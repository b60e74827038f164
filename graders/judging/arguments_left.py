"""Mistakes that code may seem to make because of an argument that it was not given.

An option such as `masked=False` that the contract does not have stays as it is, of two masks one gets
nothing, and so do numbers of valid positions (`valid_lens`) in the place of a mask. Then a model that could
be causal is not, and a mask is lost on the way in: that is the call's doing.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from graders.results.result import Definition

_OPTIONS = ("causal", "casual", "autoregressive", "unidirectional", "mask")  # in the name of an option
NOT_CAUSAL = ("not_causal", "without_causal_mask")
WITHOUT_MASK = re.compile(r"masks?_(lost|ignored)$")  # in a whole, of one mask or of each
# The name of a parameter that holds the number of positions which are no padding, for each sequence.
_LENGTHS = re.compile(r"^(x|q|k|key|src|tgt|enc|seq|sequence|input|valid)?_?(valid_?)?(lens?|lengths?)$")


def count_masks(named: Iterable[Sequence[str]]) -> int:
    """The number of masks that a call takes, from the names of the arguments of the contract's calls."""
    return max((sum("mask" in name for name in names) for names in named), default=0)


def is_of_a_call(name: str, definitions: Sequence[Definition], masks_due: int) -> bool:
    """Whether a mistake may be that of an argument which the code was not given.

    Args:
        name: the mistake's.
        definitions: the student's, the symbol's own first.
        masks_due: the number of masks that the contract has.
    """
    mistake = name.partition("__")[2]
    parameters = [*_parameters(definitions)]
    if mistake in NOT_CAUSAL:
        return any(default is False and _says(word, _OPTIONS) for word, default in parameters)
    if WITHOUT_MASK.search(mistake):
        masks = {word for word, default in parameters if "mask" in word.lower() and default is not False}
        return len(masks) > masks_due or (not masks and _reads_lengths(definitions))
    return False


def _reads_lengths(definitions: Sequence[Definition]) -> bool:
    """Whether the symbol takes numbers of valid positions in a call, and reads them."""
    for function in _functions(definitions):
        arguments = function.args
        named = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        read = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        if function.name != "__init__" and any(_LENGTHS.match(word.lower()) for word in named & read):
            return True
    return False


def _own(definitions: Sequence[Definition]) -> Iterator[ast.stmt]:
    """The function or class of the symbol, which may be another name of one; then the classes it inherits."""
    first: ast.stmt | None = None
    known: dict[str, ast.stmt] = {}
    for definition in definitions:
        try:
            statements = ast.parse(definition.code).body
        except (SyntaxError, ValueError, RecursionError):  # a newer Python's, maybe
            continue
        first = first or next(iter(statements), None)
        known |= {s.name: s for s in statements if isinstance(s, ast.ClassDef | ast.FunctionDef)}
    waiting, seen = [first], set[int]()
    while waiting:
        statement = waiting.pop(0)
        others = [statement.value] if isinstance(statement, ast.Assign) else getattr(statement, "bases", [])
        if statement is not None and id(statement) not in seen:
            seen.add(id(statement))
            yield statement
            waiting += [known[o.id] for o in others if isinstance(o, ast.Name) and o.id in known]


def _parameters(definitions: Sequence[Definition]) -> Iterator[tuple[str, Any]]:
    """The parameters of a function, or of a class's constructor and forward, with defaults; else `...`."""
    for function in _functions(definitions):
        yield from _defaults(function.args)


def _functions(definitions: Sequence[Definition]) -> Iterator[ast.FunctionDef]:
    """The function of the symbol, or the constructor and forward of its class."""
    for own in _own(definitions):
        for function in own.body if isinstance(own, ast.ClassDef) else [own]:
            if isinstance(function, ast.FunctionDef) and (
                function is own or function.name in ("__init__", "forward", "__call__")
            ):
                yield function


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, Any]]:
    named = [*arguments.posonlyargs, *arguments.args]
    without = len(named) - len(arguments.defaults)
    given: dict[str, Any] = {a.arg: v for a, v in zip(named[without:], arguments.defaults, strict=True)}
    given |= {a.arg: v for a, v in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)}
    for argument in [*named, *arguments.kwonlyargs]:
        value = given.get(argument.arg)
        yield argument.arg, value.value if isinstance(value, ast.Constant) else ...


def _says(word: str, words: Sequence[str]) -> bool:
    return any(each in word.lower() for each in words)
