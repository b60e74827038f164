"""The parts of an answer that gives its values names: a dict, a dataclass or a namespace.

The output comes first, then the weights, then a loss, as in the tuples that are due.
"""

import dataclasses
import types
from typing import Any

MOST_VALUES = 5_000  # of a part beside the output
_FIRST = {"output", "outputs", "out", "sortie", "logits", "hidden", "state", "states", "last", "result", "x"}
_THEN = {"weights", "weight", "attention", "attentions", "attn", "poids", "probs"}


def with_names(answer: Any) -> Any:
    """The answer, as a dict where it is a dataclass or a namespace."""
    if isinstance(answer, types.SimpleNamespace):
        return dict(vars(answer))
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type) and not isinstance(answer, dict):
        return {field.name: getattr(answer, field.name) for field in dataclasses.fields(answer)}
    return answer


def without_long_parts(answer: Any) -> Any:
    """The answer, with an empty list for each container of many values beside the output.

    Such as all attention weights as lists, for a page: no check reads them, and they are too many to be sent.
    """
    if not isinstance(answer, tuple | list | dict):
        return answer
    others = parts_of(answer)[1:]
    long = {id(other) for other in others if _count(other) > MOST_VALUES}
    if not long:
        return answer
    if isinstance(answer, dict):
        return {name: [] if id(part) in long else part for name, part in answer.items()}
    shortened = [[] if id(part) in long else part for part in answer]
    return shortened if isinstance(answer, list) else tuple(shortened)


def parts_of(answer: Any) -> list[Any]:
    """The values of a tuple or list; those of a dict in the order that is due; else the answer alone."""
    if isinstance(answer, dict):
        return [answer[name] for name in sorted(answer, key=_rank)]
    return list(answer) if isinstance(answer, tuple | list) else [answer]


def _count(value: Any) -> int:
    """How many values lists, tuples and dicts hold in all; it is not counted beyond `MOST_VALUES`."""
    waiting, count = [value], 0
    while waiting and count <= MOST_VALUES:
        one = waiting.pop()
        if isinstance(one, list | tuple | dict):
            count += len(one)
            waiting += one.values() if isinstance(one, dict) else one
    return count


def _rank(name: Any) -> int:
    words = set(str(name).lower().split("_"))
    return 1 if words & _THEN else 0 if words & _FIRST else 2
