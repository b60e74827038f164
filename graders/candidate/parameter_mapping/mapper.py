"""Finds once which of a candidate's parameters hold the reference's, and uses that at every configuration."""

import contextlib
import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.equal_weights import find_difference
from graders.candidate.parameter_mapping.longer_tables import ShortTables, short_tables, with_tables
from graders.candidate.parameter_mapping.mapping import (
    DoesNotFit,
    ParameterMapping,
    Shapes,
    Undecidable,
    matches,
    shapes_of,
)
from graders.candidate.parameter_mapping.names import is_bias
from graders.candidate.parameter_mapping.reference_models import LiveModels, ReferenceModels, models_of
from graders.candidate.parameter_mapping.search import MappingSearch, gains_of
from graders.candidate.parameter_mapping.side_by_side import CutModule, find_cuts, join_parts
from graders.check_api.candidate import Candidate, Module
from graders.check_api.compare import OtherParameters
from graders.check_api.reference_answer import ReferenceAnswer
from graders.language import tr
from graders.safe_text import safe_text
from graders.sandbox.process_lost import ProcessLost

LISTED = 20  # maximum number of parameters in a message
PARAMETERS = 300  # maximum number of parameter names for which a mapping is searched


@dataclass
class ParameterMapper:
    """How a candidate keeps the reference's parameters.

    `mapping_draws` gives fresh draws of one configuration with the reference's answers. `alone` is a context
    in which no other call of the candidate runs: a mapping is searched inside it. `decides_other_layers`:
    whether matrices that cannot be the reference's are wrong, and not undecided. `difference`: what makes the
    module wrong in whatever way its parameters are matched.
    """

    candidate: Candidate
    mapping_draws: Callable[[], Sequence[ReferenceAnswer]]
    alone: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext
    mapping: ParameterMapping | None = None
    decides_other_layers: bool = False
    difference: str | None = None
    _models: ReferenceModels | None = None
    _searched: set[frozenset[str]] = field(default_factory=set)
    _adapted: set[Any] = field(default_factory=set)
    _others: list[ParameterMapping] = field(default_factory=list)
    _reference: Any = None
    _stopped: Exception | None = None

    def of_candidate(
        self, candidate: Candidate, alone: Callable[[], AbstractContextManager[None]]
    ) -> "ParameterMapper":
        """The same with all that it knows, for the same code elsewhere, or after an edit."""
        return replace(self, candidate=candidate, alone=alone, _searched=set(self._searched))

    def fit(
        self, answer: ReferenceAnswer, shapes: Shapes, frozen: frozenset[str] = frozenset()
    ) -> dict[str, Tensor]:
        """The reference's parameters as this candidate's module keeps them; its extra biases are zero.

        Biases that the module lacks are zero in the answer too, from now on.

        Args:
            answer: the reference's.
            shapes: those of the student's module.
            frozen: the names of its parameters that are not trained.

        Raises:
            Violation: parameters are missing, or have shapes that do not follow from the configuration.
            Undecidable: there are as many values as there should be, but in no known layout.
        """
        expected = shapes_of(answer.parameters)
        if not has_all_by_name(shapes, expected):
            with self.alone():
                self._search(answer)
        absent = absent_by_name(shapes, expected)
        if absent is None:
            absent = self.mapping.names_absent(expected) if self.mapping else frozenset()
        fitting = answer.judge_without(absent)
        held = self.convert(fitting.parameters, shapes, answer.draw.config, frozen)
        return {**held, **self._zeros(shapes, held)}

    def convert(
        self,
        values: Mapping[str, Tensor],
        shapes: Shapes,
        config: Mapping[str, Any],
        frozen: frozenset[str] = frozenset(),
    ) -> dict[str, Tensor]:
        """The reference's values, or their gradients, under the names and in the layouts of a module.

        Raises:
            Violation, Undecidable: as `fit`.
        """
        expected = shapes_of(values)
        if absent_by_name(shapes, expected) is not None:
            return {name: value for name, value in values.items() if name in shapes}
        if self.mapping is None:
            raise self._unmatched(shapes, expected, frozen)
        learned = {name: shape for name, shape in shapes.items() if self._maps(name, frozen)}
        try:
            converted = self.mapping.apply(values, learned, heads_of(config, self._reference))
        except DoesNotFit:
            raise OtherParameters(_list_both(shapes, expected)) from None
        if not self.mapping.proven and not self.mapping.complete:
            raise self._undecided(_list_both(shapes, expected))
        return converted

    def find_difference(self) -> None:
        """Find out whether an unmatched module is wrong however its parameters are matched: see `difference`.

        Where it has as many values as the reference, all are set to one number (`equal_weights.py`). With
        another number of values, it is wrong where its parameters show no size of the reference's.
        """
        models = self._models
        if not isinstance(models, LiveModels) or (self.mapping is not None and self.mapping.proven):
            return
        expected = shapes_of(models.answers[0].parameters)
        try:
            with self.alone():
                module = self.candidate.construct(**models.config).to(torch.float64)
                learned = {n: s for n, s in module.shapes().items() if n not in module.frozen}
                if _values(learned) == _values(expected):
                    self.difference = find_difference(module, learned, models)
                elif hides_its_layout(learned, expected):
                    self.difference = tr("your parameters are not as many numbers as the reference's")
        except ProcessLost as loss:  # it has answered under other weights
            self.difference = str(loss)

    @property
    def unproven(self) -> bool:
        """Whether parameters are matched by a mapping under which nothing agrees, and another may be right.

        Where each stands alone, the likeliest mapping is the plain one, under which answers can be shown.
        """
        return self.mapping is not None and not self.mapping.proven and not self.mapping.is_plain

    @property
    def says(self) -> str:
        """Which parameters were matched, where the names alone do not show it; empty otherwise."""
        if self.mapping is None or self.unproven or not self.mapping.says:
            return ""
        if not self.mapping.proven:
            message = tr(
                "however your parameters are matched with the reference's, the answer is another; cases are "
                "shown under the likeliest match: {rule}",
                rule=self.mapping.says,
            )
            return safe_text(message, 1_500)
        return safe_text(tr("parameters were matched by what they do: {rule}", rule=self.mapping.says), 1_500)

    @property
    def says_unproven(self) -> str:
        """That the answer is wrong in whatever way parameters are matched, and the likeliest way."""
        message = tr(
            "your parameters are kept in another way than the reference's, and however they are matched, the "
            "answer is not the reference's. The likeliest match: {rule}",
            rule=(self.mapping.says if self.mapping else "") or tr("none"),
        )
        return safe_text(message, 1_500)

    def others(self) -> Iterator[ParameterMapping]:
        """Where no mapping is proven: each that is likely; it is used until the next."""
        if self.mapping is None or self.mapping.proven:
            return
        likeliest = self.mapping
        try:
            for mapping in self._others:
                self.mapping = mapping
                yield mapping
        finally:
            self.mapping = likeliest

    def _maps(self, name: str, frozen: frozenset[str]) -> bool:
        assert self.mapping is not None
        return name not in frozen or any(matches(rule.name, name) for rule in self.mapping.rules)

    def _unmatched(self, shapes: Shapes, expected: Shapes, frozen: frozenset[str]) -> Exception:
        both = _list_both(shapes, expected)
        if _values(shapes) < _values(expected):
            return OtherParameters(both)
        learned = {name: shape for name, shape in shapes.items() if name not in frozen}
        if self.decides_other_layers and all(has_other_layers(kept, expected) for kept in (shapes, learned)):
            why = tr("your matrices are other layers than the reference's, in number or in kind")
            return OtherParameters(safe_text(f"{why}: {both}"))
        return self._undecided(both)

    def _undecided(self, both: str) -> Exception:
        if self.difference is None:
            return Undecidable(both)
        return OtherParameters(safe_text(f"{self.difference}\n{both}"))

    def _zeros(self, shapes: Shapes, held: Mapping[str, Tensor]) -> dict[str, Tensor]:
        if self.mapping is not None:
            return self.mapping.neutral_values(shapes)
        return {
            name: torch.zeros(shape)
            for name, shape in shapes.items()
            if name not in held and name.endswith("bias")
        }

    def _search(self, answer: ReferenceAnswer) -> None:
        """Search once for each set of the reference's parameters: its last layer may be tied or biased.

        Raises:
            Undecidable: an answer key lacked an answer, now or before.
            ProcessLost: the code used up the time of the search, or lost its process, now or before. Without
                this, its parameters would count as undecided.
        """
        if self._stopped is not None:
            raise self._stopped
        try:
            self._search_now(answer)
        except (Undecidable, ProcessLost) as reason:
            self._stopped = reason
            raise

    def _search_now(self, answer: ReferenceAnswer) -> None:
        draws = self.mapping_draws()
        if not draws or draws[0].recipe is None:
            return
        recipe = answer.recipe or draws[0].recipe
        if recipe.adapt in self._adapted:  # the same names again: they are not asked of a new model
            return
        recipe = replace(draws[0].recipe, adapt=recipe.adapt, activations=recipe.activations)
        config = draws[0].draw.config
        models = models_of(recipe, draws)
        if models is None:
            return
        self._adapted.add(recipe.adapt)
        if models.names in self._searched:
            return
        self._searched.add(models.names)
        self._reference, self._models = recipe.reference, models
        answers = models.answers
        module = self.candidate.construct(**config).to(torch.float64)
        expected = shapes_of(answers[0].parameters)
        shapes = module.shapes()
        if len(shapes) > PARAMETERS or absent_by_name(shapes, expected) is not None:
            return
        gains = sum(len(shape) == 1 and not is_bias(name, shape) for name, shape in expected.items())
        names_of_gains = gains_of(module.parameters(), gains)
        layers = int(config.get("num_layers", 0))
        frozen = module.frozen
        learned = {name: shape for name, shape in shapes.items() if name not in frozen}
        # A frozen mask is no layer too many; what is left over then may be one.
        for kept, foreign in ((shapes, False), *([(learned, False)] if frozen else []), (learned, True)):
            search = MappingSearch(
                module=module,
                shapes=kept,
                gains=names_of_gains,
                models=models,
                answers=answers,
                heads=heads_of(config),
                layers=layers,
                foreign=foreign,
            )
            mapping = search.find()
            # Whether a layer too many is a mistake, a known mistake tells (`judging/decide_as_mistake.py`).
            if mapping is not None and (mapping.proven or not foreign):
                self.mapping, self._others = mapping, search.candidates
                return
        if not self._search_with_short_tables(module, learned, names_of_gains, models, config):
            self._search_in_parts(module, learned, names_of_gains, models, config)

    def _search_with_short_tables(
        self,
        module: Module,
        shapes: Shapes,
        gains: frozenset[str],
        models: ReferenceModels,
        config: Mapping[str, Any],
    ) -> bool:
        """Search where tables have more rows than are due; whether a mapping is proven."""
        for tables in short_tables(module, shapes, shapes_of(models.answers[0].parameters)):
            found = _begin_search(tables, tables.shapes(shapes), gains, models, config).find()
            if found is not None and found.proven:
                self.mapping, self._others = with_tables(found, tables), []
                return True
        return False

    def _search_in_parts(
        self,
        module: Module,
        shapes: Shapes,
        gains: frozenset[str],
        models: ReferenceModels,
        config: Mapping[str, Any],
    ) -> None:
        """Search where one matrix may hold two kinds of the reference's; a proven mapping goes first."""
        layers = int(config.get("num_layers", 0))
        for cuts in find_cuts(shapes, shapes_of(models.answers[0].parameters), layers):
            cut = CutModule(module, cuts)
            search = _begin_search(cut, cut.shapes(shapes), gains, models, config)
            found = search.find()
            joined = found and join_parts(found, cuts)
            if joined is None:
                continue
            if joined.proven:
                self.mapping, self._others = joined, []
                return
            self.mapping = self.mapping or joined
            others = (join_parts(other, cuts) for other in search.candidates)
            self._others += [other for other in others if other is not None]


def _begin_search(
    module: Module | ShortTables | CutModule,
    shapes: Shapes,
    gains: frozenset[str],
    models: ReferenceModels,
    config: Mapping[str, Any],
) -> MappingSearch:
    """A search over these parameters of a module, all of which the reference has in some way."""
    return MappingSearch(
        module=module,
        shapes=shapes,
        gains=gains,
        models=models,
        answers=models.answers,
        heads=heads_of(config),
        layers=int(config.get("num_layers", 0)),
    )


def heads_of(config: Mapping[str, Any], reference: Any = None) -> int:
    """H of a configuration; where it has none, the default of the reference's class, else 1."""
    if "num_heads" not in config and reference is not None:
        parameter = inspect.signature(reference).parameters.get("num_heads")
        return parameter.default if parameter and type(parameter.default) is int else 1
    return int(config.get("num_heads", 1))


def has_all_by_name(actual: Shapes, expected: Shapes) -> bool:
    """Whether all of the reference's parameters are there under their names and in their shapes."""
    return all(actual.get(name) == shape for name, shape in expected.items())


def absent_by_name(actual: Shapes, expected: Shapes) -> frozenset[str] | None:
    """The reference's biases that a module lacks which has all else by name; None where it has not.

    A module that lacks biases and has others of unknown names is no such module: these may be the biases.
    """
    if has_all_by_name(actual, expected):
        return frozenset()
    absent = frozenset(expected).difference(actual)
    present = {name: shape for name, shape in expected.items() if name not in absent}
    known = set(actual) <= set(expected) and has_all_by_name(actual, present)
    return absent if known and actual and all(is_bias(n, expected[n]) for n in absent) else None


def has_other_layers(shapes: Shapes, expected: Shapes) -> bool:
    """Whether matrices cannot be the reference's, however they are laid out: they have more or fewer values.

    Where they only have other numbers of rows, as a table of positions with one more has, they may be.
    """
    found, due = _matrices(shapes), _matrices(expected)
    columns, columns_due = (sorted(shape[-1] for shape in matrices.values()) for matrices in (found, due))
    return _values(found) != _values(due) and columns != columns_due


def hides_its_layout(shapes: Shapes, expected: Shapes) -> bool:
    """Whether no parameter has an axis as long as one of the reference's: nothing shows what is where."""
    sizes = {size for shape in expected.values() for size in shape if size > 1}
    large = [shape for shape in shapes.values() if math.prod(shape) > 1]
    return bool(large) and not any(sizes.intersection(shape) for shape in large)


def _matrices(shapes: Shapes) -> Shapes:
    return {n: s for n, s in shapes.items() if max(s, default=1) < torch.Size(s).numel()}


def _values(shapes: Shapes) -> int:
    return sum(int(torch.Size(shape).numel()) for shape in shapes.values())


def _list_both(actual: Shapes, expected: Shapes) -> str:
    """Both lists, each on a line, with what differs first, and short enough that both are seen."""

    def listed(shapes: Shapes, others: Shapes) -> str:
        first = sorted(shapes, key=lambda name: shapes[name] == others.get(name))[:LISTED]
        more = [tr("and {n} more", n=len(shapes) - LISTED)] if len(shapes) > LISTED else []
        return ", ".join([safe_text(f"{name} {shapes[name]}", 100) for name in first] + more) or tr("none")

    should_be = tr("the parameters should be {listed}", listed=listed(expected, actual))
    are = tr("but they are {listed}", listed=listed(actual, expected))
    return safe_text(f"{should_be}\n{are}")
