"""Which biases modules lack: an answer key has the answers of a reference that lacks the same ones.

A bias is named by a pattern, its name with a star for the number of a layer.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from graders.candidate.parameter_mapping.names import is_bias
from graders.check_api.reference_answer import ReferenceAnswer

THREE = 3  # the first layers of an attention make queries, keys and values
Patterns = frozenset[str]


def usual_patterns(answer: ReferenceAnswer, mistakes: Mapping[str, Any]) -> list[Patterns]:
    """The sets of biases that modules lack: all, those of linear layers, of a part, of its first three.

    Known mistakes may lack others.

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
    first = [part[:THREE] for part in parts if len(part) > THREE]
    lacked = (_lacked_by(make, answer.draw.config, biases) for make in mistakes.values())
    sets = [patterns, list(map(_pattern, biases)), *first, *parts, *lacked]
    return list(dict.fromkeys(frozenset(each) for each in sets if each))


def names_of(patterns: Sequence[Patterns], names: Sequence[str]) -> list[frozenset[str]]:
    """The sets of names among `names` that sets of patterns stand for, without the empty one."""
    sets = (frozenset(name for name in names if _pattern(name) in each) for each in patterns)
    return [each for each in dict.fromkeys(sets) if each]


def _lacked_by(make: Callable[..., Any], config: Mapping[str, Any], biases: Sequence[str]) -> Iterator[str]:
    """The patterns of the biases that a known mistake lacks which has some parameter of the reference's."""
    try:
        names = {name for name, _ in make(**config).named_parameters()}
    except Exception:  # some mistakes refuse what the reference takes, and one need not be a module
        return
    if any(name.removesuffix("bias") + "weight" in names for name in biases):
        yield from (_pattern(name) for name in biases if name not in names)


def _pattern(name: str) -> str:
    return re.sub(r"(?:(?<=\.)|^)\d+(?=\.)", "*", name)
