"""What the host answers for a right part, and what it refuses: every question is untrusted."""

from functools import partial
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graders.course.reference import reference
from graders.diagnosis import right_parts as module
from graders.diagnosis.right_parts import AXIS, AnswerForm, RightParts, right_parts

X = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(1))
CONFIG = {"embed_dim": 4, "num_heads": 2}
ABOUT = {"part": "MultiHeadAttention", "config": CONFIG, "training": False, "number": 1}
JOIN = {"part": "concat_heads", "config": None, "training": False, "number": 1}


@pytest.fixture
def parts() -> RightParts:
    block = reference("transformer_block", "TransformerBlock")
    found = right_parts(block, ["MultiHeadAttention", "concat_heads", "causal_mask", "TransformerBlock"])
    assert found is not None
    return found


def ask(parts: RightParts, question: str, *value: Any) -> Any:
    succeeded, answer = parts.answer(question, list(value))
    assert succeeded, answer
    return answer


def refusal(parts: RightParts, question: Any, value: Any) -> str:
    succeeded, (kind, _) = parts.answer(question, value)
    assert not succeeded
    return kind


def test_only_what_the_whole_is_built_of_is_a_part(parts: RightParts):
    assert parts.descriptions == {
        "MultiHeadAttention": {"init": ["embed_dim", "num_heads"], "call": ["x", "mask"]},
        "concat_heads": {"init": None, "call": ["x"]},
    }
    assert right_parts(reference("causal_mask", "causal_mask"), ["concat_heads", "causal_mask"]) is None
    assert right_parts(reference("count_parameters", "count_parameters"), ["generate"]) is None


def test_a_part_answers_as_the_reference_with_its_gradients(parts: RightParts):
    made = ask(parts, "construct", "MultiHeadAttention", CONFIG, 7)
    ours = reference("multi_head_attention", "MultiHeadAttention")(**CONFIG)
    assert {path: value.shape for path, value in made["values"].items()} == {
        path: value.shape for path, value in ours.state_dict().items()
    }
    ours.load_state_dict(made["values"])
    weights = list(made["values"].values())
    x = X.clone().requires_grad_()
    output, attention = ours(x)
    answer = ask(parts, "forward", ABOUT, [X], weights)
    torch.testing.assert_close(answer, (output.detach(), attention.detach()))
    output.square().sum().backward()
    grads = ask(parts, "backward", ABOUT, [X, None], weights, [2 * output.detach(), None])
    torch.testing.assert_close(grads, [x.grad, None, *[p.grad for p in ours.parameters()]])
    assert parts.used == {"MultiHeadAttention"}


def test_a_part_answers_in_the_form_that_the_whole_takes(parts: RightParts):
    weights = list(ask(parts, "construct", "MultiHeadAttention", CONFIG, 7)["values"].values())
    output, _ = ask(parts, "forward", ABOUT, [X], weights)
    grads = ask(parts, "backward", ABOUT, [X], weights, [output, None])
    parts.form = AnswerForm.FIRST_ALONE
    assert torch.equal(ask(parts, "forward", ABOUT, [X], weights), output)
    torch.testing.assert_close(ask(parts, "backward", ABOUT, [X], weights, [output]), grads)
    parts.form = AnswerForm.WITH_ANOTHER
    assert len(ask(parts, "forward", ABOUT, [X], weights)) == 2
    heads = torch.randn(2, 2, 3, 2)
    joined, nothing = ask(parts, "forward", JOIN, [heads], [])
    assert nothing is None
    assert torch.equal(joined, heads.transpose(1, 2).flatten(2))
    assert len(ask(parts, "backward", JOIN, [heads], [], [joined, None])) == 1


def test_in_float64_a_part_is_exact(parts: RightParts):
    x = torch.randn(2, 2, 3, 4, dtype=torch.float64)
    assert torch.equal(ask(parts, "forward", JOIN, [x], []), x.transpose(1, 2).flatten(2))


def test_what_a_right_part_raises_is_told(parts: RightParts):
    config = {"embed_dim": 3, "num_heads": 2}
    assert refusal(parts, "construct", ["MultiHeadAttention", config, 1]) == "ValueError"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("construct", ["TransformerBlock", CONFIG, 1]),
        ("construct", ["causal_mask", {}, 1]),
        ("construct", [["MultiHeadAttention"], CONFIG, 1]),
        ("construct", ["MultiHeadAttention", {"embed_dim": 1 << 20, "num_heads": 1}, 1]),
        ("construct", ["MultiHeadAttention", {"embed_dim": "4", "num_heads": 1}, 1]),
        ("construct", ["MultiHeadAttention", CONFIG, -1]),
        ("construct", ["MultiHeadAttention", {str(n): n for n in range(100)}, 1]),
        ("forward", [{**ABOUT, "more": 1}, [X], []]),
        ("forward", [ABOUT, [X], []]),
        ("forward", [ABOUT, [X], [torch.zeros(9_999, 4), *[torch.zeros(4)] * 7]]),
        ("forward", [{**ABOUT, "part": "<b>"}, [X], []]),
        ("forward", [ABOUT, [X] * 100, []]),
        ("forward", [JOIN, [[X]], []]),
        ("forward", [JOIN, [torch.zeros(1, 1, AXIS + 1, 1)], []]),
        ("forward", [JOIN, [torch.zeros(1, 4, 4, 4, 1), torch.zeros(2)], []]),
        ("forward", [JOIN, [torch.zeros(AXIS, 1, AXIS, 1).expand(AXIS, AXIS, AXIS, 1)], []]),
        ("backward", [ABOUT, [X], [], None]),
        ("evaluate", []),
        (None, None),
    ],
)
def test_other_questions_are_refused(parts: RightParts, question: Any, value: Any):
    refusal(parts, question, value)
    assert not parts.used
    assert torch.equal(ask(parts, "forward", JOIN, [X[None]], []), X[None].transpose(1, 2).flatten(2))


def test_calls_are_bounded(parts: RightParts, monkeypatch):
    monkeypatch.setattr(module, "CALLS", 2)
    for _ in range(2):
        ask(parts, "forward", JOIN, [X[None]], [])
    assert refusal(parts, "forward", [JOIN, [X[None]], []]) == "RuntimeError"


def count_answers(parts: RightParts, question: str, *value: Any) -> int:
    return next(n for n in range(module.CALLS) if not parts.answer(question, [*value])[0])


def test_work_is_bounded_by_a_count_of_what_is_asked(monkeypatch):
    monkeypatch.setattr(module, "WORK", 1 << 22)
    part = reference("multi_head_attention", "MultiHeadAttention")
    weights = [p.detach() for p in part(**CONFIG).parameters()]
    fresh = partial(RightParts, {"MultiHeadAttention": part})
    short, long = torch.zeros(1, 2, 4), torch.zeros(1, 128, 4)
    few, many = (count_answers(fresh(), "forward", ABOUT, [x], weights) for x in (long, short))
    assert 10 < few < many / 2
    assert count_answers(fresh(), "forward", ABOUT, [long], weights) == few
    backward = count_answers(fresh(), "backward", ABOUT, [short], weights, [short, None])
    assert backward < many / 1.5
    assert count_answers(fresh(), "construct", "MultiHeadAttention", CONFIG, 1) < many


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.floats() | st.text(max_size=3) | st.just(X),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(
    st.sampled_from(["construct", "forward", "backward", ""]), plain | st.lists(plain, min_size=3, max_size=4)
)
def test_no_question_raises_here(question: str, value: Any):
    parts = RightParts({"concat_heads": reference("concat_heads", "concat_heads")})
    state = torch.get_rng_state()
    succeeded, _ = parts.answer(question, value)
    assert type(succeeded) is bool
    assert torch.equal(torch.get_rng_state(), state)
