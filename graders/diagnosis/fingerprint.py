"""What can be seen of a candidate on a draw, made comparable with what can be seen of another.

Values are compared closely: draws are in float64, so that another order of summing leaves no more than the
last digits, and two that agree on all draws compute the same. What has no input in floating point answers in
float32, and is compared less closely.

A draw may say more of itself: `read(answer)` gives the plain form of answers that are as right, and
`behaviour(candidate)` a text in the place of all values, for modules that need not compute the same.
"""

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapper import heads_of, shapes_of
from graders.candidate.parameter_mapping.mapping import DoesNotFit, Shapes
from graders.check_api.answer_form import form_of, tensors_of
from graders.check_api.check import Called, Candidate, Module, Raised
from graders.check_api.strategies.tensors import normal, weights
from graders.language import speaking

INPUT = "input "  # before the number of an input, in the names of gradients
TRAINED = 2  # calls in training that are compared with the first
ENOUGH = 40  # values of an answer, so that dropout cannot leave all of them alone by chance
CLOSE = 1e-9  # of the greatest value: far above float64's rounding, far below any mistake
CLOSE32 = 1e-3  # the same where a value is no more precise than float32


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """A candidate on one draw.

    Attributes:
        stopped: where and how it raised, with nothing else seen; None where it did not.
        shapes: of its parameters, in order of size.
        form: the answer's structure, with dtypes and shapes.
        values: the tensors and numbers of the answer; none where a second call gives others.
        settled: whether a second call in evaluation gives the same.
        kept: per argument, whether it holds its values afterwards.
        gradients: by input and parameter, None where none arrives; empty where there are none.
        drops: whether two calls in training differ; not looked for in small answers.
        renamed: whether the parameters have names and forms of their own; then only their number and the
            gradients of inputs compare.
    """

    stopped: str | None = None
    shapes: tuple[tuple[int, ...], ...] = ()
    form: str = ""
    values: tuple[Tensor, ...] = ()
    settled: bool = True
    kept: tuple[bool, ...] = ()
    gradients: Mapping[str, Tensor | None] | None = None
    drops: bool = False
    renamed: bool = False

    def matches(self, other: "Fingerprint") -> bool:
        """Whether the same was seen, apart from what chance decides (`drops`)."""
        if not self.loosely_matches(other) or self.settled != other.settled:
            return False
        return all(map(close, self.values, other.values)) and self._learns_as(other)

    def loosely_matches(self, other: "Fingerprint") -> bool:
        """Whether the same was seen apart from values, which are others at every call of some."""
        renamed = self.renamed or other.renamed
        mine, theirs = (
            (seen.stopped, _values(seen.shapes) if renamed else seen.shapes, seen.form, seen.kept)
            for seen in (self, other)
        )
        return mine == theirs

    def _learns_as(self, other: "Fingerprint") -> bool:
        mine, theirs = self.gradients or {}, other.gradients or {}
        names = mine.keys() & theirs.keys()
        if self.renamed or other.renamed:
            names = {name for name in names if name.startswith(INPUT)}
        return all(_same(mine[name], theirs[name]) for name in names)


def fingerprint(candidate: Candidate, draw: Any, reference: Any = None) -> Fingerprint:
    """What is seen of a candidate on a draw: a module is built, weighed and looked at; a function called.

    Args:
        candidate: what is looked at.
        draw: with the `arguments` of a call and, for a module, its `config` and a `seed`; or one that says
            itself what is seen (`graders.check_api.behaviour`).
        reference: the reference's class, from which a candidate with names of its own gets its weights.
    """
    with speaking("en"):  # words are compared here, and some are kept for whoever speaks another language
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
    return replace(seen, shapes=tuple(sorted(shapes.values())), renamed=candidate.mapper.mapping is not None)


def is_behaviour_trial(draw: Any) -> bool:
    """Whether a draw says itself what is seen (`check_api/behaviour.py`): then answers are not compared."""
    return hasattr(draw, "observe")


def answer(candidate: Candidate, draw: Any) -> Any:
    """The answer alone, of a candidate of ours: it tells most known mistakes apart at once."""
    if not hasattr(draw, "config"):
        return _read(draw, candidate(*draw.arguments))
    module = candidate.construct(**draw.config)
    values = _weights(tuple(module.shapes().items()), draw.seed, draw.dtype)
    return _read(draw, module.load(values, draw.dtype)(*draw.arguments))


@cache
def _weights(
    shapes: tuple[tuple[str, tuple[int, ...]], ...], seed: int, dtype: torch.dtype
) -> dict[str, Tensor]:
    return weights(dict(shapes), seed, dtype=dtype)


def close(mine: Tensor, theirs: Tensor) -> bool:
    """Whether two tensors of a shape hold the same values; NaN and infinities where the other has them."""
    single = any(one.is_floating_point() and one.dtype != torch.float64 for one in (mine, theirs))
    least = CLOSE32 if single else CLOSE
    mine, theirs = mine.double(), theirs.double()
    if mine.shape != theirs.shape:
        return False
    finite = torch.isfinite(theirs)
    most = float(theirs[finite].abs().max()) if bool(finite.any()) else 0.0
    return torch.allclose(mine, theirs, rtol=least, atol=least * max(most, 1e-3), equal_nan=True)


def _module(candidate: Candidate, module: Module, shapes: Shapes, draw: Any, reference: Any) -> Fingerprint:
    rule = candidate.mapper.mapping
    values = weights(shapes, draw.seed, dtype=draw.dtype)
    if rule is not None and reference is not None:
        with contextlib.suppress(DoesNotFit, ValueError):  # it may refuse what the candidate does not
            named = shapes_of(dict(reference(**draw.config).named_parameters()))
            values = rule.apply(weights(named, draw.seed, dtype=draw.dtype), shapes, heads_of(draw.config))
    module.load(values, draw.dtype)
    seen = _called(module, draw, True)
    drops = _drops(module.train(), draw.arguments)
    return replace(seen, drops=drops)


def _facts(found: Any) -> Fingerprint:
    if isinstance(found, str):
        return Fingerprint(form=found)
    return Fingerprint(form=form_of(found), values=tuple(tensors_of(found)))


def _drops(module: Module, arguments: Sequence[Any]) -> bool:
    first = tensors_of(module(*arguments))
    if sum(values.numel() for values in first) < ENOUGH:
        return False
    again = (tensors_of(module(*arguments)) for _ in range(TRAINED))
    return any(not all(map(torch.equal, first, values)) for values in again)


def _called(called: Called, draw: Any, learns: bool) -> Fingerprint:
    arguments = draw.arguments
    look = called.observed_call(*arguments)
    answer = _read(draw, look.answer)
    values, again = tensors_of(answer), tensors_of(_read(draw, called(*arguments)))
    settled = len(values) == len(again) and all(map(close, values, again))
    learns |= any(isinstance(a, Tensor) and a.is_floating_point() for a in arguments)
    return Fingerprint(
        form=form_of(answer),
        values=tuple(values) if settled else (),
        settled=settled,
        kept=tuple(map(_same_value, arguments, look.args)),
        gradients=_gradients(called, arguments, look.answer) if learns and settled else None,
    )


def _read(draw: Any, answer: Any) -> Any:
    return draw.normalise(answer) if hasattr(draw, "normalise") else answer


def _gradients(called: Called, arguments: Sequence[Any], answer: Any) -> dict[str, Tensor | None]:
    first = answer[0] if isinstance(answer, tuple | list) and answer else answer
    if not isinstance(first, Tensor) or not first.is_floating_point():
        return {}
    upstream = normal(*first.shape, seed=7, dtype=first.dtype)
    found = called.gradients(*arguments, upstream=[upstream])
    inputs = {f"{INPUT}{number}": gradient for number, gradient in enumerate(found.inputs)}
    return {**inputs, **found.parameters}


def _values(shapes: Sequence[tuple[int, ...]]) -> int:
    return sum(map(math.prod, shapes))


def _stops(look: Any) -> Fingerprint:
    try:
        seen: Fingerprint = look()
    except Raised as error:
        return Fingerprint(f"when called: {error.kind}")
    return seen


def _same(mine: Tensor | None, theirs: Tensor | None) -> bool:
    if mine is None or theirs is None:
        return mine is theirs
    return close(mine, theirs)


def _same_value(before: Any, after: Any) -> bool:
    if isinstance(before, Tensor):
        return isinstance(after, Tensor) and before.shape == after.shape and close(after, before)
    # What comes back is what the student's process says: it may be of any kind.
    return type(before) is type(after) and bool(before == after)
