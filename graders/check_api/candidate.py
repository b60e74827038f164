"""What a check may do with a student's code: the candidate, its modules, their calls and the answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor

from graders.check_api.lent_models import CallLog
from graders.check_api.sentence_shape import shape_of


class Raised(Exception):
    """The student's code raised. The text is the error's type and message, made safe to print.

    `kind` is the same for errors of the same type. `refused` is true where a statement of the code raised it,
    rather than a call that failed.
    """

    def __init__(self, text: str, kind: str, *, refused: bool = False) -> None:
        super().__init__(text)
        self.kind = kind
        self.refused = refused

    @property
    def shape(self) -> str:
        """The type and the sentence without what differs from draw to draw: numbers, names, quotations.

        Errors of one type say little of each other: RuntimeError is that of all shapes that do not fit. Of a
        refusal nothing is kept, since its type and its words are the author's.
        """
        if self.refused:
            return "refused"
        said = str(self).partition("\n")[0].removeprefix(f"{self.kind}: ")
        return f"{self.kind}: {shape_of(said)}".rstrip(": ")


@dataclass(frozen=True)
class ObservedCall:
    """A call's answer and effects: its arguments afterwards, and whether it left the global RNG alone."""

    answer: Any
    args: Sequence[Any]
    random_state_kept: bool


@dataclass(frozen=True)
class Seeded:
    """The answer of a call under a seed, its arguments afterwards, whether gradients were still enabled."""

    answer: Any
    args: Sequence[Any]
    gradients_kept: bool


@dataclass(frozen=True)
class Gradients:
    """Gradients of sum(output * upstream) for the tensor arguments, in order, and parameters by name."""

    answer: Any
    inputs: Sequence[Tensor | None]
    parameters: Mapping[str, Tensor | None]


Convert = Callable[[Mapping[str, Tensor]], dict[str, Tensor]]


class Called(Protocol):
    """A function, class or module of the student's, and the ways to call it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The answer. Raises `Raised` when the code raises."""

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        """The answer, and the side effects of the call."""

    def seeded(self, seed: int, *args: Any) -> Seeded:
        """The answer of a call that begins with `torch.manual_seed(seed)`."""

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """The gradients for the outputs' gradients `upstream`: one tensor or None per output."""


class Module(Called, Protocol):
    """A module of the student's. It stays in the box; this is a handle to it.

    `convert` gives the reference's parameters under the names and in the layouts that this module has.
    """

    convert: Convert

    @property
    def frozen(self) -> frozenset[str]:
        """The names of its parameters that are not trained (`requires_grad=False`)."""

    def parameters(self) -> dict[str, Tensor]:
        """Its named parameters."""

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its parameters."""

    def load(self, parameters: Mapping[str, Tensor], dtype: Any = None) -> "Module":
        """Set parameters by name; with `dtype`, change the module's dtype first."""

    def train(self, mode: bool = True) -> "Module":
        """Training or evaluation mode."""

    def to(self, dtype: Any) -> "Module":
        """Change its floating-point dtype."""

    def train_steps(self, *args: Any, steps: int, rate: float) -> "Module":
        """Train it on one batch with the loss that it returns; it ends in evaluation mode."""


class RecordingModel(Protocol):
    """A model of ours that is lent to the student's function as an argument; the host answers its calls."""

    @property
    def calls(self) -> int:
        """How often it was called, as the host knows that answered the calls."""

    def call_log(self) -> CallLog:
        """How it was called."""

    def train(self, mode: bool = True) -> Any:
        """Training or evaluation mode."""


class Candidate(Called, Protocol):
    """The student's function, class or variable.

    `value` is the tensor if it is one. `mapper` knows which of its modules' parameters holds which of the
    reference's.
    """

    value: Tensor | None
    mapper: Any

    def construct(self, /, *args: Any, **kwargs: Any) -> Module:
        """A module of the student's class, in evaluation mode."""

    def make_model(self, kind: str, **config: Any) -> RecordingModel:
        """A model of `check_api/lent_models.py`, in training mode, to be given to the student's code."""

    def make_layer(self, kind: str, parameters: Mapping[str, Tensor], **config: Any) -> Module:
        """A layer of `softmark_worker/lent_layers.py` with these parameters, for the student's code."""

    def transposed(self, values: Tensor, first: int, second: int) -> Any:
        """An argument with these values, which lies in memory as a transpose of two axes leaves it."""

    def method_of(self, module: Module, name: str) -> Called:
        """A method of one of its modules, beside forward. Raises `Raised` where there is none."""

    def start_anew(self) -> None:
        """Go on in a new process, which knows nothing of the one before; modules made before are gone.

        For a check with one draw, since those of other draws would be gone too.
        """

    def with_random_weights(self, seed: int, **config: Any) -> Module:
        """A module of the student's class in evaluation mode, with small random parameters from a seed."""

    def with_reference_weights(self, answer: Any) -> Module:
        """A module of the student's class in evaluation mode, with the parameters and dtype of `answer`.

        `answer` is a `ReferenceAnswer`.
        """
