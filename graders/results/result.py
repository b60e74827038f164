"""The results of grading: frozen, versioned data, read and written as JSON. Reports use nothing else.

Text that comes from a student has passed through `graders.safe_text`: no control characters, no
lone surrogates, bounded in length. It is still untrusted, and reports escape it.
"""

from dataclasses import dataclass, field

from graders.language import Language
from graders.results.case import Case
from graders.results.json_schema import from_json_text, to_json_text
from graders.results.limit import Limit
from graders.results.measurements import CostCurve, Timing, Trained
from graders.results.outcome import Outcome

SCHEMA = "softmark/result/1"
CHANGED = "changed"  # the digest of a result whose file is not as it was written

__all__ = [
    "CHANGED",
    "SCHEMA",
    "Definition",
    "ExerciseResult",
    "Finding",
    "Mistake",
    "Outcome",
    "Place",
    "Proof",
    "Remark",
    "Repair",
    "Result",
    "SubmissionInfo",
    "Text",
    "from_json",
    "to_json",
]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the submission.

    Attributes:
        file: a name inside the submission.
        cell: the notebook's cell; all cells are counted, from 1. Null in a module.
        line: from 1, within the cell or the module.
        within: the qualified name of the function or class around the line; null where there is none.
        code: the text of the line, without its indentation; null where it is not known.
        shapes: those of the tensors that the line reads, where it raised an error: `Q (1, 2, 4, 3)`, ...
    """

    file: str
    cell: int | None
    line: int
    within: str | None = None
    code: str | None = None
    shapes: tuple[str, ...] = field(default=(), compare=False)  # of one draw; the place is the same for all


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark, which costs no points by itself, and its place in the submission.

    Attributes:
        says: a sentence for the student.
        file: a name inside the submission, or null.
        cell: the notebook's cell, counted from 1, or null.
        line: within the cell or the module, from 1, or null.
        within: the qualified name of the function or class around the line, or null.
        code: the text of the line, without its indentation, or null.
    """

    says: str
    file: str | None = None
    cell: int | None = None
    line: int | None = None
    within: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """The student's own definition of a symbol, as it stands in the submission.

    Attributes:
        file: a name inside the submission.
        cell: the notebook's cell, counted from 1. Null in a module.
        line: the line on which `code` begins, from 1.
        code: the text of the definition.
    """

    file: str
    cell: int | None
    line: int
    code: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the submission that is no code: a cell of a notebook, or a file.

    Attributes:
        file: a name inside the submission.
        cell: the notebook's cell, counted from 1; null in a file without numbered cells.
        text: the text, as it was written.
    """

    file: str
    cell: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known mistake that gives the same values as the student's code, and its hint in two languages.

    Attributes:
        name: the mistake's name.
        hint: the hint in English.
        hint_fr: the hint in French.
    """

    name: str
    hint: str
    hint_fr: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """What proves that known mistakes explain a finding.

    Attributes:
        draws: the number of draws on which the student's code does what the mistakes do.
        fresh: how many of these are draws of checks, on which the mistakes were not looked for.
        explains_case: whether the check fails on the mistakes as it fails on the code in the case that is
            shown; null where an answer key is in the place of the mistakes, which cannot be tried then.
    """

    draws: int
    fresh: int
    explains_case: bool | None = None


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit of the student's own code after which checks hold that failed: it proves where that is wrong.

    Attributes:
        place: the line that is edited.
        kind: what is edited there, as `graders/diagnosis/edits/edit.py` lists it: `axis`, `operation`, ...
        checks: how many checks hold with the edit and failed without it; 0 where it takes away one mistake of
            several, so that the code answers as the others do.
        completes: whether all checks hold then.
        mistake: the name of the known mistake that it takes away, where there are several; else empty.
        edit: for the staff alone, the lines before and after, as a diff; empty in what students get.
        beside: the place of another edit, in whose company this one has its effect; None where it needs none.
    """

    place: Place
    kind: str
    checks: int
    completes: bool
    mistake: str = ""
    edit: str = ""
    beside: Place | None = None


@dataclass(frozen=True, slots=True)
class Departure:
    """Where the values of wrong code are no longer those of a correct solution.

    Attributes:
        place: the line that computes the first other value.
        name: the variable that gets it; empty where it is returned.
        right: the variables that it is computed from, whose values are still those of a correct solution.
    """

    place: Place
    name: str = ""
    right: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes:
        check: the check's name.
        outcome: how the check ended.
        points: the points given.
        max_points: the points that the check is worth.
        says: the check's sentence: what should hold.
        message: what went wrong, for the student; null where the check passed and has no remark.
        case: the smallest case in which the check does not hold.
        mistake: all of `mistakes` as one, for a reader: its name is `a + b` for two mistakes made at once and
            `a | b` for alternatives, and its hint has the hints of all; null where no mistake is known.
        place: the student's line that raised an error or was running.
        output: what the student's code printed.
        staff: details for the instructor alone.
        mistakes: the known mistakes that explain the answer: alternatives, each of one mistake or of
            several made at once.
        limit: the limit that the student's code reached, or the sandbox's rule that it broke; null for none.
        on_its_word: whether the check could hold by a false report of the code's own process, since what it
            asks shows in no value. Such checks weigh a tenth of an exercise at most.
        costs: where the check is about what calls cost, how that grows; empty where nothing was measured.
        proof: what proves `mistakes`; null where there are none, and where the finding itself is the proof:
            how a mask is read, a size that code fixes, the cost of calls.
        answers: a digest of what the code answers to the draws by which mistakes are found, where no known
            mistake explains it; null where one does. Code with the same digest in a run answers alike.
        repairs: edits of the code that lead to where this check holds: one, or one for each of several known
            mistakes; empty where none is known.
        departure: where values are no longer those of a correct solution; of one check, if no edit is known.
    """

    check: str
    outcome: Outcome
    points: float
    max_points: float
    says: str
    message: str | None = None
    case: Case | None = None
    mistake: Mistake | None = None
    place: Place | None = None
    output: str | None = None
    staff: str | None = None
    mistakes: tuple[tuple[Mistake, ...], ...] = ()
    limit: Limit | None = None
    on_its_word: bool = False
    costs: tuple[CostCurve, ...] = ()
    proof: Proof | None = None
    answers: str | None = None
    repairs: tuple[Repair, ...] = ()
    departure: Departure | None = None

    @property
    def alternatives(self) -> tuple[tuple[Mistake, ...], ...]:
        """`mistakes`; in a result that was written without them, `mistake` as the only one."""
        return self.mistakes or (((self.mistake,),) if self.mistake else ())


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """One exercise of one submission.

    Attributes:
        name: the exercise's name: the name of its three files.
        title: its title, in the result's language.
        outcome: the worst outcome of its checks; `skipped` where none is wrong and one is to be decided.
        points: the points given.
        max_points: the points that it is worth.
        findings: one for each check, in the order of the checks file; empty where no check could be tried.
        message: why no check could be tried, for the student; else null.
        undecided_points: points of checks that were skipped or broken: neither given nor lost.
        definitions: the student's own definitions of the exercise's symbol.
        staff: details for the instructor alone, where no check could be tried.
        trained: what was measured of a trained model, where the exercise asks for one.
        timing: how fast the code is, where the exercise is timed.
        limit: the limit or rule of the sandbox because of which no check could be tried; null for none.
        fix_first: symbols of other exercises, found wrong, that this code calls: it may fail because of them.
        place: where code is unfinished, the line that is still to be written; else null.
        symbol: the name of the function or class that the exercise asks for.
        parts_replaced: symbols of other exercises, found wrong, in whose place right ones stood while this
            code was judged: what is wrong here is its own.
        not_counted: points of checks that hold which are not counted, since nothing of the answer is right:
            no core check holds on any draw, and no known mistake explains why. The checks that hold share
            what is counted.
        versions: files with code, or trained models, of which nothing says which one is the last: where
            points are lost each was judged, and the best one counts; empty where there is no doubt.
        answer: for a question without checks, that people judge, what was written, or nothing; null for
            what softmark judges. Results in files have no questions: they come with the marks.
    """

    name: str
    title: str
    outcome: Outcome
    points: float
    max_points: float
    findings: tuple[Finding, ...] = ()
    message: str | None = None
    undecided_points: float = 0
    definitions: tuple[Definition, ...] = ()
    staff: str | None = None
    trained: Trained | None = None
    timing: Timing | None = None
    limit: Limit | None = None
    fix_first: tuple[str, ...] = ()
    place: Place | None = None
    symbol: str = ""
    parts_replaced: tuple[str, ...] = ()
    not_counted: float = 0
    versions: tuple[str, ...] = ()
    answer: str | None = None

    @property
    def places(self) -> tuple[Place, ...]:
        """The lines that raised errors, and those that are to be changed."""
        findings = self.findings
        raised = [finding.place for finding in findings if finding.place is not None]
        departed = [finding.departure.place for finding in findings if finding.departure is not None]
        return (*raised, *(repair.place for finding in findings for repair in finding.repairs), *departed)


@dataclass(frozen=True, slots=True)
class SubmissionInfo:
    """What was handed in.

    Attributes:
        id: the submission's name in this run: the name of its folder of results.
        files: names of the files inside the submission.
        sha256: the digest of the bytes of these files.
    """

    id: str
    files: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that grading one submission gave.

    Two results with the same `key` differ at most in `graded_at`, `seconds`, `machine` and in what was
    measured of time and memory.

    Attributes:
        schema: the name and version of this format.
        assignment: the assignment's name.
        title: the assignment's title, in the result's language.
        submission: what was handed in.
        graded_at: when it was graded, in UTC, in ISO 8601.
        versions: the versions of softmark and of PyTorch.
        device: `cpu` or `cuda`.
        seed: the seed of the run's draws.
        sandbox: the level of the box that was in force.
        points: the points given: the sum over the exercises.
        max_points: the points that the assignment is worth.
        undecided_points: points that were neither given nor lost.
        remarks: remarks on the submission as a whole.
        exercises: one for each exercise that was graded, in the order of the assignment.
        key: the digest of all that the result depends on: files, checks, code, settings, packages.
        seconds: how long grading took, in wall-clock seconds.
        language: the language of all sentences.
        machine: the name of the machine and its processor, where it was graded on a cluster; else empty.
        texts: what was handed in beside code, as far as it is kept: text cells of notebooks, and Markdown.
        run: the digest of all that the results of a run depend on, except what was handed in.
        digest: of the file that holds it, by which softmark knows whether somebody changed the file; empty
            where it is in no folder of results.
    """

    schema: str = field(default=SCHEMA, kw_only=True)
    assignment: str
    title: str
    submission: SubmissionInfo
    graded_at: str
    versions: dict[str, str]
    device: str
    seed: int
    sandbox: str
    points: float
    max_points: float
    undecided_points: float
    remarks: tuple[Remark, ...]
    exercises: tuple[ExerciseResult, ...]
    key: str = ""
    seconds: float = 0
    language: Language = "en"
    machine: str = ""
    texts: tuple[Text, ...] = ()
    run: str = ""
    digest: str = ""

    @property
    def unreadable(self) -> str | None:
        """Why something that was handed in could not be read; None where no exercise lacks it."""
        return next((e.message or "" for e in self.exercises if e.outcome is Outcome.UNREADABLE), None)

    @property
    def has_passed(self) -> bool:
        """Whether every exercise is passed or skipped."""
        return all(e.outcome in (Outcome.PASSED, Outcome.SKIPPED) for e in self.exercises)

    @property
    def softmark_failed(self) -> bool:
        """Whether softmark itself failed on an exercise, whose points are undecided."""
        return any(e.outcome is Outcome.BROKEN for e in self.exercises)


def to_json(result: Result) -> str:
    """The text of a result.json: keys in a fixed order, one line per key, ends with a newline."""
    return to_json_text(result)


def from_json(text: str) -> Result:
    """The result in a result.json.

    Raises:
        ValueError: the text is not a result of this schema.
    """
    return from_json_text(text, Result, SCHEMA)
