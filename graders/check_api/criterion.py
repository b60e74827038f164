"""What is known of a trained model, and how a checks file judges it.

A criterion is a function of `Fingerprint` whose docstring is its line in the report:

    @criterion(points=1, at=Stage.MEASURED)
    def uses_its_context(seen):
        \"\"\"the loss falls with the context

        fr: la perte baisse avec le contexte
        \"\"\"

It raises `Violation` where it does not hold, and may return a remark, or a `Share` where it holds in part.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from graders.language import line, spoken
from graders.results.measurements import Trained


class Stage(IntEnum):
    """How far one must get with a model to judge a criterion."""

    OPENED = 1  # the checkpoint is open and its weights are in the model
    ENCODED = 2  # the text is numbers, and text again
    MEASURED = 3


@dataclass(frozen=True)
class Unlike:
    """Where a model answers otherwise once it gets what comes after: so many of so many places.

    `forgetful` where it does not even give the same answer twice; `difference` is the largest, in bits.
    """

    places: int
    tried: int
    difference: float
    forgetful: bool


@dataclass(frozen=True)
class ModelFacts:
    """A model as it was measured. `garbled` says where decoding does not give the text back.

    `notes` are remarks about its `encode` and `decode`; `gain_error` is the standard error of what the
    context brings.
    """

    trained: Trained
    garbled: str | None = None
    notes: tuple[str, ...] = ()
    unlike: Unlike | None = None
    gain_error: float = 0.0


@dataclass(frozen=True)
class Share:
    """A part of a criterion's points, from 0 to 1, with the reason."""

    of: float
    says: str


Judged = str | Share | None


@dataclass(frozen=True)
class Criterion:
    """One property of a trained model. `points` weigh it against the exercise's others."""

    name: str
    doc: str
    points: float
    at: Stage
    body: Callable[[ModelFacts], Judged]

    @property
    def says(self) -> str:
        """Its line in the report, in the language that is spoken."""
        return line(self.doc, spoken())


def criterion(*, points: float, at: Stage) -> Callable[[Callable[[ModelFacts], Judged]], Criterion]:
    """Make a function a criterion of the exercise whose file it stands in.

    Args:
        points: its weight within the exercise.
        at: how far one must get to judge it.

    Raises:
        TypeError: the function has no docstring, which would be its line in the report.
    """

    def made(body: Callable[[ModelFacts], Judged]) -> Criterion:
        if not body.__doc__:
            raise TypeError(f"the criterion {body.__name__} has no docstring")
        return Criterion(body.__name__, body.__doc__, points, at, body)

    return made
