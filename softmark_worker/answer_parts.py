"""The parts of an answer that gives its values names: a dict, a dataclass or a namespace.

The output comes first, then the weights, then a loss, as in the tuples that are due.
"""

import dataclasses
import types
from typing import Any

_FIRST = {"output", "outputs", "out", "sortie", "logits", "hidden", "state", "states", "last", "result", "x"}
_THEN = {"weights", "weight", "attention", "attentions", "attn", "poids", "probs"}


def with_names(answer: Any) -> Any:
    """The answer, as a dict where it is a dataclass or a namespace."""
    if isinstance(answer, types.SimpleNamespace):
        return dict(vars(answer))
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type) and not isinstance(answer, dict):
        return {field.name: getattr(answer, field.name) for field in dataclasses.fields(answer)}
    return answer


def parts_of(answer: Any) -> list[Any]:
    """The values of a tuple or list; those of a dict in the order that is due; else the answer alone."""
    if isinstance(answer, dict):
        return [answer[name] for name in sorted(answer, key=_rank)]
    return list(answer) if isinstance(answer, tuple | list) else [answer]


def _rank(name: Any) -> int:
    words = set(str(name).lower().split("_"))
    return 1 if words & _THEN else 0 if words & _FIRST else 2
