"""Contestants in turn, round by round: what a call costs each of them at one length.

All get the same arguments, new ones in each round. Whatever a process uses between its turns counts as if
it had been used in them, so that nothing is won by working before or after.
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
from graders.timing.contestant import Contestant, Sample, Work, work

STUDENT, CONTROL, TORCH = "student", "again", "torch"
CALLS = 128  # in one request, at most
LAP_S = 1.2  # what one contestant may take of a lap, but for rounds that are
FEW = 3  # at least
ERROR = 0.015  # of the logarithm of a ratio that is taken for sure
WARM_UP = 4  # calls before those that count
SHORT = 64  # below, time hardly depends on the length
BACKWARD = 2.0  # times as long as forward it takes at least, about
LEAST_S = 1e-6  # seconds of a call
EMPTY = 3  # requests without calls, of which the cheapest counts
CLOSE = 2e-4  # how far, of its size, a number that is seen of an answer may be from the reference's


class Differs(Exception):
    """What the student's code answers while it is timed is not what the reference answers."""


class TooSlow(Exception):
    """It would take longer than there is time for."""


@dataclass(frozen=True)
class RoundTimes:
    """Seconds per call of each round, by contestant."""

    times: Mapping[str, Sequence[float]]

    def least(self, name: str) -> float:
        """The least of them, which other work on the machine disturbs least."""
        return min(self.times[name])

    def ratio(self, name: str, base: str) -> float:
        """How many times the other's time one takes: the middle of all rounds' ratios.

        In a round both meet with much the same machine, so that this is surer than a ratio of least times.
        """
        return statistics.median(self._ratios(name, base))

    def sure(self, name: str, base: str) -> bool:
        """Whether more rounds would hardly move the ratio: the standard error of a median is small."""
        logs = [math.log(ratio) for ratio in self._ratios(name, base)]
        if len(logs) < FEW:
            return False
        low, _, high = statistics.quantiles(logs, n=4)
        spread = (high - low) / 1.349  # as large as a standard deviation where errors are normal
        return spread * math.sqrt(math.pi / 2 / len(logs)) <= ERROR

    def _ratios(self, name: str, base: str) -> list[float]:
        return [one / other for one, other in zip(self.times[name], self.times[base], strict=False)]


@dataclass(frozen=True)
class Budget:
    """At least so many rounds of so many seconds each; then, up to `most`, until it is enough.

    After the least number they also end when the race has no more than `spare` seconds left.
    """

    rounds: int
    batch_s: float
    most: int
    enough: Callable[[RoundTimes], bool] = lambda _: True
    spare: float = 0.0


@dataclass(frozen=True)
class _Pace:
    calls: int
    rounds: int


@dataclass
class InterleavedBenchmark:
    """`left` are the seconds that all of it may still take."""

    contestants: dict[str, Contestant]
    dtype: torch.dtype
    left: float
    _costs: dict[tuple[int, int], float] = field(default_factory=dict)
    _known: dict[tuple[str, bool], tuple[int, float]] = field(default_factory=dict)

    def build(self, timed: Timed) -> None:
        """Have all modules made for such calls."""
        for contestant in self.contestants.values():
            contestant.build(timed.config)
        self._costs.clear()
        self._known.clear()

    def lap(self, timed: Timed, backward: bool, effort: Budget, names: Sequence[str]) -> RoundTimes:
        """Rounds of these contestants; more of them while `effort.enough` says that it is not.

        Raises:
            TooSlow: there is not the time for it.
            Differs: the student's answers are wrong.
        """
        paces = self._paces(timed, backward, effort, names)
        times: dict[str, list[float]] = {name: [] for name in names}
        seen: dict[str, list[Tensor]] = {name: [] for name in names}
        spent = {name: self._empty(timed, paces[name].calls, backward) for name in names}
        order: Sequence[str] = ()
        for number in range(effort.most):
            given = work(timed, max(pace.calls for pace in paces.values()), self.dtype)
            order = _order(names, order)
            for name in order:
                if number < paces[name].rounds:
                    took = self._take(name, given, paces[name].calls, backward)
                    seconds = max(1e-9, took.seconds + took.idle - spent[name])
                    times[name].append(seconds / paces[name].calls)
                    seen[name].append(took.seen)
            if number + 1 >= effort.rounds and (effort.enough(RoundTimes(times)) or self.left < effort.spare):
                break
        for name in names:
            times[name][-1] += self.contestants[name].idle() / paces[name].calls
        if STUDENT in names and REFERENCE in names:
            _require_close(seen[STUDENT], seen[REFERENCE])
        return RoundTimes(times)

    def _paces(self, timed: Timed, backward: bool, effort: Budget, names: Sequence[str]) -> dict[str, _Pace]:
        """How many calls each does in a round, in how many rounds, from some that are not counted."""
        self._foresee(timed, backward)
        paces, due = {}, 0.0
        for name in names:
            self.contestants[name].forget_peak()
            first = self._take(name, work(timed, 1, self.dtype), 1, backward).seconds
            if first * FEW > self.left:  # the first is slow by its being the first, but not so much
                raise TooSlow
            warm = WARM_UP if first < effort.batch_s else 1
            took = self._take(name, work(timed, warm, self.dtype), warm, backward).seconds
            seconds = max(LEAST_S, took / warm)  # the clock may not have moved yet
            calls = min(CALLS, max(1, round(effort.batch_s / seconds)))
            rounds = min(effort.most, max(FEW, int(LAP_S / (calls * seconds))))
            if name == TORCH and REFERENCE in names:  # to be shown, not to be judged by
                rounds = min(rounds, max(FEW, effort.rounds // 2))
            paces[name] = _Pace(calls, rounds)
            due += min(effort.rounds, rounds) * calls * seconds
            self._known[name, backward] = _length(timed), seconds
        if due > self.left:
            raise TooSlow
        return paces

    def _foresee(self, timed: Timed, backward: bool) -> None:
        """Do not begin with what must take too long, as the times of other lengths foretell.

        Raises:
            TooSlow: it must.
        """
        for (_, taught), (length, seconds) in self._known.items():
            slower = seconds * (_length(timed) / max(length, SHORT)) ** 2
            slower *= BACKWARD if backward and not taught else 1
            if taught <= backward and _length(timed) > length and slower * FEW > self.left:
                raise TooSlow

    def _take(self, name: str, given: Work, calls: int, backward: bool, working: bool = True) -> Sample:
        took = self.contestants[name].take(given.first(calls), backward, working)
        self.left -= took.seconds
        return took

    def _empty(self, timed: Timed, calls: int, backward: bool) -> float:
        """What so many calls cost beside the calls, in a process of ours, not the student's."""
        ours = next(name for name in (REFERENCE, TORCH) if name in self.contestants)
        size = sum(torch.Size(shape).numel() for shape in timed.inputs)
        if (size, calls) not in self._costs:
            given = work(timed, calls, self.dtype)
            tries = [self._take(ours, given, calls, backward, working=False) for _ in range(EMPTY)]
            self._costs[size, calls] = min(took.seconds + took.idle for took in tries)
        return self._costs[size, calls]


def _order(names: Sequence[str], before: Sequence[str]) -> Sequence[str]:
    """A new order of turns, nobody's two in a row: who has just run finds the caches warm, and is faster."""
    order = random.sample(names, len(names))
    return order if not before or order[0] != before[-1] else order[::-1]


def _length(timed: Timed) -> int:
    return timed.inputs[0][-2]


def _require_close(student: Sequence[Tensor], reference: Sequence[Tensor]) -> None:
    pairs = [_common(*pair) for pair in zip(student, reference, strict=False)]
    found, due = (torch.cat(side) for side in zip(*pairs, strict=True))
    # Each is a sum of as many values of either sign as of the other: one alone may be near zero.
    scale = due.square().mean(0).sqrt()
    if not bool(((found - due).abs() <= CLOSE * scale).all()):
        raise Differs


def _common(found: Tensor, due: Tensor) -> tuple[Tensor, Tensor]:
    rows, columns = min(len(found), len(due)), due.shape[1]
    if found.dim() != 2 or found.shape[1] < columns:
        raise Differs
    return found[:rows, :columns], due[:rows]
