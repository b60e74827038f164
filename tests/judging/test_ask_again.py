"""A check that compares two answers of the same code does not hold because code remembers the first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from types import SimpleNamespace

import torch

from graders.candidate.recorded_calls import AskedAgain, Record
from graders.check_api.check import Check, alike, check
from graders.check_api.options import Options
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging import ask_again
from graders.judging.ask_again import Recorder, _is_same
from graders.judging.draws import Draws
from graders.judging.kept_draws import Example
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from graders.sandbox.process_lost import ProcessLost

ALONE = "asked alone, in a new process, the same call has another answer"
LAYER_NORM = """
import torch
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim)), eps
        self.known = []

    def forward(self, x):
        mean, variance = x.mean({axes}, keepdim=True), x.var({axes}, keepdim=True, unbiased=False)
        out = (x - mean) / (variance + self.eps).sqrt() * self.weight + self.bias
{rest}        return out
"""
REMEMBERS = """
        for before, answered in self.known:
            for n, (part, known) in enumerate(zip(before.split(1), answered.split(1))):
                if torch.equal(part, x):
                    return known + 0 * out
            for n, (part, known) in enumerate(zip(before.split(1, 1), answered.split(1, 1))):
                if torch.equal(part, x):
                    return known + 0 * out
        self.known.append((x.detach().clone(), out.detach().clone()))
"""


def graded(code: str, box: Box, tmp_path, draws: Draws) -> ExerciseResult:
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    assignment = load_assignment("foundations").only(["layer_norm"])
    [result] = Grader(assignment, draws, box, names_mistakes=False).grade(tmp_path / "mine.py", "x").exercises
    return result


def outcome_of(result: ExerciseResult, name: str) -> tuple[Outcome, str]:
    [finding] = [finding for finding in result.findings if finding.check == name]
    return finding.outcome, finding.message or ""


def test_a_batch_that_is_mixed_fails_although_it_is_remembered(box: Box, tmp_path, draws: Draws):
    plain = graded(LAYER_NORM.format(axes="(0, 1, -1)", rest=""), box, tmp_path, draws)
    remembered = graded(LAYER_NORM.format(axes="(0, 1, -1)", rest=REMEMBERS), box, tmp_path, draws)
    assert remembered.points <= plain.points
    told = [finding for finding in remembered.findings if ALONE in (finding.message or "")]
    assert told
    assert all((finding.outcome, finding.points) == (Outcome.FAILED, 0) for finding in told)


def test_a_right_answer_may_remember_what_it_computes(box: Box, tmp_path, draws: Draws):
    result = graded(LAYER_NORM.format(axes="-1", rest=REMEMBERS), box, tmp_path, draws)
    assert (result.outcome, result.points) == (Outcome.PASSED, result.max_points)


def lose_at_first(monkeypatch, times: int) -> Iterable[int]:
    """The process of each call that is asked again is lost so many times; return how often it was asked."""
    ask, asked = ask_again._ask, Counter[tuple[str, int]]()

    def asked_again(candidate, each, number, **how):
        asked[each.check.name, number] += 1
        if asked[each.check.name, number] <= times:
            return ProcessLost(Outcome.OUT_OF_MEMORY, "the system ended the code")
        return ask(candidate, each, number, **how)

    monkeypatch.setattr(ask_again, "_ask", asked_again)
    return asked.values()


def test_a_process_that_is_lost_once_costs_a_right_answer_nothing(
    box: Box, tmp_path, draws: Draws, monkeypatch
):
    counts = lose_at_first(monkeypatch, 1)
    result = graded(LAYER_NORM.format(axes="-1", rest=""), box, tmp_path, draws)
    assert max(counts) == 2
    assert (result.outcome, result.points) == (Outcome.PASSED, result.max_points)


def test_a_process_that_is_lost_twice_leaves_the_check_to_the_instructor(
    box: Box, tmp_path, draws: Draws, monkeypatch
):
    lose_at_first(monkeypatch, 2)
    result = graded(LAYER_NORM.format(axes="-1", rest=""), box, tmp_path, draws)
    assert result.outcome is Outcome.SKIPPED
    assert any("your instructor decides" in (finding.message or "") for finding in result.findings)


@check(points=1, given=None, fixed=(lambda seed: seed,))
def agrees_with_itself(candidate, draw) -> None:
    """two answers agree"""
    first, second = candidate(torch.ones(2)), candidate(torch.zeros(2))
    alike(second, first)
    candidate(torch.ones(1))


def judged(candidate) -> tuple[Check, Record]:
    asked = agrees_with_itself.of_exercise("agrees_with_itself", Options(diagnostic_draws=lambda _: []))
    record = Record()
    record.judge(asked, candidate, 1)
    return asked, record


def test_the_call_that_is_asked_again_is_one_that_was_compared():
    asked, record = judged(lambda x: 3 * torch.ones(2))
    assert record.compared == [0, 1]
    recorder = Recorder(seed=1)
    recorder.kept[asked.name] = [ask_again.KeptCalls(asked, None, record, None, ())]  # type: ignore[arg-type]
    assert [number for _, number in recorder.chosen_calls(asked.name)] == [1]


def test_where_one_draw_is_too_large_the_other_is_asked_again():
    asked, small = judged(lambda x: 3 * torch.ones(2))
    _, large = judged(lambda x: torch.ones(2_000_001))
    draws = [Example(1, ()), Example(2, ())]
    recorder = Recorder(seed=1)
    candidate = SimpleNamespace(source=None, mask_reading=None, in_session=lambda *_: None)
    recorder.keep(asked, candidate, draws, {0: large, 1: small})  # type: ignore[arg-type]
    assert [each.example for each in recorder.kept[asked.name]] == draws[1:]
    recorder.keep(asked, candidate, draws, {0: large})  # type: ignore[arg-type]
    assert recorder.is_too_large(asked.name)


def test_of_large_answers_one_draw_is_kept_as_long_as_there_is_room(monkeypatch):
    monkeypatch.setattr(ask_again, "SPARE", 4_000_000)
    recorder = Recorder(seed=1)
    candidate = SimpleNamespace(source=None, mask_reading=None, in_session=lambda *_: None)
    for name in ("first", "second", "third"):
        asked, record = judged(lambda x: torch.ones(500_001))
        _, longer = judged(lambda x: torch.ones(500_002))
        asked = replace(asked, name=name)
        recorder.keep(asked, candidate, [Example(1, ()), Example(2, ())], {0: longer, 1: record})  # type: ignore[arg-type]
    assert [len(kept) for kept in recorder.kept.values()] == [1, 1, 1]
    assert [recorder.is_too_large(name) for name in recorder.kept] == [False, False, True]


def test_alone_the_calls_before_are_not_made():
    asked, record = judged(lambda x: 3 * torch.ones(2))
    for with_history, due in ((False, 1), (True, 2)):
        calls: list[torch.Tensor] = []

        def candidate(x: torch.Tensor, calls: list[torch.Tensor] = calls) -> torch.Tensor:
            calls.append(x)
            return x

        try:
            record.asked_again(1, with_history=with_history).judge(asked, candidate, 1)
        except AskedAgain as again:
            assert torch.equal(again.answer, torch.zeros(2))
        assert len(calls) == due
        assert torch.equal(calls[-1], torch.zeros(2))


def test_answers_that_are_too_large_to_be_kept_are_not_kept():
    _, record = judged(lambda x: torch.ones(2_000_001))
    assert record.is_too_large
    assert record.answers == [None, None, None]
    assert record.may_compare  # it may be so
    assert not Record(values=5_000_000, answers=[None]).may_compare


def test_answers_agree_as_those_of_the_same_code_do():
    x = torch.tensor([1.0, float("nan"), float("inf")])
    assert _is_same((x, 2.0, "a", [x]), (x.clone(), 2.0, "a", [x]))
    assert _is_same(x, x + 1e-6)
    assert not _is_same(x, x + 1)
    assert not _is_same(x, x.nan_to_num())
    assert not _is_same(x, ValueError("it raised"))
    assert not _is_same((x,), (x, x))
