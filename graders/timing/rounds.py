"""Time all contestants round by round: what a call costs each of them at one length.

In a round all contestants get the same new arguments and make the same number of calls, in a random order.
The reference's own speed decides that number, never the student's. Every row of every answer is compared with
the reference's, in warm-ups too. CPU time that a process uses between its requests is added to its next
request, so working before or after a request gains nothing.
"""

import math
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from graders.check_api.candidate import Raised
from graders.check_api.timed_call import Timed
from graders.results.measurements import REFERENCE
from graders.sandbox.process_lost import ProcessLost
from graders.timing.contestant import CallArguments, Contestant, Sample, draw_arguments

STUDENT, CONTROL, TORCH, MATH = "student", "again", "torch", "math"
SHOWN = (TORCH, MATH)  # beside a reference: no points depend on them
MAX_CALLS = 128  # in one request
CONTESTANT_S = 1.2
MIN_ROUNDS = 3
MIN_ROWS = 3  # fewer rows do not say what size their numbers have
MAX_LOG_ERROR = 0.015  # a ratio is certain when the standard error of its logarithm is at most this
WARM_UP_CALLS = 4
SHORT_LENGTH = 64  # below this length, time hardly depends on the length
BACKWARD_FACTOR = 2.0  # rough lower bound of (forward + backward) time / forward time
MIN_CALL_S = 1e-6  # where the clock has not moved yet
EMPTY_REQUESTS = 3  # requests without calls; the cheapest is the overhead of a request
TOLERANCE = 2e-4  # between the student's numbers and the reference's, relative to their size


class Differs(Exception):
    """The student's answers to the timed calls are not the reference's."""


class OursFailed(Exception):
    """A contestant of ours raised or ended: no student pays for that. Text for staff."""


class TooSlow(Exception):
    """The measurement would take longer than the time that is left."""


@dataclass(frozen=True)
class RoundTimes:
    """Seconds per call in each round, by contestant."""

    times: Mapping[str, Sequence[float]]

    def minimum(self, name: str) -> float:
        """The fastest round: the one that other work on the machine disturbed least."""
        return min(self.times[name])

    def median(self, name: str) -> float:
        """The middle of the rounds."""
        return statistics.median(self.times[name])

    def median_ratio(self, name: str, base: str) -> float:
        """The time of `name` divided by that of `base`: the median over the rounds.

        Within a round the machine's load is much the same for both, so this varies less than the ratio of
        the two minimums.
        """
        return statistics.median(self.ratios(name, base))

    def ratio_is_certain(self, name: str, base: str, most: float = MAX_LOG_ERROR) -> bool:
        """Whether the standard error of the ratio is at most `most`: then more rounds hardly matter."""
        logs = [math.log(ratio) for ratio in self.ratios(name, base)]
        if len(logs) < MIN_ROUNDS:
            return False
        low, _, high = statistics.quantiles(logs, n=4)
        deviation = (high - low) / 1.349  # the standard deviation, where errors are normal
        return deviation * math.sqrt(math.pi / 2 / len(logs)) <= most

    def ratios(self, name: str, base: str) -> list[float]:
        """The time of `name` divided by that of `base` in each round.

        Where the control took part, the base's time is the geometric mean of its two processes: where the
        memory of a process lies makes it a few percent faster or slower for as long as it lives.
        """
        return [own / other for own, other in zip(self.times[name], self._base(name, base), strict=False)]

    def _base(self, name: str, base: str) -> list[float]:
        twins = [base] if name == CONTROL or CONTROL not in self.times else [base, CONTROL]
        columns = zip(*(self.times[twin] for twin in twins), strict=False)
        return [math.prod(seconds) ** (1 / len(seconds)) for seconds in columns]


@dataclass(frozen=True)
class Budget:
    """Measurement budget: minimum rounds, seconds per request of the base, maximum rounds.

    All rounds of one contestant take at most `contestant_s`, unless MIN_ROUNDS of them take longer.

    After the minimum, rounds go on until `enough` is true of the times so far, `max_rounds` is reached, or
    the benchmark has less than `reserve_s` seconds left.
    """

    min_rounds: int
    request_s: float
    max_rounds: int
    contestant_s: float = CONTESTANT_S
    enough: Callable[[RoundTimes], bool] = lambda _: True
    reserve_s: float = 0.0


@dataclass
class Answers:
    """What the calls at one length answered, by contestant: the projections of each request, in order."""

    student: list[Tensor] = field(default_factory=list)
    reference: list[Tensor] = field(default_factory=list)

    def keep(self, name: str, digests: Tensor) -> None:
        """Keep the answers to one request."""
        {STUDENT: self.student, REFERENCE: self.reference}.get(name, []).append(digests)

    def require_same(self) -> None:
        """Require that all rows agree. A round that was broken off may lack one of the two.

        Raises:
            Differs: they do not.
        """
        pairs = min(len(self.student), len(self.reference))
        if sum(len(rows) for rows in self.reference[:pairs]) >= MIN_ROWS:
            _require_close(self.student[:pairs], self.reference[:pairs])


@dataclass
class InterleavedBenchmark:
    """Contestants that take turns. `seconds_left` is what all further requests together may take."""

    contestants: dict[str, Contestant]
    dtype: torch.dtype
    seconds_left: float
    _overheads: dict[tuple[int, int], float] = field(default_factory=dict)
    _call_times: dict[tuple[str, bool], tuple[int, float]] = field(default_factory=dict)

    def build_modules(self, timed: Timed) -> None:
        """Make every contestant's module for such calls."""
        for contestant in self.contestants.values():
            contestant.build_module(timed.config)
        self._overheads.clear()
        self._call_times.clear()

    def warm_up(self, timed: Callable[..., Timed]) -> None:
        """Let everyone load what a call needs, so that nobody is charged for it; note the memory then."""
        self.time_rounds(timed(8), True, Budget(1, 0.0, 1), list(self.contestants))
        for contestant in self.contestants.values():
            contestant.note_memory_at_rest()

    def time_rounds(self, timed: Timed, backward: bool, budget: Budget, names: Sequence[str]) -> RoundTimes:
        """Time these contestants for as many rounds as the budget asks for.

        Raises:
            TooSlow: the rounds would take longer than the time that is left.
            Differs: the student's answers are wrong.
        """
        answers = Answers()
        try:
            return RoundTimes(self._take_turns(timed, backward, budget, names, answers))
        finally:
            answers.require_same()

    def _take_turns(
        self, timed: Timed, backward: bool, budget: Budget, names: Sequence[str], answers: Answers
    ) -> dict[str, list[float]]:
        calls = self._warm_up(timed, backward, budget, names, answers)
        answers.require_same()  # before more time is spent
        overhead = self._request_overhead(timed, calls, backward)
        times: dict[str, list[float]] = {name: [] for name in names}
        # Where PyTorch's time is only shown, fewer rounds do.
        shown = max(MIN_ROUNDS, budget.min_rounds // 2) if REFERENCE in names else budget.max_rounds
        order: Sequence[str] = ()
        for number in range(budget.max_rounds):
            order = _shuffle([name for name in names if name not in SHOWN or number < shown], order)
            samples = self._request_all(timed, calls, backward, order, answers)
            for name, sample in samples.items():
                times[name].append(max(1e-9, sample.seconds + sample.idle - overhead) / calls)
            if self._is_over(RoundTimes(times), calls, budget):
                break
        for name in names:
            times[name][-1] += self.contestants[name].read_idle() / calls
        return times

    def _is_over(self, times: RoundTimes, calls: int, budget: Budget) -> bool:
        rounds = max(len(seconds) for seconds in times.times.values())
        longest = calls * max(sum(seconds) for seconds in times.times.values())
        if rounds >= MIN_ROUNDS and longest > budget.contestant_s:
            return True
        return rounds >= budget.min_rounds and (budget.enough(times) or self.seconds_left < budget.reserve_s)

    def _request_all(
        self, timed: Timed, calls: int, backward: bool, order: Sequence[str], answers: Answers
    ) -> dict[str, Sample]:
        """Request the same calls of these contestants, one after the other."""
        arguments = draw_arguments(timed, calls, self.dtype)
        samples = {}
        for name in order:
            samples[name] = self._request(name, arguments, calls, backward)
            answers.keep(name, samples[name].digests)
        return samples

    def _warm_up(
        self, timed: Timed, backward: bool, budget: Budget, names: Sequence[str], answers: Answers
    ) -> int:
        """Make uncounted calls, and choose by the base's time how many calls all make in each request."""
        self._refuse_what_is_too_slow(timed, backward)
        base = REFERENCE if REFERENCE in names else TORCH
        for name in names:
            self.contestants[name].forget_peak()
        first = self._request_all(timed, 1, backward, names, answers)
        # A first call is slower than others, but not so much.
        if max(sample.seconds for sample in first.values()) * MIN_ROUNDS > self.seconds_left:
            raise TooSlow
        calls = WARM_UP_CALLS if first[base].seconds < budget.request_s else 1
        second = self._request_all(timed, calls, backward, names, answers)
        seconds = {name: max(MIN_CALL_S, sample.seconds / calls) for name, sample in second.items()}
        calls = min(MAX_CALLS, max(1, round(budget.request_s / seconds[base])))
        self._call_times |= {(name, backward): (_length(timed), each) for name, each in seconds.items()}
        slowest = max(MIN_CALL_S, *seconds.values())
        rounds = min(budget.min_rounds, max(MIN_ROUNDS, int(budget.contestant_s / (calls * slowest))))
        if rounds * calls * sum(seconds.values()) > self.seconds_left:
            raise TooSlow
        return calls

    def _refuse_what_is_too_slow(self, timed: Timed, backward: bool) -> None:
        """Predict the time from shorter lengths, assuming that it grows with the square of the length.

        Raises:
            TooSlow: the predicted time is more than what is left.
        """
        for (_, with_gradients), (length, seconds) in self._call_times.items():
            predicted = seconds * (_length(timed) / max(length, SHORT_LENGTH)) ** 2
            predicted *= BACKWARD_FACTOR if backward and not with_gradients else 1
            longer = _length(timed) > length
            if with_gradients <= backward and longer and predicted * MIN_ROUNDS > self.seconds_left:
                raise TooSlow

    def _request(
        self, name: str, arguments: CallArguments, calls: int, backward: bool, working: bool = True
    ) -> Sample:
        try:
            sample = self.contestants[name].time_calls(arguments.for_request(calls), backward, working)
        except (ProcessLost, Raised) as error:
            if name == STUDENT:
                raise
            raise OursFailed(f"{name}: {error}") from error
        self.seconds_left -= sample.seconds
        return sample

    def _request_overhead(self, timed: Timed, calls: int, backward: bool) -> float:
        """Seconds that a request takes without its calls, in a process of ours, never the student's."""
        ours = next(name for name in (REFERENCE, TORCH) if name in self.contestants)
        size = sum(torch.Size(shape).numel() for shape in timed.shapes)
        if (size, calls) not in self._overheads:
            arguments = draw_arguments(timed, calls, self.dtype)
            samples = [
                self._request(ours, arguments, calls, backward, working=False) for _ in range(EMPTY_REQUESTS)
            ]
            self._overheads[size, calls] = min(sample.seconds + sample.idle for sample in samples)
        return self._overheads[size, calls]


def _shuffle(names: Sequence[str], previous: Sequence[str]) -> Sequence[str]:
    """A random order in which nobody has two turns in a row: the caches would be warm in the second."""
    order = random.sample(names, len(names))
    return order if not previous or order[0] != previous[-1] else order[::-1]


def _length(timed: Timed) -> int:
    return timed.shapes[0][-2]


def _require_close(student: Sequence[Tensor], reference: Sequence[Tensor]) -> None:
    for actual, expected in zip(student, reference, strict=True):
        # A student's function may answer more than the reference's, such as the weights.
        if actual.dim() != 2 or len(actual) != len(expected) or actual.shape[1] < expected.shape[1]:
            raise Differs
    expected = torch.cat(list(reference))
    actual = torch.cat([rows[:, : expected.shape[1]] for rows in student])
    # Each number sums values of both signs, so a single one may be near zero: scale by the whole column.
    scale = expected.square().mean(0).sqrt()
    if not bool(((actual - expected).abs() <= TOLERANCE * scale).all()):
        raise Differs
