"""Is a name true that was given to code? Told by numbers, on draws of other sizes than it was found on."""

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import Violation
from graders.course.exercise import Exercise
from graders.course.reference import mistakes, reference
from graders.diagnosis.by_values import difference
from graders.diagnosis.combinations import Combinations
from graders.diagnosis.combine import both
from graders.diagnosis.fingerprint import Fingerprint, fingerprint, is_behaviour_trial
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.diagnosis.own_answers import OwnAnswers
from graders.diagnosis.part_mistakes import part_mistakes
from graders.diagnosis.possible_mistake import PossibleMistake
from graders.diagnosis.stages import Stage
from graders.diagnosis.tied_head import mapper_to, tie
from graders.judging.draws import Draws

LEAST = 3  # draws that must be answered alike
ROUGH = 1e-4  # a difference that a constant of float32 explains
MAPPINGS = 6  # of the code's parameters that are tried, beside the likeliest
Names = tuple[str, ...]


class Truth:
    """What known mistakes of an exercise, and the reference, do on fresh draws.

    Args:
        exercise: the one that the code answers.
        draws: those of the run.
        fresh: draws of other sizes than the diagnostic ones.
        is_tied: whether the last layer of the reference and of all mistakes is tied.
    """

    def __init__(self, exercise: Exercise, draws: Draws, fresh: Sequence[Any], is_tied: bool = False) -> None:
        self._exercise, self._draws, self._fresh = exercise, draws, list(fresh)
        self._facts = [*fresh, *draws.diagnostic_draws(exercise)]  # some facts show in certain sizes alone
        self._of_behaviour = is_behaviour_trial(self._facts[0])
        self._known = KnownMistakes(exercise, self._fresh)
        self._symbols = mistakes(exercise.name, exercise.symbol)
        self._is_tied = is_tied
        self._tied: Truth | None = None
        self._reference: Any = tie(self._symbols) if is_tied else reference(exercise.name, exercise.symbol)
        self._combinations = None if self._of_behaviour else self._combine()
        self._answers = OwnAnswers(self._reference, self._facts)
        self._possible: dict[Names, PossibleMistake | None] = {}

    def _combine(self) -> Combinations:
        is_class = isinstance(self._reference, type)
        parts = part_mistakes(self._reference(**self._fresh[0].config)) if is_class else {}
        return Combinations(
            symbol=self._exercise.symbol,
            reference=self._reference,
            own=self._symbols,
            parts=parts,
            stages=[Stage(draw) for draw in self._fresh],
            activations=self._exercise.options.activations,
        )

    def tells_true(self, candidate: Candidate, names: Names) -> bool:
        """Whether code does what mistakes of these names do at once, and needs each of them for it.

        Args:
            candidate: the code.
            names: those of the mistakes.
        """
        if not self._is_tied and self._known.tied_as(candidate) is not None:
            return self._when_tied().tells_true(candidate, names)
        fewer = [few for n in range(len(names)) for few in self._orders(names, n)]
        for seen in self._seen(candidate):
            for agrees in (self._agrees_in_all, self._agrees_where_answered, self._agrees_in_values):
                explains = any(
                    agrees(each, seen) and self._stops_alike(candidate, each, seen)
                    for each in self._orders(names, len(names))
                )
                if explains and not any(agrees(few, seen) for few in fewer):
                    return True
        return any(set(names) == set(again) for again in self._named_anew(candidate))

    def _orders(self, names: Names, number: int) -> Iterator[Names]:
        """So many of the mistakes at once; of functions in each order, as one calls the other."""
        is_class = isinstance(self._reference, type)
        return (itertools.combinations if is_class else itertools.permutations)(names, number)

    def is_right(self, candidate: Candidate) -> bool:
        """Whether code answers as the reference does on the fresh draws."""
        if not self._is_tied and self._known.tied_as(candidate) is not None:
            return self._when_tied().is_right(candidate)
        return any(self._agrees_in_values((), seen) for seen in self._seen(candidate))

    def _when_tied(self) -> "Truth":
        """The same for code whose last layer is tied."""
        self._tied = self._tied or Truth(self._exercise, self._draws, self._fresh, is_tied=True)
        return self._tied

    def _seen(self, candidate: Candidate) -> Iterator[list[Fingerprint]]:
        """What is seen of code on all draws, once for each likely mapping of its parameters."""
        if self._is_tied:
            candidate.mapper = mapper_to(self._reference, self._symbols, candidate)
        for answer in candidate.mapper.mapping_draws()[:1]:
            with contextlib.suppress(Raised, Violation, Undecidable):
                candidate.with_reference_weights(answer)
        yield self._all(candidate)
        for _ in itertools.islice(candidate.mapper.others(), MAPPINGS):
            yield self._all(candidate)

    def _all(self, candidate: Candidate) -> list[Fingerprint]:
        return [fingerprint(candidate, draw, self._reference) for draw in self._facts]

    def _agrees_in_all(self, names: Names, seen: Sequence[Fingerprint]) -> bool:
        possible = self._make(names)
        if possible is None:
            return False
        if self._of_behaviour:
            return all(theirs.matches(possible.fingerprint(n)) for n, theirs in enumerate(seen))
        return possible.agrees(seen)

    def _agrees_where_answered(self, names: Names, seen: Sequence[Fingerprint]) -> bool:
        """Whether all that is seen agrees on each draw that both answer: code may refuse some sizes too."""
        possible = self._make(names)
        if possible is None or self._of_behaviour:
            return False
        pairs = [(theirs, possible.fingerprint(n)) for n, theirs in enumerate(seen)]
        answered = [(theirs, ours) for theirs, ours in pairs if theirs.values and ours.values]
        return len(answered) >= LEAST and all(theirs.matches(ours) for theirs, ours in answered)

    def _make(self, names: Names) -> PossibleMistake | None:
        """These mistakes made at once; None where they do not go together, or one is a part's."""
        if names not in self._possible:
            made: Any = self._reference
            if not all(name in self._symbols for name in names):
                made = None
            elif names:
                made = reduce(self._both, [self._symbols[name] for name in names])
            self._possible[names] = made and PossibleMistake(
                names=names[:1], symbol=made, draws=self._facts, answers=self._answers
            )
        return self._possible[names]

    def _both(self, first: Any, second: Any) -> Any:
        return first and both(self._exercise.symbol, second, first)

    def _agrees_in_values(self, names: Names, seen: Sequence[Fingerprint]) -> bool:
        """Whether what is answered agrees on all draws that both answer, in some accepted variant."""
        known = self._combinations
        if known is None or not set(names) <= set(known.names):
            return False
        return any(self._agrees_in_variant(known, names, v, seen) for v in range(len(known.variants)))

    def _agrees_in_variant(
        self, known: Combinations, names: Names, variant: int, seen: Sequence[Fingerprint]
    ) -> bool:
        alike = 0
        for number, theirs in enumerate(seen[: len(self._fresh)]):
            due = known.values((), 0, number, frozenset())
            ours = known.values(names, variant, number, theirs.absent)
            if not theirs.values or not ours or not due:
                continue
            if difference(theirs.values, ours, due[0]) > ROUGH:
                return False
            alike += 1
        return alike >= min(LEAST, len(self._fresh))

    def _stops_alike(self, candidate: Candidate, names: Names, seen: Sequence[Fingerprint]) -> bool:
        """Where code answers no draw at all, whether it says of each what the mistake says."""
        if self._of_behaviour or any(theirs.values or not theirs.settled for theirs in seen):
            return True
        possible = self._make(names)
        ours = possible and self._messages(LocalCandidate(possible.symbol))
        return self._messages(candidate) == ours

    def _messages(self, candidate: Candidate) -> list[str]:
        """What it raises on each fresh draw."""
        told = []
        for draw in self._fresh:
            try:
                called = candidate.construct(**draw.config) if hasattr(draw, "config") else candidate
                called(*draw.arguments)
                told.append("")
            except Raised as error:
                told.append(str(error))
        return told

    def _named_anew(self, candidate: Candidate) -> list[Names]:
        """The names that the same search finds on fresh draws."""
        named = self._known.identify(candidate)
        return [tuple(mistake.name for mistake in several) for several in named]
