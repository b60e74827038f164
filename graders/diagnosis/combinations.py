"""Several mistakes made at once, each in its own method, and their answers in the stages of an exercise."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api.variants import Activation, Variant, apply_variant
from graders.diagnosis.combine import all_at_once
from graders.diagnosis.kept_seen import NOWHERE, KeptSeen
from graders.diagnosis.own_answers import OwnAnswers
from graders.diagnosis.part_mistakes import overrides_methods_alone
from graders.diagnosis.stages import Stage

EPSILONS = (None, 1e-12, 1e-6, 1e-5)  # of layer norms, in code that we have not written; all are accepted
KEPT = 20_000  # answers
FEW = 6  # parameters that are silenced in one block or layer: those of two attentions and of a network
Names = tuple[str, ...]


class Combinations:
    """Combinations of an exercise's mistakes, in every accepted variant, and their answers in the stages.

    Args:
        symbol: the name of the exercise's symbol.
        reference: its class or function; or a mistake that has other parameters than the reference, on top of
            which all others are made.
        own: its mistakes by name: those that have the parameters of `reference`.
        parts: those of the parts that it is built of.
        stages: the stages.
        activations: those accepted in the place of the reference's GELU.
        made_parts: the classes of parts of `reference` that make a mistake already, by the reference's names.
        alike: the names of parts that have the same parameters.
        kept: what earlier runs have kept of the answers.
    """

    def __init__(
        self,
        symbol: str,
        reference: Any,
        own: Mapping[str, Any],
        parts: Mapping[str, Any],
        stages: Sequence[Stage],
        activations: Sequence[Activation],
        made_parts: Mapping[str, Any] | None = None,
        alike: Sequence[set[str]] = (),
        kept: KeptSeen = NOWHERE,
    ) -> None:
        self._kept = kept
        self.stages = stages
        self.is_small = len({stage.silenced for stage in stages if len(stage.silenced) > FEW}) == 0
        self.names = [*own, *parts]
        self.twins = twins(parts, alike)
        self.variants: list[Variant | None] = [None]
        if isinstance(reference, type):
            pairs = [(a, e) for a in (None, *activations[1:]) for e in EPSILONS]
            self.variants = [_variant(a, e) for a, e in pairs]
        self._symbol, self._reference, self._own, self._parts = symbol, reference, own, parts
        self._made_parts = made_parts or {}
        self._answers = OwnAnswers(reference, [stage.draw for stage in stages], symbol)
        self._made: dict[Names, tuple[Any, Sequence[Any]] | None] = {}
        self._values: dict[tuple[Names, int, int, frozenset[str]], Sequence[Tensor]] = {}
        self._groups: dict[tuple[int, frozenset[str]], list[list[int]]] = {}

    def values(self, names: Names, variant: int, stage: int, absent: frozenset[str]) -> Sequence[Tensor]:
        """What these mistakes answer at once; nothing where they raise, or do not go together.

        Args:
            names: those of the mistakes; none for the reference.
            variant: the number of the variant.
            stage: the number of the stage.
            absent: biases that are zero.
        """
        key = names, variant, stage, absent
        if key not in self._values:
            if len(self._values) >= KEPT:
                self._values.clear()
            answer: Sequence[Tensor] = self._kept.find_or_make(
                partial(self._answer, *key), names, variant, stage, sorted(absent)
            )
            self._values[key] = answer
        return self._values[key]

    def groups(self, stage: int, absent: frozenset[str]) -> list[list[int]]:
        """The numbers of the variants, together where the reference answers alike in a stage."""
        key = stage, absent
        if key not in self._groups:
            groups: list[list[int]] = []
            for variant in range(len(self.variants)):
                mine = self.values((), variant, stage, absent)
                alike = (g for g in groups if _equal(mine, self.values((), g[0], stage, absent)))
                group = next(alike, None)
                if group is None:
                    groups.append([variant])
                else:
                    group.append(variant)
            self._groups[key] = groups
        return self._groups[key]

    def shows(self, name: str, stage: int, absent: frozenset[str]) -> bool:
        """Whether a mistake changes the reference's answer in a stage."""
        return not _equal(self.values((name,), 0, stage, absent), self.values((), 0, stage, absent))

    def is_cheap(self, name: str) -> bool:
        """Whether the mistake overrides methods alone, so that no new module has to be made to call it."""
        mistake = self._own.get(name)
        return not isinstance(mistake, type) or overrides_methods_alone(mistake)

    def make_class(self, names: Names) -> Any:
        """The class that makes these mistakes of the whole; None where they do not go together."""
        combination = self._make(names)
        return combination and combination[0]

    def of_parts(self, names: Names) -> int:
        """How many of these mistakes are those of parts."""
        return sum(name in self._parts for name in names)

    def _answer(self, names: Names, variant: int, stage: int, absent: frozenset[str]) -> Sequence[Tensor]:
        if names not in self._made:
            self._made[names] = self._make(names)
        combination = self._made[names]
        if combination is None:
            return []
        zero = absent | self.stages[stage].silenced
        return self._answers.answer(combination[0], self.variants[variant], combination[1], stage, zero)

    def _make(self, names: Names) -> tuple[Any, Sequence[Any]] | None:
        """The class or function that makes all these mistakes, and those of its parts; None on conflict."""
        own = [self._own[name] for name in names if name in self._own]
        parts = [self._parts[name] for name in names if name in self._parts]
        return all_at_once(self._symbol, self._reference, own, parts, self._made_parts)


def twins(names: Iterable[str], alike: Sequence[set[str]]) -> list[Names]:
    """The mistakes that parts of the same parameters share, as code makes them that has one class for both.

    Args:
        names: those of the mistakes.
        alike: the names of parts that have the same parameters.
    """
    found: dict[tuple[int, str], Names] = {}
    for name in names:
        part, _, mistake = name.partition("__")
        for number, parts in enumerate(alike):
            if part in parts:
                found[number, mistake] = (*found.get((number, mistake), ()), name)
    return [several for several in found.values() if len(several) > 1]


def _variant(activation: Activation | None, eps: float | None) -> Variant | None:
    return partial(apply_variant, activation=activation, eps=eps) if activation or eps else None


def _equal(mine: Sequence[Tensor], theirs: Sequence[Tensor]) -> bool:
    return len(mine) == len(theirs) and all(
        m.shape == t.shape and torch.equal(m.nan_to_num(), t.nan_to_num())
        for m, t in zip(mine, theirs, strict=True)
    )
