"""What a checks file says of its exercise beside the checks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from graders.check_api.drawn_attention import DrawnAttention
from graders.check_api.leading_axes import BatchAxes, LeadingAxes
from graders.check_api.mask_sense import MaskArgument
from graders.check_api.properties import first_tensor
from graders.check_api.timed_call import Timed
from graders.check_api.usual_sizes import UsualSize
from graders.check_api.variants import WITH_RELU, Activation


def read_first(answer: Any, _x: Any) -> Tensor:
    """The output: the answer, or its first element."""
    return first_tensor(answer)


def no_draws(_seed: int) -> list[Any]:
    """The diagnostic draws of an exercise that names no mistakes."""
    return []


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a checks file says of its exercise beside the checks; one object of it stands in the file.

    Attributes:
        diagnostic_draws: makes draws from a seed on which the known mistakes differ.
        at_once: how many known mistakes a function is tried with at once; three where a call costs little.
        twins: pairs of known mistakes that are one at sizes which much code fixes; there the first is named.
        activations: those accepted in the place of the reference's GELU.
        other_names: names of the symbol in the course's own documents.
        beside: further symbols that may be handed in with it.
        symbol: the name that is asked for, where the file handed out defines more than one.
        mask: which argument is a mask, and how it is read.
        leading_axes: where leading axes are, of which much code takes one number alone.
        batch: the leading axes that code for one sequence lacks; by default one, that of the check
            `treats_sequences_apart` or `knows_neither_order_nor_batch`, if there is one.
        sizes: the sizes that much code fixes.
        drawn: how its attention is drawn on a sentence, if it has one.
        libraries: modules that most answers import, and that take long to import.
        timed: makes a call of a given length, if the exercise is timed.
        two_layers: whether the answer is that of two layers with a ReLU or a GELU between them.
        learns: whether its modules have parameters: then their answers depend on them.
        read: the output in an answer, given the first argument of the call; by default the first tensor. It
            finds the output where something else comes first, too, if a check is about that.
    """

    diagnostic_draws: Callable[[int], list[Any]] = no_draws
    at_once: int = 2
    twins: tuple[tuple[str, str], ...] = ()
    activations: Sequence[Activation] = WITH_RELU
    other_names: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    symbol: str = ""
    mask: MaskArgument | None = None
    leading_axes: LeadingAxes | None = None
    batch: BatchAxes | None = None
    sizes: tuple[UsualSize, ...] = ()
    drawn: DrawnAttention | None = None
    libraries: tuple[str, ...] = ()
    timed: Callable[..., Timed] | None = None
    two_layers: bool = False
    learns: bool = True
    read: Callable[[Any, Any], Tensor] = read_first
