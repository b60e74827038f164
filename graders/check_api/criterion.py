"""What is known of a trained model, and how a checks file judges it.

A criterion is a function of `ModelFacts` whose docstring is its line in the report:

    @criterion(points=1, at=Stage.MEASURED)
    def uses_its_context(facts):
        \"\"\"the loss falls with the context

        fr: la perte baisse avec le contexte
        \"\"\"

It raises `Violation` where it does not hold. It may return a remark, a `Share` of the points where it
holds in part, or a `Doubt` where a person should decide.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum, auto

from graders.language import current_language, line
from graders.results.measurements import Trained

NEAR = 3  # ids before a prediction: those farther back are changed
MOST_UNMOVED = 0.1  # of the positions at which something is changed


class Stage(IntEnum):
    """How far the evaluation of a model must get before a criterion can be judged."""

    OPENED = 1  # the checkpoint is read and its weights are in the model
    ENCODED = 2  # a text was encoded to ids and decoded again
    COMPARED = 3  # answers to the beginning of a window were compared with those to all of it
    MEASURED = 4  # the loss was measured


@dataclass(frozen=True)
class Unlike:
    """Where the model's answer at a position changes once it is given the ids that come later.

    Attributes:
        places: at how many positions the answer changes.
        tried: at how many positions this was tried.
        difference: the largest change, in bits.
        forgetful: whether the model does not even give the same answer twice to the same ids.
    """

    places: int
    tried: int
    difference: float
    forgetful: bool


class Cause(Enum):
    """What was changed where a model's answers should change.

    Attributes:
        IDS: an id `NEAR` or more back.
        WEIGHTS: all weights, slightly.
    """

    IDS = auto()
    WEIGHTS = auto()


@dataclass(frozen=True)
class Unmoved:
    """Where the model's answer stays exactly the same though something is changed on which it should depend.

    Attributes:
        places: at how many positions it stays the same.
        tried: at how many positions this was tried.
        cause: what was changed.
    """

    places: int
    tried: int
    cause: Cause

    @property
    def is_table(self) -> bool:
        """Whether these are more than a network has: its answer changes nearly everywhere."""
        return self.places > MOST_UNMOVED * self.tried


@dataclass(frozen=True)
class ModelFacts:
    """What was measured of a model.

    Attributes:
        trained: what the result keeps of it.
        garbled: where decoding the encoded text does not give the text back.
        notes: remarks about its `encode` and `decode`.
        unlike: where its answer depends on later ids, if that was tried.
        unmoved: where it does not depend on earlier ids and on its weights, if that was tried.
        gain_error: the standard error of the gain that the context brings.
    """

    trained: Trained
    garbled: str | None = None
    notes: tuple[str, ...] = ()
    unlike: Unlike | None = None
    unmoved: tuple[Unmoved, ...] = ()
    gain_error: float = 0.0


@dataclass(frozen=True)
class Share:
    """A part of a criterion's points, from 0 to 1, with the reason."""

    of: float
    says: str


@dataclass(frozen=True)
class Doubt:
    """The points stay undecided until a person looks: a sentence for the student, and one for the staff."""

    says: str
    staff: str


CriterionResult = str | Share | Doubt | None


@dataclass(frozen=True)
class Criterion:
    """One property of a trained model. `points` weigh it against the exercise's others."""

    name: str
    doc: str
    points: float
    at: Stage
    body: Callable[[ModelFacts], CriterionResult]

    @property
    def says(self) -> str:
        """Its line in the report, in the language that is spoken."""
        return line(self.doc, current_language())


def criterion(*, points: float, at: Stage) -> Callable[[Callable[[ModelFacts], CriterionResult]], Criterion]:
    """Make a function a criterion of the exercise in whose file it is defined.

    Args:
        points: its weight within the exercise.
        at: how far the evaluation must get to judge it.

    Raises:
        TypeError: the function has no docstring, which would be its line in the report.
    """

    def make_criterion(body: Callable[[ModelFacts], CriterionResult]) -> Criterion:
        if not body.__doc__:
            raise TypeError(f"the criterion {body.__name__} has no docstring")
        return Criterion(body.__name__, body.__doc__, points, at, body)

    return make_criterion
