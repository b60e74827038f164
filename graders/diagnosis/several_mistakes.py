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

import torch

from graders.candidate.parameter_mapping.mapper import (
    ParameterMapper,
    absent_by_name,
    shapes_of,
)
from graders.candidate.parameter_mapping.mapping import ParameterMapping, Shapes, Undecidable
from graders.candidate.parameter_mapping.names import is_bias
from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import Violation
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.check_api.variants import Activation
from graders.diagnosis.combinations import Combinations, Names
from graders.diagnosis.combine import both
from graders.diagnosis.explain_in_stages import Compared, Explainer
from graders.diagnosis.other_mappings import likely_mappings, with_usual_fused_layers
from graders.diagnosis.part_mistakes import overrides_methods_alone, part_mistakes
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
        with_mistake: whether they are matched with those of a mistake, and not of the reference.
        draws: the number of draws on which the explanation agrees.
        without_masks: whether it explains the draws without a mask alone.
    """

    mapper: ParameterMapper
    mapping: ParameterMapping | None
    with_mistake: bool
    draws: int
    without_masks: bool = False


class SeveralMistakes:
    """The mistakes of an exercise, in any combination that can be found stage by stage.

    Args:
        symbol: the name of the exercise's symbol.
        reference: its class or function.
        mistakes: its mistakes by name, from one copy of their file.
        draws: the diagnostic draws.
        activations: those accepted in the place of the reference's GELU.
    """

    def __init__(
        self,
        symbol: str,
        reference: Any,
        mistakes: Mapping[str, Any],
        draws: Sequence[Any],
        activations: Sequence[Activation],
    ) -> None:
        self.parts: dict[str, Any] = {}
        self.matched: Matched | None = None
        self._symbol, self._activations, self._draws = symbol, activations, draws
        self._shapes: dict[Names, Shapes] = {}
        self._of_base: dict[Names, Combinations] = {}
        self._answers: dict[Names, list[ReferenceAnswer]] = {}
        self._references: dict[Names, Any] = {(): reference}
        self._own = dict(mistakes)
        if isinstance(reference, type):
            config = draws[0].config
            self.parts = part_mistakes(reference(**config))
            self._shapes[()] = _shapes(reference, config)
            of_mistakes = {name: _shapes(mistake, config) for name, mistake in mistakes.items()}
            self._own = {n: m for n, m in mistakes.items() if of_mistakes[n] == self._shapes[()]}
            self._add_references({n: m for n, m in mistakes.items() if n not in self._own}, config)

    def identify(self, candidate: Candidate) -> list[Names]:
        """The names of the mistakes that explain what a candidate answers; [] where none do, or in doubt.

        How its parameters are matched with those of the mistakes is in `matched` then.
        """
        compared: set[Compared] = set()
        for base in self._matched(candidate):
            answer = partial(answer_in, candidate, reference=self._references[base])
            explainer = Explainer(self._combinations(base), answer, bool(base), compared)
            names = explainer.explain()
            if names:
                mapper = candidate.mapper
                self.matched = Matched(
                    mapper, mapper.mapping, bool(base), explainer.answered, explainer.without_masks
                )
                return [(*base, *n) for n in names]
            if explainer.finds_right or len(compared) > COMPARISONS:
                break
        return []

    def _add_references(self, others: Mapping[str, Any], config: Mapping[str, Any]) -> None:
        """Add mistakes that change the matrices among the parameters, alone and two at once."""
        known = {_matrices(self._shapes[()])}
        pairs = itertools.combinations(others, 2)
        for names in ((name,) for name in others), pairs:
            for pair in names:
                made = [others[name] for name in pair]
                symbol = made[0] if len(made) == 1 else both(self._symbol, *made)
                shapes = _shapes(symbol, config) if symbol else {}
                if shapes and _matrices(shapes) not in known:
                    self._references[pair], self._shapes[pair] = symbol, shapes
            known |= {_matrices(shapes) for shapes in self._shapes.values()}

    def _matched(self, candidate: Candidate) -> Iterator[Names]:
        """The mistakes, () for none, whose parameters the candidate has; until the next, so it is matched."""
        if not self._shapes:
            yield ()
            return
        before = candidate.mapper
        try:
            yield from self._ways(candidate, (), before, later=False)
            for base in self._references:
                if base and self._may_fit(candidate, base):
                    draws = partial(self._answers_of, base, before)
                    candidate.mapper = ParameterMapper(candidate, draws, before.alone)
                    yield from self._ways(candidate, base, candidate.mapper)
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
            return not base and self._fits_by_name(candidate, self._draws[0].config, self._shapes[base])
        config = answers[0].draw.config
        shapes = candidate.construct(**config).shapes()
        try:
            mapper.fit(answers[0], shapes)
        except (Violation, Undecidable):
            return mapper.mapping is not None
        return True

    def _fits_by_name(self, candidate: Candidate, config: Mapping[str, Any], due: Shapes) -> bool:
        return absent_by_name(candidate.construct(**config).shapes(), due) is not None

    def _may_fit(self, candidate: Candidate, base: Names) -> bool:
        """A quick test: whether the candidate has about as many values as the base has."""
        theirs = candidate.construct(**self._draws[0].config).shapes()
        due = self._shapes[base]
        return bool(due) and _size(due, 2) <= _size(theirs) and _size(theirs, 2) <= _size(due)

    def _answers_of(self, base: Names, mapper: ParameterMapper) -> list[ReferenceAnswer]:
        """The answers of a mistake, where the reference's are due."""
        if base not in self._answers:
            mistake = self._references[base]
            recipe = Recipe(mistake, self._activations, mistakes=partial(self._on_top, base))
            try:
                self._answers[base] = [recipe.answer(answer.draw) for answer in mapper.mapping_draws()]
            except Exception:  # a mistake of ours refuses float64, as a student's code may
                alike = (a for other, a in self._answers.items() if self._shapes[other] == self._shapes[base])
                self._answers[base] = next(alike, [])
        return self._answers[base]

    def _on_top(self, base: Names) -> dict[str, Any]:
        """The classes that make another mistake on top of this one."""
        combinations = self._combinations(base)
        classes = {name: combinations.make_class((name,)) for name in self._cheap_names()}
        return {name: symbol for name, symbol in classes.items() if symbol is not None}

    def _cheap_names(self) -> list[str]:
        return [name for name, mistake in self._own.items() if overrides_methods_alone(mistake)]

    def _combinations(self, base: Names) -> Combinations:
        if base not in self._of_base:
            own = {name: self._own[name] for name in self._cheap_names()} if base else self._own
            self._of_base[base] = Combinations(
                symbol=self._symbol,
                reference=self._references[base],
                own=own,
                parts=self.parts,
                stages=stages_of(self._draws, self._shapes.get(base, {})),
                activations=self._activations,
            )
        return self._of_base[base]


def _shapes(symbol: Any, config: Mapping[str, Any]) -> Shapes:
    try:
        return shapes_of(dict(symbol(**config).named_parameters()))
    except Exception:  # some mistakes refuse what the reference takes
        return {}


def _matrices(shapes: Shapes) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The matrices and gains of norms among parameters: missing biases are no parameters of another kind."""
    return tuple((name, shape) for name, shape in shapes.items() if not is_bias(name, shape))


def _size(shapes: Shapes, axes: int = 0) -> int:
    return sum(int(torch.Size(shape).numel()) for shape in shapes.values() if len(shape) >= axes)
