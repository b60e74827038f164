"""Measurements beside the checks: the times of the code, and the model that was trained with it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Logged:
    """A point of a learning curve, as it was handed in.

    Attributes:
        step: the number of training steps before it.
        train: the training loss in nats, or null.
        held_out: the held-out loss in nats, or null.
    """

    step: float
    train: float | None
    held_out: float | None


@dataclass(frozen=True, slots=True)
class Trained:
    """What was measured of a trained model.

    Losses are in bits per character of the text, and null where they were not measured.

    Attributes:
        weights: a digest of the parameters, independent of their names.
        parameters: how many numbers the parameters hold.
        vocab_size: how many tokens there are.
        block_size: the longest context, in tokens.
        corpus: the name of the text.
        characters: how many characters were predicted.
        held_out: the loss on text that was not trained on.
        train: the loss on a part of the training text.
        prefixes: the loss where each position is predicted from its prefix alone; measured where the model
            looks ahead.
        counted: the loss that counts: `prefixes` where it was measured, else `held_out`.
        bigram: the loss of a bigram model, which gets no points.
        target: the loss that gets all points.
        least: a loss below it is doubted, since the model may know the text by heart.
        entropy: the best possible loss, where it is known.
        one_token: bits per token with one token of context.
        whole_context: bits per token with all the context, for the same tokens as `one_token`.
        by_context: pairs of a number of tokens of context and the mean bits per token with so many.
        sample: text drawn from the model.
        losses: the learning curve.
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
    least: float | None = None
    entropy: float | None = None
    one_token: float | None = None
    whole_context: float | None = None
    by_context: tuple[tuple[int, float], ...] = ()
    sample: str = ""
    losses: tuple[Logged, ...] = ()


REFERENCE = "reference"  # a value of `Timing.against`


@dataclass(frozen=True, slots=True)
class Clocked:
    """The times at one length.

    Attributes:
        length: the sequence length.
        mode: `forward`, or `backward` for a forward and a backward pass.
        student: seconds per call of each round, of the student's code.
        reference: the same of the reference; empty where it was not timed.
        torch: the same of PyTorch's own way; empty where it was not timed.
        ratio: the median over rounds of the student's time divided by that of `Timing.against`.
        low: the lower end of the middle half of these ratios.
        high: the upper end of the middle half of these ratios.
        math: the same as `torch` with PyTorch's plain kernel; empty where it was not timed.
    """

    length: int
    mode: str
    student: tuple[float, ...]
    reference: tuple[float, ...]
    torch: tuple[float, ...]
    ratio: float
    low: float
    high: float
    math: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Curve:
    """Times at one length that were measured once for all submissions of a run.

    Attributes:
        length: the sequence length.
        mode: `forward`, or `backward` for a forward and a backward pass.
        reference: seconds per call of each round, of the reference; empty where it was not timed.
        torch: the same of PyTorch's own way; empty where it was not timed.
    """

    length: int
    mode: str
    reference: tuple[float, ...]
    torch: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Timing:
    """How fast an exercise's code is.

    Attributes:
        says: sentences for the student; empty where nothing was timed.
        skipped: why nothing was timed, where the code is not the reason.
        refused: why the code cannot be timed, where the code is the reason.
        against: what the student's time is divided by: `reference` or `torch`.
        clock: `cpu` for the CPU time of the process, `wall` for a GPU.
        threads: PyTorch's threads, whose CPU time counts together.
        sandbox: the level of the box in which it was timed.
        judged: the length that counts.
        ratio: the ratio at that length, the worse of forward and backward.
        control: the reference's time divided by its own in another process: near 1 where the machine is
            quiet.
        growth: the exponents of time over length, of `student`, `reference`, `torch` and `math` (PyTorch's
            plain kernel); those that the lengths are too short to tell are absent.
        memory: the peak bytes of a call at the length that counts, of the same.
        clocked: the times at each length.
        staff: details for the instructor alone.
        full: whether everything was measured (`--timing full`).
        low: the lower end of the interval in which `ratio` lies in 96 of 100 cases; points go by it.
        high: the upper end of that interval.
        band: `as fast`, `slower` or `much slower`, where the interval lies in one of them; else empty.
        growth_low: the lower ends of the intervals of the exponents in `growth`.
        growth_high: the upper ends of these intervals.
        memory_growth: the exponents of the memory of a forward call over length, where they were measured.
        rates: FLOP/s of the forward pass at the length that counts, counting what no implementation can do
            without.
        peak: FLOP/s of a matrix product of the same precision on this machine.
        curves: times measured once in the run.
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
    full: bool = False
    low: float | None = None
    high: float | None = None
    band: str = ""
    growth_low: dict[str, float] = field(default_factory=dict)
    growth_high: dict[str, float] = field(default_factory=dict)
    memory_growth: dict[str, float] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    peak: float | None = None
    curves: tuple[Curve, ...] = ()


@dataclass(frozen=True, slots=True)
class CostCurve:
    """How a cost of a call grows with its length S, as it was measured from outside the box.

    Attributes:
        of: `time` for CPU seconds, `memory` for bytes at the peak beyond those in use before the call.
        measured: pairs of a length and the cost of a call: the least time that was seen, or the peak.
        due: the exponent that is due: the cost may grow as S to this power.
        bound: the exponent from which on the growth is wrong.
        found: the exponent from the second longest length to the longest, as the check judged it; null where
            only one length was measured.
        width: how many columns the inputs had.
        least: a cost below it is not judged.
    """

    of: str
    measured: tuple[tuple[int, float], ...]
    due: int
    bound: float
    found: float | None = None
    width: int = 0
    least: float = 0
