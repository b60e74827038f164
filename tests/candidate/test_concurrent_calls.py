"""Draws whose calls are batched are judged as each draw alone, and as Hypothesis judges them."""

import pytest
import torch
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from graders.candidate.concurrent_calls import ConcurrentCalls
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.compare import Violation
from graders.course.exercise import load_assignment
from graders.extraction.extract import Source, extract, study
from graders.judging.draws import Draws
from graders.judging.judge import Judge
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.limits import Limits
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.submission.read import read
from tests.conftest import HANDED_IN, NIGHTLY
from tests.support.submissions import source_of

ATTENTION = load_assignment("attention")
SPLIT = next(e for e in ATTENTION.exercises if e.name == "split_heads")
COMPARED = ("scaled_dot_product_attention", "concat_heads", "multi_head_attention")
FINISHING = ("david.ipynb", "lucas.py", "manon.ipynb")  # right and wrong work that none has to wait for
RIGHT = "def split_heads(x, num_heads):\n    B, S, E = x.shape\n"
ANSWER = "    return x.reshape(B, S, num_heads, E // num_heads).transpose(1, 2)\n"


@given(st.lists(st.lists(st.integers(), max_size=6), max_size=8))
def test_each_function_gets_its_own_answers_in_its_own_order(requests_of_works):
    together = ConcurrentCalls(lambda requests: [request * 2 for request in requests])

    def work(numbers: list[int]) -> list[int]:
        return [together.wait(number) for number in numbers]

    results = together.run([lambda numbers=numbers: work(numbers) for numbers in requests_of_works])
    assert results == [[number * 2 for number in numbers] for numbers in requests_of_works]


@given(st.lists(st.integers(0, 6), max_size=8))
def test_the_number_of_batches_is_that_of_the_longest_function(counts):
    sent: list[int] = []

    def answer(requests: list[int]) -> list[int]:
        sent.append(len(requests))
        return requests

    together = ConcurrentCalls(answer)
    together.run([lambda count=count: [together.wait(n) for n in range(count)] for count in counts])
    assert len(sent) == max(counts, default=0)
    assert sum(sent) == sum(counts)


def test_an_error_in_one_function_ends_all():
    together = ConcurrentCalls(lambda requests: requests)
    ended: list[int] = []

    def waits() -> None:
        try:
            together.wait(1)
            together.wait(2)
        finally:
            ended.append(1)

    def fails() -> None:
        together.wait(1)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        together.run([waits, fails])
    assert ended == [1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",  # at each push a notebook of right and one of wrong work
    [pytest.param(name, marks=pytest.mark.nightly if name == "lucas.py" else ()) for name in FINISHING],
)
def test_verdicts_are_those_of_hypothesis(name, box, draws):
    program = study(read(HANDED_IN / name))
    with BoxSession(box) as session:
        for exercise in ATTENTION.only(COMPARED).exercises:
            source = extract(program, exercise.symbol, exercise.handed_out)
            if not isinstance(source, Source):
                continue
            candidate = RemoteCandidate(
                session, source, lambda exercise=exercise: draws.mapping_draws(exercise)
            )
            candidate.load()
            if candidate.problem:
                continue
            judge = Judge(exercise, draws, session, candidate)
            drawn = [check for check in exercise.checks if not check.given.is_empty]
            for check in drawn if NIGHTLY else drawn[::3]:
                replayed = judge.try_check(check).outcome
                assert (replayed is Outcome.PASSED) is by_hypothesis(draws, exercise, check, candidate), (
                    check.name
                )


def by_hypothesis(draws, exercise, check, candidate) -> bool:
    """Whether the check holds on all draws of Hypothesis, each with its own answer and its own calls."""

    @seed(draws._seed_of((exercise.name, check.name)))
    @settings(
        max_examples=check.draws,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(check.given)
    def holds(draw) -> None:
        check.judge(candidate, draw, *draws._with_answer(exercise, check, draw).answer)

    try:
        holds()
    except (Violation, RaisedByStudent, ProcessLost):
        return False
    return True


@pytest.fixture(scope="module")
def hurried(level):
    with Box(level, Limits(call_s=0.8, later_call_s=0.3)) as box:
        yield box


@pytest.mark.parametrize(
    ("odd", "outcome", "words"),
    [
        ("    if B > 1:\n        import os; os._exit(3)\n", Outcome.RAISED, "status 3"),
        ("    while B > 1:\n        pass\n", Outcome.TIMED_OUT, "no answer within"),
        ("    if B > 1:\n        raise OverflowError('here')\n", Outcome.RAISED, "here"),
        ("    if B > 1:\n        return x\n", Outcome.FAILED, "shape"),
    ],
    ids=["dies", "hangs", "raises", "is wrong"],
)
def test_what_happens_in_one_draw_is_reported_for_that_draw(odd, outcome, words, tmp_path, hurried):
    with BoxSession(hurried) as session:
        candidate = RemoteCandidate(session, source_of(tmp_path, RIGHT + odd + ANSWER, SPLIT))
        candidate.load()
        finding = Judge(SPLIT, Draws(1), session, candidate).try_check(SPLIT.checks[0])
    assert finding.outcome is outcome
    assert words in finding.message
    assert "x (1, " not in finding.case.text


def test_batched_calls_do_not_make_slow_code_time_out(tmp_path, box):
    code = "import time\n" + RIGHT + "    time.sleep(0.2)\n" + ANSWER
    limits = Limits(later_call_s=0.5)
    with Box(box.level, limits) as hurried, BoxSession(hurried) as session:
        candidate = RemoteCandidate(session, source_of(tmp_path, code, SPLIT))
        candidate.load()
        judge = Judge(
            SPLIT, Draws(1).first(8), session, candidate
        )  # together they take longer than a call may
        assert judge.try_check(SPLIT.checks[0]).outcome is Outcome.PASSED


def test_a_module_without_references_here_is_freed_in_the_box(tmp_path, box):
    [exercise] = [e for e in ATTENTION.exercises if e.name == "feed_forward"]
    code = """
import gc
import torch
from torch import nn

class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim):
        super().__init__()
        self.linear = nn.Linear(embed_dim, ff_dim)

    def forward(self, x):
        return torch.tensor(sum(isinstance(o, FeedForward) for o in gc.get_objects()))
"""
    with BoxSession(box) as session:
        candidate = RemoteCandidate(session, source_of(tmp_path, code, exercise))
        candidate.load()
        for _ in range(40):
            module = candidate.construct(4, 8)
        alive = int(module(torch.ones(1, 1, 4)))
        assert alive < 12
        counts = candidate.together([lambda: int(candidate.construct(4, 8)(torch.ones(1, 1, 4)))] * 5)
        assert counts == [6] * 5  # these five, and the one that is still referenced here
