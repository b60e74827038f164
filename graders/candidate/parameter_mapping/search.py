"""Searches how a student's parameters hold the reference's: by shapes, then by gradients, then by a proof.

Shapes say which classes of parameters each can hold (`structure.py`). One call under equal values tells which
layout holds and which parameter has which role (`probe.py`, `roles.py`). The proof is that the module answers
as the reference does, under different values for all, on fresh draws.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from torch import Tensor

from graders.candidate.parameter_mapping.layouts import Layout
from graders.candidate.parameter_mapping.mapping import (
    DoesNotFit,
    ParameterMapping,
    ParameterRule,
    Shapes,
    Undecidable,
)
from graders.candidate.parameter_mapping.names import says_gain
from graders.candidate.parameter_mapping.probe import (
    Probe,
    Probed,
    equal_values,
    in_due_form,
    place_of,
    probe_student,
    tensor_at,
)
from graders.candidate.parameter_mapping.reference_models import (
    MistakenModel,
    ReferenceModels,
    require_same_shape,
)
from graders.candidate.parameter_mapping.roles import (
    CostedMapping,
    choices_of_layouts,
    group_layouts,
    match_roles,
)
from graders.candidate.parameter_mapping.structure import RoleClass, Structure, roles_of, structures
from graders.check_api.candidate import Raised
from graders.check_api.check import Violation
from graders.check_api.reference_answer import ReferenceAnswer

# Numbers of trials and no seconds, so that a verdict does not depend on the machine's speed.
MOST_STRUCTURES = 4  # ways to hold the classes, by shapes, that are tried
MOST_CHOICES = 12  # choices of layouts that are tried for each: a call of the module for each
TIE = 0.01  # what a name weighs where the gradients are exact
WEIGHT = 0.3  # what it weighs where the module is wrong
AXES_OF_HEADS = 3  # of a gain that broadcasts to (B, H, S, D): (H, 1, D)
SAME = 1e-4  # relative difference of the answers of a student's module and of ours that it is taken for


@dataclass(frozen=True)
class _Trial:
    """A structure with a choice of layouts, and the student's probe under it."""

    structure: Structure
    layouts: Mapping[str, Sequence[Layout]]
    probes: tuple[Probe, ...]


@dataclass(kw_only=True)
class MappingSearch:
    """One search.

    Args:
        module: the student's, in float64, of the configuration of `answers`.
        shapes: those of its parameters, without the ones that are not trained.
        gains: the names of its parameters that are gains of norms.
        models: the reference and its known mistakes.
        answers: the reference's to draws of one configuration, those without a mask first.
        heads: H, or 1.
        layers: the number of equal layers, or 0.
        foreign: whether it may have layers that the reference does not have.
    """

    module: Probed
    shapes: Shapes
    gains: frozenset[str]
    models: ReferenceModels
    answers: Sequence[ReferenceAnswer]
    heads: int
    layers: int
    foreign: bool = False
    candidates: list[ParameterMapping] = field(default_factory=list)
    _lacking: list[Undecidable] = field(default_factory=list)
    _place: int = 0  # of the output in the module's answer

    def find(self) -> ParameterMapping | None:
        """The proven mapping; else the likeliest, unproven; None where the shapes allow none.

        Raises:
            Undecidable: none is proven, and an answer key lacks an answer that might prove one.
        """
        trials: list[_Trial] = []
        self._leave_out_refused()
        for trial in self._trials(self.roles):
            if proven := self._prove_right(trial):
                return proven
            trials.append(trial)
        if not trials:
            return None
        # A constant in float32 must not make a mistake of the code that only exchanges two parameters.
        for trial in trials:
            if proven := self._prove_right(trial, nearly=True):
                return proven
        if proven := self._prove_mistake(trials):
            return proven
        if self._lacking:
            raise self._lacking[0]
        complete = not any(self._is_right_without_gradient(trial) for trial in trials)
        likely = sorted((self._likeliest(trial) for trial in trials), key=lambda matched: matched.cost)
        self.candidates = [replace(matched.mapping, complete=complete) for matched in likely]
        return self.candidates[0]

    def _is_right_without_gradient(self, trial: _Trial) -> bool:
        """Whether it answers as the reference does, but no gradient tells the roles."""
        return any(
            theirs.same_answer(ours[0]) and not any(g is not None for g in theirs.gradients.values())
            for theirs in trial.probes
            for ours in self._right
        )

    def _leave_out_refused(self) -> None:
        """Leave out the draws without a mask if the module cannot do without one.

        Where the weights come before the output, the output is what is looked at.
        """
        masked = [answer for answer in self.answers if answer.draw.masked]
        try:
            answered = self.module(*self.answers[0].draw.arguments)
            self._place = place_of(answered, self.answers[0].upstream.shape)
        except Raised:
            self.answers = masked or self.answers

    @cached_property
    def roles(self) -> dict[str, RoleClass]:
        """The classes of the reference's parameters."""
        return roles_of({n: tuple(v.shape) for n, v in self.answers[0].parameters.items()}, self.layers)

    @cached_property
    def _values(self) -> dict[str, Tensor]:
        return equal_values(self.roles, self.layers, self.answers[0].draw.seed)

    @cached_property
    def _right(self) -> list[list[Probe]]:
        """The probe of the reference in each variant that is right too."""
        return [[probe] for probe in self.models.right(self._number)]

    @property
    def _number(self) -> int:
        """That of the first answer, by which the models are asked."""
        return next(n for n, answer in enumerate(self.models.answers) if answer is self.answers[0])

    def _trials(self, roles: Mapping[str, RoleClass]) -> Iterator[_Trial]:
        possible = structures(
            actual=self.shapes,
            gains=self.gains,
            roles=roles,
            heads=self.heads,
            layers=self.layers,
            foreign=self.foreign,
        )
        for structure in itertools.islice(possible, MOST_STRUCTURES):
            values = {role: self._values[name.replace("*", "0")] for name, role in roles.items()}
            groups = group_layouts(structure, values, self.heads)
            for layouts in choices_of_layouts(groups, MOST_CHOICES):
                rules = tuple(
                    ParameterRule(h.name, self._any(roles, h.held, h.count), layouts[h.name][0])
                    for h in structure.holders
                )
                mapping = ParameterMapping(
                    rules, extra=structure.extra, ones=structure.ones, foreign=structure.foreign
                )
                probe = self._probe(mapping)
                yield _Trial(structure, layouts, (probe,) if probe else ())

    @staticmethod
    def _any(roles: Mapping[str, RoleClass], held: RoleClass, count: int) -> tuple[str, ...]:
        member = next(name for name, role in roles.items() if role == held)
        return (member,) * count

    def _probe(self, mapping: ParameterMapping) -> Probe | None:
        answer = self.answers[0]
        return probe_student(
            module=self.module,
            mapping=mapping,
            values=self._values,
            shapes=self.shapes,
            answer=answer,
            heads=self.heads,
            layers=self.layers,
            place=self._place,
        )

    def _match(self, trial: _Trial, ours: Sequence[Probe], names_weigh: float) -> CostedMapping:
        return match_roles(
            structure=trial.structure,
            roles=self.roles,
            theirs=trial.probes,
            ours=ours,
            layouts=trial.layouts,
            heads=self.heads,
            names_weigh=names_weigh,
        )

    def _prove_right(self, trial: _Trial, nearly: bool = False) -> ParameterMapping | None:
        for ours in self._right if trial.probes else ():
            if trial.probes[0].same_answer(ours[0]):
                mapping = self._match(trial, ours, TIE).mapping
                if self._gives_the_answers(mapping, nearly):
                    return replace(mapping, proven=True)
        return None

    def _likeliest(self, trial: _Trial) -> CostedMapping:
        """By likeness to the reference; by names alone where the module gives no answer."""
        return self._match(trial, self._right[0][: len(trial.probes)], WEIGHT)

    def _gives_the_answers(self, mapping: ParameterMapping, nearly: bool) -> bool:
        plain = [answer for answer in self.answers if not answer.draw.masked] or self.answers
        try:
            for answer in plain:
                absent = mapping.names_absent(answer.parameters)
                # What an earlier submission lacked must not count: answers are shared by all.
                fitting = answer.judge_without(absent)
                theirs = self._answer(mapping, fitting)
                if not nearly:
                    fitting.agree(theirs)
                elif not any(_is_like(theirs, accepted.exact) for accepted in fitting.outputs[0]):
                    return False
        except (DoesNotFit, Violation, Raised):
            return False
        except Undecidable as lacking:
            self._lacking.append(lacking)
            return False
        return True

    def _answer(self, mapping: ParameterMapping, answer: ReferenceAnswer) -> Tensor:
        loaded = mapping.apply(answer.parameters, self.shapes, self.heads)
        self.module.load({**loaded, **mapping.neutral_values(self.shapes)})
        return in_due_form(tensor_at(self.module(*answer.draw.arguments), self._place), answer)

    def _prove_mistake(self, trials: Sequence[_Trial]) -> ParameterMapping | None:
        """The mapping under which the module answers as a known mistake does."""
        for mistake in self.models.mistakes():
            if proven := self._prove_one(mistake, trials):
                return proven
        return None

    def _prove_one(self, mistake: MistakenModel, trials: Sequence[_Trial]) -> ParameterMapping | None:
        ours = mistake.probe(self._number)
        for trial in trials if ours else ():
            if ours and trial.probes and trial.probes[0].same_answer(ours):
                mapping = self._match(trial, [ours], TIE).mapping
                if self._answers_as(mapping, mistake):
                    return replace(mapping, proven=True)
        return None

    def _answers_as(self, mapping: ParameterMapping, mistake: MistakenModel) -> bool:
        absent = mapping.names_absent(self.answers[0].parameters)
        try:
            theirs = self._answer(mapping, self.answers[0].without(absent))
            ours = require_same_shape(theirs, mistake.output(self._number, absent))
        except (DoesNotFit, Violation, Raised):
            return False
        except Undecidable as lacking:
            self._lacking.append(lacking)
            return False
        return _is_like(theirs, ours)


def _is_like(theirs: Tensor, ours: Tensor) -> bool:
    return theirs.shape == ours.shape and bool((theirs - ours).norm() <= SAME * ours.norm())


def gains_of(parameters: Mapping[str, Tensor], expected: int) -> frozenset[str]:
    """The names of vectors that are gains of norms: those that begin as ones; by their names if that fails.

    A gain for each head has an axis of size 1, and mostly begins with one value, whatever it is.

    Args:
        parameters: a new module's.
        expected: the number of gains that there should be.
    """
    vectors = {n: v for n, v in parameters.items() if v.numel() == max(v.shape, default=1)}
    ones = frozenset(name for name, value in vectors.items() if bool((value == 1).all()))
    named = frozenset(name for name in vectors if says_gain(name))
    of_heads = frozenset(name for name, value in parameters.items() if _is_gain_of_heads(name, value))
    return (named if len(ones) != expected == len(named) else ones) | of_heads


def _is_gain_of_heads(name: str, value: Tensor) -> bool:
    return (
        value.dim() == AXES_OF_HEADS and 1 in value.shape[1:] and says_gain(name) and len(value.unique()) == 1
    )
