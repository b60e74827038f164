"""Name the mistake: on fresh draws, does a failing candidate answer as a known mistake does?

Never a guess. A mistake is named where everything that can be seen agrees on all draws; where a second one
agrees too, both are named; where none does alone, pairs of mistakes are tried; and else nothing is said.
"""

import itertools
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.answer_form import tensors_of
from graders.check_api.check import Candidate, Raised
from graders.check_api.reference_answer import Variant, accepted_variants
from graders.course.exercise import Exercise
from graders.course.reference import mistakes, reference
from graders.diagnosis.fingerprint import Fingerprint, answer, close, fingerprint, is_behaviour_trial
from graders.language import line
from graders.results.result import Mistake

PAIRS = 600  # of mistakes that are tried at once, counted with their variants
AT_MOST = 2  # mistakes, or pairs of them, that a hint names


@dataclass(frozen=True)
class PossibleMistake:
    """A known mistake, or two at once, and what is seen of it, looked at when asked for."""

    names: tuple[str, ...]
    made: Any
    draws: Sequence[Any]
    adapt: Variant | None = None
    _seen: dict[int, Fingerprint] = field(default_factory=dict)
    _quick: list[Sequence[Tensor]] = field(default_factory=list)

    def seen(self, number: int) -> Fingerprint:
        """What is seen on a draw."""
        if number not in self._seen:
            self._seen[number] = fingerprint(LocalCandidate(self.made, adapt=self.adapt), self.draws[number])
        return self._seen[number]

    def agrees(self, seen: Sequence[Fingerprint]) -> bool:
        """Whether the same was seen of a candidate, on all draws."""
        if not self.may(seen[0]):
            return False
        if all(mine.settled for mine in seen):
            alike = all(mine.matches(self.seen(number)) for number, mine in enumerate(seen))
        else:
            if self.adapt is not None or self.seen(0).settled != seen[0].settled:
                return False  # values are not compared, so that activations and epsilons do not matter
            alike = all(mine.loosely_matches(self.seen(number)) for number, mine in enumerate(seen))
            alike = alike and not all(self.seen(number).settled for number in range(len(seen)))
        return alike and self._dropping(seen) == self._dropping([self.seen(n) for n in range(len(seen))])

    def _dropping(self, seen: Sequence[Fingerprint]) -> set[str]:
        """The configurations under which dropout acts: on a small draw it may by chance drop nothing."""
        return {
            repr(getattr(draw, "config", "")) for draw, s in zip(self.draws, seen, strict=True) if s.drops
        }

    def may(self, first: Fingerprint) -> bool:
        """A quick look: whether at least the first answer may agree."""
        if first.stopped or not first.settled or is_behaviour_trial(self.draws[0]):
            return True
        if 0 not in self._seen and not self._quick:
            try:
                self._quick.append(
                    tensors_of(answer(LocalCandidate(self.made, adapt=self.adapt), self.draws[0]))
                )
            except Raised:
                self._quick.append([])
        mine = self._seen[0].values if 0 in self._seen else self._quick[0]
        return len(mine) == len(first.values) and all(map(close, first.values, mine))


class KnownMistakes:
    """The suspects of one exercise, with what was seen of them on the run's fresh draws."""

    def __init__(self, exercise: Exercise, draws: Sequence[Any]) -> None:
        self.symbol = exercise.symbol
        made: Any = reference(exercise.name, exercise.symbol)
        self.reference = made
        self.draws = draws
        self._known = mistakes(exercise.name, exercise.symbol)
        self.wardrobe: list[Variant] = []
        if isinstance(made, type) and not is_behaviour_trial(
            draws[0]
        ):  # what a GELU is replaced by does not show there
            self.wardrobe = accepted_variants(made(**draws[0].config), exercise.activations)
        self._right = list(self._dresses((), self.reference))
        self._alone = [s for name, made in self._known.items() for s in self._dresses((name,), made)]
        self._pairs: list[PossibleMistake] | None = None

    def identify(self, candidate: Candidate) -> tuple[tuple[Mistake, ...], ...]:
        """The mistakes whose numbers are the candidate's, as `Finding.mistakes`; empty where none agrees."""
        if candidate.value is not None:
            return ()  # a variable has one size, and the draws have others
        seen = [fingerprint(candidate, draw, self.reference) for draw in self.draws]
        if self._agreeing(seen, self._right):
            return ()  # what is wrong does not show here
        names = (
            self._agreeing(seen, self._alone)
            or self._agreeing(seen, self._two_at_once())
            or self._otherwise(candidate)
        )
        return tuple(tuple(map(self._mistake, made)) for made in names) if len(names) <= AT_MOST else ()

    def _otherwise(self, candidate: Candidate) -> list[tuple[str, ...]]:
        """The mistakes that agree where the candidate's parameters are matched in another way."""
        for _ in candidate.mapper.others():
            first = fingerprint(candidate, self.draws[0], self.reference)
            if any(suspect.may(first) for suspect in self._alone):
                seen = [first, *(fingerprint(candidate, draw, self.reference) for draw in self.draws[1:])]
                if alone := self._agreeing(seen, self._alone):
                    return alone
        return []

    def _mistake(self, name: str) -> Mistake:
        """A mistake by its name, with its hint in English and in French."""
        doc = self._known[name].__doc__
        return Mistake(name, line(doc), line(doc, "fr"))

    def _agreeing(
        self, seen: Sequence[Fingerprint], suspects: Sequence[PossibleMistake]
    ) -> list[tuple[str, ...]]:
        return list(dict.fromkeys(suspect.names for suspect in suspects if suspect.agrees(seen)))

    def _two_at_once(self) -> Sequence[PossibleMistake]:
        if self._pairs is None:
            pairs = itertools.combinations(self._known, 2)
            made = ((pair, both(self.symbol, *map(self._known.__getitem__, pair))) for pair in pairs)
            dressed = [list(self._dresses(names, two)) for names, two in made if two]
            # The plainest first, since not all can be tried.
            self._pairs = [suspect for dress in zip(*dressed, strict=True) for suspect in dress][:PAIRS]
        return self._pairs

    def _dresses(self, names: tuple[str, ...], made: Any) -> Iterator[PossibleMistake]:
        """As it is and, for a module, with every activation and epsilon that the course accepts."""
        yield PossibleMistake(names, made, self.draws)
        for dress in self.wardrobe:
            yield PossibleMistake(names, made, self.draws, dress)


def both(symbol: str, first: Any, second: Any) -> Any:
    """Two mistakes at once: a class of both, or one function built upon the other; None where they clash.

    A mistake overrides a part of the reference and leaves the rest to it; so the one's rest is the other.
    """
    if isinstance(first, type):
        try:
            return type(f"{first.__name__}_and_{second.__name__}", (first, second), {})
        except TypeError:  # no order of the bases suits both
            return None
    if symbol not in first.__code__.co_names:
        first, second = second, first
    if symbol not in first.__code__.co_names:
        return None
    names = {**first.__globals__, symbol: second}
    return types.FunctionType(first.__code__, names, first.__name__, first.__defaults__)
