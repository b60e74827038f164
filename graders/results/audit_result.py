"""The results of an audit: frozen data that reports show."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique


@unique
class Kind(StrEnum):
    """The kinds of answers that an audit tries."""

    REFERENCE = "reference"
    MISTAKE = "mistake"
    RIGHT = "right answer"
    DEVIATION = "deviation"
    EMPTY = "empty answer"
    ODD = "odd answer"
    HOLLOW = "hollow answer"


NO_CHECK = "none"  # what a deviation loses that costs a remark alone


@dataclass(frozen=True)
class Tried:
    """One answer and its result: `failed` are the checks that do not pass, `undecided` some of these.

    `may_lose` is the check that an answer which is right but for one thing fails, or several with commas
    between them; None for others.
    `cheap` says of a mistake that it computes something else than the reference and keeps most points, and of
    a hollow answer that it gets more than code may of which nothing is right.
    `named` has the names of the diagnosed mistakes: alternatives, each of one mistake or several.
    """

    kind: Kind
    name: str
    outcome: str
    failed: tuple[str, ...] = ()
    named: tuple[tuple[str, ...], ...] = ()
    message: str | None = None
    may_lose: str | None = None
    cheap: bool = False
    undecided: tuple[str, ...] = ()
    got: float | None = None
    held: float | None = None

    @property
    def due(self) -> tuple[str, ...]:
        """The checks that an answer fails which is right but for one thing."""
        lost = self.may_lose or NO_CHECK
        return () if lost == NO_CHECK else tuple(lost.split(", "))

    @property
    def named_as_itself(self) -> bool:
        """Whether the diagnosis is this mistake alone."""
        return self.named == ((self.name,),)


@dataclass(frozen=True)
class AuditedCheck:
    """A check; `kept_because` is the reason to keep it if it catches no mistake.

    `core` says whether it compares what is computed with what is due, `on_its_word` whether code can pass it
    by a false report of its own process; `share` is its share of the exercise's points.
    """

    name: str
    shape_only: bool
    kept_because: str | None = None
    core: bool = False
    share: float = 0.0
    on_its_word: bool = False


@dataclass(frozen=True)
class AuditedExercise:
    """One exercise: its checks, the answers that were tried, and the gaps, a sentence each."""

    name: str
    title: str
    assignment: str
    checks: tuple[AuditedCheck, ...]
    tried: tuple[Tried, ...]
    gaps: tuple[str, ...] = field(default=())

    def of(self, kind: Kind) -> list[Tried]:
        """The answers of one kind."""
        return [t for t in self.tried if t.kind is kind]

    @property
    def caught(self) -> list[Tried]:
        """The mistakes that some check caught."""
        return [t for t in self.of(Kind.MISTAKE) if t.failed]

    @property
    def named(self) -> list[Tried]:
        """The mistakes that were diagnosed correctly."""
        return [t for t in self.of(Kind.MISTAKE) if t.named_as_itself]

    @property
    def misnamed(self) -> list[Tried]:
        """The mistakes that were diagnosed as another one, or as one of several alternatives."""
        return [t for t in self.of(Kind.MISTAKE) if t.named and not t.named_as_itself]

    @property
    def accepted(self) -> list[Tried]:
        """The right answers that lost no points."""
        return [t for t in self.of(Kind.RIGHT) if t.outcome == "passed"]

    def keeps(self, tried: Tried) -> float:
        """The share of the points that an answer keeps."""
        return 1 - sum(check.share for check in self.checks if check.name in tried.failed)

    def catches(self, check: str) -> list[str]:
        """The mistakes that a check caught."""
        return [t.name for t in self.of(Kind.MISTAKE) if check in t.failed]


@dataclass(frozen=True)
class StyledAnswer:
    """A known answer in other styles whose verdict is not that of the answer before.

    Attributes:
        exercise: the one that it answers.
        kind: what the answer is.
        name: that of the answer.
        styles: the styles that are needed for the change, each with the number of its choices.
        change: what changes, a sentence.
        files: the text of each of its files, by path.
    """

    exercise: str
    kind: Kind
    name: str
    styles: tuple[str, ...]
    change: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class StyledExercise:
    """The known answers of an exercise in other styles: how many were tried, and what changed.

    `tried` counts compositions by style. `gaps` says why they could not be tried, and which known mistakes
    get other names than their own as hand-ins; `handed_in` is how many were graded so where all were.
    """

    name: str
    compositions: int
    tried: Mapping[str, int]
    changed: tuple[StyledAnswer, ...]
    gaps: tuple[str, ...] = ()
    handed_in: int = 0


@dataclass(frozen=True)
class SeededExercise:
    """The known answers of an exercise under several seeds: how many, and those whose points change."""

    name: str
    answers: int
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class FalseName:
    """Code beside a known answer that got a name which does not hold of it.

    Attributes:
        kind: what the answer is.
        name: that of the answer.
        styles: in which it was written.
        change: the kind of the change.
        named: the mistakes that were named though the code does not make them.
        failed: the checks that did not pass.
        text: the code.
        before: the code without the change.
    """

    kind: Kind
    name: str
    styles: tuple[str, ...]
    change: str
    named: tuple[tuple[str, ...], ...]
    failed: tuple[str, ...]
    text: str
    before: str


@dataclass(frozen=True)
class NeighbouredExercise:
    """The code beside an exercise's known answers: how much was tried, and what was named falsely.

    `right` passes all checks, `named` is said to make some mistake, of which `unjudged` cannot be compared on
    other draws; `gaps` says why it could not be tried.
    """

    name: str
    tried: int = 0
    right: int = 0
    named: int = 0
    unjudged: int = 0
    false: tuple[FalseName, ...] = ()
    gaps: tuple[str, ...] = ()


@unique
class NearKind(StrEnum):
    """What a known mistake is compared with."""

    REFERENCE = "reference"
    MISTAKE = "mistake"
    PART = "mistake of a part"
    CHANGE = "changed code"


@dataclass(frozen=True)
class Near:
    """A neighbour of a known mistake, and what tells them apart.

    Attributes:
        kind: what it is.
        name: that of a mistake, or the line that was changed.
        draw: the number of the diagnostic draw that tells most, from 1; 0 where none tells anything.
        sizes: those of this draw.
        far: the largest difference of their values there, as a share of the largest value.
        fact: what differs beside values; empty where values tell.
        differs_elsewhere: whether no diagnostic draw tells them apart, and draws of other sizes do.
    """

    kind: NearKind
    name: str
    draw: int = 0
    sizes: str = ""
    far: float = 0.0
    fact: str = ""
    differs_elsewhere: bool = False

    @property
    def is_apart(self) -> bool:
        """Whether a draw tells the two apart."""
        return bool(self.fact) or self.far > 0


@dataclass(frozen=True)
class NamedMistake:
    """A known mistake, with how many neighbours it was compared, and the nearest."""

    name: str
    neighbours: int
    nearest: tuple[Near, ...]


@dataclass(frozen=True)
class NamedExercise:
    """What tells the known mistakes of an exercise apart."""

    name: str
    mistakes: tuple[NamedMistake, ...] = ()
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """A wrong answer that a check refuses on some draw.

    Attributes:
        kind: a known mistake, or the right answer that was changed.
        name: that of the answer.
        change: the kind of the change; empty for a known mistake.
        draws: the numbers of the check's draws on which it is refused, from 1, without those of fixed sizes.
        fixed: how many of the draws of fixed sizes refuse it.
        further: how many further draws of other sizes do.
    """

    kind: Kind
    name: str
    change: str = ""
    draws: tuple[int, ...] = ()
    fixed: int = 0
    further: int = 0

    @property
    def is_caught(self) -> bool:
        """Whether some draw of the check shows it."""
        return bool(self.draws) or self.fixed > 0


@dataclass(frozen=True)
class DrawnCheck:
    """How many of a check's draws decide.

    Attributes:
        name: that of the check.
        draws: how many it has that its strategy gives.
        fixed: how many of fixed sizes.
        shown: the answers that are refused on some draw, of its own or further ones.
    """

    name: str
    draws: int
    fixed: int
    shown: tuple[Shown, ...] = ()

    @property
    def of_draws(self) -> list[Shown]:
        """The answers that no draw of fixed sizes shows, and one of the others does."""
        return [each for each in self.shown if each.draws and not each.fixed]

    @property
    def enough(self) -> int:
        """How many draws, from the first on, show all that its draws show; 0 where the fixed ones do."""
        return max((min(each.draws) for each in self.of_draws), default=0)

    @property
    def missed(self) -> list[Shown]:
        """The answers that further draws alone show."""
        return [each for each in self.shown if not each.is_caught]

    @property
    def shown_by_draw(self) -> list[int]:
        """How many answers each draw shows."""
        return [sum(number in each.draws for each in self.shown) for number in range(1, self.draws + 1)]


@dataclass(frozen=True)
class Unseen:
    """A wrong answer that every check accepts, and one would refuse on further draws.

    Attributes:
        shown: the answer.
        checks: those that would refuse it.
        text: its code.
    """

    shown: Shown
    checks: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class DrawnExercise:
    """How many draws of each check of an exercise decide.

    `mistakes` and `changed` are how many known mistakes and changed right answers were tried; those that run
    out of time are not compared. `gaps` says why it could not be tried, or what no check shows.
    """

    name: str
    mistakes: int = 0
    changed: int = 0
    checks: tuple[DrawnCheck, ...] = ()
    unseen: tuple[Unseen, ...] = ()
    gaps: tuple[str, ...] = ()
