"""Language models: right answers pass in any style, and mistakes are named in any architecture."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from graders.audit.try_answer import FEW
from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.strategies.tensors import normal
from graders.course.exercise import Assignment, Exercise, load_assignment
from graders.course.reference import reference
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.mistakes import join_mistakes
from graders.results.result import Outcome, Result
from graders.sandbox.box import Box
from graders.sandbox.limits import Limits
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from softmark_worker.adam import train_steps
from tests.support.at_night import at_night
from tests.support.submissions import source_of

RIGHT = Path(__file__).parents[2] / "solutions/right"
EXERCISES = {exercise.name: exercise for exercise in load_assignment("minigpt").exercises}
Grade = Callable[[str, str], Result]


@pytest.fixture(scope="module")
def minigpt() -> Assignment:
    return load_assignment("minigpt")


@pytest.fixture
def grade(minigpt: Assignment, draws: Draws, box: Box, tmp_path: Path) -> Grade:
    def graded(exercise: str, code: str) -> Result:
        (tmp_path / "rendu.py").write_text(code, encoding="utf-8")
        return Grader(minigpt.only([exercise]), draws.without_search().only(FEW), box).grade(
            tmp_path / "rendu.py", "rendu"
        )

    return graded


def text_of(exercise: str, style: str, *changes: tuple[str, str]) -> str:
    """A right answer with lines changed."""
    text = (RIGHT / exercise / f"{style}.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    return text


def made(exercise: Exercise, text: str) -> Any:
    """The exercise's symbol as a text defines it, in this process."""
    names: dict[str, Any] = {"__name__": "rendu"}
    exec(text, names)
    return names[exercise.symbol]


def named(draws: Draws, exercise: Exercise, symbol: Any) -> str | None:
    """The mistake that is named, without the symbol in front."""
    known_mistakes = draws.known_mistakes(exercise)
    assert known_mistakes is not None
    candidate = LocalCandidate(symbol, partial(draws.mapping_draws, exercise))
    for answer in draws.mapping_draws(exercise)[:1]:
        candidate.with_reference_weights(answer)
    mistake = join_mistakes(known_mistakes.identify(candidate))
    return mistake and mistake.name.replace(f"{exercise.symbol}__", "")


def remarks(result: Result) -> str:
    return "\n".join(finding.message or "" for finding in result.exercises[0].findings)


SEES_THE_FUTURE = (", mask=mask, is_causal=True", "")
# The architecture is free, so a mistake is named by its effect: style, mistake, change to the text.
WRONG = [
    ("course", "not_causal", ("wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))", "")),
    ("course", "causal_transposed", ("torch.tril(torch.ones", "torch.triu(torch.ones")),
    ("course", "causal_inverted", ("self.tril[:T, :T] == 0", "self.tril[:T, :T] == 1")),
    ("course", "positions_not_added", ("self.blocks(tok_emb + pos_emb)", "self.blocks(tok_emb)")),
    ("course", "one_layer", ("for _ in range(n_layer)])", "for _ in range(4)])")),
    ("course", "loss_of_probabilities", ("F.cross_entropy(logits,", "F.cross_entropy(logits.softmax(-1),")),
    ("course", "loss_summed", ("targets.view(B * T))", "targets.view(B * T), reduction='sum')")),
    ("frozen_mask", "loss_first", ("return logits, -picked.mean()", "return -picked.mean(), logits")),
    ("post_norm_sinusoidal", "no_positions", (" + self.pe[: idx.size(1)]", "")),
    ("post_norm_sinusoidal", "sees_one_ahead", ("diagonal=1", "diagonal=2")),
    ("of_torch", "not_causal", SEES_THE_FUTURE),
    ("of_torch", "without_gradients", ("logits = self.head(x)", "logits = self.head(x).detach()")),
    ("gpt2_tied", "idx_as_targets", ("targets.view(-1)", "idx.view(-1)")),
    ("gpt2_tied", "one_head", ("[Block(n_embd, n_head,", "[Block(n_embd, 1,")),
    ("rotary_rms_swiglu", "no_positions", ("a * cos - b * sin, a * sin + b * cos", "a, b")),
    ("rotary_rms_swiglu", "not_causal", (", is_causal=True", "")),
    ("rotary_rms_swiglu", "dropout_of_its_own_rate", ("n_head, dropout) for _", "n_head, 0.1) for _")),
    ("frozen_mask", "without_dropout", ("nn.Dropout(dropout)", "nn.Dropout(0.0)")),
    ("frozen_mask", "loss_as_a_number", ("-picked.mean()", "-picked.mean().item()")),
    ("multihead_of_torch", "last_block_unused", ("in self.blocks:", "in self.blocks[:-1]:")),
    ("alibi", "sees_one_ahead", ("distance < 0", "distance < -1")),
]


@pytest.mark.parametrize(
    ("style", "mistake", "change"),
    # At each push the audit tries them in the course's own style.
    [at_night(*row) if row[0] == "course" else row for row in WRONG],
    ids=[f"{style}-{mistake}" for style, mistake, _ in WRONG],
)
@pytest.mark.slow
def test_a_mistake_in_a_model_of_any_architecture_is_named(draws: Draws, style, mistake, change):
    exercise = EXERCISES["minigpt_model"]
    assert named(draws, exercise, made(exercise, text_of("minigpt_model", style, change))) == mistake


@pytest.mark.parametrize("style", ["course", "of_torch", "rotary_rms_swiglu", "alibi"])
def test_of_a_right_model_nothing_is_said(draws: Draws, style):
    exercise = EXERCISES["minigpt_model"]
    assert named(draws, exercise, made(exercise, text_of("minigpt_model", style))) is None


@pytest.mark.slow
def test_two_mistakes_at_once_are_both_named(draws: Draws):
    changes = (WRONG[0][2], WRONG[6][2])
    exercise = EXERCISES["minigpt_model"]
    names = named(draws, exercise, made(exercise, text_of("minigpt_model", "course", *changes)))
    assert set((names or "").split(" + ")) == {"not_causal", "loss_summed"}


BIGRAM = [
    ("course", "loss_summed", ("entropy(logits, targets)", "entropy(logits, targets, reduction='sum')")),
    ("course", "loss_of_probabilities", ("F.cross_entropy(logits,", "F.cross_entropy(logits.softmax(1),")),
    ("course", "loss_as_a_number", ("entropy(logits, targets)", "entropy(logits, targets).item()")),
    ("course", "targets_unused", ("if targets is None", "if True")),
    ("criterion", "id_0_ignored", ("nn.CrossEntropyLoss()", "nn.CrossEntropyLoss(ignore_index=0)")),
    ("by_hand", "loss_negative", ("losses.mean()", "-losses.mean()")),
    (
        "transposed_for_the_loss",
        "read_in_another_shape",
        ("logits.transpose(1, 2)", "logits.view(logits.mT.shape)"),
    ),
]


@pytest.mark.parametrize(("style", "mistake", "change"), BIGRAM, ids=[f"{s}-{m}" for s, m, _ in BIGRAM])
def test_a_bigram_models_mistake_is_named_in_any_accepted_form(draws: Draws, style, mistake, change):
    exercise = EXERCISES["bigram_model"]
    assert named(draws, exercise, made(exercise, text_of("bigram_model", style, change))) == mistake


SIDE_BY_SIDE = (
    "torch.stack((angles.sin(), angles.cos()), dim=2)",
    "torch.cat((angles.sin(), angles.cos()), 1)",
)
POSITIONS = [
    ("div_term", "sines_alone", ("torch.cos", "torch.sin")),
    ("div_term", "multiplied", ("(-math", "(math")),
    ("outer", "side_by_side", SIDE_BY_SIDE),
    ("outer", "multiplied", ("1.0 / (10000", "1.0 * (10000")),
    ("numpy_arrays", "from_one", ("np.arange(seq_len)", "np.arange(1, seq_len + 1)")),
    ("loops", "exponent_halved", ("2 * i / d_model", "i / d_model")),
    ("leading_axis", "exponent_twice_the_column", ("(2 * (i // 2))", "(2 * i)")),
]


@pytest.mark.parametrize(("style", "mistake", "change"), POSITIONS, ids=[f"{s}-{m}" for s, m, _ in POSITIONS])
def test_a_mistake_in_a_table_of_positions_is_named_in_any_precision(draws: Draws, style, mistake, change):
    exercise = EXERCISES["sinusoidal_positions"]
    text = text_of("sinusoidal_positions", style, change)
    assert named(draws, exercise, made(exercise, text)) == mistake


def test_a_head_scaled_by_the_width_of_the_input_is_told_so(grade: Grade):
    text = text_of("causal_head", "course", ("k.shape[-1] ** -0.5", "C ** -0.5"))
    result = grade("causal_head", text)
    hinted = {f.mistake.name for f in result.exercises[0].findings if f.mistake}
    assert hinted == {"Head__scaled_by_n_embd"}
    assert result.points < result.max_points


@pytest.mark.parametrize("exercise", ["bigram_model", "minigpt_model"])
def test_the_courses_flat_logits_and_empty_losses_are_accepted_with_a_remark(grade: Grade, exercise):
    result = grade(exercise, text_of(exercise, "course"))
    assert result.points == result.max_points
    assert "flattened to (B * T, V); they were judged as (B, T, V)" in remarks(result)
    assert "a pair comes back also where no targets are given" in remarks(result)


def test_a_leading_axis_of_one_is_accepted_with_a_remark(grade: Grade):
    result = grade("sinusoidal_positions", text_of("sinusoidal_positions", "leading_axis"))
    assert result.points == result.max_points
    assert "leading axis of size 1" in remarks(result)


def test_a_model_that_sees_the_future_keeps_what_has_nothing_to_do_with_it(grade: Grade):
    result = grade("minigpt_model", text_of("minigpt_model", "of_torch", SEES_THE_FUTURE))
    [exercise] = result.exercises
    assert {f.check for f in exercise.findings if f.outcome is not Outcome.PASSED} == {"does_not_look_ahead"}
    assert {f.mistake and f.mistake.name for f in exercise.findings} == {None, "MiniGPT__not_causal"}
    assert 0 < result.points < result.max_points


HANGS = """
import torch
from torch import nn


class MiniGPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.fixed = nn.Parameter(torch.full((2,), 7.0), requires_grad=False)
        self.table = nn.Embedding(3, 3)

    def forward(self, idx, targets=None):
        logits = self.table(idx)
        while self.training and targets is not None:
            pass
        return logits if targets is None else (logits, logits.sum())
"""


@pytest.fixture
def opened(box: Box, tmp_path: Path):
    """A student's model in a box that limits a training to half a second."""
    limits = Limits(load_s=30.0, call_s=10.0, training_s=0.5)
    with Box(box.level, limits) as quick, BoxSession(quick) as session:
        candidate = RemoteCandidate(session, source_of(tmp_path, HANGS, EXERCISES["minigpt_model"]))
        candidate.load()
        yield candidate


def test_a_training_has_a_limit_of_its_own(opened: RemoteCandidate):
    words = torch.zeros(1, 2, dtype=torch.int64)
    with pytest.raises(ProcessLost, match=r"no answer within 0\.5 s\b"):
        opened.construct().train_steps(words, words, steps=3, rate=0.1)
    assert opened.construct()(words).shape == (1, 2, 3)


def test_what_is_not_to_be_learned_keeps_its_values_where_weights_are_set(opened: RemoteCandidate):
    for module in (
        opened.with_random_weights(3),
        LocalCandidate(made(EXERCISES["minigpt_model"], HANGS)).with_random_weights(3),
    ):
        assert module.frozen == {"fixed"}
        assert module.parameters()["fixed"].tolist() == [7.0, 7.0]
        words = torch.zeros(1, 2, dtype=torch.int64)
        gradients = module.gradients(words, upstream=[torch.ones(1, 2, 3)]).parameters
        assert gradients.keys() == {"table.weight"}


class Fit(nn.Module):
    """A linear layer, and one that is never used."""

    def __init__(self) -> None:
        super().__init__()
        self.line, self.idle = nn.Linear(4, 3), nn.Linear(2, 2)

    def forward(self, x, y):
        return self.line(x), ((self.line(x) - y) ** 2).mean()


@pytest.mark.slow
def test_descent_by_hand_goes_where_pytorchs_adam_goes():
    mine, theirs = Fit().double(), Fit().double()
    theirs.load_state_dict(mine.state_dict())
    x, y = (normal(5, width, seed=width, dtype=torch.float64) for width in (4, 3))
    train_steps(mine, [x, y], steps=30, rate=0.05)
    adam = torch.optim.Adam(theirs.parameters(), lr=0.05)
    for _ in range(30):
        adam.zero_grad()
        theirs(x, y)[1].backward()
        adam.step()
    for actual, expected in zip(mine.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(actual, expected, rtol=1e-10, atol=1e-12)
    assert not mine.training


def test_the_same_training_in_the_box_and_here_comes_to_the_same(box: Box, tmp_path: Path):
    code = (Path(__file__).parents[2] / "solutions/minigpt_model.py").read_text(encoding="utf-8")
    config = {"vocab_size": 5, "block_size": 4, "n_embd": 8, "n_head": 2, "n_layer": 1}
    words = torch.arange(8).reshape(2, 4) % 5
    with BoxSession(box) as session:
        boxed = RemoteCandidate(session, source_of(tmp_path, code, EXERCISES["minigpt_model"]))
        boxed.load()
        local = LocalCandidate(reference("minigpt_model", "MiniGPT"))
        outputs = [
            c.with_random_weights(1, **config).train_steps(words, words.flip(1), steps=5, rate=0.01)(words)
            for c in (boxed, local)
        ]
    torch.testing.assert_close(*outputs, rtol=1e-4, atol=1e-5)


def test_a_head_is_pytorchs_causal_attention():
    head: Any = reference("causal_head", "Head")(6, 4, 9).double()
    x = normal(2, 7, 6, seed=1, dtype=torch.float64)
    q, k, v = head.query(x), head.key(x), head.value(x)
    expected = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(head(x), expected, rtol=1e-10, atol=1e-10)
