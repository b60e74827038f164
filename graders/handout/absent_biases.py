"""Which biases modules lack: an answer key has the answers of a reference that lacks the same ones.

A bias is named by a pattern, its name with a star for the number of a layer.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from graders.candidate.parameter_mapping.names import is_bias
from graders.check_api.reference_answer import ReferenceAnswer

QUERY_KEY_VALUE = 3  # the first layers of an attention
Patterns = frozenset[str]


def usual_patterns(answer: ReferenceAnswer, mistakes: Mapping[str, Any]) -> list[Patterns]:
    """The sets of biases that modules lack, each as patterns.

    These are all biases, those of all linear layers, those of one part, those of a part's layers for queries,
    keys and values, and what each known mistake lacks.

    Args:
        answer: the reference's to a draw.
        mistakes: the classes of the known mistakes, by name.
    """
    shapes = {name: tuple(value.shape) for name, value in answer.parameters.items()}
    biases = [name for name, shape in shapes.items() if is_bias(name, shape)]
    linear = [name for name in biases if len(shapes.get(name.removesuffix("bias") + "weight", ())) > 1]
    patterns = list(dict.fromkeys(map(_pattern, linear)))
    parents = dict.fromkeys(pattern.rpartition(".")[0].rpartition(".")[0] for pattern in patterns)
    parts = [[p for p in patterns if p.startswith(parent)] for parent in parents]
    first = [part[:QUERY_KEY_VALUE] for part in parts if len(part) > QUERY_KEY_VALUE]
    lacked = (_lacked_by(make, answer.draw.config, biases) for make in mistakes.values())
    sets = [patterns, list(map(_pattern, biases)), *first, *parts, *lacked]
    return list(dict.fromkeys(frozenset(biases) for biases in sets if biases))


def names_of(patterns: Sequence[Patterns], names: Sequence[str]) -> list[frozenset[str]]:
    """For each set of patterns those of `names` that fit one; without sets that are empty or come twice."""
    sets = (frozenset(name for name in names if _pattern(name) in fitting) for fitting in patterns)
    return [fitting for fitting in dict.fromkeys(sets) if fitting]


def _lacked_by(make: Callable[..., Any], config: Mapping[str, Any], biases: Sequence[str]) -> Iterator[str]:
    """The patterns of the biases that a known mistake lacks; none if it has no parameter of the reference."""
    try:
        names = {name for name, _ in make(**config).named_parameters()}
    except Exception:  # some mistakes refuse what the reference takes, and one need not be a module
        return
    if any(name.removesuffix("bias") + "weight" in names for name in biases):
        yield from (_pattern(name) for name in biases if name not in names)


def _pattern(name: str) -> str:
    return re.sub(r"(?:(?<=\.)|^)\d+(?=\.)", "*", name)
