"""Time all contestants round by round: what a call costs each of them at one length.

In a round all contestants get the same new arguments, in a random order. CPU time that a process uses between
its requests is added to its next request, so working before or after a request gains nothing.
"""

import math
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from graders.check_api.timed_call import Timed
from graders.results.measurements import REFERENCE
from graders.timing.contestant import CallArguments, Contestant, Sample, draw_arguments

STUDENT, CONTROL, TORCH = "student", "again", "torch"
MAX_CALLS = 128  # in one request
CONTESTANT_S = 1.2  # seconds for all rounds of one contestant, unless the budget's minimum needs more
MIN_ROUNDS = 3
MAX_LOG_ERROR = 0.015  # a ratio is certain when the standard error of its logarithm is at most this
WARM_UP_CALLS = 4
SHORT_LENGTH = 64  # below this length, time hardly depends on the length
BACKWARD_FACTOR = 2.0  # rough lower bound of (forward + backward) time / forward time
MIN_CALL_S = 1e-6  # where the clock has not moved yet
EMPTY_REQUESTS = 3  # requests without calls; the cheapest is the overhead of a request
TOLERANCE = 2e-4  # between the student's numbers and the reference's, relative to their size


class Differs(Exception):
    """The student's answers to the timed calls are not the reference's."""


class TooSlow(Exception):
    """The measurement would take longer than the time that is left."""


@dataclass(frozen=True)
class RoundTimes:
    """Seconds per call in each round, by contestant."""

    times: Mapping[str, Sequence[float]]

    def minimum(self, name: str) -> float:
        """The fastest round: the one that other work on the machine disturbed least."""
        return min(self.times[name])

    def median_ratio(self, name: str, base: str) -> float:
        """The time of `name` divided by that of `base`: the median over the rounds.

        Within a round the machine's load is much the same for both, so this varies less than the ratio of
        the two minimums.
        """
        return statistics.median(self._ratios(name, base))

    def ratio_is_certain(self, name: str, base: str) -> bool:
        """Whether the standard error of the median ratio is too small for more rounds to matter."""
        logs = [math.log(ratio) for ratio in self._ratios(name, base)]
        if len(logs) < MIN_ROUNDS:
            return False
        low, _, high = statistics.quantiles(logs, n=4)
        deviation = (high - low) / 1.349  # the standard deviation, where errors are normal
        return deviation * math.sqrt(math.pi / 2 / len(logs)) <= MAX_LOG_ERROR

    def _ratios(self, name: str, base: str) -> list[float]:
        return [own / other for own, other in zip(self.times[name], self.times[base], strict=False)]


@dataclass(frozen=True)
class Budget:
    """Measurement budget: minimum rounds, seconds per request, maximum rounds.

    After the minimum, rounds go on until `enough` is true of the times so far, `max_rounds` is reached, or
    the benchmark has less than `reserve_s` seconds left.
    """

    min_rounds: int
    request_s: float
    max_rounds: int
    enough: Callable[[RoundTimes], bool] = lambda _: True
    reserve_s: float = 0.0


@dataclass(frozen=True)
class _Schedule:
    """Calls in each request of a contestant, and the number of its rounds."""

    calls: int
    rounds: int


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

    def time_rounds(self, timed: Timed, backward: bool, budget: Budget, names: Sequence[str]) -> RoundTimes:
        """Time these contestants for as many rounds as the budget asks for.

        Raises:
            TooSlow: the rounds would take longer than the time that is left.
            Differs: the student's answers are wrong.
        """
        schedules = self._choose_schedules(timed, backward, budget, names)
        times: dict[str, list[float]] = {name: [] for name in names}
        digests: dict[str, list[Tensor]] = {name: [] for name in names}
        overheads = {name: self._request_overhead(timed, schedules[name].calls, backward) for name in names}
        order: Sequence[str] = ()
        for number in range(budget.max_rounds):
            most_calls = max(schedule.calls for schedule in schedules.values())
            arguments = draw_arguments(timed, most_calls, self.dtype)
            order = _shuffle(names, order)
            for name in order:
                if number < schedules[name].rounds:
                    sample = self._request(name, arguments, schedules[name].calls, backward)
                    seconds = max(1e-9, sample.seconds + sample.idle - overheads[name])
                    times[name].append(seconds / schedules[name].calls)
                    digests[name].append(sample.digests)
            if number + 1 >= budget.min_rounds and (
                budget.enough(RoundTimes(times)) or self.seconds_left < budget.reserve_s
            ):
                break
        for name in names:
            times[name][-1] += self.contestants[name].read_idle() / schedules[name].calls
        if STUDENT in names and REFERENCE in names:
            _require_close(digests[STUDENT], digests[REFERENCE])
        return RoundTimes(times)

    def _choose_schedules(
        self, timed: Timed, backward: bool, budget: Budget, names: Sequence[str]
    ) -> dict[str, _Schedule]:
        """Choose calls per request and rounds from uncounted warm-up calls."""
        self._refuse_what_is_too_slow(timed, backward)
        schedules, needed = {}, 0.0
        for name in names:
            self.contestants[name].forget_peak()
            first = self._request(name, draw_arguments(timed, 1, self.dtype), 1, backward).seconds
            if first * MIN_ROUNDS > self.seconds_left:  # a first call is slower than others, but not so much
                raise TooSlow
            calls = WARM_UP_CALLS if first < budget.request_s else 1
            warm_up = self._request(name, draw_arguments(timed, calls, self.dtype), calls, backward).seconds
            seconds = max(MIN_CALL_S, warm_up / calls)
            calls = min(MAX_CALLS, max(1, round(budget.request_s / seconds)))
            rounds = min(budget.max_rounds, max(MIN_ROUNDS, int(CONTESTANT_S / (calls * seconds))))
            if name == TORCH and REFERENCE in names:  # shown, but no points depend on it
                rounds = min(rounds, max(MIN_ROUNDS, budget.min_rounds // 2))
            schedules[name] = _Schedule(calls, rounds)
            needed += min(budget.min_rounds, rounds) * calls * seconds
            self._call_times[name, backward] = _length(timed), seconds
        if needed > self.seconds_left:
            raise TooSlow
        return schedules

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
        sample = self.contestants[name].time_calls(arguments.for_request(calls), backward, working)
        self.seconds_left -= sample.seconds
        return sample

    def _request_overhead(self, timed: Timed, calls: int, backward: bool) -> float:
        """Seconds that a request takes without its calls, in a process of ours, never the student's."""
        ours = next(name for name in (REFERENCE, TORCH) if name in self.contestants)
        size = sum(torch.Size(shape).numel() for shape in timed.inputs)
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
    return timed.inputs[0][-2]


def _require_close(student: Sequence[Tensor], reference: Sequence[Tensor]) -> None:
    pairs = [_common_part(*pair) for pair in zip(student, reference, strict=False)]
    actual, expected = (torch.cat(side) for side in zip(*pairs, strict=True))
    # Each number sums values of both signs, so a single one may be near zero: scale by the whole column.
    scale = expected.square().mean(0).sqrt()
    if not bool(((actual - expected).abs() <= TOLERANCE * scale).all()):
        raise Differs


def _common_part(actual: Tensor, expected: Tensor) -> tuple[Tensor, Tensor]:
    rows, columns = min(len(actual), len(expected)), expected.shape[1]
    if actual.dim() != 2 or actual.shape[1] < columns:
        raise Differs
    return actual[:rows, :columns], expected[:rows]
