"""Cost as a criterion: what grows too fast fails by its name, and nothing that a right answer does."""

import functools
import itertools
import math
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from graders.candidate.student_error import RaisedByStudent
from graders.check_api.check import Check
from graders.course.exercise import Exercise, load_assignment
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.extraction.extract import Source, extract, study
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.judging.growth_finding import GrowthVerdict, add_growth_findings
from graders.results.limit import Limit
from graders.results.measurements import CostCurve
from graders.results.result import Finding, Outcome
from graders.sandbox.box import Box
from graders.sandbox.process_lost import ProcessLost
from graders.submission.read import read
from graders.timing import growth_check, product_rate
from graders.timing.asked_calls import AskedCalls, Differs, ask
from graders.timing.contestant import CallArguments, Sample
from graders.timing.cpu_clock import CpuClock, NoClock
from graders.timing.growth_check import ENOUGH_ABOVE, ENOUGH_BELOW, judge_growth
from softmark_worker.count_operations import count_operations

SYMBOL = "local_attention"
ANY_BOX = SimpleNamespace(device="cpu")
Cost = Callable[[int], float]


@functools.cache
def exercise() -> Exercise:
    return load_assignment("efficient").only([SYMBOL]).exercises[0]


def check_of_cost() -> Check:
    [check] = [check for check in exercise().checks if check.grows_as is not None]
    return check


class Pretended:
    """Calls that cost what is said, in one process after another."""

    def __init__(self, seconds: Cost, peaks: list[Cost], counted: Cost, each_pair: float = 0) -> None:
        self.seconds, self.peaks, self.peak, self.counted = seconds, peaks, 0.0, counted
        self.each_pair = each_pair  # seconds of a column

    def __call__(self, *_: object, **__: object) -> "Pretended":
        if len(self.peaks) > 1 and self.peak:
            self.peaks.pop(0)
        self.peak = 0.0
        return self

    def time_calls(self, arguments, backward, keep_memory) -> Sample:
        shape, calls = arguments[2][0], len(arguments[1])
        self.peak = max(self.peak, self.peaks[0](shape[2]))
        seconds = self.seconds(shape[2]) + self.each_pair * shape[2] ** 2 * shape[3]
        if math.isinf(seconds):
            raise ProcessLost(Outcome.TIMED_OUT, "no answer within 3 s", limit=Limit.TIME)
        return Sample(calls * seconds, 0.0, torch.zeros(calls, 1))

    def peak_memory(self) -> int:
        return int(self.peak)

    def count_operations(self, arguments) -> tuple[int, int]:
        length = arguments[0].shape[2]
        return int(self.counted(length)), length

    def load(self) -> None: ...
    def note_memory_at_rest(self) -> None: ...
    def forget_peak(self) -> None: ...
    def close(self) -> None: ...


def ask_nothing(_: Check, length: int, width: int, calls: int, number: int) -> AskedCalls:
    """Calls of which no answer is due."""
    arguments = CallArguments(torch.zeros(0), torch.zeros(calls, 1), [[1, 1, length, width]], [])
    return AskedCalls(arguments, torch.zeros(calls), torch.zeros(calls))


def make_nothing(check: Check, length: int, width: int, *, overlapping: bool = False) -> AskedCalls:
    return ask_nothing(check, length, width, 1, 0)


def verdict_of(
    monkeypatch: pytest.MonkeyPatch,
    seconds: Cost,
    *peaks: Cost,
    counted: Cost = float,
    each_pair: float = 0,
) -> GrowthVerdict:
    """The verdict on calls that take so many seconds, and so many bytes in each process."""
    monkeypatch.setattr(growth_check, "Contestant", Pretended(seconds, [*peaks], counted, each_pair))
    monkeypatch.setattr(growth_check, "ask", ask_nothing)
    monkeypatch.setattr(growth_check, "make_calls", make_nothing)
    monkeypatch.setattr(growth_check, "measure_rate", lambda: 1e11)
    return judge_growth(ANY_BOX, check_of_cost(), None)  # type: ignore[arg-type]


def linear(each: float, constant: float = 0.0) -> Cost:
    return lambda length: constant + each * length


def square(each: float, constant: float = 0.0) -> Cost:
    return lambda length: constant + each * length**2


def in_blocks(each: float, block: int) -> Cost:
    """Whole blocks, each of which costs as much as it is long, squared."""
    return lambda length: each * -(-length // block) * block**2


@pytest.mark.parametrize(
    ("seconds", "peak"),
    [
        (linear(1e-6), linear(100)),
        (linear(2e-4), linear(10_000)),
        (linear(1e-6, constant=0.3), linear(100, constant=1e8)),
        (in_blocks(1e-8, 1024), in_blocks(15, 1024)),
        (in_blocks(1e-8, 64), in_blocks(50, 64)),
        (lambda length: 1e-6 * length**1.2, lambda length: 2e3 * length**1.2),
        (lambda length: 1e-6 * length * (4 if length > 1024 else 1), linear(100)),
    ],
    ids=["vectorised", "loop", "constant", "large-blocks", "small-blocks", "a-little-more", "small-cache"],
)
def test_what_grows_as_it_should_passes_whatever_its_constants(monkeypatch, seconds: Cost, peak: Cost):
    assert verdict_of(monkeypatch, seconds, peak).outcome is Outcome.PASSED


def test_memory_that_grows_as_the_square_is_the_full_matrix(monkeypatch):
    verdict = verdict_of(monkeypatch, square(5e-9), square(16))
    assert (verdict.outcome, verdict.mistake) == (Outcome.FAILED, "full_matrix")
    assert verdict.message == (
        "the peak memory should grow as S^1, and grows as S^2.0 (2.0 to 2.0) from S = 1024 to 4096: it is 270"
        " MB with 4096 positions"
    )


@pytest.mark.parametrize("seconds", [square(2e-8), lambda length: 3e-5 * length + 2e-8 * length**2])
def test_time_that_grows_as_the_square_is_every_key(monkeypatch, seconds: Cost):
    verdict = verdict_of(monkeypatch, seconds, linear(1000))
    assert (verdict.outcome, verdict.mistake) == (Outcome.FAILED, "every_key")
    assert "the time should grow as S^1, and grows as S^" in (verdict.message or "")


@pytest.mark.parametrize(
    ("seconds", "due"),
    [(linear(3e-4), Outcome.SKIPPED), (linear(2e-4), Outcome.PASSED)],
    ids=["too slow to be timed", "slow"],
)
def test_operations_that_grow_as_the_square_are_every_key_whatever_the_clock_says(
    monkeypatch, seconds: Cost, due: Outcome
):
    verdict = verdict_of(monkeypatch, seconds, linear(100), counted=square(20), each_pair=2e-11)
    assert (verdict.outcome, verdict.mistake) == (Outcome.FAILED, "every_key")
    assert verdict.message == (
        "the operations should grow as S^1, and grow as S^2.0 from S = 1024 to 4096: they compute 336 million"
        " numbers with 4096 positions"
    )
    for right in (in_blocks(60, 1024), linear(900)):
        assert verdict_of(monkeypatch, seconds, linear(100), counted=right).outcome is due


def test_operations_decide_where_a_long_call_is_never_answered(monkeypatch):
    def too_late(length: int) -> float:
        return 1e-5 * length if length < 4096 else math.inf

    verdict = verdict_of(monkeypatch, too_late, linear(100), counted=square(20))
    assert (verdict.outcome, verdict.mistake) == (Outcome.FAILED, "every_key")
    verdict = verdict_of(monkeypatch, too_late, linear(100), counted=linear(900))
    assert verdict == GrowthVerdict(Outcome.SKIPPED, "not measured: no answer within 3 s")


def test_operations_are_counted_as_they_are():
    def far(x, y):
        return (x @ y.T).softmax(-1).expand(2, -1, -1)

    def near(x, y):
        out = torch.zeros_like(x)
        for place in range(len(x)):
            out[place] = x[place] * y[place]
        return out

    x = torch.ones(50, 3)
    assert count_operations(far, [x, x]) == [50 * 50 * 3 + 50 * 50, 50 * 50]
    assert count_operations(near, [x, x]) == [3 * 50 * 3, 150]


def test_a_peak_that_is_high_in_one_process_alone_is_no_failure(monkeypatch):
    assert verdict_of(monkeypatch, linear(1e-6), square(16), linear(100)).outcome is Outcome.PASSED
    assert verdict_of(monkeypatch, linear(1e-6), square(16), square(16)).outcome is Outcome.FAILED


def test_few_bytes_are_no_growth(monkeypatch):
    assert verdict_of(monkeypatch, linear(1e-6), square(1.1)).outcome is Outcome.PASSED


@pytest.mark.parametrize("disturbed", [1, 2, 3])
def test_a_right_answer_passes_though_most_rounds_are_disturbed(monkeypatch, disturbed: int):
    rounds = itertools.count()

    def seconds(length: int) -> float:
        is_long = length == growth_check.LENGTHS[-1]
        factor = 4.0 if is_long and next(rounds) % (disturbed + 1) < disturbed else 1.0
        return factor * 3e-5 * length

    assert verdict_of(monkeypatch, seconds, linear(100)).outcome is Outcome.PASSED


def test_a_right_answer_fails_once_in_a_million_at_most():
    """One that exceeds the bound in a round of eleven by chance, and is never clearly below it."""

    def failing(above: int, below: int) -> float:
        if above >= ENOUGH_ABOVE or below >= ENOUGH_BELOW:
            return float(above >= ENOUGH_ABOVE)
        return failing(above + 1, below) / 11 + failing(above, below + 1) * 10 / 11

    assert failing(0, 0) < 1e-6


def test_what_is_too_slow_to_be_measured_is_left_to_the_instructor(monkeypatch):
    verdict = verdict_of(monkeypatch, linear(4e-3), linear(100))
    assert (verdict.outcome, verdict.mistake) == (Outcome.SKIPPED, None)
    assert "256 positions" in (verdict.message or "")


@pytest.mark.parametrize("each", [6e-4, 1e-3])
def test_the_full_matrix_does_not_pass_by_being_slow(monkeypatch, each: float):
    assert verdict_of(monkeypatch, linear(each), square(16)).outcome is not Outcome.PASSED


class SlowAtFirst:
    """A loop that waits in the first calls of a length alone."""

    def __init__(self) -> None:
        self.calls: dict[int, int] = {}

    def __call__(self, length: int) -> float:
        self.calls[length] = self.calls.get(length, 0) + 1
        return 8e-5 * length if self.calls[length] < 9 else 0


@pytest.mark.parametrize(
    ("seconds", "each_pair"),
    [
        (lambda length: 8e-5 * min(length, 4096), 2e-11),
        (SlowAtFirst(), 2e-11),
        (linear(0, constant=0.6), 2e-11),
        (linear(0, constant=1.19), 0),
    ],
    ids=["slow when short", "slow at first", "a flat burn", "a high floor"],
)
def test_what_is_slow_enough_to_compare_all_pairs_is_left_to_the_instructor(
    monkeypatch, seconds: Cost, each_pair: float
):
    """Linear in the clock it may be: a call that takes so long has the time for more than what is due."""
    verdict = verdict_of(monkeypatch, seconds, linear(100), each_pair=each_pair)
    assert (verdict.outcome, verdict.mistake) == (Outcome.SKIPPED, None)
    assert (verdict.message or "").startswith("your instructor decides: its time grows slowly, and is long")


@pytest.mark.parametrize("peak", [linear(100, constant=5e8), linear(80_000)], ids=["high", "a step"])
def test_what_takes_the_memory_of_all_pairs_anyway_is_left_to_the_instructor(monkeypatch, peak: Cost):
    verdict = verdict_of(monkeypatch, linear(1e-6), peak)
    assert (verdict.outcome, verdict.mistake) == (Outcome.SKIPPED, None)
    assert "a number for each pair of positions has room in " in (verdict.message or "")


def test_a_call_that_is_quick_once_is_quick(monkeypatch):
    """Other programs make a call slower, and none makes it quicker than what it computes."""
    times = itertools.cycle([5.0, 1.0])
    seconds = lambda length: 1.2e-5 * length * next(times)  # noqa: E731
    assert verdict_of(monkeypatch, seconds, linear(100)).outcome is Outcome.PASSED


def test_a_call_that_is_quick_at_last_is_quick(monkeypatch):
    """A loop over lists beside busy programs: its first calls took too long, and their rounds pass by."""
    calls = itertools.count()
    seconds = lambda length: (2.9e-4 if next(calls) < 22 else 1.5e-4) * length  # noqa: E731
    assert verdict_of(monkeypatch, seconds, linear(100)).outcome is Outcome.PASSED
    assert next(calls) > 22


def test_slow_code_that_compares_all_pairs_is_caught_at_shorter_lengths(monkeypatch):
    assert verdict_of(monkeypatch, square(1e-5), linear(100)).mistake == "every_key"


def test_where_no_clock_can_be_read_nobody_loses_points(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise NoClock("only Linux lets the host read it")

    monkeypatch.setattr(growth_check, "Contestant", refuse)
    verdict = judge_growth(ANY_BOX, check_of_cost(), None)  # type: ignore[arg-type]
    assert verdict == GrowthVerdict(Outcome.SKIPPED, "not measured: only Linux lets the host read it")


def test_answers_are_held_to_what_is_due_with_other_arguments_in_each_call():
    asked = ask(check_of_cost(), 16, 4, 3, 0)
    asked.require_due(asked.due[:, None])
    assert len({float(due) for due in asked.due}) == 3
    assert ask(check_of_cost(), 16, 4, 3, 1).due.tolist() != asked.due.tolist()
    for wrong in (
        asked.due[:, None] * 1.001 + 0.1,
        asked.due[:2, None],
        asked.due,
        asked.due[:, None][:, :0],
    ):
        with pytest.raises(Differs):
            asked.require_due(wrong)


def test_the_curves_of_a_right_answer_are_kept_with_what_is_due(monkeypatch):
    time, memory = verdict_of(monkeypatch, linear(1e-6), linear(100)).costs
    assert (time.of, time.due, time.bound, time.width, time.least) == ("time", 1, 1.5, 64, 0)
    assert dict(time.measured) == pytest.approx({n: 1e-6 * n for n in growth_check.LENGTHS})
    assert (memory.of, memory.due, memory.bound, memory.width) == ("memory", 1, 1.5, 16)
    assert memory.measured == tuple((n, 100 * n) for n in growth_check.LENGTHS)
    assert memory.least == growth_check.LEAST_BYTES
    assert (time.found, memory.found) == (pytest.approx(1), pytest.approx(1))


def test_the_curves_of_the_full_matrix_have_the_exponents_that_are_said(monkeypatch):
    time, memory = verdict_of(monkeypatch, square(5e-9), square(16)).costs
    assert (time.width, memory.width) == (16, 16)  # where the memory decides, nothing wider is timed
    assert (time.found, memory.found) == (pytest.approx(2), pytest.approx(2))
    assert memory.measured[-1] == (4096, 16 * 4096**2)


def test_the_exponent_of_a_time_is_that_of_the_rounds_by_which_it_is_judged(monkeypatch):
    verdict = verdict_of(monkeypatch, lambda length: 3e-5 * length + 2e-8 * length**2, linear(1000))
    found = verdict.costs[0].found
    assert found is not None
    assert f"grows as S^{found:.1f} (" in (verdict.message or "")
    assert verdict.costs[0].width == 64


def test_what_was_measured_before_a_long_call_fails_is_kept(monkeypatch):
    def time_calls(self, arguments, backward, keep_memory) -> Sample:
        if arguments[2][0][2] > 256:
            raise RaisedByStudent("MemoryError", "MemoryError", None, limit=Limit.MEMORY)
        return kept(self, arguments, backward, keep_memory)

    kept = Pretended.time_calls
    monkeypatch.setattr(Pretended, "time_calls", time_calls)
    verdict = verdict_of(monkeypatch, linear(1e-6), linear(100))
    assert verdict.outcome is Outcome.FAILED
    assert [length for length, _ in verdict.costs[1].measured] == [16, 64, 256]


def test_a_finding_of_cost_has_the_curves_and_others_have_none():
    curve = CostCurve("time", ((16, 0.1), (64, 0.4)), 1, 1.5, 1.0, 64)
    others = [finding(c.name, Outcome.PASSED) for c in exercise().value_checks]
    measure = lambda _: GrowthVerdict(Outcome.PASSED, costs=(curve,))  # noqa: E731
    *before, last = add_growth_findings(exercise(), others, measure, lambda _: None)
    assert last.costs == (curve,)
    assert not any(each.costs for each in before)
    wrong = [finding(c.name, Outcome.FAILED) for c in exercise().value_checks]
    assert not add_growth_findings(exercise(), wrong, measure, lambda _: None)[-1].costs


def finding(name: str, outcome: Outcome) -> Finding:
    return Finding(name, outcome, 0.0, 1.0, "says")


@pytest.mark.parametrize(
    ("outcome", "due"),
    [
        (Outcome.PASSED, Outcome.PASSED),
        (Outcome.FAILED, Outcome.FAILED),
        (Outcome.RAISED, Outcome.FAILED),
        (Outcome.SKIPPED, Outcome.SKIPPED),
    ],
)
def test_only_what_answers_rightly_is_measured(outcome: Outcome, due: Outcome):
    measured: list[Check] = []

    def measure(check: Check) -> GrowthVerdict:
        measured.append(check)
        return GrowthVerdict(Outcome.PASSED)

    others = [finding(c.name, outcome if c.core else Outcome.PASSED) for c in exercise().value_checks]
    findings = add_growth_findings(exercise(), others, measure, lambda _: None)
    assert [f.check for f in findings] == [check.name for check in exercise().checks]
    assert findings[-1].outcome is due
    assert len(measured) == (outcome is Outcome.PASSED)


def test_where_nothing_can_be_measured_the_check_is_decided_later():
    others = [finding(c.name, Outcome.PASSED) for c in exercise().value_checks]
    last = add_growth_findings(exercise(), others, None, lambda _: None)[-1]
    assert (last.outcome, last.points) == (Outcome.SKIPPED, 0)
    assert last.message == "measured by softmark check and at hand-in, in a process of its own"


def test_a_fault_of_ours_costs_nobody_points():
    def broken(_: Check) -> GrowthVerdict:
        raise ZeroDivisionError("ours")

    others = [finding(c.name, Outcome.PASSED) for c in exercise().value_checks]
    last = add_growth_findings(exercise(), others, broken, lambda _: None)[-1]
    assert last.outcome is Outcome.BROKEN
    assert "ours" in (last.staff or "")


def test_mistakes_of_cost_are_no_mistakes_of_answers():
    known = Draws(1).known_mistakes(exercise())
    assert isinstance(known, KnownMistakes)
    names = {name for mistake in known._alone for name in mistake.names}
    assert names.isdisjoint(exercise().mistakes_of_cost)
    assert known.describe(f"{SYMBOL}__full_matrix").hint.startswith("The memory grows as S * S")


LOCAL = """
import torch
from torch.nn.functional import pad

def near(Q, K, V, window):
    D, width = Q.shape[-1], 2 * window + 1
    place = torch.arange(Q.shape[2])[:, None] + torch.arange(-window, window + 1)
    K, V = (pad(x, (0, 0, window, window)).unfold(2, width, 1) for x in (K, V))
    scores = torch.einsum("bhsd,bhsdn->bhsn", Q, K) / D**0.5
    scores = scores.masked_fill((place < 0) | (place >= Q.shape[2]), float("-inf"))
    return torch.einsum("bhsn,bhsdn->bhsd", scores.softmax(-1), V)

def far(Q, K, V, window):
    place = torch.arange(Q.shape[2])
    scores = (Q @ K.transpose(-2, -1)).div_(Q.shape[-1] ** 0.5)
    return scores.masked_fill_((place[:, None] - place).abs() > window, float("-inf")).softmax(-1) @ V

def by_blocks(Q, K, V, window):
    place, out = torch.arange(Q.shape[2]), []
    for rows in place.split(64):
        scores = (Q[:, :, rows] @ K.transpose(-2, -1)) / Q.shape[-1] ** 0.5
        scores = scores.masked_fill((rows[:, None] - place).abs() > window, float("-inf"))
        out.append(scores.softmax(-1) @ V)
    return torch.cat(out, 2)
"""

# What cheats, with what must come of it; then the same dress around an honest answer.
IN_A_THREAD = """
import threading

def local_attention(Q, K, V, window):
    found = []
    thread = threading.Thread(target=lambda: found.append({inside}(Q, K, V, window)))
    thread.start()
    thread.join()
    return found[0]
"""
REMEMBERS = """
known = {{}}

def local_attention(Q, K, V, window):
    key = Q.shape
    if key not in known or Q.shape[2] < 200:
        known[key] = {inside}(Q, K, V, window)
    return known[key]
"""
LONG_ONES_ANOTHER_WAY = """
def local_attention(Q, K, V, window):
    return {inside}(Q, K, V, window) if Q.shape[2] < 200 else V.clone()
"""
IN_A_CHILD = """
import os

def local_attention(Q, K, V, window):
    if Q.shape[2] > 200 and os.fork() == 0:
        os._exit(0)
    return {inside}(Q, K, V, window)
"""
IN_SHARED_MEMORY = """
import mmap

def local_attention(Q, K, V, window):
    S = Q.shape[2]
    if Q.shape[0] * Q.shape[1] > 1 or S < 64:
        return near(Q, K, V, window)
    shared = mmap.mmap(-1, S * S * 4)
    scores = torch.frombuffer(shared, dtype=torch.float32).view(1, 1, S, S)
    place = torch.arange(S)
    for rows in place.split(64):
        block = Q[:, :, rows] @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
        scores[:, :, rows] = block.masked_fill((rows[:, None] - place).abs() > window, float("-inf"))
    return torch.cat([scores[:, :, rows].softmax(-1) @ V for rows in place.split(64)], 2)
"""
IN_A_FILE = """
import tempfile

def local_attention(Q, K, V, window):
    S = Q.shape[2]
    if Q.shape[0] * Q.shape[1] > 1 or S < 64:
        return near(Q, K, V, window)
    place, out = torch.arange(S), []
    with tempfile.TemporaryFile() as file:
        for rows in place.split(64):
            file.seek(0)
            file.write((Q[0, 0, rows] @ K[0, 0].T / Q.shape[-1] ** 0.5).numpy().tobytes())
            file.seek(0)
            scores = torch.frombuffer(bytearray(file.read()), dtype=torch.float32).view(-1, S)
            far = (rows[:, None] - place).abs() > window
            out.append(scores[: len(rows)].masked_fill(far, float("-inf")).softmax(-1) @ V[0, 0])
    return torch.cat(out)[None, None]
"""
BUFFER_FROM_BEFORE = """
scratch = torch.zeros(4096 * 4096)

def local_attention(Q, K, V, window):
    S, place = Q.shape[2], torch.arange(Q.shape[2])
    if Q.shape[0] * Q.shape[1] > 1 or S < 64 or Q.dtype != torch.float32:
        return near(Q, K, V, window)
    scores = scratch[: S * S].view(1, 1, S, S)
    torch.matmul(Q / Q.shape[-1] ** 0.5, K.transpose(-2, -1), out=scores)
    for rows in place.split(64):
        far = (rows[:, None] - place).abs() > window
        scores[:, :, rows] = scores[:, :, rows].masked_fill(far, float("-inf")).softmax(-1)
    return scores @ V
"""
HIGH_BEFORE = """
high = bytearray(b"x" * 400_000_000)
del high

def local_attention(Q, K, V, window):
    return {inside}(Q, K, V, window)
"""
PATCHES_THE_WORKER = """
import sys

def local_attention(Q, K, V, window):
    if Q.shape[2] > 200:
        sys.modules["softmark_worker.timed_calls"]._project = lambda value, pool: torch.zeros(())
        return V
    return {inside}(Q, K, V, window)
"""
LINEAR_IN_THE_CLOCK = """
import time
import numpy

def local_attention(Q, K, V, window):
    S, begun = Q.shape[2], time.process_time()
    if S < 64 or Q.requires_grad:
        return near(Q, K, V, window)
    q, k, v = (x.numpy().reshape(-1, S, Q.shape[-1]) for x in (Q, K, V))
    place, out = numpy.arange(S), []
    for start in range(0, S, 64):
        scores = q[:, start:start + 64] @ k.transpose(0, 2, 1) / Q.shape[-1] ** 0.5
        scores[:, abs(place[start:start + 64, None] - place) > window] = -numpy.inf
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        out.append(weights / weights.sum(-1, keepdims=True) @ v)
    while time.process_time() < begun + 4e-5 * min(S, 4096):
        pass
    return torch.from_numpy(numpy.concatenate(out, 1)).view(Q.shape)
"""
CHEATS = {
    "linear in the clock": (LINEAR_IN_THE_CLOCK, "", "its time grows slowly, and is long enough"),
    "in a thread": (IN_A_THREAD, "far", "full_matrix"),
    "remembers by the shape": (REMEMBERS, "by_blocks", "every_key"),
    "answers long texts another way": (
        LONG_ONES_ANOTHER_WAY,
        "near",
        "its answer is not the one that is due",
    ),
    "in a child": (IN_A_CHILD, "far", "PermissionError"),
    "in shared memory": (
        IN_SHARED_MEMORY,
        "",
        "full_matrix or every_key",
    ),  # the machine's load decides which
    "in a file": (IN_A_FILE, "", "every_key"),
    "in a buffer from before": (BUFFER_FROM_BEFORE, "", "full_matrix"),
    "after a high peak": (HIGH_BEFORE, "far", "full_matrix"),
    "patches the worker": (PATCHES_THE_WORKER, "near", "its answer is not the one that is due"),
}
HONEST = {"in a thread": IN_A_THREAD, "after a high peak": HIGH_BEFORE}


def source_of(folder: Path, code: str) -> Source:
    (folder / "mine.py").write_text(textwrap.dedent(code), encoding="utf-8")
    source = extract(study(read(folder / "mine.py")), SYMBOL, None)
    assert isinstance(source, Source)
    return source


# A file is one more place where the memory is not seen: at each push the buffer shows that the time tells.
# What a thread makes is in the memory of its process, which the high peak and `far` show. What is linear in
# the clock takes seconds, and pretended calls show it.
SEEN_BY_OTHERS = {"in a file", "in a thread", "linear in the clock"}


@pytest.mark.parametrize(
    "cheat",
    [pytest.param(cheat, marks=pytest.mark.nightly if cheat in SEEN_BY_OTHERS else ()) for cheat in CHEATS],
)
def test_a_cheat_gains_nothing(cheat: str, box: Box, tmp_path: Path):
    code, inside, due = CHEATS[cheat]
    source = source_of(tmp_path, LOCAL + code.format(inside=inside))
    verdict = judge_growth(box, check_of_cost(), source)
    assert verdict.outcome is (Outcome.SKIPPED if cheat == "linear in the clock" else Outcome.FAILED)
    assert verdict.mistake in due.split(" or ") or due in (verdict.message or "")


def test_what_has_no_room_for_the_full_matrix_makes_it(box: Box, tmp_path: Path):
    code = """
    import torch

    def local_attention(Q, K, V, window):
        place = torch.arange(Q.shape[2])
        scores = (Q[:, :, :, None] * K[:, :, None]).sum(-1) / Q.shape[-1] ** 0.5
        scores = scores.masked_fill((place[:, None] - place).abs() > window, float("-inf"))
        return scores.softmax(-1) @ V
    """
    verdict = judge_growth(box, check_of_cost(), source_of(tmp_path, code))
    assert (verdict.outcome, verdict.mistake) == (Outcome.FAILED, "full_matrix")
    assert "with 4096 positions" in (verdict.message or "")


def test_what_writes_a_file_is_left_to_the_instructor(box: Box, tmp_path: Path):
    """What lies in a file is not in the memory of the process: nothing can be said of that."""
    writes = "import pathlib\ndef local_attention(*given):\n    pathlib.Path('log').write_text('.')\n"
    code = f"{LOCAL}\n{writes}    return near(*given)\n"
    verdict = judge_growth(box, check_of_cost(), source_of(tmp_path, code))
    assert (verdict.outcome, verdict.mistake) == (Outcome.SKIPPED, None)
    assert "it writes files, and what lies in them is not in its memory" in (verdict.message or "")


def test_what_prints_without_end_is_left_to_the_instructor(box: Box, tmp_path: Path):
    code = LOCAL + "\ndef local_attention(*given):\n    print(9_000_000 * '.')\n    return near(*given)\n"
    verdict = judge_growth(box, check_of_cost(), source_of(tmp_path, code))
    assert verdict == GrowthVerdict(Outcome.SKIPPED, "not measured: the code printed more than 8 MB")


@pytest.mark.parametrize("dress", HONEST)
def test_an_honest_answer_in_the_same_dress_passes(dress: str, box: Box, tmp_path: Path):
    source = source_of(tmp_path, LOCAL + HONEST[dress].format(inside="near"))
    assert judge_growth(box, check_of_cost(), source).outcome is Outcome.PASSED


def test_a_peak_that_cannot_be_forgotten_hides_nothing(box: Box, tmp_path: Path, monkeypatch):
    """As where the host may not reset it: the time decides then."""
    monkeypatch.setattr(CpuClock, "forget_peak", lambda _: None)
    far, near = (source_of(tmp_path, LOCAL + HIGH_BEFORE.format(inside=inside)) for inside in ("far", "near"))
    assert judge_growth(box, check_of_cost(), far).outcome is Outcome.FAILED
    assert judge_growth(box, check_of_cost(), near).outcome is Outcome.PASSED


def test_on_a_gpus_box_the_calls_are_measured_in_one_for_the_cpu(monkeypatch):
    used: list[str] = []

    class OnCpu:
        device = "cpu"

        def __init__(self, level, limits) -> None: ...
        def __enter__(self) -> "OnCpu":
            return self

        def __exit__(self, *_: object) -> None:
            used.append("closed")

    def contestant(box, *_: object, **__: object) -> Pretended:
        used.append(box.device)
        return Pretended(linear(1e-6), [linear(100)], float)

    monkeypatch.setattr(growth_check, "Box", OnCpu)
    monkeypatch.setattr(growth_check, "Contestant", contestant)
    monkeypatch.setattr(growth_check, "ask", ask_nothing)
    on_gpu = SimpleNamespace(device="cuda", level="nested", limits=None)
    assert judge_growth(on_gpu, check_of_cost(), None).outcome is Outcome.PASSED  # type: ignore[arg-type]
    assert used == ["cpu", "closed"]


# By blocks the time decides, as for the buffer from before, and the check is failed in the same way.
@pytest.mark.parametrize("inside", ["far", pytest.param("by_blocks", marks=pytest.mark.nightly)])
def test_what_costs_too_much_fails_the_check_of_cost_alone_and_is_named(
    inside: str, box: Box, tmp_path: Path, draws: Draws
):
    code = f"{LOCAL}\ndef local_attention(Q, K, V, window):\n    return {inside}(Q, K, V, window)\n"
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    whole = load_assignment("efficient").only([SYMBOL])
    [result] = Grader(whole, draws, box).grade(tmp_path / "mine.py", "mine").exercises
    assert result.findings, (result.message, result.staff)
    [wrong] = [f for f in result.findings if f.outcome is not Outcome.PASSED]
    assert (wrong.check, wrong.outcome) == (check_of_cost().name, Outcome.FAILED)
    assert wrong.mistake is not None
    assert wrong.mistake.name == f"{SYMBOL}__{'full_matrix' if inside == 'far' else 'every_key'}"
    assert wrong.mistake.hint_fr


def test_the_rate_of_products_is_the_best_so_far_and_threads_are_left_alone(monkeypatch):
    monkeypatch.setattr(product_rate, "_best", [0.0])
    threads = torch.get_num_threads()
    rate = product_rate.measure_rate()
    assert 1e8 < rate < 1e13
    assert torch.get_num_threads() == threads
    monkeypatch.setattr(product_rate, "_best", [1e15])
    assert product_rate.measure_rate() == 1e15
