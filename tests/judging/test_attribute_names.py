"""What a student calls the attributes of a module decides nothing: neither points nor names of mistakes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from graders.audit.styles.answer_code import AnswerCode
from graders.audit.styles.known_answers import known_answers
from graders.course.exercise import load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult
from tests.support.open_box import OpenBox

OF_THE_COURSE = ("W_q", "W_k", "W_v", "W_o")
OF_ONES_OWN = ("queries", "keys", "values", "out")
OF_OTHER_ROLES = ("values", "W_o", "queries", "couche")
CODE = """
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, embed_dim):
        super().__init__()
        self.{0} = nn.Linear(embed_dim, embed_dim)
        self.{1} = nn.Linear(embed_dim, embed_dim)
        self.{2} = nn.Linear(embed_dim, embed_dim)
        self.{3} = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        scores = self.{0}(x) @ self.{1}(x).transpose(-2, -1) / x.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        return {answer}, weights
"""
TABLES = """
import torch
from torch import nn


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=1024):
        super().__init__()
        self.truc = nn.Embedding(vocab_size, hidden_size)
        self.machin = nn.Embedding(max_position_embeddings, hidden_size)
        self.chose = nn.LayerNorm(hidden_size)
        self.drop = nn.Dropout(0.1)

    def forward(self, input_ids):
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        return self.drop(self.chose(self.truc(input_ids) + self.machin(places)))
"""
Judge = Callable[[str], ExerciseResult]


@pytest.fixture
def judge(open_box: OpenBox, draws: Draws, tmp_path: Path) -> Judge:
    grader = Grader(load_assignment("foundations").only(["self_attention"]), draws.without_search(), open_box)

    def judge(code: str) -> ExerciseResult:
        (tmp_path / "answer.py").write_text(code)
        [result] = grader.grade(tmp_path / "answer.py", "student").exercises
        return result

    return judge


def verdict(result: ExerciseResult) -> dict[str, tuple[str, float, set[str]]]:
    return {
        f.check: (f.outcome.value, f.points, {mistake.name for pair in f.mistakes for mistake in pair})
        for f in result.findings
    }


@pytest.mark.parametrize("names", [OF_ONES_OWN, OF_OTHER_ROLES])
def test_a_layer_too_many_is_decided_and_named_whatever_the_layers_are_called(
    judge: Judge, names: tuple[str, ...]
) -> None:
    answer = "self.{3}(weights @ self.{2}(x))"
    due = judge(CODE.format(*OF_THE_COURSE, answer=answer.format(*OF_THE_COURSE)))
    given = judge(CODE.format(*names, answer=answer.format(*names)))
    assert verdict(given) == verdict(due)
    assert given.undecided_points == 0
    assert verdict(given)["computes_what_the_reference_computes"][2] == {"SelfAttention__projected_again"}


def test_a_layer_that_is_made_and_never_used_costs_what_is_about_the_layers(judge: Judge) -> None:
    own, due = (
        judge(CODE.format(*names, answer=f"weights @ self.{names[2]}(x)"))
        for names in (OF_ONES_OWN, OF_THE_COURSE)
    )
    assert verdict(own) == verdict(due)
    assert [f.check for f in own.findings if f.outcome.value != "passed"] == ["has_three_layers_with_bias"]


def test_a_table_of_another_length_by_default_is_named_whatever_it_is_called(
    open_box: OpenBox, draws: Draws, tmp_path: Path
) -> None:
    grader = Grader(load_assignment("gpt").only(["gpt_embeddings"]), draws.without_search(), open_box)
    (tmp_path / "answer.py").write_text(TABLES)
    [result] = grader.grade(tmp_path / "answer.py", "student").exercises
    [failed] = [f for f in result.findings if f.outcome.value != "passed"]
    assert failed.check == "knows_512_positions_by_default"
    assert failed.mistake is not None and failed.mistake.name == "GPTEmbeddings__default_of_1024"


@pytest.mark.parametrize(
    "names", [(), (("attn_layer_norm", "ln_1"), ("ff_layer_norm", "ln_2"), ("final_norm", "ln_f"))]
)
def test_a_model_with_its_norms_where_gpt2_has_them_is_named_whatever_they_are_called(
    open_box: OpenBox, draws: Draws, tmp_path: Path, names: tuple[tuple[str, str], ...]
) -> None:
    one = load_assignment("gpt").only(["gpt_model"])
    [tree] = [tree for _, name, tree in known_answers(one.exercises[0]) if name == "SimpleGPTModel__as_gpt2"]
    [(path, text)] = AnswerCode(one.exercises[0], tree).texts().items()
    for due, own in names:
        text = text.replace(due, own)
    (tmp_path / path).write_text(text)
    [result] = Grader(one, draws.without_search(), open_box).grade(tmp_path, "student").exercises
    [failed] = [f for f in result.findings if f.outcome.value != "passed"]
    assert failed.check == "computes_what_the_reference_computes"
    assert failed.mistake is not None and failed.mistake.name == "SimpleGPTModel__as_gpt2"
