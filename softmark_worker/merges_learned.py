"""Functions that learn merges for a vocabulary of a size, or give them as a dict or beside other values.

A parameter `vocab_size` in the place of the number of merges counts tokens that are there before the first
merge: bytes, or the characters of the text. Calls with a known text tell which, and in what form the
merges come. Where the code takes the number as it is, whatever its parameter is called, so does softmark.
"""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

NUMBER = "num_merges"  # the contract's argument
BYTES = 256
MERGES = 3  # that the known text is asked for
TEXT = "the cat sat on the mat and the rat ran at the cat, so that the cat had that hat on that mat"
_BEFORE: dict[str, Callable[[str], int]] = {
    "256": lambda _: BYTES,
    "len(set(text))": lambda text: len(set(text)),
}


def adapt(
    function: Callable[..., Any], names: Sequence[str], taken: Mapping[str, str]
) -> tuple[Callable[..., Any], dict[str, str]]:
    """The function, taking a number of merges and giving a list of them; and what was taken for what.

    It stays as it is where the contract has no such number, or the code does as the contract says.

    Args:
        function: takes the contract's arguments by position, a text first.
        names: the contract's.
        taken: what was taken for what before.
    """
    if NUMBER not in names:
        return function, dict(taken)
    place = names.index(NUMBER)
    own = next((p for p in inspect.signature(function).parameters if "vocab" in p.lower()), "")
    before = next((b for b in _BEFORE if own and _learns(function, place, _BEFORE[b](TEXT))), "")
    form = _form_of(_ask(function, place, MERGES + (_BEFORE[before](TEXT) if before else 0)))
    if not before and not form:
        return function, dict(taken)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        given = list(args)
        if before and len(given) > place and type(given[place]) is int:
            given[place] += _BEFORE[before](given[0])
        return _take(function(*given, **kwargs), form)

    also = {own: f"{NUMBER} + {before}"} if before else {}
    return call, {**taken, **also, **({"answer": form} if form else {})}


def merges_in(answer: Any) -> list[Any] | None:
    """The merges in an answer, in their order; None where there are none.

    Of a dict from pairs to ids the pairs, by their ids; of a tuple of other values the first that are merges.
    """
    if isinstance(answer, dict):
        pairs = answer and all(_is_pair(key) for key in answer)
        return sorted(answer, key=answer.__getitem__) if pairs and _are_ids(answer.values()) else None
    if isinstance(answer, list | tuple) and answer and all(_is_pair(part) for part in answer):
        return list(answer)
    parts = answer if isinstance(answer, tuple) else ()
    return next((found for found in map(merges_in, parts) if found is not None), None)


def _learns(function: Callable[..., Any], place: int, more: int) -> bool:
    """Whether so many merges are learned where this number is asked for, and so many tokens besides."""
    found = merges_in(_ask(function, place, MERGES + more))
    return found is not None and len(found) == MERGES


def _form_of(answer: Any) -> str:
    """Where the merges are in an answer, in words of code; "" where it is a list of them, or has none."""
    found = merges_in(answer)
    if found is None or isinstance(answer, list):
        return ""
    if isinstance(answer, dict):
        return "list(answer)"
    at = [n for n, part in enumerate(answer) if merges_in(part) == found and not _is_pair(part)]
    return f"answer[{at[0]}]" if at else ""


def _take(answer: Any, form: str) -> Any:
    """The merges in an answer of this form, also where none was learned; any other answer as it is."""
    if form.startswith("answer[") and isinstance(answer, tuple):
        answer = answer[int(form[len("answer[") : -1])]
    return sorted(answer, key=answer.__getitem__) if form and isinstance(answer, dict) else answer


def _ask(function: Callable[..., Any], place: int, number: int) -> Any:
    """The answer for the known text; None where it raises. The merges' number is the second argument."""
    try:
        return function(*[number if at == place else TEXT for at in range(2)])
    except Exception:
        return None


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and not any(isinstance(n, list) for n in value)


def _are_ids(values: Any) -> bool:
    return all(type(value) is int for value in values)
