"""What is measured, and for how long."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is measured, and for how long.

    A brief measurement compares at the judged length alone, until the ratio is known well enough, and
    forward at half and double that length for the growth. A full one measures all contestants at all lengths.

    Attributes:
        full: whether to measure everything.
        lengths: of the inputs, in positions; all that a full measurement has.
        judged_length: the length that points depend on; a shorter one where it takes too long.
        cpu_s: bound on the CPU seconds of one exercise's calls.
        judged_request_s: seconds of one request at the judged length.
        request_s: seconds of one request at the other lengths.
        rounds: at lengths below the judged one. At the judged length, at least twice as many.
        max_rounds: at the judged length. Rounds end before, when the control's ratio lies in
            `even_ratios` and more rounds would hardly change the ratios.
        rounds_beyond: at lengths above the judged one.
        even_ratios: bounds of the control's ratio; outside them, nothing is reported.
        retries: how often all is measured again in new processes when the control is uneven.
        loop_factor: by how much one size grows when a loop over it is looked for.
        threads: that PyTorch may use; the clock counts the CPU time of all of them.
        curve_lengths: of the curves that a run measures once; see `run_curves`.
        brief_request_s: seconds of one request in a brief measurement.
        brief_rounds: the fewest and the most at the judged length. Rounds end when the ratio's interval lies
            within one band, and the standard error of its logarithm is at most
        brief_error: so that the ratio that is shown is seldom wrong by more than 5 %.
        brief_contestant_s: seconds for all rounds of one contestant at one length, unless three take longer.
        brief_call_s: at double the judged length, nothing is timed if a call would take longer,
        brief_bytes: or need more memory.
    """

    full: bool = False
    lengths: tuple[int, ...] = (64, 128, 256, 512, 1024, 2048)
    judged_length: int = 512
    cpu_s: float = 7.5
    judged_request_s: float = 0.02
    request_s: float = 0.012
    rounds: int = 7
    max_rounds: int = 60
    rounds_beyond: int = 6
    even_ratios: tuple[float, float] = (0.95, 1.05)
    retries: int = 1
    loop_factor: int = 8
    threads: int = 1
    curve_lengths: tuple[int, ...] = (64, 128, 256, 512, 1024)
    brief_request_s: float = 0.004
    brief_rounds: tuple[int, int] = (8, 60)
    brief_error: float = 0.016
    brief_contestant_s: float = 0.25
    brief_call_s: float = 0.12
    brief_bytes: int = 400_000_000
