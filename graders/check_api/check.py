"""What a check is, and what it may do with a student's code.

A check is a function of a candidate and a draw whose docstring is its line in the report:

    @check(points=2, given=heads())
    def loses_no_value(concat_heads, draw):
        \"\"\"each position holds all values of its heads, each once

        fr: chaque position contient toutes les valeurs de ses têtes, chacune une fois
        \"\"\"

With `answer=...`, a function of the draw (and of the reference, if it has such a parameter), the check
gets that function's value as a third argument. Draws and answers are made once per run and used for every
submission. A check that fails raises `Violation`, mostly through `agree`, `same`, `shaped`, `tensor` and
`require`. A check that passes may return a sentence: a remark, which costs no points.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from torch import Tensor

from graders.check_api.compare import Violation, agree, alike, number, require, same, shaped, tensor
from graders.check_api.describe import kind
from graders.check_api.grows_as import Growth
from graders.check_api.lent_models import CallLog
from graders.check_api.target import Target, targets
from graders.language import current_language, line

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
DRAWS_ON_ITS_WORD = 8  # what code says of itself is weak evidence, however often it is asked
AtLength = Callable[[int], SearchStrategy[Any]]


class Raised(Exception):
    """The student's code raised. The text is the error's type and message, made safe to print.

    `kind` is the same for errors of the same type.
    """

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.kind = kind


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
        """A layer of `worker/lent_layers.py` with these parameters, to be given to the student's code."""

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


@dataclass(frozen=True)
class Check:
    """One property of one exercise. `points` weigh it against the exercise's other checks.

    A `core` check compares what the code computes with what is due. `at_length` gives draws of one length.
    One with `grows_as` has no draws: what is measured is the cost of the calls that `body` describes.
    """

    name: str
    doc: str
    points: float
    given: SearchStrategy[Any]
    body: Callable[..., Any]
    answer: Callable[..., Any] | None
    draws: int
    shape_only: bool = False
    kept_because: str | None = None
    core: bool = False
    at_length: AtLength | None = None
    on_its_word: bool = False
    grows_as: Growth | None = None

    @property
    def says(self) -> str:
        """Its line in the report, in the language that is spoken."""
        return line(self.doc, current_language())

    def mapped(self, change: Callable[[Any], Any]) -> "Check":
        """The check with changed draws."""
        of_length = self.at_length
        changed = of_length and (lambda length: of_length(length).map(change))
        return replace(self, given=self.given.map(change), at_length=changed)

    @property
    def needs_reference(self) -> bool:
        """Whether its answers come from the reference: without `solutions/` it cannot be decided."""
        return self.answer is not None and "reference" in inspect.signature(self.answer).parameters


def check(
    *,
    points: float,
    given: SearchStrategy[Any] | None = None,
    answer: Callable[..., Any] | None = None,
    draws: int | None = None,
    shape_only: bool = False,
    kept_because: str | None = None,
    core: bool = False,
    at_length: AtLength | None = None,
    on_its_word: bool = False,
    grows_as: Growth | None = None,
) -> Callable[[Callable[..., Any]], Check]:
    """Make a function a check of the exercise in whose file it is defined.

    Args:
        points: its weight within the exercise.
        given: a strategy for its draws.
        answer: `answer(draw)` or `answer(draw, reference)`, computed once and stored with the draw.
        draws: maximum number of draws, 15 unless told, 8 for a check with `on_its_word`; a strategy with few
            different values gives fewer. The first is the simplest, the same under every seed; one that
            stands alone depends on the seed.
        shape_only: whether code that computes nothing may pass: only shapes, types or counts are checked.
        kept_because: why the check is kept although it catches none of the known mistakes.
        core: whether it compares what the code computes with what is due. The core checks of an exercise
            weigh at least a third of its points.
        at_length: gives a strategy for draws with so many positions. The check then has one more draw, of
            128 positions, and one that is longer than any number in the submission's code, up to 512.
        on_its_word: whether code can pass it by a false report of its own process: on arguments afterwards,
            on a mode, on gradients. Such checks weigh a tenth of the exercise's points at most, together.
        grows_as: how time and memory may grow, instead of `given`. The function is `f(length, width)` and
            returns the `Timed` call; `answer` gets that call's arguments and returns the answer due.

    Raises:
        TypeError: the function has no docstring, which would be its line in the report; or the check has
            neither draws nor a growth.
    """
    if (given is None) is (grows_as is None) or (grows_as is not None and answer is None):
        raise TypeError("a check has either given=, or grows_as= with answer=")

    usual = DRAWS_ON_ITS_WORD if on_its_word else DRAWS

    def make_check(body: Callable[..., Any]) -> Check:
        if not body.__doc__:
            raise TypeError(f"the check {body.__name__} has no docstring")
        return Check(
            body.__name__,
            body.__doc__,
            points,
            st.nothing() if given is None else given,
            body,
            answer,
            usual if draws is None else draws,
            shape_only,
            kept_because,
            core,
            at_length,
            on_its_word,
            grows_as,
        )

    return make_check
