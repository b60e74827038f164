"""Code that reads its mask in another way fails one check for it; the others use its own way."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from torch import Tensor

from graders.audit.try_answer import FEW
from graders.candidate.find_mask_reading import find_mask_reading
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.mask_sense import Form, MaskArgument, MaskNotTaken, Reading, Sense
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult
from tests.support.at_night import at_night
from tests.support.open_box import OpenBox

# Exercise, style, what stands there, and the same in other senses, each with what the message says of it.
OTHERS = [
    ("scaled_dot_product_attention", "masked_fill(mask, ", "masked_fill(mask == 0, ", "True allows a key"),
    at_night("multi_head_attention", "masked_fill(mask, ", "masked_fill(~mask, ", "True allows a key"),
    ("bert_attention", "+ attention_mask", ".masked_fill(attention_mask == 0, -1e9)", "1 allows a key"),
]
SOURCES = {
    "scaled_dot_product_attention": """
import math, torch
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = scores.softmax(-1)
    return weights @ V, weights
""",
    "multi_head_attention": """
import math, torch
import torch.nn as nn
class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.a, self.b, self.c, self.d = (nn.Linear(embed_dim, embed_dim) for _ in range(4))
    def forward(self, x, mask=None):
        q, k, v = (f(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for f in (self.a, self.b, self.c))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        weights = scores.softmax(-1)
        return self.d((weights @ v).transpose(1, 2).flatten(2)), weights
""",
    "bert_attention": """
import math, torch
import torch.nn as nn
class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError(hidden_size)
        self.num_heads = num_heads
        self.query, self.key, self.value, self.out = (nn.Linear(hidden_size, hidden_size) for _ in range(4))
    def forward(self, hidden_states, attention_mask=None):
        q, k, v = (
            f(hidden_states).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for f in (self.query, self.key, self.value)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if attention_mask is not None:
            scores = scores + attention_mask
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
""",
}
Judge = Callable[[str, str], ExerciseResult]


class _Read:
    """A function of ours that gets its masks as a candidate does."""

    mask_reading = None

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *args: Any) -> Any:
        argument, reading = self.mask_reading or (None, None)
        try:
            return self.function(*(argument.as_read(args, reading) if argument else args))
        except (TypeError, RuntimeError) as error:
            raise Raised(str(error), "") from error

    def seeded(self, _seed: int, *args: Any) -> Any:
        return SimpleNamespace(answer=self(*args))


@pytest.fixture(scope="module")
def exercises() -> dict[str, Exercise]:
    return {e.name: e for name in assignment_names() for e in load_assignment(name).exercises}


@pytest.fixture
def judge(open_box: OpenBox, draws: Draws, tmp_path: Path) -> Iterator[Judge]:
    brief = draws.without_search().only(FEW)
    assignments = [load_assignment(name) for name in assignment_names()]

    def judge(exercise: str, source: str) -> ExerciseResult:
        path = tmp_path / "answer.py"
        path.write_text(source)
        whole = next(a for a in assignments if exercise in {e.name for e in a.exercises})
        [result] = Grader(whole.only([exercise]), brief, open_box).grade(path, "student").exercises
        return result

    yield judge


@pytest.mark.parametrize(("exercise", "there", "instead", "says"), OTHERS)
def test_another_sense_costs_the_check_about_it_alone(
    judge: Judge, exercises: dict[str, Exercise], exercise: str, there: str, instead: str, says: str
) -> None:
    assert there in SOURCES[exercise]
    result = judge(exercise, SOURCES[exercise].replace(there, instead))
    argument = exercises[exercise].options.mask
    assert argument is not None
    [finding] = [f for f in result.findings if f.outcome.value != "passed"]
    assert finding.check == argument.check
    assert says in (finding.message or "")


# Exercise, style, what stands there, and the same for masks along other axes, each with those axes.
AXES = [
    ("multi_head_attention", "masked_fill(mask, ", "masked_fill(mask.unsqueeze(1), ", "(B, S, S)"),
    ("multi_head_attention", "masked_fill(mask, ", "masked_fill(mask[:, :, :99], ", "(B, 1, S, S)"),
    ("bert_attention", "+ attention_mask", "+ attention_mask[:, None, None, :]", "(B, S)"),
]


@pytest.mark.parametrize(("exercise", "there", "instead", "axes"), AXES, ids=[row[3] for row in AXES])
def test_other_axes_cost_the_check_about_them_alone(
    judge: Judge, exercises: dict[str, Exercise], exercise: str, there: str, instead: str, axes: str
) -> None:
    result = judge(exercise, SOURCES[exercise].replace(there, instead))
    argument = exercises[exercise].options.mask
    assert argument is not None
    [finding] = [f for f in result.findings if f.outcome.value != "passed"]
    assert finding.check == argument.shapes
    assert f"masks of shape {axes} alone" in (finding.message or "")


@pytest.mark.parametrize("exercise", [at_night("multi_head_attention"), "bert_attention"])
def test_a_mask_that_may_not_be_left_out_costs_one_check(
    judge: Judge, exercises: dict[str, Exercise], exercise: str
) -> None:
    always = (
        SOURCES[exercise].replace("attention_mask is not None", "True").replace("mask is not None", "True")
    )
    result = judge(exercise, always.replace("mask=None", "mask"))
    argument = exercises[exercise].options.mask
    assert argument is not None
    [finding] = [f for f in result.findings if f.points < f.max_points]
    assert finding.check == argument.shapes
    assert "raises without a mask" in (finding.message or "")


def test_two_masks_that_may_not_be_left_out_are_read() -> None:
    def layer(x: Tensor, memory: Tensor, mask: Tensor, memory_mask: Tensor) -> Tensor:
        return attend(attend(x, x, mask), memory, memory_mask)

    def attend(q: Tensor, kv: Tensor, kept: Tensor) -> Tensor:
        return (q @ kv.mT).masked_fill(kept[:, None] == 0, -1e9).softmax(-1) @ kv

    argument = MaskArgument(2, Sense.TRUE_HIDES, check="a", shapes="b", also=(3,))
    candidate = cast(RemoteCandidate, _Read(layer))
    x, memory = torch.randn(2, 5, 4), torch.randn(2, 7, 4)
    draw = SimpleNamespace(arguments=[x, memory, torch.zeros(2, 1, 5, 5, dtype=torch.bool)])
    reading = find_mask_reading(candidate, argument, [draw])
    assert reading == Reading(Sense.TRUE_ALLOWS, Form.PER_KEY, needed=True)


def test_another_sense_along_other_axes_costs_two_checks(judge: Judge) -> None:
    source = SOURCES["multi_head_attention"].replace("(mask, ", "(mask.unsqueeze(1) == 0, ")
    failed = {f.check for f in judge("multi_head_attention", source).findings if f.points < f.max_points}
    assert failed == {"ignores_what_is_masked", "obeys_masks_of_every_shape"}


def test_another_sense_where_the_output_comes_alone_costs_two_checks(judge: Judge) -> None:
    source = SOURCES["scaled_dot_product_attention"].replace("mask, -math", "mask == 0, -math")
    alone = source.replace("return weights @ V, weights", "return weights @ V")
    failed = {
        f.check for f in judge("scaled_dot_product_attention", alone).findings if f.points < f.max_points
    }
    assert failed == {"gives_masked_keys_no_weight", "answers_with_output_and_weights"}


def test_a_mistake_beside_another_sense_is_named(judge: Judge) -> None:
    source = SOURCES["scaled_dot_product_attention"].replace("mask, -math", "~mask, -math")
    result = judge("scaled_dot_product_attention", source.replace(" / math.sqrt(Q.shape[-1])", ""))
    names = {f.check: {m.name for pair in f.mistakes for m in pair} for f in result.findings if f.mistakes}
    about_sense = names.pop("gives_masked_keys_no_weight")
    assert {name.rpartition("__")[2] for name in about_sense} == {"mask_inverted"}
    assert {name.rpartition("__")[2] for every in names.values() for name in every} == {"unscaled"}


def test_the_sense_is_found_in_code_that_makes_a_layer_at_each_call(judge: Judge) -> None:
    source = SOURCES["bert_attention"].replace("+ attention_mask", ".masked_fill(attention_mask == 0, -1e9)")
    made = "nn.Linear(hidden_states.shape[-1], hidden_states.shape[-1])"
    source = source.replace("self.value, self.out =", "self.value =").replace("in range(4)", "in range(3)")
    result = judge("bert_attention", source.replace("self.out(", f"{made}("))
    assert any("1 allows a key" in (f.message or "") for f in result.findings)
    names = {m.name.rpartition("__")[2] for f in result.findings for pair in f.mistakes for m in pair}
    assert names == {"output_layer_made_in_forward"}


def test_code_that_ignores_its_mask_is_in_no_sense(judge: Judge) -> None:
    source = SOURCES["multi_head_attention"].replace("if mask is not None", "if False")
    result = judge("multi_head_attention", source)
    assert not any("another sense" in (f.message or "") for f in result.findings)
    failed = {f.check for f in result.findings if f.outcome.failed_or_raised}
    assert {"obeys_masks_of_every_shape", "ignores_what_is_masked", "does_not_look_ahead"} <= failed


def test_each_mask_belongs_to_a_check_of_its_exercise(exercises: dict[str, Exercise]) -> None:
    masked = [exercise for exercise in exercises.values() if exercise.options.mask]
    assert len(masked) >= 10
    for exercise in masked:
        assert exercise.options.mask is not None
        assert exercise.options.mask.check in {check.name for check in exercise.checks}


@pytest.mark.parametrize("sense", [Sense.TRUE_HIDES, Sense.ONE_ALLOWS, Sense.ADDS])
@pytest.mark.parametrize("other", list(Sense))
def test_a_mask_is_translated_into_every_sense_and_back(sense: Sense, other: Sense) -> None:
    hidden = torch.tensor([[True, False], [False, True]])
    there, back = MaskArgument(0, sense, "check"), MaskArgument(0, other, "check")
    [mask] = there.in_sense([there.hiding(hidden)], other)
    assert torch.equal(back.hidden(mask), hidden)


def test_an_additive_mask_with_other_numbers_stays_as_it_is() -> None:
    mask = torch.tensor([0.5, -1e9, 0.0])
    [same] = MaskArgument(0, Sense.ADDS, "check").in_sense([mask], Sense.TRUE_HIDES)
    assert same is mask


def test_the_smallest_case_is_looked_for_only_where_a_check_goes_on_failing(
    open_box: OpenBox, draws: Draws, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    looked_for = []
    small_cases = Draws.small_cases

    def look(self: Draws, exercise: Exercise, check: Check, *args: Any, **named: Any) -> Any:
        looked_for.append(check.name)
        return small_cases(self, exercise, check, *args, **named)

    monkeypatch.setattr(Draws, "small_cases", look)
    name = "scaled_dot_product_attention"
    path = tmp_path / "answer.py"
    path.write_text(SOURCES[name].replace("masked_fill(mask, ", "masked_fill(mask == 0, "))
    whole = load_assignment("attention").only([name])
    [result] = Grader(whole, draws, open_box, names_mistakes=False).grade(path, "student").exercises
    [failed] = [f for f in result.findings if f.outcome.failed_or_raised]
    assert looked_for == [failed.check]
    assert failed.case is not None
    assert "in another sense" in (failed.message or "")


def test_a_mask_is_given_along_other_axes_where_it_has_the_same_values_there() -> None:
    x, mask = torch.zeros(2, 3, 4), torch.ones(3, 3, dtype=torch.bool).triu(1)
    given = (x, mask)
    argument = MaskArgument(1, Sense.TRUE_HIDES, "check", shapes="shapes")
    forms = (Form.AS_GIVEN, Form.SQUARE, Form.FOUR_AXES, Form.PER_SEQUENCE)
    shapes = [tuple(argument.in_form(given, form)[1].shape) for form in forms]
    assert shapes == [(3, 3), (3, 3), (2, 1, 3, 3), (2, 3, 3)]
    with pytest.raises(MaskNotTaken):  # each query has other keys hidden
        argument.in_form(given, Form.PER_KEY)
    for_all = [x, mask[:1].expand(3, 3)]
    assert torch.equal(argument.in_form(for_all, Form.PER_KEY)[1], mask[:1].expand(2, 3))
    assert for_all[1].shape == (3, 3)


def _attend(q: Tensor, kv: Tensor, kept: Tensor) -> Tensor:
    return (q @ kv.mT).masked_fill(kept[:, None] == 0, -1e9).softmax(-1) @ kv


def test_a_second_mask_that_differs_between_queries_does_not_hide_the_axes_of_both() -> None:
    def layer(x: Tensor, memory: Tensor, mask: Tensor, memory_mask: Tensor) -> Tensor:
        return _attend(_attend(x, x, mask), memory, memory_mask)

    argument = MaskArgument(2, Sense.TRUE_HIDES, check="a", shapes="b", also=(3,))
    candidate = cast(RemoteCandidate, _Read(layer))
    x, memory, mask = torch.randn(2, 5, 4), torch.randn(2, 7, 4), torch.zeros(2, 1, 5, 5, dtype=torch.bool)
    draw = SimpleNamespace(arguments=[x, memory, mask, torch.randn(2, 1, 5, 7) > 1])
    reading = find_mask_reading(candidate, argument, [draw])
    assert reading == Reading(Sense.TRUE_ALLOWS, Form.PER_KEY, needed=True)


def test_the_mask_of_the_memory_may_be_that_of_its_padding_where_the_other_is_square() -> None:
    def attend(q: Tensor, kv: Tensor, hidden: Tensor | None) -> Tensor:
        scores = q @ kv.mT
        return (scores if hidden is None else scores.masked_fill(hidden, -1e9)).softmax(-1) @ kv

    def layer(x: Tensor, memory: Tensor, mask: Tensor | None = None, padding: Tensor | None = None) -> Tensor:
        x = attend(x, x, None if mask is None else mask[:, 0] if mask.dim() == 4 else mask)
        return attend(x, memory, None if padding is None else padding[:, None])

    argument = MaskArgument(2, Sense.TRUE_HIDES, check="a", shapes="b", also=(3,))
    x, memory, mask = torch.randn(2, 5, 4), torch.randn(2, 7, 4), torch.zeros(2, 1, 5, 5, dtype=torch.bool)
    draw = SimpleNamespace(arguments=[x, memory, mask])
    reading = find_mask_reading(cast(RemoteCandidate, _Read(layer)), argument, [draw])
    assert reading == Reading(Sense.TRUE_HIDES, further=Form.PER_KEY)


def test_a_square_mask_is_read_where_the_exercise_has_masks_of_each_sequence_alone() -> None:
    def attend(x: Tensor, hidden: Tensor | None = None) -> Tensor:
        scores = x @ x.mT
        if hidden is not None and hidden.dim() != 2:
            raise RuntimeError("expected 2-D")
        return (scores if hidden is None else scores.masked_fill(hidden, -1e9)).softmax(-1) @ x

    argument = MaskArgument(1, Sense.ONE_ALLOWS, check="a", shapes="a")
    draw = SimpleNamespace(arguments=[torch.randn(2, 5, 4), torch.ones(2, 1, 5, 5, dtype=torch.long)])
    reading = find_mask_reading(cast(RemoteCandidate, _Read(attend)), argument, [draw])
    assert reading == Reading(Sense.TRUE_HIDES, Form.SQUARE)


def test_masks_that_hide_nothing_are_read_along_the_axes_that_the_code_takes() -> None:
    def attend(x: Tensor, kept: Tensor) -> Tensor:
        hidden = (1 - kept[:, None] * kept[..., None]).bool()
        return (x @ x.mT).masked_fill(hidden, -1e-7).softmax(-1) @ x

    argument = MaskArgument(1, Sense.TRUE_HIDES, check="a", shapes="b")
    draw = SimpleNamespace(arguments=[torch.randn(2, 5, 4), torch.zeros(2, 1, 5, 5, dtype=torch.bool)])
    reading = find_mask_reading(cast(RemoteCandidate, _Read(attend)), argument, [draw])
    assert reading == Reading(Sense.ONE_ALLOWS, Form.PER_KEY, needed=True, proven=False)


def test_a_mask_that_acts_only_beside_segments_is_read_with_segments_of_zero() -> None:
    def model(ids: Tensor, types: Tensor | None = None, kept: Tensor | None = None) -> Tensor:
        if kept is None:
            types, kept = torch.zeros_like(ids), torch.ones_like(ids)
        if types is None:
            raise TypeError(types)
        states = torch.stack([ids, ids + types, ids**2 % 7], -1) / 10.0
        return _attend(states, states, kept)

    argument = MaskArgument(2, Sense.ONE_ALLOWS, check="a", beside=(1,))
    ids = torch.tensor([[1, 2, 3, 4, 5], [5, 3, 1, 2, 4]])
    draw = SimpleNamespace(
        arguments=[ids, torch.zeros_like(ids), torch.ones_like(ids)], config={"vocab_size": 9}
    )
    candidate = _Read(model)
    candidate.with_random_weights = lambda _seed, **_config: candidate  # type: ignore[attr-defined]
    reading = find_mask_reading(cast(RemoteCandidate, candidate), argument, [draw])
    assert reading == Reading(Sense.ONE_ALLOWS, filled=True)


def test_a_check_that_no_draw_could_ask_fails(draws: Draws, open_box: OpenBox, tmp_path: Path) -> None:
    path = tmp_path / "answer.py"
    per_key = "masked_fill(mask.view(x.shape[:2])[:, None, None], "
    path.write_text(SOURCES["multi_head_attention"].replace("masked_fill(mask, ", per_key))
    whole = load_assignment("attention").only(["multi_head_attention"])
    [result] = Grader(whole, draws, open_box, names_mistakes=False).grade(path, "student").exercises
    failed = {f.check: f.message or "" for f in result.findings if f.outcome.failed_or_raised}
    assert set(failed) == {"obeys_masks_of_every_shape", "does_not_look_ahead"}
    assert "one value for each key" in failed["does_not_look_ahead"]


def _names(result: ExerciseResult) -> dict[str, set[str]]:
    return {
        f.check: {m.name.partition("__")[2] for several in f.mistakes for m in several}
        for f in result.findings
    }


def test_a_layer_that_is_absent_is_named_where_parameters_are_compared(judge: Judge) -> None:
    code = SOURCES["multi_head_attention"].replace(
        "self.a, self.b, self.c, self.d = (", "self.a, self.b, self.c = ("
    )
    code = code.replace("for _ in range(4)", "for _ in range(3)").replace("self.d(", "(")
    names = _names(judge("multi_head_attention", code))
    assert names["computes_what_the_reference_computes"] == {"without_output_projection"}
