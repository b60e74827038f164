"""What grading found: frozen, versioned data, JSON in and out, and the only thing that reports know.

Text that comes from a student has been through `graders.safe_text` before it stands here: no control
characters, no lone surrogates, bounded in length. It is still untrusted, and reports escape it.
"""

from dataclasses import dataclass, field
from enum import StrEnum, unique

import cattrs

from graders.language import Language
from graders.results.json_schema import from_json_text, to_json_text

SCHEMA = "softmark/result/1"


@unique
class Outcome(StrEnum):
    """How a check or an exercise ended. `broken` is softmark's own fault and never costs points."""

    PASSED = "passed"
    FAILED = "failed"
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    SKIPPED = "skipped"
    BROKEN = "broken"
    NOT_ATTEMPTED = "not_attempted"


@dataclass(frozen=True, slots=True)
class Place:
    """A line of what was handed in. `cell` counts all cells of a notebook from 1; None in a module."""

    file: str
    cell: int | None
    line: int


@dataclass(frozen=True, slots=True)
class Remark:
    """Something worth saying about a submission that costs no points by itself."""

    says: str
    file: str | None = None
    cell: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """The student's own definition of a symbol, as it stands in the notebook from `line` on."""

    file: str
    cell: int | None
    line: int
    code: str


@dataclass(frozen=True, slots=True)
class TensorView:
    """A small tensor as a report shows it.

    `values` runs in row-major order and is cut at a bound (then `clipped`); numbers that JSON does
    not know are the strings "nan", "inf" and "-inf". Booleans are 0 and 1.
    """

    shape: tuple[int, ...]
    dtype: str
    values: tuple[float | str, ...]
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """One argument of the smallest case: `tensor` where it is one, `text` always."""

    name: str
    text: str
    tensor: TensorView | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """The smallest case found where a check does not hold.

    `worst` is the index into `expected` and `actual` where they differ most.
    """

    text: str
    inputs: tuple[Input, ...] = ()
    expected: TensorView | None = None
    actual: TensorView | None = None
    worst: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known mistake whose numbers are the student's, with the hint that names it, in two languages.

    `name` is `a + b` for two at once, `a | b` where either would explain it.
    """

    name: str
    hint: str
    hint_fr: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    `says` is the check's sentence, `message` what went wrong (for the student), `staff` what only
    the instructor needs, `place` the student's line that raised, `output` what the code printed.
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


@dataclass(frozen=True, slots=True)
class Logged:
    """A point of a learning curve as it was handed in: losses in nats, None where there is none."""

    step: float
    train: float | None
    held_out: float | None


@dataclass(frozen=True, slots=True)
class Trained:
    """What was measured of a trained model. Losses are in bits per character, None where not measured.

    `weights` is a digest of the parameters, whatever their names. `held_out` is the loss on text that
    nobody trained on, `train` on part of the training text, `prefixes` the loss where the model gets
    nothing behind the character that it predicts, measured where it sees the future otherwise; `counted`
    is the one that counts. `by_context` has pairs: so many tokens of context, and the bits per token;
    `one_token` and `whole_context` are bits for the same tokens, with one token of context and with all.
    """

    weights: str
    parameters: int
    vocab_size: int
    block_size: int
    corpus: str = ""
    characters: int = 0
    held_out: float | None = None
    train: float | None = None
    prefixes: float | None = None
    counted: float | None = None
    bigram: float | None = None
    target: float | None = None
    entropy: float | None = None
    one_token: float | None = None
    whole_context: float | None = None
    by_context: tuple[tuple[int, float], ...] = ()
    sample: str = ""
    losses: tuple[Logged, ...] = ()


REFERENCE = "reference"  # whom a student's time is compared with: `Timing.against`


@dataclass(frozen=True, slots=True)
class Clocked:
    """Seconds of each round at one length, per call: the student's, the reference's, PyTorch's own way.

    `mode` is `forward` or `backward` (then forward and backward). `ratio` is the middle of all rounds'
    ratios of the student's time to the reference's (PyTorch's where there is none), `low` and `high` are
    their middle half.
    """

    length: int
    mode: str
    student: tuple[float, ...]
    reference: tuple[float, ...]
    torch: tuple[float, ...]
    ratio: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Timing:
    """How fast an exercise's code is. `says` are sentences for the student.

    Where there are none, `skipped` says why not, or `refused` what the code itself did that cannot be timed.
    `against` is `reference` or `torch`: what ratios are to. `judged` is the length that counts, `control` the
    reference's times there over its own in another process, `growth` the exponents of time over length and
    `memory` the peak bytes of a call at that length, both by whose it is.
    """

    says: tuple[str, ...] = ()
    skipped: str | None = None
    refused: str | None = None
    against: str = "reference"
    clock: str = "cpu"
    threads: int = 1
    sandbox: str = ""
    judged: int = 0
    ratio: float | None = None
    control: float | None = None
    growth: dict[str, float] = field(default_factory=dict)
    memory: dict[str, int] = field(default_factory=dict)
    clocked: tuple[Clocked, ...] = ()
    staff: str | None = None


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """One exercise of one submission. `message` says why, and `staff` more, where no check could."""

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


@dataclass(frozen=True, slots=True)
class SubmissionInfo:
    """Who handed in what: `files` are names inside the submission, `sha256` is over their bytes."""

    id: str
    files: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Result:
    """Everything that grading one submission gave. Points never decided stand in `undecided_points`.

    `key` is a digest of all that the result follows from, and `seconds` what grading took by the clock:
    two results of one key differ at most in `graded_at`, `seconds` and what is timed. Sentences are in
    `language`.
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


_converter = cattrs.Converter()
# Numbers stay as they are: "nan" must not become a float again, nor 1 a string.
_converter.register_structure_hook(float | str, lambda value, _: value)


def to_json(result: Result) -> str:
    """The text of a result.json: keys in a fixed order, one line per key, ends with a newline."""
    return to_json_text(_converter, result)


def from_json(text: str) -> Result:
    """The result in a result.json.

    Raises:
        ValueError: the text is not a result of this schema.
    """
    return from_json_text(_converter, text, Result, SCHEMA)
