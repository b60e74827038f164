"""A cost as a criterion: does the CPU time or the peak memory of a call grow too fast with its length?

The calls run in a new process, and the host reads what they cost. c(S) = a + b * S**p with a >= 0, so that
c(4 * S) / c(S) is at most 4**p, however large the constant a is. What exceeds the bound between p and p + 1
grows faster than S**p; docs/design/timing.md says how seldom a right answer does.
"""

import contextlib
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check
from graders.check_api.grows_as import Growth, bound
from graders.extraction.extract import Source
from graders.judging.growth_finding import GrowthVerdict
from graders.language import number, tr
from graders.results.limit import Limit
from graders.results.result import Outcome
from graders.safe_text import safe_text
from graders.sandbox.box import Box
from graders.sandbox.process_lost import ProcessLost
from graders.timing.asked_calls import AskedCalls, Differs, ask, make_calls
from graders.timing.contestant import Contestant, Sample
from graders.timing.costs_seen import CostTable
from graders.timing.cpu_clock import NoClock, require_clocks
from graders.timing.growth_of_operations import judge_operations
from graders.timing.intervals import Interval, interval_of_median
from graders.timing.product_rate import measure_rate

FACTOR = 4  # from one length to the next
LENGTHS = (16, 64, 256, 1024, 4096)
ENOUGH = 1024  # positions: a call so short tells too little if nothing is wrong
AT_REST = 8  # positions: with so few, a call needs what every call needs, and hardly more
NARROW, WIDE = 16, 64  # columns: few for the memory; more for the time, lest Python's own hides the rest
LONGEST_CALL_S = 1.2  # a call that may be longer is not timed: some ten rounds of them must fit into 20 s
LONGEST_ONCE_S = 2.0  # nor is its memory measured
LONGEST_COUNTED_S = 8.0  # a call that may be longer is not counted
COUNTED_LENGTHS = LENGTHS[2:]
LEAST_BYTES = 20_000_000  # of a peak that counts: less may lie in pages that were free before
REQUEST_S, MOST_CALLS = 0.008, 8  # short calls are repeated in one request
CLEAR = 0.25  # one that is so little above it counts twice
MORE_THAN_PRODUCTS = 1.5  # times the products alone, at the rate of the best: the fastest such code took 4.4
ENOUGH_BELOW, ENOUGH_ABOVE = 4, 8  # rounds below the bound that end them, or above it
LESS_THAN_SCORES = 0.45  # of the products of all pairs, at the best rate: their scores are half of them
# Positions and columns. Beside what is due, all pairs take the more time the longer a call is, where that is
# arithmetic, and the wider too, where it is Python's own time. A request can hold no more than the last.
LONG_CALLS = ((8192, 512), (4096, 3840))
LONGEST_LONG_CALL_S = 2.5  # a call may take 3 s
LIKELY = 0.5  # of the time that is due: what takes more for fewer columns is tried with another call
TRIES, FAR = 2, 1.5  # further calls, where one is not quick, unless it takes that many times as long
# Before code is left to the instructor: other programs may have slowed down all calls so far.
LAST_TRIES, LAST_FAR, LAST_TRIES_S = 9, 3, 5.0
LONG_FOR_MEMORY = 16384  # positions: a byte for each pair is 270 MB
PROCESSES = 2  # in each of them memory must exceed the bound


def judge_growth(box: Box, check: Check, source: Source, answers_due: bool = True) -> GrowthVerdict:
    """Whether the calls that a check describes cost what is due.

    Args:
        box: no other process of it is needed now. On a GPU's box, a box for the CPU is started instead.
        check: with `grows_as`.
        source: the code, which answers rightly.
        answers_due: whether its answers must be those that are due. They are others where it answers rightly
            around right parts alone: what it costs is measured with its own.
    """
    try:
        require_clocks()
        with _on_cpu(box) as cpu_box:
            return GrowthMeasurement(cpu_box, check, source, answers_due).judge()
    except NoClock as error:
        return GrowthVerdict(Outcome.SKIPPED, tr("not measured: {why}", why=error))


@contextlib.contextmanager
def _on_cpu(box: Box) -> Iterator[Box]:
    """The box, or another of its kind for the CPU: a GPU has no clock of its own that the host can read."""
    if box.device == "cpu":
        yield box
        return
    with Box(box.level, box.limits) as on_cpu:
        yield on_cpu


class _Wrong(Exception):
    """A long call fails. The text is for the student; `limit` is the one that it reached, if any."""

    def __init__(self, text: str, limit: Limit | None = None) -> None:
        super().__init__(text)
        self.limit = limit


class _TooLate(NoClock):
    """A call takes longer than the box waits for it."""


class _WritesFiles(Exception):
    """The code writes a file in a process that may write none."""


@dataclass
class GrowthMeasurement:
    """The measurement of one submission's code."""

    box: Box
    check: Check
    source: Source
    answers_due: bool = True
    ratios: list[float] = field(default_factory=list)  # of the times at the two longest lengths, by round
    seen: CostTable = field(default_factory=CostTable)
    may_write: bool = False  # files, whose bytes are in no peak

    def judge(self) -> GrowthVerdict:
        """Whether time and memory grow as they should, and what was measured.

        Raises:
            NoClock: nothing can be measured here.
        """
        try:
            verdict = self._judge()
        except _WritesFiles:
            verdict = self._judge_with_files()
        return replace(verdict, costs=self.seen.curves(self._growth, self.ratios, LEAST_BYTES))

    def _judge_with_files(self) -> GrowthVerdict:
        """The verdict on code that writes files: by its time it may fail, and it does not pass."""
        verdict = replace(self, may_write=True, seen=self.seen)._judge()
        if verdict.outcome is not Outcome.PASSED:
            return verdict
        return self._leave_open(tr("it writes files, and what lies in them is not in its memory"))

    def _judge(self) -> GrowthVerdict:
        measure_rate()  # before the code can keep the machine busy
        try:
            with self._process() as contestant:
                peaks = self._climb(contestant, NARROW, keep_memory=False)[0]
                verdict = None if self._is_steep(peaks) else self._verdict_of_both(contestant, peaks)
            verdict = verdict or self._verdict_of_memory(peaks)
            passed = verdict.outcome is Outcome.PASSED
            # Slow on purpose, the full matrix would be too small to show.
            return self._too_slow(max(peaks)) if passed and LENGTHS[-1] not in peaks else verdict
        except _Wrong as wrong:
            mistake = self._growth.too_much_memory if wrong.limit is Limit.MEMORY else None
            return GrowthVerdict(Outcome.FAILED, safe_text(str(wrong), 600), mistake)
        except _TooLate:
            if (wrong_by_count := self._verdict_without_times()) is None:
                raise
            return wrong_by_count

    def _verdict_without_times(self) -> GrowthVerdict | None:
        """The verdict where operations grow too fast, in calls that are shorter the later they are tried."""
        for lengths in (LENGTHS[2:], LENGTHS[1:-1]):
            with contextlib.suppress(ProcessLost), self._process() as contestant:
                return judge_operations(contestant, self.check, [*lengths])
        return None

    @property
    def _growth(self) -> Growth:
        assert self.check.grows_as is not None
        return self.check.grows_as

    @contextlib.contextmanager
    def _process(self) -> Iterator[Contestant]:
        """The code in a new process."""
        contestant = Contestant(
            self.box,
            self.source,
            RemoteCandidate,
            lambda *_: None,  # type: ignore[arg-type]
            files=self.may_write,
        )
        try:
            try:
                contestant.load()
            except ProcessLost as lost:  # as it was not when its answers were judged
                raise NoClock(str(lost)) from lost
            for _ in range(2):
                self._request(contestant, AT_REST, NARROW, keep_memory=False)
            contestant.note_memory_at_rest()
            contestant.forget_peak()
            yield contestant
        finally:
            contestant.close()

    def _request(
        self,
        contestant: Contestant,
        length: int,
        width: int,
        *,
        keep_memory: bool,
        calls: int = 1,
        number: int = 0,
    ) -> Sample:
        """Request calls of one length; their answers must be those that are due."""
        asked = ask(self.check, length, width, calls, number)
        return self._request_these(contestant, asked, length, calls, keep_memory=keep_memory)

    def _request_these(
        self, contestant: Contestant, asked: AskedCalls, length: int, calls: int = 1, *, keep_memory: bool
    ) -> Sample:
        try:
            sample = contestant.time_calls(
                asked.arguments.for_request(calls), backward=False, keep_memory=keep_memory
            )
            if self.answers_due:
                asked.require_due(sample.digests)
        except Differs as error:
            message = tr("with {n} positions, its answer is not the one that is due", n=length)
            raise _Wrong(message) from error
        except RaisedByStudent as error:
            if error.limit is Limit.FILES and not self.may_write:
                raise _WritesFiles from error
            if error.limit is not None:  # the error is a sentence about the limit
                raise _Wrong(tr("with {n} positions: {lost}", n=length, lost=error), error.limit) from error
            message = tr("with {n} positions, it raised {error}", n=length, error=error)
            raise _Wrong(message) from error
        except ProcessLost as lost:
            if lost.limit is Limit.TIME:  # slow: that is no growth
                raise _TooLate(str(lost)) from lost
            if lost.limit is Limit.OUTPUT:  # with prints in a loop: nor is that
                raise NoClock(str(lost)) from lost
            raise _Wrong(tr("with {n} positions: {lost}", n=length, lost=lost), lost.limit) from lost
        return sample

    def _climb(
        self, contestant: Contestant, width: int, *, keep_memory: bool
    ) -> tuple[dict[int, int], dict[int, float]]:
        """Peaks and seconds of one call of each length, from short to long, as a peak only rises."""
        peaks: dict[int, int] = {}
        seconds: dict[int, float] = {}
        for length in LENGTHS:
            if _foretell(list(seconds.values())) > (LONGEST_CALL_S if keep_memory else LONGEST_ONCE_S):
                break
            seconds[length] = self._request(contestant, length, width, keep_memory=keep_memory).seconds
            peaks[length] = contestant.peak_memory()
            self.seen.note_time(width, length, seconds[length])
            if not keep_memory:
                self.seen.note_peak(width, length, peaks[length])
        return peaks, seconds

    def _is_steep(self, peaks: dict[int, int]) -> bool:
        """Whether a peak that counts grows faster than is due."""
        *_, shorter, longest = (0, 0, *peaks.values())
        return longest > LEAST_BYTES and longest > math.pow(FACTOR, bound(self._growth.memory)) * shorter

    def _verdict_of_memory(self, peaks: dict[int, int]) -> GrowthVerdict:
        """The verdict on peaks that grow too fast, if they do so in further processes too."""
        all_peaks = [peaks]
        for _ in range(PROCESSES - 1):
            with self._process() as contestant:
                all_peaks.append(self._climb(contestant, NARROW, keep_memory=False)[0])
                if not self._is_steep(all_peaks[-1]):
                    return self._verdict_of_both(contestant, all_peaks[-1])
        last = [list(each.values())[-2:] for each in all_peaks]
        exponents = [_exponent(longest / max(1, shorter)) for shorter, longest in last]
        lengths = list(peaks)[-2:]
        message = tr(
            "the peak memory should grow as S^{due}, and grows as S^{exponent} ({low} to {high}) from"
            " S = {first} to {last}: it is {megabytes} MB with {last} positions",
            due=self._growth.memory,
            exponent=_say(statistics.median(exponents)),
            low=_say(min(exponents)),
            high=_say(max(exponents)),
            first=lengths[0],
            last=lengths[1],
            megabytes=10 * round(max(peaks.values()) / 1e7),
        )
        return GrowthVerdict(Outcome.FAILED, message, self._growth.too_much_memory)

    def _verdict_of_both(self, contestant: Contestant, peaks: dict[int, int]) -> GrowthVerdict:
        """The verdict on the time; where that is as it should be, on peaks that do not grow too fast."""
        has_room = self._has_room_for_pairs(contestant, peaks)  # now, since a peak only rises
        verdict = self._verdict_of_time(contestant)
        if verdict.outcome is not Outcome.PASSED or not has_room:
            return verdict
        message = tr(
            "a number for each pair of positions has room in {n} MB", n=round(max(peaks.values()) / 1e6)
        )
        return self._leave_open(message)

    def _has_room_for_pairs(self, contestant: Contestant, peaks: dict[int, int]) -> bool:
        """Whether peaks that grow slowly are so high that something for each pair may be in them.

        Who takes memory for shorter calls on purpose hides by how much more a longer call takes.
        """
        if max(peaks.values()) <= LEAST_BYTES or LENGTHS[-1] not in peaks:
            return False
        try:
            asked = make_calls(self.check, LONG_FOR_MEMORY, NARROW)
            self._request_these(contestant, asked, LONG_FOR_MEMORY, keep_memory=False)
        except _Wrong as wrong:
            if wrong.limit is None:
                raise
            return True
        return bool(contestant.peak_memory() >= LONG_FOR_MEMORY ** (self._growth.memory + 1))

    def _verdict_of_time(self, contestant: Contestant) -> GrowthVerdict:
        """The verdict on the time: right is what answers a call sooner than all pairs can be compared."""
        _, seconds = self._climb(contestant, WIDE, keep_memory=True)
        lengths = list(seconds)[-2:]
        if len(lengths) < 2:
            return self._too_slow(lengths[-1])
        longest, is_whole = seconds[lengths[1]], lengths[1] == LENGTHS[-1]
        if is_whole and self._is_quick(contestant, LENGTHS[-1], WIDE, longest):
            return GrowthVerdict(Outcome.PASSED)
        is_steep = _exponent(longest / max(1e-9, seconds[lengths[0]])) > bound(self._growth.time)
        if is_steep and (wrong := self._verdict_of_growth(contestant, seconds)):
            return wrong  # a longer call would take long
        if is_whole and self._is_quick_when_long(contestant, longest):
            return GrowthVerdict(Outcome.PASSED)
        if not is_steep and (wrong := self._verdict_of_growth(contestant, seconds)):
            return wrong
        if not is_whole:
            return self._too_slow(lengths[-1])
        if self._is_quick_at_last(contestant, longest):
            return GrowthVerdict(Outcome.PASSED)
        return self._leave_open(
            tr("its time grows slowly, and is long enough to compare all pairs of positions")
        )

    def _verdict_of_growth(self, contestant: Contestant, seconds: dict[int, float]) -> GrowthVerdict | None:
        """The verdict where operations or times grow too fast; else None."""
        return self._verdict_of_operations(contestant, seconds) or self._verdict_of_rounds(
            contestant, seconds
        )

    def _verdict_of_rounds(self, contestant: Contestant, seconds: dict[int, float]) -> GrowthVerdict | None:
        """The verdict where the time grows too fast, after as many rounds as are needed; else None."""
        lengths, calls = list(seconds)[-2:], self._calls(seconds)
        due, above, below = self._growth.time, 0, 0
        while below < ENOUGH_BELOW and above < ENOUGH_ABOVE:
            ratio, longest = self._time_round(contestant, calls, len(self.ratios) + 1)
            self.ratios.append(ratio)
            if _exponent(ratio) > bound(due) and longest > self._time_of_products(lengths[1]):
                above += 1
            else:
                below += 2 if _exponent(ratio) < due + CLEAR else 1
        if above < ENOUGH_ABOVE:
            return None
        return self._too_much_time(lengths, interval_of_median(self.ratios))

    def _is_quick_when_long(self, contestant: Contestant, seconds: float) -> bool:
        """Whether a longer call is quick: the longer, the more time all pairs take beside what is due.

        Args:
            contestant: the code in its process.
            seconds: what a call of the greatest of `LENGTHS` took.
        """
        for length, width in LONG_CALLS:
            least, is_last = seconds * length / LENGTHS[-1], (length, width) == LONG_CALLS[-1]
            likely = math.inf if is_last else LIKELY * self._time_of_scores(length, width)
            if least > min(LONGEST_LONG_CALL_S, likely):
                continue
            try:
                if self._is_quick(contestant, length, width):
                    return True
            except _Wrong as wrong:
                if wrong.limit is None:
                    raise
                return False  # it takes too much memory for so long a call
        return False

    def _is_quick_at_last(self, contestant: Contestant, seconds: float) -> bool:
        """Whether the longest call is quick in one of many tries, some seconds after the first ones."""
        (length, width), spent = LONG_CALLS[-1], 0.0
        if seconds * length / LENGTHS[-1] > LONGEST_LONG_CALL_S:
            return False
        due = self._time_of_scores(length, width)
        for _ in range(LAST_TRIES):
            try:
                took = self._time_long_call(contestant, length, width)
            except _Wrong as wrong:
                if wrong.limit is None:
                    raise
                return False
            spent += took
            if took < due or took > LAST_FAR * due or spent > LAST_TRIES_S:
                return took < due
        return False

    def _time_long_call(self, contestant: Contestant, length: int, width: int) -> float:
        """The seconds of one call."""
        asked = make_calls(self.check, length, width, overlapping=True)
        return self._request_these(contestant, asked, length, keep_memory=True).seconds

    def _is_quick(self, contestant: Contestant, length: int, width: int, seconds: float = math.inf) -> bool:
        """Whether a call takes less time than the scores of all pairs alone, on this machine.

        No code that computes them can be so quick, however slow it makes itself elsewhere: what a call takes
        beside them can only be more. So the least time of several calls counts, as the least disturbed.
        """
        for further in range(TRIES + 1):
            if math.isinf(seconds) or further:
                seconds = min(seconds, self._time_long_call(contestant, length, width))
            due = self._time_of_scores(length, width)
            if seconds < due or seconds > FAR * due:
                return seconds < due
        return False

    def _time_of_scores(self, length: int, width: int) -> float:
        """Seconds in which no code compares all pairs on this machine."""
        return LESS_THAN_SCORES * self._growth.products(length, width) / measure_rate()

    def _verdict_of_operations(
        self, contestant: Contestant, seconds: dict[int, float]
    ) -> GrowthVerdict | None:
        """The verdict where operations grow too fast; None where they do not, or to count takes too long."""
        if _foretell([seconds[length] for length in seconds if length < LENGTHS[-1]]) > LONGEST_COUNTED_S:
            return None
        try:
            return judge_operations(contestant, self.check, [*COUNTED_LENGTHS])
        except ProcessLost as lost:
            raise NoClock(str(lost)) from lost

    def _calls(self, seconds: dict[int, float]) -> dict[int, int]:
        """How many calls of the two longest lengths are requested together, by what one of each took."""
        longest = list(seconds.items())[-2:]
        return {n: min(MOST_CALLS, max(1, round(REQUEST_S / max(1e-9, each)))) for n, each in longest}

    def _time_round(self, contestant: Contestant, calls: dict[int, int], number: int) -> tuple[float, float]:
        """The time of a call of the longer length over that of the shorter one, in one round; and itself."""
        order = sorted(calls, reverse=number % 2 == 0)
        times = {
            length: self._request(
                contestant, length, WIDE, keep_memory=True, calls=calls[length], number=number
            ).seconds
            / calls[length]
            for length in order
        }
        for length, seconds in times.items():
            self.seen.note_time(WIDE, length, seconds)
        return times[max(calls)] / max(1e-9, times[min(calls)]), times[max(calls)]

    def _time_of_products(self, length: int) -> float:
        """Seconds that the products of the next exponent take at least on this machine.

        What takes less does not make them: then a cache is too small for the longer call.
        """
        return MORE_THAN_PRODUCTS * self._growth.products(length, WIDE) / measure_rate()

    def _too_much_time(self, lengths: Sequence[int], interval: Interval) -> GrowthVerdict:
        message = tr(
            "the time should grow as S^{due}, and grows as S^{exponent} ({low} to {high}) from S = {first} to"
            " {last}",
            due=self._growth.time,
            exponent=_say(_exponent(statistics.median(self.ratios))),
            low=_say(_exponent(interval.low)),
            high=_say(_exponent(interval.high)),
            first=lengths[0],
            last=lengths[1],
        )
        return GrowthVerdict(Outcome.FAILED, message, self._growth.too_much_time)

    def _leave_open(self, why: str) -> GrowthVerdict:
        """The verdict on code that may cost what is due, and may only look so."""
        return GrowthVerdict(Outcome.SKIPPED, tr("your instructor decides: {why}", why=why))

    def _too_slow(self, longest: int) -> GrowthVerdict:
        message = tr(
            "your instructor decides: it is too slow to be measured with more than {n} positions", n=longest
        )
        return GrowthVerdict(Outcome.SKIPPED, message)


def _foretell(seconds: Sequence[float]) -> float:
    """How long a call of the next length takes, at most, if it goes on as before."""
    if not seconds:
        return 0.0
    factor = seconds[-1] / max(1e-9, seconds[-2]) if len(seconds) > 1 else 1
    return seconds[-1] * min(FACTOR**2, max(1, factor))


def _exponent(ratio: float) -> float:
    return math.log(max(ratio, 1e-9), FACTOR)


def _say(exponent: float) -> str:
    return number(exponent, ".1f")
