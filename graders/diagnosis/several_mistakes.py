"""Several mistakes at once, and those under which a module has other parameters than the reference.

A module's parameters are matched with the reference's; where their shapes do not allow it, with those of
each mistake that changes them (no last projection, one projection for all). Then the answers are explained
in stages.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.candidate.parameter_mapping.mapper import ParameterMapper, absent_by_name
from graders.candidate.parameter_mapping.mapping import ParameterMapping, Shapes, Undecidable
from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import Violation
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.check_api.variants import Activation
from graders.diagnosis.combinations import Combinations, Names
from graders.diagnosis.explain_in_stages import Compared, Explainer
from graders.diagnosis.kept_seen import NOWHERE, KeptSeen
from graders.diagnosis.other_mappings import likely_mappings, with_usual_fused_layers
from graders.diagnosis.other_parameters import Base, OtherParameters
from graders.diagnosis.part_mistakes import all_part_mistakes, overrides_methods_alone, parts_alike
from graders.diagnosis.stages import answer_in, stages_of

COMPARISONS = 6_000  # answers of ours for one candidate, after which no other way to match it is begun
LIKELY = 2  # ways to match a candidate's parameters with the reference's that are tried before all others
MAPPINGS = 8  # of a candidate's parameters that are tried


@dataclass(frozen=True)
class Matched:
    """How a candidate's parameters are matched where an explanation was found.

    Attributes:
        mapper: with which they are.
        mapping: that of the mapper; None by name.
        base: the class that makes the mistake with whose parameters they are matched; None for the reference.
        draws: the number of draws on which the explanation agrees.
        without_masks: whether it explains no draw with a mask.
        names: the mistakes that the class of `base` makes.
    """

    mapper: ParameterMapper
    mapping: ParameterMapping | None
    base: Any
    draws: int
    without_masks: bool = False
    names: Names = ()


class SeveralMistakes:
    """The mistakes of an exercise, in any combination that can be found stage by stage.

    Args:
        symbol: the name of the exercise's symbol.
        reference: its class or function.
        mistakes: its mistakes by name, from one copy of their file.
        draws: the diagnostic draws.
        activations: those accepted in the place of the reference's GELU.
        kept: what earlier runs have kept of their answers.
    """

    def __init__(
        self,
        symbol: str,
        reference: Any,
        mistakes: Mapping[str, Any],
        draws: Sequence[Any],
        activations: Sequence[Activation],
        kept: KeptSeen = NOWHERE,
    ) -> None:
        self._kept = kept
        self.of_parts: dict[str, Any] = {}
        self.matched: Matched | None = None
        self.explains_attention = False
        self._alike: list[set[str]] = []
        self._symbol, self._activations, self._draws = symbol, activations, draws
        self._of_base: dict[Names, Combinations] = {}
        self._answers: dict[Names, list[ReferenceAnswer]] = {}
        self._others: OtherParameters | None = None
        self._bases: dict[Names, Base] = {(): Base(reference, own=mistakes)}
        if isinstance(reference, type):
            config = draws[0].config
            whole = reference(**config)
            self.of_parts, self._alike = all_part_mistakes(whole), parts_alike(whole)
            self._others = OtherParameters(
                name=symbol,
                reference=reference,
                mistakes=mistakes,
                of_parts=self.of_parts,
                config=config,
                alike=self._alike,
            )
            self._bases[()] = self._others.right

    def identify(self, candidate: Candidate) -> list[Names]:
        """The names of the mistakes that explain what a candidate answers; [] where none do, or in doubt.

        How its parameters are matched with those of the mistakes is in `matched` then. Whether something
        explains a stage in which a block has its attention and no network is in `explains_attention`.
        """
        self.explains_attention = False
        compared: set[Compared] = set()
        found: list[Names] = []
        of_found: Names | None = None
        for ways, base in enumerate(self._matched(candidate), 1):
            if found and (base != of_found or ways > LIKELY):
                break
            answer = partial(answer_in, candidate, reference=self._bases[base].symbol)
            explainer = Explainer(self._combinations(base), answer, bool(base), compared)
            names = explainer.explain()
            self.explains_attention |= explainer.explains_attention
            # Where matching is in doubt, what is exchanged under one way is in its place under another.
            if names and (not found or len(names[0]) + len(base) < len(found[0])):
                found, of_found = [self._in_order(base, n) for n in names], base
                mapper, symbol = candidate.mapper, self._bases[base].symbol if base else None
                self.matched = Matched(
                    mapper=mapper,
                    mapping=mapper.mapping,
                    base=symbol,
                    draws=explainer.answered,
                    without_masks=not explainer.explains_masks,
                    names=base,
                )
            if explainer.finds_right or len(compared) > COMPARISONS:
                break
        return found

    def _in_order(self, base: Names, added: Names) -> Names:
        """All these mistakes; of functions, the one that calls the others first, as everywhere."""
        return (*base, *added) if self._others else added[::-1]

    def _matched(self, candidate: Candidate) -> Iterator[Names]:
        """The mistakes, () for none, whose parameters the candidate has; until the next, so it is matched."""
        if self._others is None:
            yield ()
            return
        before = candidate.mapper
        try:
            yield from self._ways(candidate, (), before, later=False)
            for names, base in self._others.fitting(self._shapes_of(candidate)):
                self._bases[names] = base
                draws = partial(self._answers_of, names, before)
                candidate.mapper = ParameterMapper(candidate, draws, before.alone)
                yield from self._ways(candidate, names, candidate.mapper)
            candidate.mapper = before
            yield from self._ways(candidate, (), before, later=True)
        except Raised:
            return
        finally:
            candidate.mapper = before

    def _ways(
        self, candidate: Candidate, base: Names, mapper: ParameterMapper, later: bool | None = None
    ) -> Iterator[Names]:
        """The base, once for each way to match its parameters; the likely ones, or those for `later`."""
        if not self._match(candidate, base, mapper):
            return
        likeliest = mapper.mapping
        if likeliest is None or likeliest.proven:
            yield from () if later else (base,)
            return
        others = [mapping for mapping in mapper.others() if mapping is not likeliest]
        tried = itertools.chain.from_iterable(map(likely_mappings, (likeliest, *others)))
        first = [*itertools.islice(tried, LIKELY), *with_usual_fused_layers(likeliest)]
        rest = [*itertools.islice(tried, MAPPINGS - LIKELY)]
        try:
            for mapping in dict.fromkeys({None: [*first, *rest], False: first, True: rest}[later]):
                mapper.mapping = mapping
                yield base
        finally:
            mapper.mapping = likeliest

    def _match(self, candidate: Candidate, base: Names, mapper: ParameterMapper) -> bool:
        """Whether the candidate's parameters are matched with those of the base, by name or by a mapping."""
        answers = mapper.mapping_draws()
        if not answers:
            return (
                not base and absent_by_name(self._shapes_of(candidate), self._bases[base].shapes) is not None
            )
        config = answers[0].draw.config
        shapes = candidate.construct(**config).shapes()
        try:
            mapper.fit(answers[0], shapes)
        except (Violation, Undecidable):
            return mapper.mapping is not None
        return True

    def _shapes_of(self, candidate: Candidate) -> Shapes:
        """The shapes of its parameters in the configuration of the first draw."""
        return candidate.construct(**self._draws[0].config).shapes()

    def _answers_of(self, base: Names, mapper: ParameterMapper) -> list[ReferenceAnswer]:
        """The answers of a mistake, where the reference's are due."""
        if base not in self._answers:
            symbol, shapes = self._bases[base].symbol, self._bases[base].shapes
            recipe = Recipe(symbol, self._activations, mistakes=partial(self._on_top, base))
            try:
                self._answers[base] = [recipe.answer(answer.draw) for answer in mapper.mapping_draws()]
            except Exception:  # a mistake of ours refuses float64, as a student's code may
                alike = (a for other, a in self._answers.items() if self._bases[other].shapes == shapes)
                self._answers[base] = next(alike, [])
        return self._answers[base]

    def _on_top(self, base: Names) -> dict[str, Any]:
        """The classes that make another mistake on top of this one."""
        combinations = self._combinations(base)
        cheap = [name for name, mistake in self._bases[base].own.items() if overrides_methods_alone(mistake)]
        classes = {name: combinations.make_class((name,)) for name in cheap}
        return {name: symbol for name, symbol in classes.items() if symbol is not None}

    def _combinations(self, base: Names) -> Combinations:
        if base not in self._of_base:
            known = self._bases[base]
            parts = {n: m for n, m in self.of_parts.items() if overrides_methods_alone(m)}
            self._of_base[base] = Combinations(
                symbol=self._symbol,
                reference=known.symbol,
                own=known.own,
                parts=parts,
                stages=stages_of(self._draws, known.shapes),
                activations=self._activations,
                made_parts=known.parts,
                alike=self._alike,
                kept=self._kept.of("stages", *base),
            )
        return self._of_base[base]
