"""The logits of a language model are read in whatever form they come; what is no logits is refused."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.check_api.language_model_behaviour import language_model_behaviours
from graders.check_api.language_models import LanguageModel, bigram_bound
from graders.check_api.strategies.tensors import ids
from graders.check_api.strategies.token_ids import Text
from graders.course.reference import reference

VOCABULARY, LENGTH = 5, 3


def text(length: int = LENGTH, batch: int = 2) -> Text:
    words = ids(batch, length, vocabulary=VOCABULARY, seed=1)
    targets = ids(batch, length, vocabulary=VOCABULARY, seed=2)
    return Text({"vocab_size": VOCABULARY, "block_size": length}, words, targets, seed=3)


class Bigrams(nn.Module):
    """Knows the next id from the one before; answers as `form` says."""

    def __init__(self, vocab_size: int, block_size: int) -> None:
        super().__init__()
        self.table, self.most = nn.Embedding(vocab_size, vocab_size), block_size

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Any:
        return self.form(self.table(idx), targets)

    def form(self, logits: Tensor, targets: Tensor | None) -> Any:
        return logits


def answering(form: Callable[[Tensor, Any], Any]) -> LocalCandidate:
    return LocalCandidate(type("Model", (Bigrams,), {"form": lambda self, *given: form(*given)}))


def loss_of(logits: Tensor, targets: Tensor) -> Tensor:
    return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


FORMS = {
    "as it should be": lambda logits, targets: logits,
    "in a pair": lambda logits, targets: (logits, None),
    "flattened": lambda logits, targets: logits.flatten(0, 1),
    "transposed": lambda logits, targets: logits.transpose(1, 2),
    "behind a number": lambda logits, targets: [logits.sum(), logits],
}


@pytest.mark.parametrize("length", [LENGTH, VOCABULARY, 1])
@pytest.mark.parametrize("form", FORMS)
def test_logits_are_read_in_whatever_form_they_come(form: str, length: int):
    draw = text(length)
    plain = LanguageModel(answering(FORMS["as it should be"]), draw)(draw.idx)
    assert plain.shape == (2, length, VOCABULARY)
    read = LanguageModel(answering(FORMS[form]), draw)(draw.idx)
    assert torch.equal(read, plain)


def test_logits_of_the_last_position_alone_and_for_more_ids_are_read_too():
    draw = text()
    plain = LanguageModel(answering(FORMS["as it should be"]), draw)(draw.idx)
    last = LanguageModel(answering(lambda logits, _: logits[:, -1]), draw)(draw.idx)
    assert torch.equal(last, plain[:, -1:])
    padded = answering(lambda logits, _: functional.pad(logits, (0, 3)))
    assert torch.equal(LanguageModel(padded, draw)(draw.idx), plain)
    assert LanguageModel(padded, draw).read(draw.idx)[0].shape == (2, LENGTH, VOCABULARY + 3)
    fewer = LanguageModel(answering(lambda logits, _: logits[..., :-1]), draw)(draw.idx)
    assert torch.equal(fewer, functional.pad(plain[..., :-1], (0, 1)))


@pytest.mark.parametrize(
    ("form", "says"),
    [
        (lambda logits, _: logits[:, :2], r"should begin with \(2, 3\)"),
        (lambda logits, _: logits[:1], r"should begin with \(2, 3\)"),
        (lambda logits, _: logits[..., None], r"should begin with \(2, 3\)"),
        (lambda logits, _: logits.argmax(-1, keepdim=True), "dtype is torch.int64"),
        (lambda logits, _: "logits", "the logits should be a plain tensor"),
        (lambda logits, _: logits.sum(), r"should begin with \(2, 3\)"),
    ],
)
def test_what_has_other_axes_or_no_floats_are_no_logits(form: Any, says: str):
    with pytest.raises(Violation, match=says):
        LanguageModel(answering(form), text())(text().idx)


@pytest.mark.parametrize(
    ("form", "has_loss"),
    [
        (lambda logits, targets: (logits, loss_of(logits, targets)), True),
        (lambda logits, targets: (loss_of(logits, targets), logits), True),
        (lambda logits, targets: (logits, loss_of(logits, targets).item()), True),
        (lambda logits, targets: (logits, None), False),
        (lambda logits, targets: logits, False),
    ],
)
def test_with_targets_the_loss_is_read_wherever_it_stands(form: Any, has_loss: bool):
    draw = text()
    assert draw.targets is not None
    answer = LanguageModel(answering(form), draw)(draw.idx, draw.targets)
    assert isinstance(answer, tuple) is has_loss
    if has_loss:
        assert torch.allclose(answer[1], loss_of(answer[0], draw.targets))


def test_a_model_that_fails_on_a_filled_block_gets_a_position_more():
    class Short(Bigrams):
        def forward(self, idx: Tensor, targets: Tensor | None = None) -> Any:
            assert idx.shape[1] < self.most
            return super().forward(idx)

    class AsksForTargets(Bigrams):
        def forward(self, idx: Tensor, targets: Tensor) -> Any:  # type: ignore[override]
            return super().forward(idx)

    for kind, grows in ((Bigrams, False), (Short, True), (AsksForTargets, False)):
        model = LanguageModel(LocalCandidate(kind), text())
        assert model(text().idx).shape == (2, LENGTH, VOCABULARY)
        assert model.has_grown is grows
    with pytest.raises(Raised, match="of the first call"):
        refusing = answering(lambda *_: 1 / 0 if CALLS else CALLS.append(1) or {}["of the first call"])
        LanguageModel(refusing, text())(text().idx)


CALLS: list[int] = []


def test_the_best_loss_of_a_bigram_is_that_of_the_counts():
    words = torch.tensor([[0, 0, 0, 1]])
    after = torch.tensor([[1, 1, 2, 0]])
    expected = -(2 * torch.tensor(2 / 3).log() + torch.tensor(1 / 3).log()) / 4
    assert bigram_bound(words, after) == pytest.approx(float(expected))
    assert bigram_bound(words, words) == 0


def facts_of(candidate: LocalCandidate, seed: int) -> list[Any]:
    return [trial.observe(candidate) for trial in language_model_behaviours(seed)]


def test_the_facts_of_a_right_model_are_the_same_under_every_seed_and_say_what_it_does():
    right = LocalCandidate(reference("minigpt_model", "MiniGPT"))
    facts = facts_of(right, 1)
    assert facts == facts_of(right, 30)
    forms, loss, visible, lengths, sizes, learning, dropping, order, apart, scores, repeated, *_ = facts
    assert loss == "mean"
    assert visible == "1000 1100 1110 1111; 1000 1100 1110 1111"
    assert lengths == "11111"
    assert sizes == "True True, layers: grows, heads: used"
    assert dropping == "0001"
    assert (order, apart, scores, repeated) == ("True", "False", "False", "True True True")
    assert learning.startswith("False") and ";" in forms
    assert [trial.aside for trial in language_model_behaviours(1)] == [n == 6 for n in range(len(facts))]


class OfConfig(nn.Module):
    """Bigrams with the loss that `wrong` makes of the right one, of B sequences of T ids."""

    wrong: Callable[[Tensor, int, int], Tensor]

    def __init__(self, vocab_size: int, **_: Any) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab_size, vocab_size)

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Any:
        logits = self.table(idx)
        if targets is None:
            return logits, None
        return logits, type(self).wrong(loss_of(logits, targets), *idx.shape)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("mean", lambda loss, batch, length: loss),
        ("sum", lambda loss, batch, length: loss * batch * length),
        ("per sequence", lambda loss, batch, length: loss * length),
        ("negative", lambda loss, batch, length: -loss),
        ("bits", lambda loss, batch, length: loss / torch.tensor(2.0).log()),
        ("none", lambda loss, batch, length: loss * 1.01),
    ],
)
def test_the_fact_about_the_loss_says_of_what_it_is_the_loss(name: str, wrong: Any):
    model = LocalCandidate(type("Model", (OfConfig,), {"wrong": staticmethod(wrong)}))
    assert language_model_behaviours(1)[1].observe(model) == name
