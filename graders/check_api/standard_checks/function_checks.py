"""The checks that several exercises about functions have, each made by a call.

    leaves_its_arguments_alone = function_checks.leaves_its_arguments_alone(points=1, given=inputs())

Draws are of classes below `Drawn`. Most checks of a function are its definition, and stay functions.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, Unpack

import torch
from torch import Tensor

from graders.check_api import properties
from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import Check, Stretched, check
from graders.check_api.compare import Violation, agree, alike, has_dtype, is_near, require
from graders.check_api.standard_checks.module_checks import Own
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import SMALLEST
from graders.check_api.target import Target
from graders.language import tr

Answered = Callable[[Candidate, Any], Tensor]
MORE_ROUNDINGS = 4  # times the tolerance: sums over many values round more, in an order of their own
NEAR = 1e-4  # of values near 1: what float32 may lose in a few steps


def leaves_its_arguments_alone(*, points: float, **own: Unpack[Own]) -> Check:
    """A check that a call changes nothing of its caller's."""

    def leaves_its_arguments_alone(candidate: Candidate, draw: Drawn) -> str | None:
        """the arguments keep their values, and the second call answers as the first

        fr: les arguments gardent leurs valeurs, et le second appel répond comme le premier
        """
        return properties.leaves_alone(candidate, draw.arguments, *draw.argument_names)

    return _make(leaves_its_arguments_alone, own, points=points, on_its_word=True)


def computes_in_double_precision(
    *,
    points: float,
    answer: Callable[..., Target],
    output_of: Answered,
    **own: Unpack[Own],
) -> Check:
    """A check of the output in float64, where that in float32 is right; otherwise both must be the same.

    Args:
        points: its weight.
        answer: the output due for a draw.
        output_of: the candidate's output for a draw.
        own: what is otherwise; `given` are draws in float64.
    """

    def computes_in_double_precision(candidate: Candidate, draw: Drawn, due: Target) -> None:
        """in float64 the answer is of float64, and the same as in float32

        fr: en float64, la réponse est en float64, et la même qu'en float32
        """
        output, single = output_of(candidate, draw), output_of(candidate, in_single(draw))
        has_dtype(output, torch.float64)
        if is_near(single.double(), Target(due.exact, NEAR)):
            agree(output, due)
        alike(output.float(), single, tr("the output in float64"))

    return _make(
        computes_in_double_precision,
        own,
        points=points,
        answer=answer,
        compares_with_itself=True,
    )


def answers_extreme_sizes(
    *,
    points: float,
    answer: Callable[..., Target],
    output_of: Answered,
    usual: Callable[[int], Any],
    stretched: Sequence[Callable[[int, int], Any]] = (),
    most: int = 512,
    otherwise: Callable[[Candidate, Any], None] | None = None,
    **own: Unpack[Own],
) -> Check:
    """A check of sizes that are large or equal, where the output for usual ones is right.

    Args:
        points: its weight.
        answer: the output due for a draw.
        output_of: the candidate's output for a draw.
        usual: makes a draw of usual sizes from a seed.
        stretched: make a draw in which one size is so large, from the size and a seed.
        most: numbers in the submission's code from this one on are not counted.
        otherwise: what is required where the output for usual sizes is wrong, beside the same answer twice.
        own: what is otherwise; `fixed` make draws of sizes that are equal.
    """

    def answers_extreme_sizes(candidate: Candidate, draw: Any, answers: tuple[Target, Any, Target]) -> None:
        """large sizes, and sizes that are equal, are answered as others are

        fr: de grandes tailles, et des tailles égales, reçoivent la même réponse que les autres
        """
        due, plain, of_plain = answers
        output = output_of(candidate, draw)
        if is_near(output_of(candidate, plain), of_plain):
            agree(output, Target(due.exact, MORE_ROUNDINGS * due.tolerance))
        else:
            if otherwise is not None:
                otherwise(candidate, draw)
            alike(output_of(candidate, draw), output, tr("the output of the second call"))

    def compute(draw: Any) -> tuple[Target, Any, Target]:
        plain = usual(draw.seed)
        return answer(draw), plain, answer(plain)

    return _make(
        answers_extreme_sizes,
        own,
        points=points,
        answer=compute,
        compares_with_itself=True,
        stretched=[Stretched(draw, most=most) for draw in stretched],
    )


def takes_what_a_transpose_leaves(
    *,
    points: float,
    names: Sequence[str],
    axes: tuple[int, int] = (1, 2),
    **own: Unpack[Own],
) -> Check:
    """A check that arguments may lie in memory in another order than that of their axes.

    Args:
        points: its weight.
        names: of the arguments.
        axes: the two axes that a transpose has exchanged, as it exchanges positions and heads.
        own: what is otherwise; its draws have more than one place along each of both axes.
    """

    def takes_what_a_transpose_leaves(candidate: Candidate, draw: Drawn) -> None:
        """arguments that come from a transpose, as heads do, are answered as others are

        fr: des arguments issus d'un transpose, comme les têtes, reçoivent la même réponse que les autres
        """
        output = properties.first_tensor(candidate(*draw.arguments))
        named = zip(draw.argument_names, draw.arguments, strict=False)
        given = [candidate.transposed(value, *axes) if name in names else value for name, value in named]
        if own.get("shape_only"):  # nothing else asks for it then
            properties.depends_on(candidate, output, [draw.arguments[0] + 1, *draw.arguments[1:]])
        says = tr("the output for {names} from a transpose", names=", ".join(names))
        alike(properties.first_tensor(candidate(*given)), output, says)

    return _make(takes_what_a_transpose_leaves, own, points=points)


def answers_the_smallest_sizes(
    *,
    points: float,
    output_of: Answered,
    agrees: Callable[[Tensor, Any], None],
    usual: Callable[[int], Sequence[Any]],
    **own: Unpack[Own],
) -> Check:
    """A check of sizes of 1, which no other check has. Code that is wrong otherwise has to answer.

    Args:
        points: its weight.
        output_of: the candidate's output for a draw, which has its shape.
        agrees: requires of an output and its draw what is due.
        usual: makes draws from a seed, on the first of which code is right that is right at most sizes.
        own: what is otherwise; `given` are the strategies, one for each size, and `shape_only` says that code
            that computes nothing may be right at these sizes.
    """

    def answers_the_smallest_sizes(candidate: Candidate, draw: Any) -> None:
        """the smallest sizes, such as one position or one head, are answered as larger ones are

        fr: les plus petites tailles, une position ou une tête par exemple, sont traitées comme de plus
        grandes
        """
        output = output_of(candidate, draw)
        try:
            agrees(output, draw)
        except Violation:
            plain = in_single(usual(getattr(draw, "seed", 0))[0])
            if _is_right(candidate, output_of, agrees, plain):
                raise
            again = output_of(candidate, draw)
            require(not again.isnan().any(), tr("the answer has NaN or infinite values"))
            first, second = (value.nan_to_num(0.0, 0.0, 0.0) for value in (output, again))
            alike(first, second, tr("the output of the second call"))

    given = own.get("given", ())
    share = 2 * len(given) if isinstance(given, Sequence) else 4
    return _make(answers_the_smallest_sizes, own, points=points, draws=share, kept_because=SMALLEST)


def _is_right(
    candidate: Candidate, output_of: Answered, agrees: Callable[[Tensor, Any], None], draw: Any
) -> bool:
    try:
        agrees(output_of(candidate, draw), draw)
    except (Violation, Raised):
        return False
    return True


def passes_gradients_back(
    *,
    points: float,
    answer: Callable[..., tuple[Target, ...]],
    upstream: Callable[[Any], Tensor],
    names: Sequence[str],
    **own: Unpack[Own],
) -> Check:
    """A check of the gradients of a function's arguments, where its output is right.

    Args:
        points: its weight.
        answer: the output due for a draw, and the gradients of sum(output * upstream) for the arguments.
        upstream: the gradient of a loss for the output.
        names: of the arguments of floating point.
        own: what is otherwise; `given` are the draws.
    """

    def passes_gradients_back(candidate: Candidate, draw: Drawn, answers: tuple[Target, ...]) -> None:
        """gradients reach the arguments; where the output is right, they are too

        fr: les gradients atteignent les arguments ; là où la sortie est juste, ils le sont aussi
        """
        due, *expected = answers
        call = candidate.gradients(*draw.arguments, upstream=[upstream(draw)])
        output = properties.first_tensor(call.answer)
        right = is_near(output, due)
        for name, gradient, target in zip(
            names, [*call.inputs, *[None] * len(names)], expected, strict=False
        ):
            message = tr(
                "no gradient reaches {name}: is something detached or rebuilt from numbers?", name=name
            )
            require(gradient is not None, message)
            if right:
                agree(gradient, target, value_name=tr("the gradient of {name}", name=name))
        if not right:
            again = properties.first_tensor(candidate(*draw.arguments)).detach()
            # Another check is about values that are no numbers.
            taken, plain = (value.nan_to_num(0.0, 0.0, 0.0) for value in (output.detach(), again))
            alike(taken, plain, tr("the output where gradients are taken"))
            some = any(bool((g != 0).any()) for g in call.inputs if g is not None)
            require(some, tr("all gradients are zero"))

    return _make(passes_gradients_back, own, points=points, answer=answer)


def in_single(draw: Any) -> Any:
    """The draw with its tensors of floating point in float32."""
    values = {f.name: getattr(draw, f.name) for f in fields(draw)}
    floats = {n: v for n, v in values.items() if isinstance(v, Tensor) and v.is_floating_point()}
    return replace(draw, **{name: value.float() for name, value in floats.items()})


def _make(body: Callable[..., Any], own: Own, **usual: Any) -> Check:
    return check(**{**usual, **own})(body)
