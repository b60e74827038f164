"""Known mistakes of a model whose last layer shares its weights with the words' table.

That is as right as a layer of its own. But then every answer is another, that of a mistake too: so the
reference and its mistakes are tied as well.
"""

import functools
from collections.abc import Mapping
from typing import Any

from graders.candidate.parameter_mapping.mapper import ParameterMapper
from graders.candidate.parameter_mapping.mapping import Shapes, Undecidable, shapes_of
from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import Violation
from graders.check_api.head_layouts import TIED_LAYOUT
from graders.check_api.reference_answer import Recipe
from graders.diagnosis.part_mistakes import base_of

HEAD = "lm_head.weight"


def has_tied_head(candidate: Candidate, reference: Any, config: Mapping[str, Any]) -> bool:
    """Whether a candidate has one matrix where the reference has two, for words and for their scores."""
    due = shapes_of(dict(reference(**config).named_parameters()))
    if HEAD not in due:
        return False
    try:
        theirs = candidate.construct(**config).shapes()
    except Raised:
        return False
    return _count(theirs, due[HEAD]) == 1 < _count(due, due[HEAD])


def tie(mistakes: Mapping[str, Any]) -> Any:
    """Tie the last layer in all mistakes, which come from one copy of their file; its reference, tied."""
    reference = base_of(next(iter(mistakes.values())))
    construct = reference.__init__

    @functools.wraps(construct)
    def construct_tied(self: Any, *args: Any, **values: Any) -> None:
        construct(self, *args, **values)
        assert TIED_LAYOUT.adapt is not None
        TIED_LAYOUT.adapt(self)

    reference.__init__ = construct_tied
    return reference


def mapper_to(reference: Any, mistakes: Mapping[str, Any], candidate: Candidate) -> ParameterMapper:
    """A mapper of a candidate's parameters to those of the tied reference, whose search is done."""
    before: ParameterMapper = candidate.mapper
    recipe = Recipe(reference, mistakes=lambda: mistakes)
    answers = [recipe.answer(answer.draw) for answer in before.mapping_draws()]
    mapper = ParameterMapper(candidate, lambda: answers, before.alone)
    try:
        mapper.fit(answers[0], candidate.construct(**answers[0].draw.config).shapes())
    except (Violation, Undecidable, Raised):
        mapper.mapping = mapper.mapping or before.mapping
    return mapper


def _count(shapes: Shapes, shape: tuple[int, ...]) -> int:
    return sum(sorted(other) == sorted(shape) for other in shapes.values())
