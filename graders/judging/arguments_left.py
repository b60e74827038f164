"""Mistakes that code may seem to make because of an argument that it was not given.

An option such as `masked=False` that the contract does not have stays as it is, and of two masks one gets
nothing. Then a model that could be causal is not, and a mask is lost on the way in: that is the call's doing.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from graders.results.result import Definition

_OPTIONS = ("causal", "casual", "autoregressive", "unidirectional", "mask")  # in the name of an option
NOT_CAUSAL = ("not_causal", "without_causal_mask")
WITHOUT_MASK = ("mask_lost", "mask_ignored", "given_mask_ignored")


def is_of_a_call(name: str, definitions: Sequence[Definition], masks_due: int) -> bool:
    """Whether a mistake may be that of an argument which the code was not given.

    Args:
        name: the mistake's.
        definitions: the student's, the symbol's own first.
        masks_due: the number of masks that the contract has.
    """
    mistake = name.partition("__")[2]
    parameters = [*_parameters(definitions[0].code)] if definitions else []
    if mistake in NOT_CAUSAL:
        return any(default is False and _says(word, _OPTIONS) for word, default in parameters)
    if mistake in WITHOUT_MASK:
        masks = {word for word, default in parameters if "mask" in word.lower() and default is not False}
        return len(masks) > masks_due
    return False


def _parameters(code: str) -> Iterator[tuple[str, Any]]:
    """The parameters of a function, or of a class's constructor and forward, with defaults; else `...`."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):  # a newer Python's, maybe
        return
    own = tree.body[0] if tree.body else None
    inner = own.body if isinstance(own, ast.ClassDef) else [own]
    for function in inner:
        if isinstance(function, ast.FunctionDef) and (
            function is own or function.name in ("__init__", "forward", "__call__")
        ):
            arguments = function.args
            named = [*arguments.posonlyargs, *arguments.args]
            without = len(named) - len(arguments.defaults)
            pairs = [*zip(named[without:], arguments.defaults, strict=True)]
            given: dict[str, Any] = {argument.arg: value for argument, value in pairs}
            given |= {a.arg: v for a, v in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)}
            for argument in [*named, *arguments.kwonlyargs]:
                value = given.get(argument.arg)
                yield argument.arg, value.value if isinstance(value, ast.Constant) else ...


def _says(word: str, words: Sequence[str]) -> bool:
    return any(each in word.lower() for each in words)
