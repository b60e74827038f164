"""What a check is, and what it may do with a student's code.

A check is a function of a candidate and a draw whose docstring is its line in the report:

    @check(points=2, given=heads())
    def undoes_split_heads(concat_heads, draw):
        \"\"\"putting the heads back together undoes taking them apart

        fr: recoller les têtes défait leur séparation
        \"\"\"

With `answer=...`, a function of the draw (and of the reference, if it has such a parameter), the check
gets its value as a third argument. Draws and answers are made once per run and serve every submission.
A check raises `Violation`, mostly through `agree`, `same`, `shaped`, `tensor` and `require`. One that
holds may return a sentence all the same: a remark, which costs nothing.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hypothesis.strategies import SearchStrategy
from torch import Tensor

from graders.check_api.compare import (
    Target,
    Violation,
    agree,
    alike,
    number,
    require,
    same,
    shaped,
    targets,
    tensor,
)
from graders.check_api.describe import kind
from graders.check_api.recording_models import CallLog
from graders.language import line, spoken

__all__ = [
    "CallLog",
    "Called",
    "Candidate",
    "Check",
    "Gradients",
    "Module",
    "ObservedCall",
    "Raised",
    "RecordingModel",
    "Seeded",
    "Target",
    "Violation",
    "agree",
    "alike",
    "check",
    "kind",
    "number",
    "require",
    "same",
    "shaped",
    "targets",
    "tensor",
]

DRAWS = 15


class Raised(Exception):
    """The student's code raised. The text is its type and message, made harmless."""


@dataclass(frozen=True)
class ObservedCall:
    """A call looked at from all sides: the arguments afterwards, and whether global randomness moved."""

    answer: Any
    args: Sequence[Any]
    random_state_kept: bool


@dataclass(frozen=True)
class Seeded:
    """A call under a seed: the arguments afterwards, and whether gradients were still on."""

    answer: Any
    args: Sequence[Any]
    gradients_kept: bool


@dataclass(frozen=True)
class Gradients:
    """Gradients of sum(output * upstream) for the tensor arguments, in order, and parameters by name."""

    answer: Any
    inputs: Sequence[Tensor | None]
    parameters: Mapping[str, Tensor | None]


Taken = Callable[[Mapping[str, Tensor]], dict[str, Tensor]]


class Called(Protocol):
    """What can be done with anything of the student's that can be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The answer. Raises `Raised` when the code raises."""

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        """The answer, and what the call did beside answering."""

    def seeded(self, seed: int, *args: Any) -> Seeded:
        """The answer of a call that begins with `torch.manual_seed(seed)`."""

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """The gradients for `upstream`, one tensor or None per output."""


class Module(Called, Protocol):
    """A module of the student's, which stays in the box.

    `taken` gives values of the reference's parameters under the names and in the forms they have here.
    """

    taken: Taken

    @property
    def frozen(self) -> frozenset[str]:
        """The names of its parameters that are not to be learned."""

    def parameters(self) -> dict[str, Tensor]:
        """Its named parameters."""

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its parameters."""

    def load(self, parameters: Mapping[str, Tensor], dtype: Any = None) -> "Module":
        """Set parameters by name, in another dtype if one is given."""

    def train(self, mode: bool = True) -> "Module":
        """Training or evaluation mode."""

    def to(self, dtype: Any) -> "Module":
        """Change its floating-point dtype."""

    def train_steps(self, *args: Any, steps: int, rate: float) -> "Module":
        """Train it on one batch, by the loss that it answers with; then in evaluation mode."""


class RecordingModel(Protocol):
    """A model of ours, to be put among the arguments of a call."""

    def call_log(self) -> CallLog:
        """How it was called, as it says itself."""

    def train(self, mode: bool = True) -> Any:
        """Training or evaluation mode."""


class Candidate(Called, Protocol):
    """The student's function, class or variable.

    `value` is set where it is a tensor; `mapper` knows how its modules name the reference's parameters.
    """

    value: Tensor | None
    mapper: Any

    def construct(self, *args: Any, **kwargs: Any) -> Module:
        """A module of the student's class, in evaluation mode."""

    def make_model(self, kind: str, **config: Any) -> RecordingModel:
        """A model of `worker/recording_models.py`, in training mode, where the student's code can call it."""

    def with_random_weights(self, seed: int, **config: Any) -> Module:
        """A module of the student's class in evaluation mode, with mild parameters of a seed."""

    def with_reference_weights(self, twin: Any) -> Module:
        """A module of the student's class in evaluation mode, with the reference's parameters and dtype."""


@dataclass(frozen=True)
class Check:
    """One property of one exercise. `points` weigh it against the exercise's other checks."""

    name: str
    doc: str
    points: float
    given: SearchStrategy[Any]
    body: Callable[..., str | None]
    answer: Callable[..., Any] | None
    draws: int
    shape_only: bool = False
    kept_because: str | None = None

    @property
    def says(self) -> str:
        """Its line in the report, in the language that is spoken."""
        return line(self.doc, spoken())

    @property
    def needs_reference(self) -> bool:
        """Whether it cannot be decided where `solutions/` is absent."""
        return self.answer is not None and "reference" in inspect.signature(self.answer).parameters


def check(
    *,
    points: float,
    given: SearchStrategy[Any],
    answer: Callable[..., Any] | None = None,
    draws: int = DRAWS,
    shape_only: bool = False,
    kept_because: str | None = None,
) -> Callable[[Callable[..., str | None]], Check]:
    """Make a function a check of the exercise whose file it stands in.

    Args:
        points: its weight within the exercise.
        given: a strategy for its draws.
        answer: `answer(draw)` or `answer(draw, reference)`, kept beside the draw.
        draws: how many draws, at most; small spaces give fewer.
        shape_only: whether an answer that computes nothing may pass: it looks at shapes, types, counts.
        kept_because: why it stays, where it catches none of the known mistakes.

    Raises:
        TypeError: the function has no docstring, which would be its line in the report.
    """

    def made(body: Callable[..., str | None]) -> Check:
        if not body.__doc__:
            raise TypeError(f"the check {body.__name__} has no docstring")
        return Check(
            body.__name__, body.__doc__, points, given, body, answer, draws, shape_only, kept_because
        )

    return made
