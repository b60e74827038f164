"""How a candidate behaves on one draw, in a form that can be compared with another candidate's.

The tolerance is tight: draws are in float64, so that another order of summation changes only the last
digits, and two candidates that agree on all draws compute the same. Without floating-point inputs,
candidates answer in float32, and the tolerance is wider.

A draw may have two more methods: `normalise(answer)` normalises equally valid answer formats;
`observe(candidate)` returns what is compared instead, for modules that need not compute the same values.
"""

import contextlib
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapper import heads_of
from graders.candidate.parameter_mapping.mapping import DoesNotFit, ParameterMapping, Shapes, shapes_of
from graders.candidate.parameter_mapping.names import is_bias
from graders.check_api.answer_form import form_of, tensors_of
from graders.check_api.candidate import Called, Candidate, Module, Raised
from graders.check_api.compare import MOST_VALUES
from graders.check_api.strategies.tensors import normal, weights
from graders.diagnosis.closeness import CLOSE, CLOSE32, all_equal, close
from graders.diagnosis.projection import Projection
from graders.diagnosis.stored_parts import unless_unanswered
from graders.language import speaking

INPUT = "input "  # prefix of an input's number, in the names of gradients
TRAINED = 2  # calls in training mode that are compared with the first
ENOUGH = 40  # values of an answer: with fewer, dropout may by chance drop none of them
SEED = 1  # of calls whose values are compared: code that is random gives those that random code of ours gives


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """How a candidate behaves on one draw.

    Attributes:
        stopped: where it raised, and the error's shape; then only `shapes` and `renamed` may be set too.
        shapes: the shapes of its parameters, sorted.
        form: the answer's structure, with dtypes and shapes.
        values: the tensors and numbers of the answer; empty if a second call gives others, or if it has more
            than MOST_VALUES: its form alone tells then that no known answer agrees.
        settled: whether a second call in evaluation mode gives the same values.
        kept: for each argument, whether the call left its values unchanged.
        gradients: of each input and parameter, None where none arrives; empty or None if not computed. An
            answer key has projections of large ones.
        drops: whether two calls in training mode differ; not tested on small answers.
        renamed: whether parameters have other names and shapes than the reference's; then only how many
            values they have and the gradients of inputs are compared.
        absent: the reference's biases that it lacks.
    """

    stopped: str | None = None
    shapes: tuple[tuple[int, ...], ...] = ()
    form: str = ""
    values: tuple[Tensor, ...] = ()
    settled: bool = True
    kept: tuple[bool, ...] = ()
    gradients: Mapping[str, Tensor | Projection | None] | None = None
    drops: bool = False
    renamed: bool = False
    absent: frozenset[str] = frozenset()

    def matches(self, other: "Fingerprint") -> bool:
        """Whether both behave the same, apart from `drops`, which depends on chance."""
        if not self.loosely_matches(other) or self.settled != other.settled:
            return False
        return all(map(close, self.values, other.values)) and self._learns_as(other)

    def loosely_matches(self, other: "Fingerprint") -> bool:
        """Whether both behave the same apart from values, which some change at every call."""
        renamed = self.renamed or other.renamed
        mine, theirs = (
            (seen.stopped, sum(map(math.prod, seen.shapes)) if renamed else seen.shapes, seen.form, seen.kept)
            for seen in (self, other)
        )
        return mine == theirs

    def _learns_as(self, other: "Fingerprint") -> bool:
        mine, theirs = self.gradients or {}, other.gradients or {}
        names = mine.keys() & theirs.keys()
        if self.renamed or other.renamed:
            names = {name for name in names if name.startswith(INPUT)}
        return all(_same(cast(Tensor | None, mine[name]), theirs[name]) for name in names)


def fingerprint(candidate: Candidate, draw: Any, reference: Any = None) -> Fingerprint:
    """A candidate's fingerprint on a draw: construct a module, set its weights and call it; call a function.

    Args:
        candidate: the candidate that is called.
        draw: with the `arguments` of a call and, for a module, its `config` and a `seed`; or one with its
            own `observe` (`graders.check_api.behaviour`).
        reference: the reference's class, whose weights are mapped to a candidate with other names.
    """
    with speaking("en"):  # texts are compared, and cached ones are reused in runs in another language
        return _observed(candidate, draw, reference)


def _observed(candidate: Candidate, draw: Any, reference: Any) -> Fingerprint:
    if is_behaviour_trial(draw):
        return _stops(lambda: _facts(draw.observe(candidate)))
    if not hasattr(draw, "config"):
        return _stops(lambda: _called(candidate, draw, False))
    try:
        module = candidate.construct(**draw.config)
    except Raised:
        return Fingerprint("at construction")
    try:
        shapes = module.shapes()
    except Raised:  # it is no module
        return Fingerprint("at construction")
    seen = _stops(lambda: _module(candidate, module, shapes, draw, reference))
    mapping: ParameterMapping | None = candidate.mapper.mapping
    absent = _absent(mapping, shapes, _shapes_due(draw, reference)) if reference else frozenset()
    return replace(seen, shapes=tuple(sorted(shapes.values())), renamed=mapping is not None, absent=absent)


@dataclass(frozen=True, eq=False)
class AnswerTensors:
    """The tensors of an answer, and the reference's biases that the module lacks."""

    values: tuple[Tensor, ...] = ()
    absent: frozenset[str] = frozenset()


def answer_to(candidate: Candidate, draw: Any, reference: Any, silenced: frozenset[str]) -> AnswerTensors:
    """A candidate's answer to a draw under one seed, with some of the reference's parameters at zero.

    Args:
        candidate: it is called once.
        draw: as for `fingerprint`, and no behaviour trial.
        reference: as for `fingerprint`.
        silenced: the names of the parameters that are zero.

    Raises:
        Raised: it refuses the configuration or the call.
    """
    if not hasattr(draw, "config"):
        return AnswerTensors(_values_in(draw, candidate.seeded(SEED, *draw.arguments).answer))
    module = candidate.construct(**draw.config)
    shapes = module.shapes()
    mapping: ParameterMapping | None = candidate.mapper.mapping
    absent = _absent(mapping, shapes, _shapes_due(draw, reference))
    _load(
        candidate=candidate, module=module, shapes=shapes, draw=draw, reference=reference, silenced=silenced
    )
    return AnswerTensors(_values_in(draw, module.seeded(SEED, *draw.arguments).answer), absent)


def is_behaviour_trial(draw: Any) -> bool:
    """Whether a draw has its own `observe` (`check_api/behaviour.py`): then answers are not compared."""
    return hasattr(draw, "observe")


def _module(candidate: Candidate, module: Module, shapes: Shapes, draw: Any, reference: Any) -> Fingerprint:
    _load(candidate, module, shapes, draw, reference)
    result = _called(module, draw, True)
    drops = unless_unanswered(functools.partial(_drops, module.train(), draw, result.values))
    return replace(result, drops=bool(drops))


def _load(
    candidate: Candidate,
    module: Module,
    shapes: Shapes,
    draw: Any,
    reference: Any,
    silenced: frozenset[str] = frozenset(),
) -> None:
    """Give a module the weights of the draw's seed; those of the reference's that are `silenced` are zero."""
    mapping: ParameterMapping | None = candidate.mapper.mapping
    values = _weights(shapes, draw, silenced)
    due = _shapes_due(draw, reference)
    if mapping is not None and due:
        try:
            mapped = mapping.apply(_weights(due, draw, silenced), shapes, heads_of(draw.config, reference))
            values = {**mapped, **mapping.neutral_values(shapes)}
        except DoesNotFit:  # a known mistake may have the same parameters in other shapes
            if renamed := mapping.names_due(shapes):
                own = _weights({renamed[name]: shape for name, shape in shapes.items()}, draw, silenced)
                values = {name: own[renamed[name]] for name in shapes}
    module.load(values, draw.dtype)


def _weights(shapes: Shapes, draw: Any, silenced: frozenset[str]) -> dict[str, Tensor]:
    parameters = weights(shapes, draw.seed, dtype=draw.dtype)
    return {n: torch.zeros_like(value) if n in silenced else value for n, value in parameters.items()}


def _shapes_due(draw: Any, reference: Any) -> Shapes:
    """The shapes of the reference's parameters; {} where there is no reference or it refuses."""
    if reference is None:
        return {}
    config = tuple(draw.config.items())
    try:
        hash(config)
    except TypeError:  # it holds a list, say: nothing is remembered
        return _shapes_at.__wrapped__(reference, config)
    return _shapes_at(reference, config)


@functools.lru_cache(maxsize=1024)  # each is asked for twice for every candidate
def _shapes_at(reference: Any, config: tuple[tuple[str, Any], ...]) -> Shapes:
    for fitting in (dict(config), {**dict(config), "num_heads": 1}):
        # A width that the heads do not divide is refused; the shapes do not depend on the number of heads.
        with contextlib.suppress(ValueError, TypeError):
            return shapes_of(dict(reference(**fitting).named_parameters()))
    return {}


def _absent(mapping: ParameterMapping | None, shapes: Shapes, due: Shapes) -> frozenset[str]:
    if mapping is not None:
        return mapping.names_absent(due)
    by_name = not due.keys().isdisjoint(shapes)
    return frozenset(
        name for name, shape in due.items() if by_name and name not in shapes and is_bias(name, shape)
    )


def _facts(observed: Any) -> Fingerprint:
    if isinstance(observed, str):
        return Fingerprint(form=observed)
    return Fingerprint(form=form_of(observed), values=tuple(tensors_of(observed)))


def _drops(module: Module, draw: Any, settled: Sequence[Tensor]) -> bool:
    """Whether calls in training mode differ: not where one draws no number and gives the settled values."""
    call = module.observed_call(*draw.arguments)
    first = tensors_of(call.answer)
    if not ENOUGH <= sum(values.numel() for values in first) <= MOST_VALUES:
        return False
    if call.random_state_kept and settled and all_equal(settled, tensors_of(_read(draw, call.answer))):
        return False
    return any(not all_equal(first, tensors_of(module(*draw.arguments))) for _ in range(TRAINED))


def _called(called: Called, draw: Any, learns: bool) -> Fingerprint:
    arguments = draw.arguments
    call = called.observed_call(*arguments)
    if _has_too_many(call.answer):
        return Fingerprint(form=form_of(call.answer))
    answer = _read(draw, call.answer)
    values, again = tensors_of(answer), tensors_of(_read(draw, called(*arguments)))
    settled = len(values) == len(again) and all(map(close, values, again))
    learns |= any(isinstance(a, Tensor) and a.is_floating_point() for a in arguments)
    learn = functools.partial(_gradients, called, arguments, call.answer)
    return Fingerprint(
        form=form_of(answer),
        values=tuple(values) if settled else (),
        settled=settled,
        kept=tuple(map(_same_value, arguments, call.args)),
        gradients=unless_unanswered(learn) if learns and settled else None,
    )


def _has_too_many(answer: Any) -> bool:
    return sum(value.numel() for value in tensors_of(answer)) > MOST_VALUES


def _values_in(draw: Any, answer: Any) -> tuple[Tensor, ...]:
    """The values of an answer; none of one that has too many."""
    return () if _has_too_many(answer) else tuple(tensors_of(_read(draw, answer)))


def _read(draw: Any, answer: Any) -> Any:
    return draw.normalise(answer) if hasattr(draw, "normalise") else answer


def _gradients(called: Called, arguments: Sequence[Any], answer: Any) -> dict[str, Tensor | None]:
    first = answer[0] if isinstance(answer, tuple | list) and answer else answer
    if not isinstance(first, Tensor) or not first.is_floating_point():
        return {}
    upstream = normal(*first.shape, seed=7, dtype=first.dtype)
    gradients = called.gradients(*arguments, upstream=[upstream])
    inputs = {f"{INPUT}{number}": gradient for number, gradient in enumerate(gradients.inputs)}
    return {**inputs, **gradients.parameters}


def _stops(observe: Callable[[], Fingerprint]) -> Fingerprint:
    try:
        return observe()
    except Raised as error:
        return Fingerprint(f"when called: {error.shape}")


def _same(mine: Tensor | None, theirs: Tensor | Projection | None) -> bool:
    if mine is None or theirs is None:
        return mine is theirs
    if isinstance(theirs, Projection):
        return theirs.fits(mine, CLOSE if mine.dtype == torch.float64 else CLOSE32)
    return close(mine, theirs)


def _same_value(before: Any, after: Any) -> bool:  # `after` is the student's process's: of any type
    if isinstance(before, Tensor):
        return isinstance(after, Tensor) and before.shape == after.shape and close(after, before)
    if isinstance(before, tuple | list) and isinstance(after, tuple | list):  # a tensor for each layer, say
        return len(before) == len(after) and all(map(_same_value, before, after))
    return type(before) is type(after) and bool(before == after)
