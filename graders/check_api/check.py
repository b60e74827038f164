"""What a check is.

A check is a function of a candidate and a draw whose docstring is its line in the report:

    @check(points=2, given=heads())
    def loses_no_value(concat_heads, draw):
        \"\"\"each position holds all values of its heads, each once

        fr: chaque position contient toutes les valeurs de ses têtes, chacune une fois
        \"\"\"

With `answer=...`, a function of the draw (and of the reference, if it has such a parameter), the check
gets that function's value as a third argument. Without it, and unless `shape_only`, the answer must also
depend on the input and on the weights: `Check.judge` asks for that. Draws and answers are made once per run
and used for every submission. A check that fails raises `Violation`, mostly through `agree`, `same`,
`shaped`, `tensor` and `require`. A check that passes may return a sentence: a remark, which costs no points.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from graders.check_api.candidate import (
    Called,
    Candidate,
    Gradients,
    Module,
    ObservedCall,
    Raised,
    RecordingModel,
    Seeded,
)
from graders.check_api.compare import Violation, agree, alike, number, require, same, shaped, tensor
from graders.check_api.describe import kind
from graders.check_api.folding_candidate import FoldingCandidate
from graders.check_api.grows_as import Growth
from graders.check_api.lent_models import CallLog
from graders.check_api.noticed import gather_remarks
from graders.check_api.options import Options
from graders.check_api.target import Target, targets
from graders.check_api.watched_candidate import WatchedCandidate
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

DRAWS = 6  # nearly all that 15 draws show, these show: `softmark audit --draws`
AtLength = Callable[[int], SearchStrategy[Any]]
LARGE = 129  # of a size that is stretched: more than most limits that code has


@dataclass(frozen=True)
class Stretched:
    """A size that the contract names and does not bound, as a check stretches it.

    Attributes:
        draw: makes a draw from the size and a seed, in which all other sizes are small.
        least: the size in every run.
        most: numbers in the submission's code from this one on are not counted.
    """

    draw: Callable[[int, int], Any]
    least: int = LARGE
    most: int = 512


@dataclass(frozen=True)
class Check:
    """One property of one exercise. `points` weigh it against the exercise's other checks.

    A `core` check compares what the code computes with what is due. `at_length` gives draws of one length.
    `fixed` draws are there under every seed, and so are those in which a size is `stretched`.
    One with `grows_as` has no draws: what is measured is the cost of the calls that `body` describes.
    Where there are strategies `in_turn`, each gives as many draws as any other, and `given` is any of them.
    `options` are those of its exercise.
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
    compares_with_itself: bool = False
    fixed: tuple[Callable[[int], Any], ...] = ()
    stretched: tuple[Stretched, ...] = ()
    in_turn: tuple[SearchStrategy[Any], ...] = ()
    options: Options = field(default_factory=Options)

    def judge(self, candidate: Candidate, draw: Any, *answer: Any) -> str | None:
        """Require the property on one draw; where nothing due is compared, a dependence on input and weights.

        Args:
            candidate: the student's function or class.
            draw: one of the check's draws.
            answer: what is due for it, if the check has `answer`.

        Returns:
            a remark, if the check has one, or if a comparison noticed something.

        Raises:
            Violation: it does not hold.
            Raised: the student's code raises.
        """
        with gather_remarks() as noticed:
            remark = self._judge(candidate, draw, *answer)
        return remark or next(iter(noticed), None)

    def _judge(self, candidate: Candidate, draw: Any, *answer: Any) -> str | None:
        leading = self.options.leading_axes
        if leading is not None and self.name != leading.check:
            candidate = FoldingCandidate(candidate, leading)
        if self.shape_only or (self.answer is not None and not self.compares_with_itself):
            remark: str | None = self.body(candidate, draw, *answer)
            return remark
        watched = WatchedCandidate(candidate)
        remark = self.body(watched, draw, *answer)
        watched.require_dependence(draw, self.options)
        return remark

    @property
    def says(self) -> str:
        """Its line in the report, in the language that is spoken."""
        return line(self.doc, current_language())

    def of_exercise(self, name: str, options: Options) -> "Check":
        """The check as its exercise has it: under the name that it has in its file."""
        return replace(self, name=name, options=options)

    def mapped(self, change: Callable[[Any], Any]) -> "Check":
        """The check with changed draws; an answer that makes another draw of each changes that too."""
        of_length = self.at_length
        change_answer = getattr(self.answer, "mapped", None)
        return replace(
            self,
            answer=change_answer(change) if change_answer else self.answer,
            given=self.given.map(change),
            in_turn=tuple(each.map(change) for each in self.in_turn),
            at_length=of_length and (lambda length: of_length(length).map(change)),
            fixed=tuple(_changed(draw, change) for draw in self.fixed),
            stretched=tuple(replace(size, draw=_changed(size.draw, change)) for size in self.stretched),
        )

    @property
    def needs_reference(self) -> bool:
        """Whether its answers come from the reference: without `solutions/` it cannot be decided."""
        return self.answer is not None and "reference" in inspect.signature(self.answer).parameters


def _changed(draw: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda *given: change(draw(*given))


def _given_in_turn(
    given: SearchStrategy[Any] | Sequence[SearchStrategy[Any]] | None,
) -> tuple[SearchStrategy[Any], tuple[SearchStrategy[Any], ...]]:
    """A strategy for any draw of a check, and those that give their share in turn, if there are several."""
    if isinstance(given, Sequence):
        return st.one_of(given), tuple(given)
    return st.nothing() if given is None else given, ()


def check(
    *,
    points: float,
    given: SearchStrategy[Any] | Sequence[SearchStrategy[Any]] | None = None,
    answer: Callable[..., Any] | None = None,
    draws: int | None = None,
    shape_only: bool = False,
    kept_because: str | None = None,
    core: bool = False,
    at_length: AtLength | None = None,
    on_its_word: bool = False,
    grows_as: Growth | None = None,
    says: str | None = None,
    compares_with_itself: bool = False,
    fixed: Sequence[Callable[[int], Any]] = (),
    stretched: Sequence[Stretched] = (),
) -> Callable[[Callable[..., Any]], Check]:
    """Make a function a check of the exercise in whose file it is defined.

    Args:
        points: its weight within the exercise.
        given: a strategy for its draws; or several, each of which certainly gives its share of them.
        answer: `answer(draw)` or `answer(draw, reference)`, computed once and stored with the draw.
        draws: at most so many, by default 6, of the same sizes under every seed.
        shape_only: whether code that computes nothing may pass: only shapes, types or counts are checked.
        kept_because: why the check is kept although it catches none of the known mistakes.
        core: whether it compares what the code computes with what is due. The core checks of an exercise
            weigh at least a third of its points.
        at_length: gives a strategy for draws with so many positions. There is one more draw then, of 128, and
            one that is longer than any number in the submission's code, up to 512.
        on_its_word: whether code can pass it by a false report of its own process: on arguments afterwards,
            on a mode, on gradients. Such checks weigh a tenth of the exercise's points at most, together.
        grows_as: how time and memory may grow, instead of `given`. The function is `f(length, width)` and
            returns the `Timed` call; `answer` gets that call's arguments and returns the answer due.
        compares_with_itself: whether it compares the code's own answers, although there is an `answer`: where
            the code is wrong otherwise. Then they must depend on the input, as without an `answer`.
        fixed: make further draws from a seed: what a contract names is not left to chance.
        stretched: sizes that have one more draw each, in which they are large, and one in which they are
            larger than any number in the submission's code.
        says: its line in the report, in place of the function's docstring.

    Raises:
        TypeError: the function has no docstring, which would be its line in the report; or the check has
            neither draws nor a growth.
    """
    has_draws = given is not None or bool(fixed) or bool(stretched)
    if has_draws is (grows_as is not None) or (grows_as is not None and answer is None):
        raise TypeError("a check has either given=, or grows_as= with answer=")
    draws = draws or DRAWS
    any_given, in_turn = _given_in_turn(given)

    def make_check(body: Callable[..., Any]) -> Check:
        doc = says or body.__doc__
        if not doc:
            raise TypeError(f"the check {body.__name__} has no docstring")
        limits = (draws, shape_only, kept_because, core, at_length, on_its_word, grows_as)
        further = (compares_with_itself, tuple(fixed), tuple(stretched), in_turn)
        return Check(body.__name__, doc, points, any_given, body, answer, *limits, *further)

    return make_check
