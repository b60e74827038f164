"""The stopwatch: its clock, the points for speed, its sentences, and that nothing else depends on it."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
import torch
from click.testing import CliRunner

from graders.batch import cache_key
from graders.check_api.timed_call import Timed
from graders.cli.main import main
from graders.cli.timing_option import check_timing_option
from graders.cli.translated_command import Command
from graders.course.exercise import Exercise, load_assignment
from graders.course.speed_policy import BadRule, SpeedPolicy, speed_policy_of
from graders.extraction.extract import Source
from graders.grade import Grader
from graders.judging import score, speed_points
from graders.judging.draws import Draws
from graders.results.compact import compact
from graders.results.measurements import REFERENCE, Clocked, Curve, Timing
from graders.results.result import ExerciseResult, Outcome, from_json, to_json
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.timing import analysis, bands, loops, physical_floor, sources
from graders.timing.brief_measurement import BriefMeasurement
from graders.timing.contestant import SPARE, Sample, draw_arguments
from graders.timing.cpu_clock import PROC, CpuClock, NoClock
from graders.timing.intervals import Interval, interval_of_median
from graders.timing.measurement import Measurement, ratio_interval
from graders.timing.plan import Plan
from graders.timing.rounds import (
    CONTROL,
    STUDENT,
    TORCH,
    Budget,
    Differs,
    InterleavedBenchmark,
    RoundTimes,
    _require_close,
)
from graders.timing.run_curves import Curves, CurveStore
from graders.timing.stopwatch import Stopwatch
from reports.figures import timing as timing_figure
from reports.pages import student_page
from softmark_worker import timed_calls
from tests.reports import sample
from tests.reports.markup import assert_sound

TIMED = {"attention": ("scaled_dot_product_attention", "multi_head_attention"), "gpt": ("gpt_attention",)}
EVERY_EXERCISE = [(assignment, name) for assignment, names in TIMED.items() for name in names]
# At each push a function at all lengths, and a class briefly: both ways call a contestant in the same way.
AT_ALL_LENGTHS, BRIEFLY = (
    [pytest.param(*each, marks=() if each[1] == name else pytest.mark.nightly) for each in EVERY_EXERCISE]
    for name in ("scaled_dot_product_attention", "multi_head_attention")
)
# Every control counts as even, since other tests run at the same time.
SHORT_PLAN = Plan(
    full=True,
    lengths=(16, 32),
    judged_length=32,
    judged_request_s=0.003,
    rounds=2,
    max_rounds=4,
    even_ratios=(0.0, 100.0),
    cpu_s=20.0,
)
ONE_LENGTH = replace(SHORT_PLAN, lengths=(SHORT_PLAN.judged_length,))
POLICY = SpeedPolicy(points=1, full=2, none=10)
MEASURED = Timing(says=("x 1.3",), judged=512, ratio=1.3, control=1.0, sandbox="nested")
RIGHT = Path(__file__).parents[2] / "solutions/right"
linux = pytest.mark.skipif(not (PROC / "self/status").exists(), reason="needs the CPU clocks of Linux")


CURVES: dict[Plan, CurveStore] = {}  # as a class has them, measured once


def watch_with(plan: Plan, box: Box, draws: Draws) -> Stopwatch:
    return Stopwatch(box, draws, plan, CURVES.setdefault(plan, CurveStore()))


@pytest.fixture
def few_rounds_for_loops(monkeypatch):
    """For tests about something else: to look for loops takes as long as all the rest."""
    monkeypatch.setattr(loops, "ROUNDS", (3, 3))
    monkeypatch.setattr(loops, "REQUEST_S", 0.0005)


def exercise_of(assignment: str, name: str) -> Exercise:
    return load_assignment(assignment).only([name]).exercises[0]


def round_times(**times: tuple[float, ...]) -> RoundTimes:
    return RoundTimes(times)


@linux
@pytest.mark.programs
def test_the_cpu_clock_runs_while_a_process_works_and_not_while_it_sleeps():
    code = "import sys\ninput()\nfor _ in range(3_000_000): pass\nprint(flush=True)\nsys.stdin.readline()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as process:
        clock = CpuClock(process.pid)
        before = clock.read()
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        worked = clock.read()
        assert worked > before
        rest = [clock.read() for _ in range(3)][-1]
        assert rest - worked < worked - before
        assert all(size > 0 for size in clock.memory())
        process.communicate("\n")
    with pytest.raises(NoClock):
        clock.read()


@pytest.mark.parametrize(
    ("ratio", "share"),
    [(0.5, 1), (1, 1), (2, 1), (2.01, 1), (3.1, 0.75), (4.6, 0.5), (7, 0.25), (9.9, 0.25), (10, 0), (1e9, 0)],
)
def test_points_for_speed_fall_in_quarters_with_the_logarithm_of_the_ratio(ratio: float, share: float):
    assert POLICY.share(ratio) == share


def test_a_speed_policy_is_read_from_the_course():
    assert speed_policy_of({"points": 1, "full": 2, "none": 10}, 4) == POLICY


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"points": 1, "full": 2},
        {"points": 1, "full": 2, "none": 2},
        {"points": 4, "full": 2, "none": 10},
        {"points": 0, "full": 2, "none": 10},
        {"points": 1, "full": 0.5, "none": 10},
        {"points": 1, "full": "two", "none": 10},
        {"points": 1, "full": 2, "none": 10, "more": 1},
    ],
    ids=["empty", "short", "no-room", "all-points", "no-points", "below-one", "words", "unknown"],
)
def test_an_invalid_speed_policy_is_refused(table: dict):
    with pytest.raises(BadRule):
        speed_policy_of(table, 4)


@pytest.mark.parametrize(
    ("outcome", "timing", "ended", "points"),
    [
        (Outcome.PASSED, MEASURED, Outcome.PASSED, 1),
        (Outcome.PASSED, replace(MEASURED, ratio=4.0), Outcome.PASSED, 0.75),
        (Outcome.PASSED, replace(MEASURED, ratio=40.0), Outcome.FAILED, 0),
        (Outcome.PASSED, Timing(refused="it answers wrongly"), Outcome.FAILED, 0),
        (Outcome.PASSED, Timing(skipped="the machine was too busy"), Outcome.SKIPPED, 0),
        (Outcome.PASSED, replace(MEASURED, against="torch"), Outcome.SKIPPED, 0),
        (Outcome.PASSED, None, Outcome.SKIPPED, 0),
        (Outcome.FAILED, None, Outcome.FAILED, 0),
        (Outcome.BROKEN, None, Outcome.SKIPPED, 0),
    ],
    ids=["fast", "slower", "slow", "refused", "busy", "no-reference", "untimed", "wrong", "broken"],
)
def test_points_for_speed_are_given_lost_or_undecided(outcome, timing, ended, points):
    finding = speed_points.speed_finding(POLICY, outcome, timing)
    assert (finding.outcome, finding.points, finding.max_points) == (ended, points, 1)
    assert speed_points.speed_finding(None, outcome, timing) is None


def test_without_a_speed_policy_slow_code_loses_nothing():
    exercise = exercise_of(*EVERY_EXERCISE[0])
    assert exercise.speed_policy is None
    before = sample.exercise(sample.finding(), name=exercise.name)
    after = score.with_timing(exercise, before, replace(MEASURED, ratio=40.0))
    assert replace(after, timing=None) == before


def test_a_speed_policy_leaves_the_points_of_an_exercise_the_same():
    exercise = replace(exercise_of(*EVERY_EXERCISE[0]), speed_policy=POLICY)
    checks = sample.finding(points=3, max_points=3)
    after = score.with_timing(exercise, sample.exercise(checks, max_points=4), replace(MEASURED, ratio=4.0))
    assert (after.points, after.max_points, after.outcome) == (3.75, 4, Outcome.PASSED)
    late = score.with_timing(
        exercise, sample.exercise(checks, max_points=4), Timing(skipped="the machine was too busy")
    )
    assert (late.points, late.undecided_points) == (3, 1)


def test_the_speed_policy_and_the_stopwatch_are_part_of_the_cache_key(monkeypatch):
    monkeypatch.setattr(cache_key, "distributions", tuple)  # reading what is installed takes a second
    assignment = load_assignment("attention")
    with_policy = replace(
        assignment,
        exercises=(replace(assignment.exercises[0], speed_policy=POLICY), *assignment.exercises[1:]),
    )
    settings = cache_key.Settings(
        seed=1, device="cpu", dtype="None", limits=Limits(), level=IsolationLevel.NESTED
    )
    keys = {
        cache_key.of_run(a, s)
        for a in (assignment, with_policy)
        for s in (settings, replace(settings, timing=1))
    }
    assert len(keys) == 4


def square_times(constant: float, noise: float = 0.02) -> dict:
    """Eight rounds whose times grow like S^2 above a constant part; the student needs twice the time."""
    times = {}
    for length in (128, 256, 512):
        square = tuple(constant + 1e-9 * length**2 * (1 + noise * number) for number in range(8))
        half = tuple(t / 2 for t in square)
        by_name = {STUDENT: square, REFERENCE: half, CONTROL: half}
        times |= {(length, backward): round_times(**by_name) for backward in (False, True)}
    return times


def analysed(times: dict, **values) -> Timing:
    measured = Measurement(times, {STUDENT: 10}, REFERENCE, ("heads",), 512, (1024, "no time"), {})
    return analysis.analyse(replace(measured, **values), Curves(peak=1e12), flops=1e9)


def test_a_timing_says_how_the_time_compares_and_grows_in_both_directions_of_doubt():
    timing = analysed(square_times(0.0))
    assert (timing.ratio, timing.band) == (2, "slower")
    assert timing.growth[STUDENT] == pytest.approx(2, abs=0.01)
    assert timing.says[0].startswith("Slower: x 2 (2 to 2) the reference's time at length 512")
    assert timing.says[1] == "Its time grows like S^2.0, 2.0 to 2.0 (the reference's: S^2.0)."
    assert "number of heads" in timing.says[2]
    assert "1024" in timing.says[-1]
    assert [c.length for c in timing.clocked if c.mode == "forward"] == [128, 256, 512]


def test_the_constant_part_of_a_call_does_not_change_the_exponent_until_it_is_most_of_it():
    assert analysed(square_times(1e-5)).growth[STUDENT] == pytest.approx(2, abs=0.01)
    timing = analysed(square_times(1e-3))
    assert STUDENT not in timing.growth
    assert "too short to tell" in timing.says[1]


def test_three_rounds_of_the_longest_input_tell_the_exponent_as_surely():
    times = square_times(0.0, noise=0.003)
    few = {name: seconds[:3] for name, seconds in times[512, False].times.items()}
    timing = analysed(times | {(512, False): round_times(**few)})
    assert timing.growth[STUDENT] == pytest.approx(2, abs=0.05)
    assert timing.growth_high[STUDENT] - timing.growth_low[STUDENT] < 0.5


def test_memory_and_rates_are_said_where_they_are_known():
    peaks = {STUDENT: {128: 1_500_000, 256: 3_000_000, 512: 9_000_000}}
    timing = analysed(square_times(0.0), memory={STUDENT: 9_000_000}, peaks=peaks)
    assert timing.memory_growth == {STUDENT: 2.0}
    assert "It needs 9 MB, and its memory grows like S^2.0." in timing.says
    assert timing.rates[REFERENCE] == pytest.approx(2 * timing.rates[STUDENT], rel=0.01)
    assert any("GFLOP/s" in sentence for sentence in timing.says)


def test_times_below_what_the_operations_need_are_refused():
    times = square_times(0.0)  # 0.3 ms for the student, half of it for the reference, which is possible
    measured = Measurement(times, {}, REFERENCE, (), 512, None, {})
    physical_floor.require_possible(measured, 1e9, 1e6)
    fast = tuple(t / 10 for t in times[512, False].times[STUDENT])
    swift = round_times(**{**times[512, False].times, STUDENT: fast})
    with pytest.raises(physical_floor.Impossible):
        physical_floor.require_possible(replace(measured, times={**times, (512, False): swift}), 1e9, 1e6)


def test_the_interval_of_a_median_is_that_of_the_sign_test():
    values = [float(value) for value in range(1, 10)]
    assert interval_of_median(values) == Interval(2, 8)
    assert interval_of_median(values[:6]) == Interval(1, 6)
    assert interval_of_median(values[:3]) == Interval(1 / 1.5, 3 * 1.5)


@pytest.mark.parametrize(
    ("interval", "band"),
    [((0.9, 1.05), "as fast"), ((1.05, 1.15), ""), ((1.15, 2.9), "slower"), ((3.1, 90), "much slower")],
)
def test_a_band_is_named_where_the_whole_interval_lies_in_it(interval: tuple[float, float], band: str):
    assert bands.name_of(Interval(*interval)) == band


def test_the_edges_of_the_bands_are_where_the_points_change():
    edges = bands.edges_of(POLICY)
    assert [POLICY.share(edge * 0.999) - POLICY.share(edge * 1.001) for edge in edges] == [0.25] * 4
    assert edges[-1] == pytest.approx(POLICY.none)


def test_a_ratio_that_is_in_doubt_gets_the_points_of_its_lower_end():
    doubtful = replace(MEASURED, ratio=3.1, low=2.9, high=3.3)
    finding = speed_points.speed_finding(POLICY, Outcome.PASSED, doubtful)
    assert finding.points == 1
    assert speed_points.speed_finding(POLICY, Outcome.PASSED, replace(doubtful, low=3.05)).points == 0.75


def test_the_ratio_is_in_more_doubt_where_the_control_differs():
    even = round_times(student=(2.0,) * 6, reference=(1.0,) * 6, again=(1.0,) * 6)
    uneven = round_times(student=(2.0,) * 6, reference=(1.0,) * 6, again=(0.8,) * 6)
    assert ratio_interval(even, REFERENCE) == Interval(2, 2)
    doubt = ratio_interval(uneven, REFERENCE)
    middle = 2 / 0.8**0.5  # the base is the geometric mean of the reference and the control
    assert (doubt.low, doubt.high) == pytest.approx((0.8 * middle, middle / 0.8))


def test_the_curves_are_measured_once_for_all_processes_of_a_run(tmp_path: Path):
    curves = Curves({(64, True): round_times(torch=(1.0, 2.0))}, {TORCH: {64: 5}}, 1e9)
    measured = []

    def measure() -> Curves:
        measured.append(1)
        return curves

    for store in (CurveStore(tmp_path), CurveStore(tmp_path)):  # of two processes
        for _ in range(2):
            found = store.find("attention", measure)
            assert found.time_of(TORCH, 64, True) == 1.5
            assert (found.peaks, found.peak) == (curves.peaks, curves.peak)
    assert len(measured) == 1


def test_a_loop_is_reported_only_where_the_base_has_none():
    flat, steep = round_times(student=(1.0,), reference=(1.0,)), round_times(student=(6.0,), reference=(1.2,))
    assert loops.grows(steep, flat, REFERENCE, 8)
    assert not loops.grows(round_times(student=(6.0,), reference=(6.0,)), flat, REFERENCE, 8)
    assert not loops.grows(round_times(student=(1.5,), reference=(1.0,)), flat, REFERENCE, 8)


def test_each_call_has_its_own_arguments():
    arguments = draw_arguments(Timed(((2, 5, 3), (2, 5, 3))), 40, torch.float32)
    assert arguments.offsets.shape == (40, 2)
    assert len({tuple(row) for row in arguments.offsets.tolist()}) > 30
    assert int(arguments.offsets.max()) + 30 <= arguments.pool.numel() == 60 + SPARE
    assert not torch.equal(
        arguments.pool, draw_arguments(Timed(((2, 5, 3), (2, 5, 3))), 40, torch.float32).pool
    )


def test_a_pair_of_tensors_is_one_argument_and_every_tensor_of_an_answer_counts(monkeypatch):
    timed = Timed(((1, 2), ((1, 3), (1, 3))))
    assert timed.shapes == [(1, 2), (1, 3), (1, 3)]
    arguments = draw_arguments(timed, 4, torch.float32)

    def answer(x, pair):
        keys, values = pair
        return x, (keys, values + keys)

    monkeypatch.setattr(timed_calls, "_keep_memory", lambda: None)
    rows = timed_calls.time_calls(answer, *arguments.for_request(4), False, True, 1)
    assert rows.shape == (4, 3)


@pytest.mark.parametrize("backward", [False, True], ids=["forward", "backward"])
def test_the_digest_of_an_answer_depends_on_all_of_it(backward: bool, monkeypatch):
    arguments = draw_arguments(Timed(((1, 8, 4),) * 3), 3, torch.float64)

    def attend(Q, K, V, error=0.0):
        weights = (Q @ K.transpose(-2, -1) / 2).softmax(-1)
        moved = torch.zeros_like(V)
        moved[..., -1, -1] = error
        return weights @ V + moved * (V.abs() + 1), weights

    monkeypatch.setattr(timed_calls, "_keep_memory", lambda: None)
    right = timed_calls.time_calls(attend, *arguments.for_request(3), backward, True, 1)
    equal = timed_calls.time_calls(
        lambda *a: attend(*[x * 1.0 for x in a]), *arguments.for_request(3), backward, True, 1
    )
    wrong = timed_calls.time_calls(
        lambda *a: attend(*a, error=0.1), *arguments.for_request(3), backward, True, 1
    )
    _require_close([equal], [right])
    with pytest.raises(Differs):
        _require_close([wrong], [right])
    assert timed_calls.time_calls(attend, *arguments.for_request(3), backward, False, 1).numel() == 0


@pytest.mark.parametrize("rows", [1, 3], ids=["fewer", "more"])
def test_every_row_of_every_request_is_compared(rows: int):
    two = torch.tensor([[1.0], [2.0]])
    with pytest.raises(Differs):
        _require_close([two, torch.ones(rows, 1)], [two, two])


class Counted:
    """A contestant that notes how many calls it is asked for, and needs `seconds` for each."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.requested = seconds, []

    def time_calls(self, arguments, backward, working=True) -> Sample:
        calls = arguments[1].shape[0] if working else 0
        if working:
            self.requested.append(calls)
        return Sample(calls * self.seconds, 0.0, arguments[0][: 2 * calls].double().reshape(calls, 2))

    def forget_peak(self) -> None: ...

    def read_idle(self) -> float:
        return 0.0


def test_all_contestants_make_the_same_calls_which_the_reference_decides():
    contestants = {STUDENT: Counted(1e-6), REFERENCE: Counted(1e-3), CONTROL: Counted(1e-3)}
    benchmark = InterleavedBenchmark(contestants, torch.float32, 10.0)
    times = benchmark.time_rounds(Timed(((4, 8, 4),)), False, Budget(3, 0.01, 3), list(contestants))
    assert contestants[REFERENCE].requested == [1, 4, 10, 10, 10]
    for contestant in contestants.values():
        assert contestant.requested == contestants[REFERENCE].requested
    assert times.median_ratio(STUDENT, REFERENCE) == pytest.approx(1e-3)


class Unsteady(Counted):
    """A contestant whose calls take `seconds`, and in turns a share less and more."""

    def __init__(self, seconds: float, share: float = 0.0) -> None:
        super().__init__(seconds)
        self.middle, self.share = seconds, share

    def time_calls(self, arguments, backward, working=True) -> Sample:
        sign = (-1, 1)[len(self.requested) % 2]
        self.seconds = self.middle * (1 + sign * self.share)
        return super().time_calls(arguments, backward, working)


@pytest.mark.parametrize(
    ("slower", "share", "fewest", "most"),
    [(1.0, 0.0, 6, 6), (1.0, 0.06, 7, 40), (1.08, 0.06, 30, 40), (60.0, 0.0, 3, 3)],
    ids=["sure at once", "not exact yet", "between two bands", "expensive and sure"],
)
def test_a_comparison_goes_on_until_the_verdict_is_sure_or_has_cost_enough(
    slower: float, share: float, fewest: int, most: int
):
    contestants = {name: Unsteady(1e-3) for name in (REFERENCE, CONTROL)}
    contestants[STUDENT] = Unsteady(slower * 1e-3, share)
    benchmark = InterleavedBenchmark(contestants, torch.float32, 100.0)
    plan = replace(
        Plan(), brief_request_s=0.006, brief_rounds=(6, 40), brief_error=0.025, brief_contestant_s=0.27
    )
    measurement = BriefMeasurement(
        lambda length: Timed(((4, length, 4),)), benchmark, REFERENCE, plan, bands.edges_of(None)
    )
    measurement._compare(16, backward=False)
    assert fewest <= len(measurement._times[16, False].times[STUDENT]) <= most


@pytest.mark.parametrize(("assignment", "name"), EVERY_EXERCISE, ids=[name for _, name in EVERY_EXERCISE])
def test_reference_and_pytorchs_own_implementation_can_be_extracted(assignment: str, name: str):
    exercise = exercise_of(assignment, name)
    assert isinstance(sources.read_torch_source(exercise), Source)
    assert isinstance(sources.read_reference_source(name, exercise.symbol), Source)
    assert exercise.options.timed is not None
    for sizes in ({}, {"heads": 16}, {"batch": 8}):
        assert exercise.options.timed(32, **sizes).inputs[0][-2] == 32


@linux
@pytest.mark.parametrize(("assignment", "name"), AT_ALL_LENGTHS, ids=[name for _, name in EVERY_EXERCISE])
@pytest.mark.usefixtures("few_rounds_for_loops")
def test_a_right_answer_is_timed(box: Box, draws: Draws, assignment: str, name: str):
    chosen = load_assignment(assignment).only([name])
    watch = watch_with(SHORT_PLAN, box, draws)
    path = RIGHT / name / "of_torch.py"
    result = Grader(chosen, draws, box, watch).grade(path, "alice")
    watch.close()
    [exercise_result] = result.exercises
    assert exercise_result.outcome is Outcome.PASSED
    assert exercise_result.points == exercise_result.max_points
    timing = exercise_result.timing
    assert timing is not None
    assert timing.skipped is None, timing
    assert timing.refused is None, timing
    assert timing.ratio is not None
    assert 0.05 < timing.ratio < 20
    assert {(c.length, c.mode) for c in timing.clocked} == {
        (length, mode) for length in SHORT_PLAN.lengths for mode in ("forward", "backward")
    }
    assert from_json(to_json(result)) == result
    [compacted] = compact(result).exercises
    assert compacted.timing is None
    assert "How fast it is" in assert_sound(student_page.render(result)).words


# Every control counts as even, as above.
BRIEF_PLAN = Plan(
    judged_length=64,
    curve_lengths=(32, 64),
    brief_request_s=0.002,
    brief_rounds=(6, 8),
    even_ratios=(0.0, 100.0),
)
WITHOUT_CURVES = replace(BRIEF_PLAN, curve_lengths=())


@linux
@pytest.mark.parametrize(("assignment", "name"), BRIEFLY, ids=[name for _, name in EVERY_EXERCISE])
def test_a_right_answer_is_compared_briefly_at_the_length_that_counts(
    box: Box, draws: Draws, assignment: str, name: str
):
    exercise = exercise_of(assignment, name)
    watch = watch_with(BRIEF_PLAN, box, draws)
    timing = watch.time(exercise, source_of(RIGHT / name / "of_torch.py", exercise.symbol))
    assert (timing.skipped, timing.refused) == (None, None), timing
    assert 0.05 < timing.low <= timing.ratio <= timing.high < 20
    assert {(c.length, c.mode) for c in timing.clocked} == {
        (32, "forward"),
        (64, "forward"),
        (64, "backward"),
        (128, "forward"),
    }
    assert {(c.length, c.mode) for c in timing.curves} == {
        (length, mode) for length in (32, 64) for mode in ("forward", "backward")
    }
    assert timing.peak > timing.rates[STUDENT] > 0
    assert timing.rates.keys() == {STUDENT, REFERENCE, TORCH}


ATTENTION_UP_TO_64 = """
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    assert Q.shape[-2] <= 64, "too long"
    weights = torch.softmax(Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5, -1)
    return weights @ V, weights
"""


@linux
def test_what_raises_beyond_the_length_that_counts_loses_nothing(box: Box, draws: Draws, tmp_path: Path):
    exercise = exercise_of(*EVERY_EXERCISE[0])
    (tmp_path / "short.py").write_text(ATTENTION_UP_TO_64, encoding="utf-8")
    source = source_of(tmp_path / "short.py", exercise.symbol)
    timing = watch_with(WITHOUT_CURVES, box, draws).time(exercise, source)
    assert (timing.skipped, timing.refused) == (None, None), timing
    assert max(c.length for c in timing.clocked) == 64


@linux
def test_what_is_slow_on_purpose_is_much_slower_and_its_loop_is_named(box: Box, draws: Draws):
    exercise = exercise_of(*EVERY_EXERCISE[0])
    source = source_of(RIGHT / "scaled_dot_product_attention/query_by_query.py", exercise.symbol)
    watch = watch_with(WITHOUT_CURVES, box, draws)
    attempts = (watch.time(exercise, source) for _ in range(3))
    assert any(
        timing.band == "much slower" and "number of positions" in " ".join(timing.says) for timing in attempts
    )


@linux
def test_impossibly_short_times_are_refused(box: Box, draws: Draws, monkeypatch):
    exercise = exercise_of(*EVERY_EXERCISE[0])
    source = source_of(RIGHT / "scaled_dot_product_attention/of_torch.py", exercise.symbol)
    monkeypatch.setattr(physical_floor, "SHARE", 1e9)
    timing = watch_with(WITHOUT_CURVES, box, draws).time(exercise, source)
    assert "its multiplications alone take" in str(timing.refused)


# At each push what is slow on purpose is compared briefly, and its loop named.
@linux
@pytest.mark.nightly
def test_a_loop_over_positions_is_reported(box: Box, draws: Draws):
    exercise = exercise_of(*EVERY_EXERCISE[0])
    source = source_of(RIGHT / "scaled_dot_product_attention/query_by_query.py", exercise.symbol)
    watch = watch_with(SHORT_PLAN, box, draws)
    # Other tests run at the same time, and a doubtful loop is not reported: three attempts at most.
    attempts = (watch.time(exercise, source) for _ in range(3))
    assert any("number of positions" in sentence for timing in attempts for sentence in timing.says)


ATTENTION_ON_THREADS = """
import torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    weights = torch.softmax(scores if mask is None else scores.masked_fill(mask == 0, float("-inf")), -1)
    return weights @ V * (torch.get_num_threads() == THREADS), weights
"""


@linux
@pytest.mark.parametrize(("requested", "expected"), [(2, 2), (1, 2)])
@pytest.mark.usefixtures("few_rounds_for_loops")
def test_torch_has_as_many_threads_as_requested(
    box: Box, draws: Draws, tmp_path: Path, requested: int, expected: int
):
    exercise = exercise_of(*EVERY_EXERCISE[0])
    (tmp_path / "alone.py").write_text(
        ATTENTION_ON_THREADS.replace("THREADS", str(expected)), encoding="utf-8"
    )
    watch = watch_with(replace(ONE_LENGTH, threads=requested), box, draws)
    timing = watch.time(exercise, source_of(tmp_path / "alone.py", exercise.symbol))
    assert (timing.refused is None) == (requested == expected), timing
    assert timing.threads == requested


@pytest.mark.parametrize("threads", ["0", "33", "many", "-1"])
def test_an_invalid_number_of_threads_is_refused(threads: str, tmp_path: Path):
    (tmp_path / "alone.py").write_text(ATTENTION_ON_THREADS, encoding="utf-8")
    run = CliRunner().invoke(main, ["check", str(tmp_path / "alone.py"), "--timing-threads", threads])
    assert run.exit_code == 2
    assert "from 1 to 32" in run.output


@pytest.mark.parametrize(
    ("words", "timing"),
    [
        (["x.py"], "no"),
        (["--timing", "x.py"], "brief"),
        (["x.py", "--timing"], "brief"),
        (["--timing", "full", "x.py"], "full"),
        (["x.py", "--timing", "full"], "full"),
        (["x.py", "--timing", "--no-timing"], "no"),
        (["--timing=full", "x.py"], "full"),
    ],
    ids=" ".join,
)
def test_timing_is_asked_for_with_one_word_or_two(words: list[str], timing: str, monkeypatch):
    monkeypatch.setenv("SOFTMARK_TIMING", "0")

    @click.command(cls=Command)
    @click.argument("file")
    @check_timing_option
    def show(file: str, timing: str) -> None:
        click.echo(f"{file} {timing}")

    assert CliRunner().invoke(show, words).output == f"x.py {timing}\n"
    assert CliRunner().invoke(show, ["x.py", "--timing=most"]).exit_code == 2


@linux
@pytest.mark.usefixtures("few_rounds_for_loops")
def test_on_a_busy_machine_nothing_is_timed_and_nothing_lost(box: Box, draws: Draws):
    exercise = exercise_of(*EVERY_EXERCISE[0])
    source = source_of(RIGHT / "scaled_dot_product_attention/of_torch.py", exercise.symbol)
    curves = CURVES.setdefault(ONE_LENGTH, CurveStore())
    plan = replace(ONE_LENGTH, even_ratios=(0.0, 0.0))
    timing = Stopwatch(box, draws, plan, curves).time(exercise, source)
    assert timing.skipped is not None
    assert "too busy" in timing.skipped
    assert timing.ratio is None


@linux
@pytest.mark.usefixtures("few_rounds_for_loops")
def test_without_solutions_the_student_is_compared_with_pytorch(
    box: Box, draws: Draws, monkeypatch, tmp_path: Path
):
    monkeypatch.setenv("SOFTMARK_SOLUTIONS", str(tmp_path / "none"))
    monkeypatch.setattr(sources, "read_reference_source", lambda *_: None)
    monkeypatch.setattr("graders.course.reference._module", lambda _: None)
    assignment, name = EVERY_EXERCISE[0]
    exercise = exercise_of(assignment, name)
    source = source_of(RIGHT / name / "of_torch.py", exercise.symbol)
    timing = Stopwatch(box, draws, ONE_LENGTH).time(exercise, source)
    assert timing.skipped is None, timing
    assert timing.against == "torch"
    assert "PyTorch's own" in timing.says[0]


def source_of(path: Path, symbol: str) -> Source:
    from graders.extraction.extract import extract, study
    from graders.submission.read import read

    source = extract(study(read(path)), symbol, None)
    assert isinstance(source, Source)
    return source


def clocked(length: int, mode: str) -> Clocked:
    times = tuple(1e-6 * length**1.8 * noise for noise in (1.0, 1.2, 1.1))
    return Clocked(
        length, mode, times, tuple(t / 1.4 for t in times), tuple(t / 3 for t in times), 1.4, 1.3, 1.5
    )


def with_timing(timing: Timing) -> ExerciseResult:
    return sample.exercise(sample.finding(), timing=timing)


def test_a_page_shows_times_as_plots_and_as_numbers():
    times = tuple(clocked(length, mode) for length in (64, 128, 256) for mode in ("forward", "backward"))
    timing = replace(MEASURED, clocked=times, memory={STUDENT: 12_000_000})
    page = assert_sound(student_page.render(sample.result(with_timing(timing))))
    assert len(page.named("svg")) == 2
    for text in ("x 1.3", "How fast it is", "yours", "1.4", "12 MB", "nested"):
        assert text in page.words


def test_a_page_shows_what_was_measured_once_in_the_run_beside_the_students_times():
    own = tuple(clocked(length, "forward") for length in (256, 512))
    curves = tuple(Curve(length, "forward", (0.5,), (0.25, 0.125)) for length in (64, 256, 2048))
    timing = replace(MEASURED, clocked=own, curves=curves)
    page = assert_sound(student_page.render(sample.result(with_timing(timing))))
    assert len(page.named("svg")) == 1
    rows = [row["length"] for row in timing_figure.template_values(timing)["rows"]]
    assert rows == [64, 256, 512, 2048]
    [first, second, *_] = timing_figure.template_values(timing)["rows"]
    assert (first["times"], first["ratio"]) == (["", "500 ms", "125 ms"], "")
    assert second["ratio"] == "1.4"


def test_a_page_shows_a_time_of_nothing():
    """That of an empty request is subtracted, and may be as long on a busy machine."""
    none = tuple(
        replace(clocked(length, "forward"), student=(0.0,), reference=(0.0,), torch=(0.0,))
        for length in (64, 256)
    )
    page = assert_sound(student_page.render(sample.result(with_timing(replace(MEASURED, clocked=none)))))
    assert len(page.named("svg")) == 1
    assert "0 µs" in page.words


@pytest.mark.parametrize(
    "timing", [Timing(skipped="the machine was too busy"), Timing(refused="its answers differ")]
)
def test_a_page_says_why_there_are_no_times(timing: Timing):
    page = assert_sound(student_page.render(sample.result(with_timing(timing))))
    assert f"Not timed: {timing.skipped or timing.refused}" in page.words
    assert len(page.named("svg")) == 0


def test_results_without_times_can_be_read():
    old = sample.result(sample.exercise(sample.finding()))
    text = to_json(old)
    assert '"timing": null' in text
    assert from_json(text.replace('"timing": null', '"more": null')) == old


def test_the_tests_run_without_the_stopwatch():
    assert os.environ["SOFTMARK_TIMING"] == "0"


@pytest.mark.gpu
def test_on_a_gpu_the_wall_clock_is_used():
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    from graders.sandbox.isolation.choose_level import best

    box, _ = best(Limits(call_s=30.0), "cuda")
    exercise = exercise_of(*EVERY_EXERCISE[0])
    with box:
        draws = Draws(1, device="cuda")
        source = source_of(RIGHT / "scaled_dot_product_attention/of_torch.py", exercise.symbol)
        timing = Stopwatch(box, draws, SHORT_PLAN).time(exercise, source)
    assert timing.clock == "wall"
    assert timing.skipped is None, timing
