"""Known mistakes of an answer key: what can be seen of them on one run's draws, without their code."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from graders.answer_key.pack import Rounded
from graders.candidate.cast_draw import cast
from graders.candidate.parameter_mapping.mapper import heads_of
from graders.course.exercise import Exercise
from graders.diagnosis.closeness import close
from graders.diagnosis.fingerprint import Fingerprint, is_behaviour_trial
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.diagnosis.own_answers import OwnAnswers
from graders.diagnosis.possible_mistake import PossibleMistake
from graders.diagnosis.projection import ANY, project
from graders.results.result import Mistake

Shapes = Mapping[str, tuple[int, ...]]
AbsentOn = Callable[[int], Sequence[frozenset[str]]]
Seen = Callable[[Fingerprint], Fingerprint]  # what is kept of what is seen
NONE = frozenset[str]()  # no bias is absent


@dataclass(frozen=True)
class StoredMistake:
    """A known mistake, or the reference, in one variant; or a mistake of a part, or two at once.

    `fingerprints` and `values` are by the numbers of draws, `values` also by the biases that are zero. Of
    those that are told by values alone (`of_values`), and where biases are zero, these are rounded.
    """

    names: tuple[str, ...]
    varied: bool
    fingerprints: Mapping[int, Fingerprint]
    values: Mapping[tuple[int, frozenset[str]], Sequence[Any]]
    of_values: bool = False


@dataclass(frozen=True, kw_only=True)
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
    pairs: Sequence[StoredMistake] = ()
    single: "StoredMistakes | None" = None


class MistakesOfKey(KnownMistakes):
    """Identifies mistakes by what an answer key holds of them."""

    can_be_made = False

    def __init__(
        self, exercise: Exercise, draws: Sequence[Any], stored: StoredMistakes, reference: Any
    ) -> None:
        self.exercise, self.symbol, self.draws, self.reference = exercise, exercise.symbol, draws, reference
        self._stored = stored
        self._right = self._read(stored.right)
        self._alone = self._read(stored.alone)
        self._of_parts = self._read(stored.of_parts)
        self._pairs = self._read(stored.pairs)
        self._symbols, self._part_symbols = {}, {}
        self._single_of_key: MistakesOfKey | None = None
        self._matched = None

    def _read(self, stored: Sequence[StoredMistake]) -> list[PossibleMistake]:
        answers: Any = _NoAnswers()
        read = []
        plain: dict[tuple[str, ...], Mapping[int, Fingerprint]] = {}
        for s in stored:
            values = dict(s.values)
            if s.of_values:
                seen = {n: replace(each, values=tuple(values[n, NONE])) for n, each in s.fingerprints.items()}
            elif s.varied:
                seen = {n: _in_variant(each, values[n, NONE]) for n, each in plain[s.names].items()}
            else:
                seen = plain[s.names] = dict(s.fingerprints)
            variant = _same if s.varied else None
            read.append(
                PossibleMistake(
                    names=s.names,
                    symbol=None,
                    draws=self.draws,
                    answers=answers,
                    variant=variant,
                    part=None,
                    _fingerprints=seen,
                    _values=values,
                    of_values=s.of_values,
                )
            )
        return read

    def tied_as(self, _: Any) -> None:
        """None: a key has no answers of mistakes with a tied last layer."""

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

    def make(self, _: Sequence[str]) -> None:
        """None: a key does not hold the mistakes themselves."""

    def knows(self, name: str) -> bool:
        """Whether the key holds a mistake of this name."""
        return name in self._stored.hints

    def describe(self, name: str) -> Mistake:
        """A mistake by its name, as it is stored."""
        return self._stored.hints[name]


class _NoAnswers(OwnAnswers):
    """What is not stored has no answer."""

    def __init__(self) -> None:
        super().__init__(None, (), symbol="none")

    def answer(self, *_: Any, **__: Any) -> Sequence[Tensor]:
        return []


def store(known: KnownMistakes, absent: AbsentOn, also_single: bool = True) -> StoredMistakes:
    """What an answer key holds of known mistakes.

    Args:
        known: those of an exercise.
        absent: for the number of a draw, the biases that modules may lack.
        also_single: whether they are asked on draws in float32 too.
    """
    behave = is_behaviour_trial(known.draws[0])
    stored = _store(known, (lambda _: ()) if behave else absent, _projected)
    parts = known._mistakes_of_parts()
    names = [*(name for mistake in parts for name in mistake.names), *known.exercise.mistakes_of_cost]
    hints = {name: known.describe(name) for name in names}
    single = known.in_single_precision() if also_single and not behave else None
    return replace(
        stored,
        of_parts=_store_parts(parts),
        pairs=[] if behave or not also_single else _store_pairs(known),
        hints={**stored.hints, **hints},
        single=_store(single, lambda _: (), _presence) if single else None,
    )


def _store(known: KnownMistakes, absent: AbsentOn, gradients: Seen) -> StoredMistakes:
    """What is seen of the mistakes of an exercise, without those of parts."""
    of_class = isinstance(known.reference, type)
    names = dict.fromkeys(name for mistake in known._alone for name in mistake.names)
    return StoredMistakes(
        right=_store_variants(known._right, absent, gradients),
        alone=_store_variants(known._alone, absent, gradients),
        of_parts=[],
        hints={name: known.describe(name) for name in names},
        shapes=_shapes(known) if of_class and not is_behaviour_trial(known.draws[0]) else {},
        heads=heads_of({}, known.reference if of_class else None),
    )


def _store_variants(
    mistakes: Sequence[PossibleMistake], absent: AbsentOn, gradients: Seen
) -> list[StoredMistake]:
    """Mistakes in each variant; of all but the plain one, values alone: `_in_variant` knows the rest."""
    stored = []
    for mistake in mistakes:
        numbers = range(len(mistake.draws))
        if mistake.variant is None:
            seen = {n: gradients(mistake.fingerprint(n)) for n in numbers}
            pairs = [(n, names) for n in numbers for names in absent(n)]
            rounded = {pair: list(map(Rounded, mistake.values(*pair))) for pair in pairs}
            stored.append(StoredMistake(mistake.names, False, seen, rounded))
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


def _store_parts(parts: Sequence[PossibleMistake]) -> list[StoredMistake]:
    """Mistakes of parts, which are told by values alone; their form is that of the first variant."""
    first: dict[tuple[str, ...], Fingerprint] = {}
    stored = []
    for mistake in parts:
        if mistake.names not in first:
            first[mistake.names] = replace(mistake.fingerprint(0), gradients=None, values=())
        values = {(n, NONE): list(map(Rounded, mistake.values(n, NONE))) for n in range(len(mistake.draws))}
        varied = mistake.variant is not None
        stored.append(StoredMistake(mistake.names, varied, {0: first[mistake.names]}, values, of_values=True))
    return stored


def _store_pairs(known: KnownMistakes) -> list[StoredMistake]:
    """Pairs of mistakes whose output is that of neither alone, nor the reference's; without variants."""
    plain = [m for m in (*known._right, *known._alone) if m.variant is None]
    single = [_outputs(mistake) for mistake in plain]
    first = {mistake.names[0]: mistake.fingerprint(0) for mistake in plain if mistake.names}
    pairs = []
    for pair in known._two_at_once():
        if pair.variant is None and not _as_one_alone(outputs := _outputs(pair), single):
            values = {(n, NONE): list(map(Rounded, output)) for n, output in enumerate(outputs)}
            seen = replace(first[pair.names[0]], gradients=None, values=())
            pairs.append(StoredMistake(pair.names, False, {0: seen}, values, of_values=True))
    return pairs


def _outputs(mistake: PossibleMistake) -> list[Sequence[Tensor]]:
    """The output of a mistake on each draw: the first tensor of its answer, none where it raises."""
    return [mistake.values(number, NONE)[:1] for number in range(len(mistake.draws))]


def _as_one_alone(outputs: Sequence[Sequence[Tensor]], single: Sequence[Sequence[Sequence[Tensor]]]) -> bool:
    return any(_equal(other, outputs) for other in single)


def _equal(first: Sequence[Sequence[Tensor]], second: Sequence[Sequence[Tensor]]) -> bool:
    return all(len(a) == len(b) and all(map(close, a, b)) for a, b in zip(first, second, strict=True))


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
