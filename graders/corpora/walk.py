"""Texts that are walks over states: the best possible loss on them is known.

Each arc has a probability and a text, and the text alone tells which arcs were taken, so that the entropy of
a text is that of its walk: with h(s) the entropy and l(s) the expected length of what follows a state s,

    h(s) = sum p (h(next) - log2 p),    l(s) = sum p (l(next) + len(text)),

and the entropy rate, in bits per character, is h(start) / l(start), since walks are independent of one
another (Cover and Thomas, Elements of Information Theory, chapter 4).
"""

import math
import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass


@dataclass(frozen=True)
class Arc:
    """One possible continuation: its probability, its text and the next state (None at the end)."""

    probability: float
    text: str
    next: Hashable | None


Arcs = Callable[[Hashable], tuple[Arc, ...]]


def rate(arcs: Arcs, start: Hashable) -> float:
    """The entropy of the text in bits per character: no model can have less loss in the long run."""
    seen: dict[Hashable, tuple[float, float]] = {}

    def bits_and_length(state: Hashable | None) -> tuple[float, float]:
        if state is None:
            return 0.0, 0.0
        if state not in seen:
            bits = length = 0.0
            for arc in arcs(state):
                later_bits, later_length = bits_and_length(arc.next)
                bits += arc.probability * (later_bits - math.log2(arc.probability))
                length += arc.probability * (later_length + len(arc.text))
            seen[state] = bits, length
        return seen[state]

    bits, length = bits_and_length(start)
    return bits / length


def write(arcs: Arcs, start: Hashable, size: int, seed: str) -> str:
    """Whole walks of `size` characters in total, or a few more."""
    draws, parts, written = random.Random(seed), list[str](), 0  # noqa: S311 - no secret
    while written < size:
        state: Hashable | None = start
        while state is not None:
            ways = arcs(state)
            arc = draws.choices(ways, [way.probability for way in ways])[0]
            parts.append(arc.text)
            written += len(arc.text)
            state = arc.next
    return "".join(parts)
