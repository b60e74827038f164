"""Variations of a draw: long sequences, masks, float64. A check of a variation is about the variation alone.

A wrong scale is wrong for long sequences too, under every mask and in float64, and another check is about
it. So the output for a variation is compared with the reference's where the plain output is the reference's.
Where that is wrong already, the code's own answers are compared with one another.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from graders.check_api.candidate import Candidate, Module, Raised
from graders.check_api.compare import Violation, alike, has_dtype, require, tensor
from graders.check_api.properties import begins_like, depends_on, first_tensor, uses_its_weights
from graders.check_api.reference_answer import ReferenceAnswer, reference_answer
from graders.check_api.strategies.module_inputs import Given
from graders.language import tr

Draw = TypeVar("Draw", bound=Given)
Answered = Callable[[Candidate, ReferenceAnswer], Tensor]
FEW = 6  # positions of a short sequence


@dataclass(frozen=True, eq=False)
class Varied:
    """The reference's answers to a draw, and to the same draw without what the check varies."""

    answer: Any
    plain: Any


@dataclass(frozen=True)
class _Variation:
    """The `answer` of a check of a variation.

    Attributes:
        plain: takes from a draw what the check varies.
        compute: gives the reference's answer to a draw.
        change: makes of a draw without the variation one of the sizes at which code is judged.
    """

    plain: Callable[[Any], Any]
    compute: Callable[..., Any]
    change: Callable[[Any], Any] | None = None

    def __call__(self, draw: Any, reference: Any) -> Varied:
        """The reference's answers to a draw and to the plain one."""
        plain = self.plain(draw)
        plain = self.change(plain) if self.change else plain
        return Varied(self.compute(draw, reference), self.compute(plain, reference))

    def accepting(self, change: Callable[[Any], Any]) -> "_Variation":
        """The same with another way to compute the reference's answers."""
        return replace(self, compute=change(self.compute))

    def mapped(self, change: Callable[[Any], Any]) -> "_Variation":
        """The same for a check with changed draws."""
        return replace(self, change=change)


def vary(
    plain: Callable[[Any], Any], compute: Callable[..., Any] = reference_answer
) -> Callable[[Any, Any], Varied]:
    """The `answer` of a check of a variation.

    Args:
        plain: takes from a draw what the check varies.
        compute: gives the reference's answer to a draw.
    """
    return _Variation(plain, compute)


def shorten(draw: Draw) -> Draw:
    """The first positions of a draw that has no mask."""
    values = {f.name: getattr(draw, f.name) for f in fields(draw)}
    first: dict[str, Any] = {n: _first(v) for n, v in values.items() if isinstance(v, Tensor)}
    return replace(draw, **first)


def drop_mask(draw: Draw) -> Draw:
    """The draw without its mask."""
    return draw.without_mask()


def cast_to_single(draw: Draw) -> Draw:
    """The draw in float32."""
    values = {f.name: getattr(draw, f.name) for f in fields(draw)}
    tensors = {n: v for n, v in values.items() if isinstance(v, Tensor) and v.is_floating_point()}
    single: dict[str, Any] = {n: v.float() for n, v in tensors.items()}
    single |= {n: torch.float32 for n, v in values.items() if isinstance(v, torch.dtype)}
    return replace(draw, **single)


def output_for(candidate: Candidate, answer: ReferenceAnswer) -> Tensor:
    """The student's output for an answer's draw, under the reference's weights."""
    return first_tensor(candidate.with_reference_weights(answer)(*answer.draw.arguments))


def agree_in_variation(
    candidate: Candidate,
    answers: Varied,
    own: Callable[[Module, Any], None] | None = None,
    answered: Answered = output_for,
    value_name: str | None = None,
) -> None:
    """Require the reference's output for the variation, where the plain output is the reference's.

    Args:
        candidate: the student's class.
        answers: the reference's answers.
        own: requires of a module with random weights, and of the draw, what holds between the code's own
            answers; called where the plain output is another. That they depend on input and weights is
            required besides.
        answered: gives the student's output for an answer's draw.
        value_name: the name of the output in a message.

    Raises:
        Violation: the output is another.
    """
    try:
        answers.answer.agree(answered(candidate, answers.answer), value_name=value_name)
    except Violation:
        if _is_right(candidate, answers.plain, answered):
            raise
        draw = answers.answer.draw
        module = candidate.with_random_weights(draw.seed, **draw.config)
        if own is not None:
            own(module, draw)
        answers_its_input(module, draw)


def agree_at_corner(
    candidate: Candidate,
    answers: Varied,
    answered: Answered = output_for,
    value_name: str | None = None,
) -> None:
    """Require the reference's output for a size of 1, where the plain output is the reference's.

    Where it is not, an output is required, the same twice; that it depends on input and weights, at usual
    sizes: of one position, say, attention answers its value, and what else is half right no longer shows.

    Raises:
        Violation: the output is another.
    """
    try:
        answers.answer.agree(answered(candidate, answers.answer), value_name=value_name)
    except Violation:
        if _is_right(candidate, answers.plain, answered):
            raise
        draw, plain = answers.answer.draw, answers.plain.draw
        module = candidate.with_random_weights(draw.seed, **draw.config)
        first, again = (first_tensor(module(*draw.arguments)) for _ in range(2))
        alike(again, first.detach(), tr("the output of the second call"))
        answers_its_input(candidate.with_random_weights(plain.seed, **plain.config), plain)


def agree_in_double(
    candidate: Candidate, answers: Varied, answered: Answered = output_for, value_name: str | None = None
) -> None:
    """Require the reference's output in float64, where the output in float32 is the reference's.

    Where it is not, the output in float64 must be that in float32.

    Raises:
        Violation: it is not a tensor, has another dtype or shape, or other values.
    """
    try:
        output = answered(candidate, answers.answer)
        has_dtype(tensor(output, value_name), answers.answer.draw.dtype)
        answers.answer.agree(output, value_name=value_name)
        return
    except Violation:
        if _is_right(candidate, answers.plain, answered):
            raise
    draw = answers.answer.draw
    module = candidate.with_random_weights(draw.seed, **draw.config)
    single = first_tensor(module(*cast_to_single(draw).arguments))
    double = first_tensor(module.to(draw.dtype)(*draw.arguments))
    has_dtype(double, draw.dtype)
    alike(double.float(), single.detach().float(), tr("the output in float64"))
    answers_its_input(module, draw)


def answers_its_input(module: Module, draw: Given) -> None:
    """Require signs that a module computes: the same answer twice, others for other inputs and weights.

    The module keeps the other weights.

    Raises:
        Violation: a sign is missing.
    """
    first, *others = draw.arguments
    output = first_tensor(module(first, *others))
    alike(first_tensor(module(first, *others)), output.detach(), tr("the output of the second call"))
    # Not 2 * x + 1, which a norm undoes.
    changed = first.square() + first if first.is_floating_point() else (first + 1) % draw.config["vocab_size"]
    depends_on(module, output, [changed, *others])
    uses_its_weights(module, output, draw.arguments, draw.seed)


def answers_repeats_alike(module: Module, draw: Given) -> None:
    """Require that a short sequence, repeated to a long one, has its own output at each repeat.

    So it is for attention without a mask and without positions, whatever else is wrong.

    Raises:
        Violation: the output is another.
    """
    x = draw.arguments[0]
    short, times = _first(x), x.shape[1] // FEW
    output = first_tensor(module(short))
    begins_like(short, output)
    expected = torch.cat([output] * times, dim=1)
    alike(first_tensor(module(short.repeat(1, times, 1))), expected, tr("the output for a repeated sequence"))


def answers_its_start_alike(module: Module, draw: Given) -> None:
    """Require that the first positions of a long sequence alone have the same output as in the whole.

    So it is wherever no position sees a later one.

    Raises:
        Violation: the output is another.
    """
    x = draw.arguments[0]
    output = first_tensor(module(x))
    begins_like(x, output)
    for length in (FEW, x.shape[1] - 1):
        value_name = tr("the output for the first {length} positions", length=length)
        alike(first_tensor(module(x[:, :length].contiguous())), output[:, :length], value_name)


def takes_the_mask_written_out(module: Module, draw: Given) -> None:
    """Require the same output under the mask with all its axes, and another without the mask.

    The axes are (B, H, S, S), or (B, S, S) where there are no heads.

    Raises:
        Violation: it is not so.
    """
    x, mask = draw.arguments
    batch, length = x.shape[:2]
    heads = [draw.config["num_heads"]] if "num_heads" in draw.config else []
    whole = mask.expand(batch, *heads, length, length).contiguous()
    output = first_tensor(module(x, mask))
    alike(first_tensor(module(x, whole)), output, tr("the output under the same mask with all its axes"))
    require(not torch.equal(first_tensor(module(x)), output), tr("the mask changes nothing"))


def _is_right(candidate: Candidate, answer: ReferenceAnswer, answered: Answered) -> bool:
    try:
        return answer.accepts(answered(candidate, answer))
    except (Violation, Raised):
        return False


def _first(value: Tensor) -> Tensor:
    return value[:, :FEW].contiguous()
