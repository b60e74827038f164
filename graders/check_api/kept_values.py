"""What a reference computes for draws, as an earlier run has kept it.

The exact values of all answers of a check are one sequence, in the order in which they are computed. The
rounding, and the values of other variants, are computed when they are first needed: each has a name of its
own, made of all that it depends on.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from torch import Tensor


class Shelf(Protocol):
    """Where values are kept (`graders/judging/kept/kept_work.py`)."""

    def find(self, key: str) -> Any:
        """What is kept under a key; None where there is nothing."""

    def put(self, key: str, value: Any) -> bool:
        """Keep a value under a key; whether it can be."""


@dataclass(frozen=True, eq=False)
class KeptAnswer:
    """What a reference answers to a draw.

    Attributes:
        about: what it is the answer of.
        shapes: those of the reference's parameters, by name.
        variants: how many activations are accepted.
        exact: the exact values of its outputs, then of its gradients.
        upstream: the gradient of the loss for an output.
    """

    about: str
    shapes: Mapping[str, tuple[int, ...]]
    variants: int
    exact: Sequence[Tensor]
    upstream: Tensor | None


@dataclass
class KeptAnswers:
    """The answers of one sequence: those that were kept, as far as they are the same, and all of this time.

    Attributes:
        shelf: on which all else is kept that is made of the answers.
        kept: the answers that an earlier run has kept.
        answers: the answers so far.
        changed: whether one of them was not kept.
    """

    shelf: Shelf
    kept: Sequence[KeptAnswer] = ()
    answers: list[KeptAnswer] = field(default_factory=list)
    changed: bool = False

    def take(self, about: str) -> KeptAnswer | None:
        """The next answer, if it is the one of which this is said."""
        place = len(self.answers)
        if self.changed or place >= len(self.kept) or self.kept[place].about != about:
            return None
        self.answers.append(self.kept[place])
        return self.kept[place]

    def add(self, answer: KeptAnswer) -> None:
        """Add an answer that was computed now."""
        self.answers.append(answer)
        self.changed = True


_current: list[KeptAnswers | None] = [None]


@contextlib.contextmanager
def keeping_answers(answers: KeptAnswers) -> Iterator[KeptAnswers]:
    """In the block, references' answers are taken from these, and added to them."""
    before, _current[0] = _current[0], answers
    try:
        yield answers
    finally:
        _current[0] = before


def kept_answers() -> KeptAnswers | None:
    """The answers that are kept now; None outside of a block of `keeping_answers`."""
    return _current[0]


def find_or_make(
    shelf: Shelf | None, about: str, values: Iterable[Any], name: str, make: Callable[[], Any]
) -> Any:
    """What an earlier run has kept of an answer under a name; else it is made, and kept.

    Args:
        shelf: where it is kept; None for nowhere.
        about: what it is said of.
        values: tensors on which it depends too, and others that `about` says.
        name: what it is.
        make: makes it; it is never None.
    """
    if shelf is None:
        return make()
    key = f"{name} {_digest(about, values)}"
    found = shelf.find(key)
    if found is None:
        found = make()
        shelf.put(key, found)
    return found


def _digest(about: str, values: Iterable[Any]) -> str:
    whole = hashlib.sha256(about.encode())
    for value in values:
        if isinstance(value, Tensor):
            whole.update(repr((value.dtype, tuple(value.shape))).encode())
            whole.update(value.detach().contiguous().numpy().tobytes())
    return whole.hexdigest()[:32]
