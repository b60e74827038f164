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
from graders.diagnosis.projection import ANY, project
from graders.results.result import Mistake

Shapes = Mapping[str, tuple[int, ...]]
AbsentOn = Callable[[int], Sequence[frozenset[str]]]
NONE = frozenset[str]()  # no bias is absent


@dataclass(frozen=True)
class StoredMistake:
    """A known mistake, or the reference, in one variant; or a mistake of a part.

    `fingerprints` and `values` are by the numbers of draws, `values` also by the biases that are zero.
    """

    names: tuple[str, ...]
    varied: bool
    fingerprints: Mapping[int, Fingerprint]
    values: Mapping[tuple[int, frozenset[str]], Sequence[Tensor]]
    of_part: bool = False


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
        read = []
        plain: dict[tuple[str, ...], Mapping[int, Fingerprint]] = {}
        for s in stored:
            values = {at: _widen(each) if s.of_part else each for at, each in s.values.items()}
            if s.of_part:
                seen = {n: replace(each, values=tuple(values[n, NONE])) for n, each in s.fingerprints.items()}
            elif s.varied:
                seen = {n: _in_variant(each, values[n, NONE]) for n, each in plain[s.names].items()}
            else:
                seen = plain[s.names] = dict(s.fingerprints)
            variant = _same if s.varied else None
            read.append(PossibleMistake(s.names, None, self.draws, answers, variant, None, seen, values))
        return read

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
        right=_store_variants(known._right, sets, not in_single),
        alone=_store_variants(known._alone, sets, not in_single),
        of_parts=[_store_part(m) for m in known._mistakes_of_parts()] if in_single else [],
        hints={name: known.describe(name) for name in dict.fromkeys(names)},
        shapes={} if behave or not isinstance(known.reference, type) else _shapes(known),
        heads=heads_of({}, known.reference if isinstance(known.reference, type) else None),
        single=None if single is None or behave else store(single, lambda _: (), in_single=False),
    )


def _store_variants(
    mistakes: Sequence[PossibleMistake], absent: AbsentOn, single: bool
) -> list[StoredMistake]:
    """Mistakes in each variant; of all but the plain one, values alone: `_in_variant` knows the rest."""
    stored = []
    for mistake in mistakes:
        numbers = range(len(mistake.draws))
        if mistake.variant is None:
            seen = {n: (_presence if single else _projected)(mistake.fingerprint(n)) for n in numbers}
            values = {(n, names): list(mistake.values(n, names)) for n in numbers for names in absent(n)}
            stored.append(StoredMistake(mistake.names, False, seen, values))
        else:
            values = {(n, NONE): list(mistake.values(n, NONE)) for n in numbers}
            stored.append(StoredMistake(mistake.names, True, {}, values))
    return stored


def _in_variant(plain: Fingerprint, values: Sequence[Tensor]) -> Fingerprint:
    """What is seen of a variant: other values, and of the gradients only which arrive."""
    shown = tuple(values) if plain.settled and not plain.stopped else ()
    return replace(_presence(plain), values=shown)


def _presence(seen: Fingerprint) -> Fingerprint:
    """The same with the gradients' presence alone."""
    if seen.gradients is None:
        return seen
    return replace(seen, gradients={n: None if g is None else ANY for n, g in seen.gradients.items()})


def _store_part(mistake: PossibleMistake) -> StoredMistake:
    """A mistake of a part, which is told by values alone, to the precision of float32."""
    values = {(n, NONE): [_rounded(v) for v in mistake.values(n, NONE)] for n in range(len(mistake.draws))}
    first = replace(_projected(mistake.fingerprint(0)), gradients=None, values=())
    return StoredMistake(mistake.names, mistake.variant is not None, {0: first}, values, of_part=True)


def _rounded(value: Tensor) -> Tensor:
    return value.float() if value.dtype == torch.float64 else value


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


def _widen(values: Sequence[Tensor]) -> list[Tensor]:
    """The values in float64, in which they are compared."""
    return [v.double() if v.is_floating_point() else v for v in values]


def _same(module: Any) -> Any:
    return module
