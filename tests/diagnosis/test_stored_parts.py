"""Parts of an answer key answer what the reference's whole asks, as right parts do, and nothing else."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

from graders.answer_key.pack import Packer, Unpacker
from graders.check_api.candidate import ObservedCall, Raised
from graders.course.exercise import load_assignment
from graders.course.reference import mistakes_in
from graders.diagnosis.fingerprint import fingerprint
from graders.diagnosis.right_parts import RightParts
from graders.diagnosis.stored_parts import PartsOfKey, StoredPart
from graders.handout import record_parts as module
from graders.handout.record_parts import record_parts
from graders.judging.draws import Draws

POST_NORM = "TransformerBlock__post_norm"
PARTS = frozenset({"concat_heads", "MultiHeadAttention", "FeedForward"})


class Listening(RightParts):
    """Keeps every question, with the answer to it."""

    heard: list[tuple[str, Any, Any]] = []  # noqa: RUF012

    def answer(self, question: str, value: Any) -> list[Any]:
        found = super().answer(question, value)
        self.heard.append((question, copied(value), found))
        return found


def copied(value: Any) -> Any:
    """A copy: checks load other weights into the same parameters."""
    if isinstance(value, list):
        return [copied(part) for part in value]
    return value.detach().clone() if isinstance(value, Tensor) else value


@pytest.fixture(scope="module")
def parts() -> PartsOfKey:
    """Parts of a block, as a student's softmark reads them; what the block asks is in `Listening.heard`."""
    [block] = load_assignment("attention").only(["transformer_block"]).exercises
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "RightParts", Listening)
        patched.setattr(module, "mistakes_in", only_post_norm)
        stored = record_parts(block, Draws(1).first(2), PARTS)
    return read_by_a_student(stored)


def only_post_norm(names: dict[str, Any], symbol: str) -> dict[str, Any]:
    return {POST_NORM: mistakes_in(names, symbol)[POST_NORM]}


def read_by_a_student(stored: dict[str, StoredPart]) -> PartsOfKey:
    packer = Packer(lambda _: None)
    node = packer.pack(stored)
    return PartsOfKey(Unpacker(packer.numbers(), lambda name: name)._value(node, 0))


def asked(question: str, part: str, training: bool = False) -> list[tuple[Any, Any]]:
    """What the whole asked of a part, with the answers."""
    found = [(value, answer) for q, value, answer in Listening.heard if q == question]
    of_part = [(v, a) for v, a in found if v[0]["part"] == part and v[0]["training"] is training]
    of_part = [(v, a) for v, a in of_part if module._values(a[1]) <= module.LARGEST]
    assert of_part
    return of_part


def disturbed(value: Any) -> Any:
    """The same up to float32's rounding."""
    if isinstance(value, list):
        return [disturbed(part) for part in value]
    if isinstance(value, Tensor) and value.dtype == torch.float32:
        return value * (1 + 1e-6 * torch.randn_like(value))
    return value


@pytest.mark.parametrize("question", ["forward", "backward"])
@pytest.mark.parametrize("part", sorted(PARTS))
def test_what_the_whole_asks_is_answered_up_to_rounding(parts: PartsOfKey, question: str, part: str) -> None:
    parts.unanswered.clear()
    for value, answer in asked(question, part)[:40]:
        succeeded, found = parts.answer(question, disturbed(value))
        assert succeeded
        torch.testing.assert_close(found, answer[1], rtol=1e-3, atol=1e-3)
    assert not parts.unanswered


def test_a_part_that_moves_values_answers_whatever_they_are(parts: PartsOfKey) -> None:
    [about, [x], none], _ = asked("forward", "concat_heads")[0]
    other = torch.randn(x.shape, dtype=torch.float64)
    joined = other.transpose(1, 2).flatten(2)
    assert torch.equal(parts.answer("forward", [about, [other], none])[1], joined)
    upstream = torch.randn_like(joined)
    [gradient] = parts.answer("backward", [about, [other], none, [upstream]])[1]
    assert torch.equal(gradient, upstream.unflatten(2, (x.shape[1], -1)).transpose(1, 2))


def test_a_part_is_made_with_the_parameters_of_its_sizes(parts: PartsOfKey) -> None:
    [about, _, parameters], _ = asked("forward", "FeedForward")[0]
    made = parts.answer("construct", ["FeedForward", {**about["config"], "dropout": 0.3}, 1])[1]
    assert [value.shape for value in made["values"].values()] == [value.shape for value in parameters]


@pytest.mark.parametrize("question", ["nonsense", None, [{"part": "FeedForward"}], ["FeedForward", {}, 1]])
def test_what_nobody_asked_has_no_answer(parts: PartsOfKey, question: Any) -> None:
    parts.unanswered.clear()
    assert parts.answer("construct", question)[0] is False
    assert parts.unanswered


def test_other_values_have_no_answer(parts: PartsOfKey) -> None:
    [about, args, parameters], _ = asked("forward", "FeedForward")[0]
    assert parts.answer("forward", [about, [args[0] * 1.01, *args[1:]], parameters])[0] is False


def test_new_parameters_follow_from_the_box_s_number_and_leave_the_host_s_generator_alone(parts: PartsOfKey):
    [about] = [v[0] for q, v, _ in Listening.heard if q == "forward" and v[0]["part"] == "FeedForward"][:1]
    before = torch.random.get_rng_state()
    first, again, other = (
        parts.answer("construct", ["FeedForward", about["config"], number])[1]["values"]
        for number in (1, 1, 2)
    )
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_a_mistake_of_the_whole_is_answered_on_the_draws_that_show_it(parts: PartsOfKey) -> None:
    [block] = load_assignment("attention").only(["transformer_block"]).exercises
    without = record_parts(block, Draws(1).first(2), PARTS, also_mistakes=False)
    asked_last = [value for value, _ in asked("forward", "FeedForward")[-3:]]
    parts.unanswered.clear()
    assert all(parts.answer("forward", value)[0] for value in asked_last)
    assert not any(read_by_a_student(without).answer("forward", value)[0] for value in asked_last)


def test_a_mistake_of_the_whole_is_answered_by_functions_too() -> None:
    [strongest] = load_assignment("foundations").only(["strongest_head"]).exercises
    scores = frozenset({"head_scores"})
    without, stored = (
        record_parts(strongest, Draws(1).first(3), scores, also_mistakes=also)["head_scores"]
        for also in (False, True)
    )
    assert sum(map(len, stored.calls.values())) > sum(map(len, without.calls.values()))


def test_what_has_no_answer_raises_no_error_that_a_known_mistake_raises(parts: PartsOfKey) -> None:
    succeeded, (kind, _) = parts.answer("forward", ["no question"])
    assert not succeeded
    assert kind == "LookupError"
    parts.unanswered.clear()


class UnansweredGradients:
    """A function that answers, but whose gradients a key does not hold."""

    def observed_call(self, *arguments: Any) -> ObservedCall:
        return ObservedCall(self(*arguments), arguments, True)

    def __call__(self, x: Tensor) -> Tensor:
        return 2 * x

    def gradients(self, *_: Any, **__: Any) -> Any:
        raise Raised("LookupError: no answer", "LookupError")


def test_values_are_seen_where_gradients_have_no_answer() -> None:
    x = torch.ones(2, 3, dtype=torch.float64)
    seen = fingerprint(UnansweredGradients(), SimpleNamespace(arguments=(x,)))
    assert seen.stopped is None
    assert torch.equal(seen.values[0], 2 * x)
    assert not seen.gradients
