"""Attacks on the stopwatch: slow code is measured as slow, and code that answers wrongly is refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graders.course.exercise import Exercise, load_assignment
from graders.extraction.extract import Source, extract, study
from graders.judging.draws import Draws
from graders.results.measurements import Timing
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.submission.read import read
from graders.timing import loops
from graders.timing.cpu_clock import PROC
from graders.timing.plan import Plan
from graders.timing.run_curves import CurveStore
from graders.timing.stopwatch import Stopwatch
from tests.conftest import NIGHTLY

FOLDER = Path(__file__).parent / "clocked"
ATTACKS = sorted(FOLDER.glob("*.py"))
NAME = "scaled_dot_product_attention"
# Short, and accepting uneven rounds, since other tests run at the same time. Each attack computes 30 times.
AT_ALL_LENGTHS = Plan(
    full=True,
    lengths=(128,),
    judged_length=128,
    judged_request_s=0.005,
    rounds=3,
    max_rounds=6,
    even_ratios=(0.0, 100.0),
    cpu_s=20.0,
)
# What a course gets by default.
USUAL = Plan(
    judged_length=128,
    curve_lengths=(),
    brief_request_s=0.002,
    brief_rounds=(6, 8),
    even_ratios=(0.0, 100.0),
)
PLANS = {"usual": USUAL, "full": AT_ALL_LENGTHS} if NIGHTLY else {"usual": USUAL}
SLOW, HONEST = 5.0, 4.0

pytestmark = [
    pytest.mark.programs,
    pytest.mark.skipif(not (PROC / "self/status").exists(), reason="there is no such clock here"),
]


@pytest.fixture(autouse=True)
def few_rounds_for_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is slow is asked for its loops after it was timed, which takes as long and is no attack's aim."""
    monkeypatch.setattr(loops, "ROUNDS", (3, 3))
    monkeypatch.setattr(loops, "REQUEST_S", 0.0005)


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return load_assignment("attention").only([NAME]).exercises[0]


LEVELS = [IsolationLevel.NESTED, IsolationLevel.BOXED, IsolationLevel.OPEN]


@pytest.fixture(scope="module", params=LEVELS if NIGHTLY else LEVELS[:1])
def clocked_box(request: pytest.FixtureRequest) -> Iterator[Box]:
    box, step = try_level(request.param, Box(IsolationLevel.OPEN).limits)
    if box is None:
        pytest.skip(f"{step.level}: {step.problem}")
    with box:
        yield box


def source_of(path: Path) -> Source:
    source = extract(study(read(path)), NAME, None)
    assert isinstance(source, Source)
    return source


CURVES: dict[tuple[IsolationLevel, Plan], CurveStore] = {}  # as a class has them, measured once


def measure(box: Box, exercise: Exercise, path: Path, plan: Plan = AT_ALL_LENGTHS) -> Timing:
    watch = Stopwatch(box, Draws(1), plan, CURVES.setdefault((box.level, plan), CurveStore()))
    try:
        return watch.time(exercise, source_of(path))
    finally:
        watch.close()


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_on_the_clock_gains_nothing(box: Box, exercise: Exercise, path: Path, plan: Plan):
    ends = path.read_text(encoding="utf-8").split("ends: ")[1].split('"""')[0].split(" or ")
    timing = measure(box, exercise, path, plan)
    assert timing.skipped is None, timing
    if timing.refused:
        assert "refused" in [word.strip() for word in ends], timing
    else:
        assert "slow" in [word.strip() for word in ends], timing
        assert timing.ratio is not None
        assert timing.ratio > SLOW


# The reference makes so few calls in a request that code which is given more of them could skip most.
FEW_CALLS = replace(AT_ALL_LENGTHS, lengths=(512,), judged_length=512, judged_request_s=0.02)


def test_no_call_is_left_out_unseen(box: Box, exercise: Exercise):
    timing = measure(box, exercise, FOLDER / "leaves_out_rows.py", FEW_CALLS)
    assert timing.refused is not None, timing


def test_an_honest_answer_is_timed_at_every_isolation_level(
    clocked_box: Box, exercise: Exercise, tmp_path: Path
):
    path = tmp_path / "a.py"
    code, _, _ = (FOLDER / "plainly_slow.py").read_text(encoding="utf-8").partition("def slowly")
    path.write_text(code.replace("def attention", f"def {NAME}"), encoding="utf-8")
    timing = measure(clocked_box, exercise, path)
    assert timing.skipped is None, timing
    assert timing.refused is None, timing
    assert timing.ratio is not None
    assert timing.ratio < HONEST


@pytest.mark.nightly
def test_without_isolation_the_time_of_other_processes_counts(exercise: Exercise):
    box, _ = try_level(IsolationLevel.OPEN, Box(IsolationLevel.OPEN).limits)
    assert box is not None
    with box:
        timing = measure(box, exercise, FOLDER / "processes_that_help.py")
    assert timing.refused or (timing.ratio is not None and timing.ratio > SLOW), timing
