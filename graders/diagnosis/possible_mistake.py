"""A known mistake, or two at once, in one variant: does it explain what is seen of a candidate?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from torch import Tensor

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Shape
from graders.check_api.candidate import Raised
from graders.check_api.variants import Variant
from graders.diagnosis.closeness import close
from graders.diagnosis.fingerprint import SEED, Fingerprint, fingerprint, is_behaviour_trial
from graders.diagnosis.kept_seen import NOWHERE, KeptSeen
from graders.diagnosis.own_answers import OwnAnswers
from graders.diagnosis.part_mistakes import variant_with_part


@dataclass(frozen=True)
class PossibleMistake:
    """A known mistake, or two at once, and its fingerprints on all draws, computed on first use.

    `part` is the mistake's class where it is one of the parts of `symbol`. Of some in an answer key values
    alone are known (`of_values`), to the precision of float32: these agree in nothing else.
    What is seen may be `kept` from earlier runs.
    """

    names: tuple[str, ...]
    symbol: Any
    draws: Sequence[Any]
    answers: OwnAnswers
    variant: Variant | None = None
    part: Any = None
    _fingerprints: dict[int, Fingerprint] = field(default_factory=dict)
    _values: dict[tuple[int, frozenset[str]], Sequence[Tensor]] = field(default_factory=dict)
    of_values: bool = False
    kept: KeptSeen = NOWHERE

    def fingerprint(self, number: int) -> Fingerprint:
        """The mistake's fingerprint on a draw."""
        if number not in self._fingerprints:
            make = partial(self._make_fingerprint, number)
            self._fingerprints[number] = self.kept.find_or_make(make, "fingerprint", number)
        return self._fingerprints[number]

    def _make_fingerprint(self, number: int) -> Fingerprint:
        adapt = variant_with_part(self.part, self.variant) if self.part else self.variant
        return fingerprint(LocalCandidate(self.symbol, adapt=adapt), self.draws[number])

    def shapes(self) -> tuple[Shape, ...]:
        """Those of its parameters in the configuration of the first draw; none where it refuses this."""
        if self.symbol is None or 0 in self._fingerprints:
            return self.fingerprint(0).shapes
        try:
            module = LocalCandidate(self.symbol).construct(**self.draws[0].config)
            return tuple(module.shapes().values())
        except Raised:
            return ()

    def agrees(self, seen: Sequence[Fingerprint]) -> bool:
        """Whether its fingerprints agree with those of a candidate, on all draws."""
        settled = all(theirs.settled for theirs in seen)
        if self.of_values or (self.variant is not None and not settled):
            return False  # values are not compared where some are not settled: a variant tells nothing new
        if not self.may_agree(seen[0]):
            return False
        if len(self.names) > 1:
            if seen[0].stopped:
                return False  # what raises is not explained by two mistakes: some cannot be made at once
            if not seen[0].settled and self.is_settled():
                return False
            if self.fingerprint(0).stopped:
                return False
        if settled:
            agree = all(theirs.matches(self.fingerprint(number)) for number, theirs in enumerate(seen))
        else:
            if self.fingerprint(0).settled != seen[0].settled:
                return False
            agree = all(
                theirs.loosely_matches(self.fingerprint(number)) for number, theirs in enumerate(seen)
            )
            agree = agree and not all(self.fingerprint(number).settled for number in range(len(seen)))
        return agree and self._dropping(seen) == self._dropping(
            [self.fingerprint(n) for n in range(len(seen))]
        )

    def _dropping(self, seen: Sequence[Fingerprint]) -> set[str]:
        """The configurations with dropout on some draw: on a small draw it may by chance drop nothing."""
        return {
            repr(getattr(draw, "config", "")) for draw, s in zip(self.draws, seen, strict=True) if s.drops
        }

    def may_agree(self, first: Fingerprint) -> bool:
        """A quick test: False if the answer to the first draw already differs."""
        if first.stopped or not first.settled or is_behaviour_trial(self.draws[0]):
            return True
        mine = self.values(0, frozenset())
        return len(mine) == len(first.values) and all(map(close, first.values, mine))

    def is_settled(self) -> bool:
        """A quick test: False if other seeds give another answer to the first draw, or none."""
        first = self.values(0, frozenset())
        others = (self._answer(0, frozenset(), SEED + n) for n in (1, 2))  # small dropout may drop nothing
        return bool(first) and all(len(a) == len(first) and all(map(close, first, a)) for a in others)

    def values(self, number: int, absent: frozenset[str]) -> Sequence[Tensor]:
        """Its answer to a draw, with these biases zero, or a trial's values; empty where it raises."""
        if is_behaviour_trial(self.draws[number]) or (number in self._fingerprints and not absent):
            return self.fingerprint(number).values
        key = number, absent
        if key not in self._values:
            self._values[key] = self._answer(number, absent, SEED)
        return self._values[key]

    def _answer(self, number: int, absent: frozenset[str], seed: int) -> Sequence[Tensor]:
        parts = [self.part] if self.part else []
        make = partial(
            self.answers.answer, self.symbol, self.variant, parts, number=number, absent=absent, seed=seed
        )
        answer: Sequence[Tensor] = self.kept.find_or_make(make, "answer", number, sorted(absent), seed)
        return answer
