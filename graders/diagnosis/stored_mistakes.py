"""Known mistakes of an answer key: what can be seen of them on one run's draws, without their code."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapper import heads_of
from graders.course.exercise import Exercise
from graders.diagnosis.cast_draw import cast
from graders.diagnosis.fingerprint import Fingerprint, is_behaviour_trial
from graders.diagnosis.known_mistakes import KnownMistakes, PossibleMistake
from graders.diagnosis.own_answers import OwnAnswers
from graders.diagnosis.projection import project
from graders.results.result import Mistake

Shapes = Mapping[str, tuple[int, ...]]
AbsentOn = Callable[[int], Sequence[frozenset[str]]]


@dataclass(frozen=True)
class StoredMistake:
    """A known mistake, or the reference, in one variant."""

    names: tuple[str, ...]
    varied: bool
    fingerprints: Mapping[int, Fingerprint]
    values: Mapping[tuple[int, frozenset[str]], Sequence[Tensor]]


@dataclass(frozen=True)
class StoredMistakes:
    """All that is seen of the known mistakes of an exercise, and their hints.

    `shapes` are those of the reference's parameters, by configuration, `heads` its default; `single` is the
    same on draws in float32, where these differ.
    """

    right: Sequence[StoredMistake]
    alone: Sequence[StoredMistake]
    of_parts: Sequence[StoredMistake]
    hints: Mapping[str, Mistake]
    shapes: Mapping[str, Shapes]
    heads: int = 1
    single: "StoredMistakes | None" = None


class MistakesOfKey(KnownMistakes):
    """Identifies mistakes by what an answer key holds of them."""

    def __init__(
        self, exercise: Exercise, draws: Sequence[Any], stored: StoredMistakes, reference: Any
    ) -> None:
        self.exercise, self.symbol, self.draws, self.reference = exercise, exercise.symbol, draws, reference
        self._stored = stored
        self._right = self._read(stored.right)
        self._alone = self._read(stored.alone)
        self._of_parts = self._read(stored.of_parts)
        self._pairs = []
        self._symbols, self._part_symbols = {}, {}
        self._single_of_key: MistakesOfKey | None = None

    def _read(self, stored: Sequence[StoredMistake]) -> list[PossibleMistake]:
        answers: Any = _NoAnswers()
        return [
            PossibleMistake(
                s.names, None, self.draws, answers, _same if s.varied else None, None,
                dict(s.fingerprints), dict(s.values),
            )
            for s in stored
        ]  # fmt: skip

    def in_single_precision(self) -> "KnownMistakes | None":
        """The same on draws in float32; None where these are."""
        if self._stored.single is None:
            return None
        if self._single_of_key is None:
            draws = [cast(draw, torch.float32) for draw in self.draws]
            self._single_of_key = MistakesOfKey(self.exercise, draws, self._stored.single, self.reference)
        return self._single_of_key

    def name_several(self, _: Any) -> list[tuple[str, ...]]:
        """None: to explain an answer in stages takes the mistakes themselves."""
        return []

    def describe(self, name: str) -> Mistake:
        """A mistake by its name, as it is stored."""
        return self._stored.hints[name]


class _NoAnswers(OwnAnswers):
    """What is not stored has no answer."""

    def __init__(self) -> None:
        super().__init__(None, (), symbol="none")

    def answer(self, *_: Any, **__: Any) -> Sequence[Tensor]:
        return []


def store(known: KnownMistakes, absent: AbsentOn, in_single: bool = True) -> StoredMistakes:
    """What an answer key holds of known mistakes.

    Args:
        known: those of an exercise.
        absent: for the number of a draw, the biases that modules may lack.
        in_single: whether they are asked on draws in float32 too.
    """
    single = known.in_single_precision() if in_single else None
    names = [name for mistake in (*known._alone, *known._mistakes_of_parts()) for name in mistake.names]
    behave = is_behaviour_trial(known.draws[0])
    sets: AbsentOn = (lambda _: ()) if behave else absent
    return StoredMistakes(
        right=[_store(m, sets) for m in known._right],
        alone=[_store(m, sets) for m in known._alone],
        of_parts=[_store_part(m) for m in known._mistakes_of_parts()],
        hints={name: known.describe(name) for name in dict.fromkeys(names)},
        shapes={} if behave or not isinstance(known.reference, type) else _shapes(known),
        heads=heads_of({}, known.reference if isinstance(known.reference, type) else None),
        single=None if single is None or behave else store(single, lambda _: (), in_single=False),
    )


def _store(mistake: PossibleMistake, absent: AbsentOn) -> StoredMistake:
    numbers = range(len(mistake.draws))
    fingerprints = {number: _projected(mistake.fingerprint(number)) for number in numbers}
    few = numbers if mistake.variant is None else ()
    values = {(n, names): list(mistake.values(n, names)) for n in few for names in absent(n)}
    return StoredMistake(mistake.names, mistake.variant is not None, fingerprints, values)


def _store_part(mistake: PossibleMistake) -> StoredMistake:
    none = frozenset[str]()
    values = {(number, none): list(mistake.values(number, none)) for number in range(len(mistake.draws))}
    first = replace(_projected(mistake.fingerprint(0)), gradients=None)
    return StoredMistake(mistake.names, mistake.variant is not None, {0: first}, values)


def _projected(seen: Fingerprint) -> Fingerprint:
    gradients = seen.gradients
    if gradients is None:
        return seen
    return replace(
        seen, gradients={n: project(g) if isinstance(g, Tensor) else g for n, g in gradients.items()}
    )


def _shapes(known: KnownMistakes) -> dict[str, Shapes]:
    shapes: dict[str, Shapes] = {}
    for draw in known.draws:
        shapes[repr(draw.config)] = {}
        with contextlib.suppress(ValueError):  # the reference refuses the configuration
            named = known.reference(**draw.config).named_parameters()
            shapes[repr(draw.config)] = {name: tuple(p.shape) for name, p in named}
    return shapes


def _same(module: Any) -> Any:
    return module
