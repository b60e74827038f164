"""Identify a known mistake: does a failing candidate behave as the mistake does, on fresh draws?

It never guesses: a mistake is named only if its fingerprints agree with the candidate's on all draws, or its
output does (`by_values.py`). If none agrees alone, pairs are tried. If two explanations agree, none is named
here; the draws of checks may tell them apart (`judging/prove_names.py`).
"""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from graders.candidate.cast_draw import cast
from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import shapes_of
from graders.check_api.candidate import Candidate
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.variants import Variant, accepted_variants
from graders.course.exercise import Exercise
from graders.course.reference import copy_of, mistakes, reference
from graders.diagnosis.as_mistake import AsMistake
from graders.diagnosis.by_behaviour import agreeing_by_behaviour
from graders.diagnosis.by_facts import agreeing_by_facts
from graders.diagnosis.by_values import LEAST, agreeing_by_values, compared_draws, distance
from graders.diagnosis.combine import all_at_once, both
from graders.diagnosis.digest_answers import digest_answers
from graders.diagnosis.fingerprint import Fingerprint, fingerprint, is_behaviour_trial
from graders.diagnosis.kept_seen import NOWHERE, KeptSeen
from graders.diagnosis.other_biases import find_mistake_of_biases
from graders.diagnosis.other_mappings import without_vectors_too_many
from graders.diagnosis.other_parameters import around_parts
from graders.diagnosis.own_answers import OwnAnswers
from graders.diagnosis.part_mistakes import overrides_methods_alone, part_mistakes
from graders.diagnosis.possible_mistake import PossibleMistake
from graders.diagnosis.several_mistakes import Matched, SeveralMistakes
from graders.diagnosis.tied_head import has_tied_head, mapper_to, tie
from graders.language import line
from graders.results.result import Mistake

PAIRS = 600  # pairs of mistakes that are tried, each variant counted
PARTS = 400  # mistakes of parts that are tried, each variant counted
# What torch says where a layer or a buffer of the code is of float32.
REFUSES_DOUBLE = re.compile(r"when called: RuntimeError: .*(dtype|scalar type|double)", re.IGNORECASE)
MOST_PARAMETERS = 1 << 20  # values: a module that has more, and far more than the reference, is no mistake
FAR_MORE = 4  # times as many as the reference has
AT_MOST = 4  # explanations that checks may tell apart; if more agree, little is known


@dataclass(frozen=True)
class Explained:
    """What explains a candidate's answers to the diagnostic draws.

    Attributes:
        by: the mistakes that are known, of the candidate's kind.
        alternatives: the names of the mistakes; several where these draws do not tell them apart.
        draws: the number of draws on which they agree with the candidate.
        matched: how the candidate's parameters are matched then, where that is not how its mapper has them.
        settled: whether the candidate answers alike each time, so that its values could be compared.
        answers: the digest of the candidate's answers; None where they are right, or none came.
        explains_attention: whether it was seen that what a block of the candidate answers without its network
            is right, or what known mistakes answer.
    """

    by: "KnownMistakes"
    alternatives: tuple[tuple[str, ...], ...] = ()
    draws: int = 0
    matched: Matched | None = None
    settled: bool = True
    answers: str | None = None
    explains_attention: bool = False

    @property
    def mistakes(self) -> tuple[tuple[Mistake, ...], ...]:
        """The mistakes, as `Finding.mistakes`; none where several explanations are as good."""
        several = self.alternatives if len(self.alternatives) == 1 else ()
        return tuple(tuple(map(self.by.describe, names)) for names in several)

    @property
    def explains_masks(self) -> bool:
        """Whether they explain the code's values on draws with a mask, too."""
        return self.settled and not (self.matched is not None and self.matched.without_masks)


class KnownMistakes:
    """The known mistakes of one exercise, with their fingerprints on the run's diagnostic draws.

    Args:
        exercise: the exercise.
        draws: its diagnostic draws.
        is_tied: whether the last layer of the reference and of all mistakes is tied (`tied_head.py`).
        kept: what earlier runs have kept of what is seen of them.
    """

    can_be_made = True  # whether there are the mistakes themselves, and not only what was seen of them

    def __init__(
        self, exercise: Exercise, draws: Sequence[Any], is_tied: bool = False, kept: KeptSeen = NOWHERE
    ) -> None:
        self.exercise = exercise
        self.symbol = exercise.symbol
        known = mistakes(exercise.name, exercise.symbol)
        # Those of cost answer as the reference does: no answer tells them.
        self._costly = {name: known.pop(name) for name in exercise.mistakes_of_cost if name in known}
        self._symbols = known
        self.reference: Any = tie(self._symbols) if is_tied else reference(exercise.name, exercise.symbol)
        self.draws = draws
        self._is_tied = is_tied
        self._kept = kept if isinstance(self.reference, type) else NOWHERE
        self.variants: list[Variant] = []
        # Behaviour trials show no difference between activations: variants are not needed.
        if isinstance(self.reference, type) and not is_behaviour_trial(draws[0]):
            self.variants = accepted_variants(self.reference(**draws[0].config), exercise.options.activations)
        self._answers = OwnAnswers(self.reference, draws)
        self._part_symbols: dict[str, Any] = {}
        self._right = list(self._in_variants((), self.reference))
        self._alone = [m for name, s in self._symbols.items() for m in self._in_variants((name,), s)]
        self._single: KnownMistakes | None = None
        self._tied: KnownMistakes | None = None
        self._staged: SeveralMistakes | None = None
        self._matched: Matched | None = None
        self._explains_attention = False
        self._pairs: list[PossibleMistake] | None = None
        self._of_parts: list[PossibleMistake] | None = None

    def identify(self, candidate: Candidate, itself: str = "") -> tuple[tuple[Mistake, ...], ...]:
        """The mistakes that agree with the candidate, as `Finding.mistakes`; empty if none does, or in doubt.

        Args:
            candidate: it is asked the diagnostic draws.
            itself: as for `explain`.
        """
        return self.explain(candidate, itself).mistakes

    def explain(self, candidate: Candidate, itself: str = "") -> Explained:
        """The mistakes that agree with the candidate.

        A candidate that is the mistake of the name `itself` is called on the first draw. If the two agree
        there and nothing else may, it is that mistake; else what is seen of the mistake counts on the others.
        """
        nothing = Explained(self)
        if candidate.value is not None:
            return nothing  # a variable has one size, but the draws have several
        if tied := self.tied_as(candidate):
            before, candidate.mapper = candidate.mapper, mapper_to(tied.reference, tied._symbols, candidate)
            try:
                return tied.explain(candidate)
            finally:
                candidate.mapper = before
        first = fingerprint(candidate, self.draws[0], self.reference)
        if self._is_too_large(first):
            return nothing
        known = [m for m in self._alone if m.names == (itself,) and m.variant is None]
        if known and not first.renamed and not first.absent and first.matches(known[0].fingerprint(0)):
            others = (m for m in (*self._right, *self._alone) if m.names != (itself,))
            if not any(other.may_agree(first) for other in others):
                return Explained(self, ((itself,),), 1)
            seen = [first, *(known[0].fingerprint(number) for number in range(1, len(self.draws)))]
        else:
            seen = [first, *(fingerprint(candidate, draw, self.reference) for draw in self.draws[1:])]
        if self._agreeing(seen, self._right):
            return nothing  # it agrees with the reference on these draws
        self._matched, self._explains_attention = None, False
        single = self.in_single_precision() if _computes_in_single(seen[0]) else None
        if single is not None:
            names = self._names_in_single(single, candidate, seen)
        else:
            names = self._names(seen) or self._otherwise(candidate, seen)
            names = names or self._without_own_norm(candidate, seen[0]) or self.name_several(candidate)
        draws = self.draws if single is None else single.draws
        asked = seen if single is None else (fingerprint(candidate, draw, self.reference) for draw in draws)
        answers = digest_answers([*asked])
        names = self._without_twins(names)
        alone = [mistakes for mistakes in names if not mistakes[1:]]
        if len(alone) < len(names) and not is_behaviour_trial(draws[0]) and _is_mostly_without_numbers(seen):
            names = alone
        if not 0 < len(names) <= AT_MOST:
            return replace(nothing, answers=answers, explains_attention=self._explains_attention)
        matched = self._matched
        agreeing = matched.draws if matched else sum(not theirs.stopped for theirs in seen)
        settled = all(theirs.settled for theirs in seen)
        return Explained(
            by=self,
            alternatives=tuple(names),
            draws=agreeing,
            matched=matched,
            settled=settled,
            answers=answers,
            explains_attention=self._explains_attention,
        )

    def _without_twins(self, names: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """The explanations; of two that differ in twins alone, the one with the first of these."""
        for first, second in self.exercise.options.twins:
            one, other = (f"{self.symbol}__{name}" for name in (first, second))
            told = {frozenset(each) for each in names}
            names = [e for e in names if other not in e or frozenset(e) - {other} | {one} not in told]
        return names

    def _is_too_large(self, first: Fingerprint) -> bool:
        """Whether a module is so large that to draw its random weights would take the host half a minute."""
        size = sum(map(math.prod, first.shapes))
        if size <= MOST_PARAMETERS:
            return False
        return size > FAR_MORE * sum(map(math.prod, self._right[0].fingerprint(0).shapes))

    def name_several(self, candidate: Candidate) -> list[tuple[str, ...]]:
        """The names of several mistakes that explain the candidate's answers at once."""
        if is_behaviour_trial(self.draws[0]):
            return []
        if self._staged is None:
            activations = self.exercise.options.activations
            self._staged = SeveralMistakes(
                symbol=self.symbol,
                reference=self.reference,
                mistakes=self._symbols,
                draws=self.draws,
                activations=activations,
                kept=self._kept,
            )
            # All of one copy of their file: two of different copies do not go together.
            self._part_symbols |= self._staged.of_parts
        names = self._staged.identify(candidate)
        self._matched = self._staged.matched if names else None
        self._explains_attention |= self._staged.explains_attention
        return names

    def tied_as(self, candidate: Candidate) -> "KnownMistakes | None":
        """The same with a tied last layer, where the candidate's is tied and the reference's is not."""
        if self._is_tied or not isinstance(self.reference, type) or is_behaviour_trial(self.draws[0]):
            return None
        if not has_tied_head(candidate, self.reference, self.draws[0].config):
            return None
        if self._tied is None:
            self._tied = KnownMistakes(self.exercise, self.draws, is_tied=True, kept=self._kept.of("tied"))
        return self._tied

    def in_single_precision(self) -> "KnownMistakes | None":
        """The same on draws in float32; None where these are, or have no dtype."""
        if is_behaviour_trial(self.draws[0]):
            return None
        if any(tensor.dtype is torch.float32 for tensor in self._right[0].values(0, frozenset())):
            return None
        if self._single is None:
            draws = [cast(draw, torch.float32) for draw in self.draws]
            self._single = KnownMistakes(self.exercise, draws, self._is_tied, self._kept.of("single"))
        return self._single

    def _names_in_single(
        self, single: "KnownMistakes", candidate: Candidate, seen: Sequence[Fingerprint]
    ) -> list[tuple[str, ...]]:
        """The names of the mistakes that agree in float32, or that raise in float64 as the candidate does."""
        again = [fingerprint(candidate, draw, self.reference) for draw in single.draws]
        if single._agreeing(again, single._right):
            return []
        names = single._names(again) or self._raising_alike(single, seen, again[0])
        if not names:
            single._explains_attention = False
            names, self._matched = single.name_several(candidate), single._matched
            self._explains_attention |= single._explains_attention
        self._part_symbols |= single._part_symbols
        return names

    def _raising_alike(
        self, single: "KnownMistakes", seen: Sequence[Fingerprint], again: Fingerprint
    ) -> list[tuple[str, ...]]:
        """The names of the mistakes that agree in float64, and but for their values in float32 too."""
        if again.stopped:
            return []
        names = [*dict.fromkeys(m.names for m in self._alone if m.agrees(seen))]  # in several variants, one
        alike = [
            m.names for m in single._alone if m.names in names and m.fingerprint(0).loosely_matches(again)
        ]
        return [name for name in names if name in alike]

    def _names(self, seen: Sequence[Fingerprint]) -> list[tuple[str, ...]]:
        """The names of the mistakes that agree, alone or in pairs, in all that is seen or in values alone."""
        if is_behaviour_trial(self.draws[0]):
            two = self._two_at_once()
            return agreeing_by_behaviour(self.draws, seen, self._right[0], self._alone, two)
        if alone := self._agreeing(seen, self._alone):
            return alone
        if by_values := self._by_values(seen, self._alone):
            # The other mistake of a pair may be one that changes no value.
            names = {name for mistake in by_values for name in mistake}
            with_another = [pair for pair in self._two_at_once() if names & set(pair.names)]
            return self._agreeing(seen, with_another) or by_values
        if of_parts := self._by_values(seen, self._mistakes_of_parts()):
            return of_parts
        if not any(theirs.absent for theirs in seen) and (pairs := self._agreeing(seen, self._two_at_once())):
            return pairs
        by_values = self._by_values(seen, self._two_at_once()) or self._agreeing(seen, self._three_at_once())
        return by_values or agreeing_by_facts(seen, self._right, self._alone)

    def _by_values(
        self, seen: Sequence[Fingerprint], possible: Sequence[PossibleMistake]
    ) -> list[tuple[str, ...]]:
        return agreeing_by_values(seen, self._right, possible)

    def _other_mappings(self, candidate: Candidate, seen: Sequence[Fingerprint]) -> Iterator[Any]:
        """Each mapping that is likely; where the reference's names are there in other shapes, first none."""
        mapper = candidate.mapper
        before = mapper.mapping
        if before is not None and any(theirs.stopped for theirs in seen):
            mapper.mapping = None
            try:
                yield None
            finally:
                mapper.mapping = before
        yield from mapper.others()

    def _otherwise(self, candidate: Candidate, seen: Sequence[Fingerprint]) -> list[tuple[str, ...]]:
        """The names of the mistakes that agree under another mapping of the candidate's parameters."""
        for _ in self._other_mappings(candidate, seen):
            first = fingerprint(candidate, self.draws[0], self.reference)
            if any(self._is_near(mistake, first) for mistake in self._alone):
                seen = [first, *(fingerprint(candidate, draw, self.reference) for draw in self.draws[1:])]
                if alone := self._agreeing(seen, self._alone) or self._by_values(seen, self._alone):
                    mapper = candidate.mapper
                    self._matched = Matched(mapper, mapper.mapping, None, len(seen))
                    return alone
        return []

    def _without_own_norm(self, candidate: Candidate, first: Fingerprint) -> list[tuple[str, ...]]:
        """The names of the mistakes that agree where a norm too many changes nothing."""
        mapper, right = candidate.mapper, self._right[0].fingerprint(0)
        if first.stopped or mapper.mapping is not None or len(first.shapes) <= len(right.shapes):
            return []
        config = self.draws[0].config
        due = shapes_of(dict(self.reference(**config).named_parameters()))
        mapping = without_vectors_too_many(candidate.construct(**config).shapes(), due)
        if mapping is None:
            return []
        mapper.mapping = mapping
        try:
            seen = [fingerprint(candidate, draw, self.reference) for draw in self.draws]
            names = self._by_values(seen, self._alone)
            if names:
                self._matched = Matched(mapper, mapping, None, len(seen))
            return names or self.name_several(candidate)
        finally:
            mapper.mapping = None

    def _is_near(self, mistake: PossibleMistake, first: Fingerprint) -> bool:
        if mistake.may_agree(first):
            return True
        draws = compared_draws([first], self._right)
        return bool(draws) and distance(mistake, [first], self._right, draws) < math.inf

    def of_biases(self, candidate: Candidate) -> str | None:
        """The mistake by which a module has other biases, as the candidate's; None where that is in doubt."""
        if candidate.value is not None or not self._right or is_behaviour_trial(self.draws[0]):
            return None
        return find_mistake_of_biases(candidate, self._right[0], self._alone)

    def make(self, names: Sequence[str]) -> Any:
        """The class that makes all these mistakes; None where one is a part's, or they do not go together."""
        if not all(name in self._symbols for name in names) or not isinstance(self.reference, type):
            return None
        made = self._symbols[names[0]]
        for name in names[1:]:
            made = made and both(self.symbol, self._symbols[name], made)
        return made

    def candidates(
        self, names: Sequence[str], mapping_draws: Callable[[], Sequence[ReferenceAnswer]]
    ) -> Iterator[LocalCandidate]:
        """Candidates that make all these mistakes: as the reference is, then in each accepted variant.

        None where they do not go together.
        """
        parts = [self._part_symbols[name] for name in names if name not in self._symbols]
        constructed = [part for part in parts if not overrides_methods_alone(part)]
        whole: tuple[Any, Mapping[str, Any], Mapping[str, Any]] = (self.reference, self._symbols, {})
        if constructed and (around := around_parts(self.symbol, self.reference, constructed)):
            whole = around
        reference, symbols, made_parts = whole
        own = [symbols[name] for name in names if name in symbols]
        if not isinstance(self.reference, type):
            own.reverse()  # the first calls the others, as in those that were tried
        others = [part for part in parts if part not in constructed]
        made = all_at_once(self.symbol, reference, own, others, made_parts)
        if made is not None:
            for variant in (None, *self.variants):
                yield AsMistake(made[0], mapping_draws, made[1], variant)

    def anew(self, name: str) -> LocalCandidate | None:
        """A mistake of a function, as it is before its first call; None for other mistakes."""
        if name not in self._symbols or isinstance(self.reference, type):
            return None
        return LocalCandidate(copy_of(self.exercise.name)[name])

    def knows(self, name: str) -> bool:
        """Whether the exercise has a known mistake of this name."""
        return name in self._symbols

    def describe(self, name: str) -> Mistake:
        """A mistake by its name, with its hint in English and in French."""
        doc = (self._part_symbols | self._symbols | self._costly)[name].__doc__
        return Mistake(name, line(doc), line(doc, "fr"))

    def _agreeing(
        self, seen: Sequence[Fingerprint], possible: Iterable[PossibleMistake]
    ) -> list[tuple[str, ...]]:
        if all(theirs.stopped for theirs in seen):
            return []  # that code raises everywhere, as a mistake does, is too little
        return list(dict.fromkeys(mistake.names for mistake in possible if mistake.agrees(seen)))

    def _two_at_once(self) -> Sequence[PossibleMistake]:
        if self._pairs is None:
            pairs = itertools.combinations(self._symbols, 2)
            combined = ((pair, both(self.symbol, *map(self._symbols.__getitem__, pair))) for pair in pairs)
            variants = [list(self._in_variants(names, symbol)) for names, symbol in combined if symbol]
            # First all pairs without a variant, then all in each variant: `PAIRS` may cut them off.
            most = None if is_behaviour_trial(self.draws[0]) else PAIRS
            self._pairs = [pair for same in zip(*variants, strict=True) for pair in same][:most]
        return self._pairs

    def _three_at_once(self) -> Iterator[PossibleMistake]:
        """Each three of a function's mistakes, where a call costs so little that its checks ask for them."""
        if self.exercise.options.at_once < 3:
            return
        for names in itertools.combinations(self._symbols, 3):
            made = all_at_once(self.symbol, self.reference, [self._symbols[name] for name in names[::-1]], [])
            if made is not None:
                yield PossibleMistake(names, made[0], self.draws, self._answers)

    def _mistakes_of_parts(self) -> Sequence[PossibleMistake]:
        if self._of_parts is None:
            if isinstance(self.reference, type) and not is_behaviour_trial(self.draws[0]):
                self._part_symbols = part_mistakes(self.reference(**self.draws[0].config))
            self._of_parts = [
                PossibleMistake(
                    names=(name,),
                    symbol=self.reference,
                    draws=self.draws,
                    answers=self._answers,
                    variant=variant,
                    part=mistake,
                    kept=self._kept.of("part", name, number),
                )
                for number, variant in enumerate((None, *self.variants))
                for name, mistake in self._part_symbols.items()
            ][:PARTS]
        return self._of_parts

    def _in_variants(self, names: tuple[str, ...], symbol: Any) -> Iterator[PossibleMistake]:
        """The symbol itself, then for a module its variants: each accepted activation and epsilon."""
        for number, variant in enumerate((None, *self.variants)):
            kept = self._kept.of(*names, number)
            yield PossibleMistake(names, symbol, self.draws, self._answers, variant, kept=kept)


def _is_mostly_without_numbers(seen: Sequence[Fingerprint]) -> bool:
    """Whether fewer than three answers have numbers at most places: NaN is like NaN by chance."""
    answered = [theirs.values for theirs in seen if theirs.values]
    told = sum(2 * _count_numbers(values) >= sum(map(Tensor.numel, values)) for values in answered)
    return len(answered) > told and told < LEAST


def _count_numbers(values: Sequence[Tensor]) -> int:
    """How many places of an answer have a number; no copy is made of it, since it may be large."""
    return sum(
        value.numel() if not value.is_floating_point() else int(value.isfinite().sum()) for value in values
    )


def _computes_in_single(first: Fingerprint) -> bool:
    """Whether code refuses float64 on the first draw, or answers in float32."""
    refuses = bool(first.stopped and REFUSES_DOUBLE.match(first.stopped))
    return refuses or any(v.dtype is torch.float32 for v in first.values[:1])
