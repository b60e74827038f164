"""The two parts of an answer (output, weights) of a module with attention.

The output is found where the weights are missing or come first, too: one check is about the form of the
answer, all others about the output. B batch, S sequence, E width.
"""

from typing import Any

from torch import Tensor

from graders.check_api.compare import Violation, require, shaped, tensor
from graders.check_api.describe import kind
from graders.check_api.properties import first_tensor
from graders.language import tr


def is_pair(answer: Any) -> bool:
    """Whether an answer has two elements."""
    return isinstance(answer, tuple | list) and len(answer) == 2


def place_of_output(answer: Any, x: Tensor) -> int:
    """The index of the output in the answer: 1 where output and weights are swapped, otherwise 0."""
    shapes = [tuple(t.shape) if isinstance(t, Tensor) else () for t in answer] if is_pair(answer) else []
    return int(len(shapes) == 2 and shapes[0] != tuple(x.shape) == shapes[1])


def output_of(answer: Any, x: Tensor) -> Tensor:
    """The output, of the shape of x.

    Raises:
        Violation: it is no tensor, or has another shape.
    """
    output = first_tensor(answer[::-1] if place_of_output(answer, x) else answer)
    shaped(output, tuple(x.shape))
    return output


def weights_of(answer: Any, x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The weights, of a shape: (B, S, S), or (B, H, Sq, Sk) for those of each head.

    Raises:
        Violation: the answer is no pair in this order, or the weights have another shape.
    """
    message = tr("the answer should be the pair (output, weights), but is {kind}", kind=kind(answer))
    require(is_pair(answer), message)
    message = tr("output and weights are swapped: the answer should be (output, weights), in this order")
    require(place_of_output(answer, x) == 0, message)
    weights = tensor(answer[1], tr("the weights"))
    of_all_heads = ((shape[0], *shape[2:]), (shape[0], 1, *shape[2:])) if len(shape) == 4 else ()
    if tuple(weights.shape) in of_all_heads and tuple(weights.shape) != shape:
        message = tr(
            "the weights have shape {shape}, but are those of each head due, {due}: "
            "have they been averaged, or is one head's all that is left?",
            shape=tuple(weights.shape),
            due=shape,
        )
        raise Violation(message, actual=weights)
    shaped(weights, shape, tr("the weights"))
    return weights
