"""Other activations for the answers of an exercise's checks: a course may accept fewer or more of them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from torch import nn

from graders.check_api.reference_answer import reference_answer, reference_answer_with_gradients
from graders.check_api.variants import GELUS, Activation

OF_NAMES: dict[str, tuple[Activation, ...]] = {"gelu": GELUS, "relu": (nn.ReLU,)}
Answer = Callable[..., Any] | None
_COMPUTED = (reference_answer, reference_answer_with_gradients)


def activations_of(names: Sequence[str]) -> tuple[Activation, ...]:
    """The activations of these names, the reference's GELU first."""
    return tuple(activation for name in OF_NAMES if name in names for activation in OF_NAMES[name])


def accepting(answer: Answer, activations: Sequence[Activation]) -> Answer:
    """The `answer` of a check with these activations; unchanged where it does not come from a module's."""
    of_variation = getattr(answer, "accepting", None)
    if of_variation is not None:
        changed: Callable[..., Any] = of_variation(partial(accepting, activations=activations))
        return changed
    if isinstance(answer, partial) and answer.func in _COMPUTED:
        return partial(answer.func, *answer.args, **{**answer.keywords, "activations": activations})
    return partial(answer, activations=activations) if answer in _COMPUTED else answer
