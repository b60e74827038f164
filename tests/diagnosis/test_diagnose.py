"""Mistakes in a student's own words are named, and nothing is said where nothing is known."""

import math
from functools import partial

import pytest
import torch
from torch import nn

from graders.candidate.local_candidate import LocalCandidate
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.course.reference import mistakes, reference
from graders.diagnosis import known_mistakes
from graders.diagnosis.known_mistakes import AT_MOST, KnownMistakes
from graders.judging.draws import Draws
from graders.results.mistakes import join_mistakes
from graders.results.result import Mistake

EXERCISES = {e.name: e for name in assignment_names() for e in load_assignment(name).exercises}


def diagnosed(draws: Draws, name: str, symbol: object) -> Mistake | None:
    exercise = EXERCISES[name]
    known_mistakes = draws.known_mistakes(exercise)
    assert known_mistakes is not None
    candidate = LocalCandidate(symbol, partial(draws.mapping_draws, exercise))
    for answer in draws.mapping_draws(exercise)[:1]:
        candidate.with_reference_weights(
            answer
        )  # as the checks do before: names of its own are looked for once
    return join_mistakes(known_mistakes.identify(candidate))


def named(draws: Draws, name: str, symbol: object) -> str | None:
    mistake = diagnosed(draws, name, symbol)
    return mistake and mistake.name


class OwnWords(nn.Module):
    """An attention as a student writes it, in small steps that can go wrong one by one."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError("not divisible")
        self.n_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def divided(self, scores, width):
        return scores / math.sqrt(width)

    def hidden(self, scores, mask):
        return scores if mask is None else torch.where(mask, torch.tensor(-1e9, dtype=scores.dtype), scores)

    def joined(self, x):
        b, h, s, d = x.shape
        return x.permute(0, 2, 1, 3).reshape(b, s, h * d)

    def forward(self, x, mask=None):
        b, s, e = x.shape
        q, k, v = (
            w(x).view(b, s, self.n_heads, e // self.n_heads).permute(0, 2, 1, 3)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
        weights = torch.softmax(self.hidden(self.divided(scores, e // self.n_heads), mask), dim=-1)
        return self.W_o(self.joined(torch.einsum("bhqk,bhkd->bhqd", weights, v))), weights


class Unscaled(OwnWords):
    def divided(self, scores, width):
        return scores


class MaskInverted(OwnWords):
    def hidden(self, scores, mask):
        return scores if mask is None else scores.masked_fill(torch.logical_not(mask), float("-inf"))


class JoinedWithoutTranspose(OwnWords):
    def joined(self, x):
        b, h, s, d = x.shape
        return x.reshape(b, s, h * d)


class UnscaledAndJoined(Unscaled, JoinedWithoutTranspose):
    pass


class Unheard(OwnWords):
    """Nobody here has thought of this one."""

    def divided(self, scores, width):
        return torch.tanh(scores) / width**0.25


class OwnNames(OwnWords):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.red, self.blue, self.green, self.black = self.W_o, self.W_q, self.W_v, self.W_k
        del self.W_o, self.W_q, self.W_k, self.W_v

    def forward(self, x, mask=None):
        kept = vars(self)["_modules"]
        names = {"W_q": self.blue, "W_k": self.black, "W_v": self.green, "W_o": self.red}
        vars(self)["_modules"] = {**kept, **names}
        try:
            return super().forward(x, mask)
        finally:
            vars(self)["_modules"] = kept


class OwnNamesUnscaled(OwnNames, Unscaled):
    pass


class Large(OwnNamesUnscaled):
    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.many = nn.Parameter(torch.zeros(known_mistakes.MOST_PARAMETERS))


class FusedUnscaled(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError("not divisible")
        self.n_heads = num_heads
        self.qkv, self.proj = nn.Linear(embed_dim, 3 * embed_dim), nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.proj((weights @ v).transpose(1, 2).flatten(2)), weights


class Relu(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1, self.fc2 = (
            nn.Linear(hidden_size, intermediate_size),
            nn.Linear(intermediate_size, hidden_size),
        )

    def forward(self, x):
        return self.fc2(self.fc1(x).clamp(min=0))


class AlwaysDropping(Relu):
    def forward(self, x):
        kept = (torch.rand(x.shape, dtype=x.dtype) > 0.1).to(x.dtype) / 0.9
        return self.fc2(nn.functional.gelu(self.fc1(x))) * kept


def post_norm() -> type:
    """A block of the course's parts whose norms come after the sums."""
    attention = reference("multi_head_attention", "MultiHeadAttention")
    feed_forward = reference("feed_forward", "FeedForward")

    class Block(nn.Module):
        def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
            super().__init__()
            self.attention, self.feed_forward = (
                attention(embed_dim, num_heads),
                feed_forward(embed_dim, ff_dim, dropout),
            )
            self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
            self.drop = nn.Dropout(dropout)

        def forward(self, x, mask=None):
            x = self.norm1(x + self.drop(self.attention(x, mask)[0]))
            return self.norm2(x + self.drop(self.feed_forward(x)))

    return Block


def unscaled_and_inverted(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, -1)
    return weights @ V, weights


@pytest.mark.parametrize(
    ("exercise", "made", "name"),
    [
        ("multi_head_attention", Unscaled, "MultiHeadAttention__unscaled"),
        ("multi_head_attention", MaskInverted, "MultiHeadAttention__mask_inverted"),
        (
            "multi_head_attention",
            JoinedWithoutTranspose,
            "MultiHeadAttention__joined_without_transpose",
        ),
        ("bert_feed_forward", Relu, "PositionwiseFeedForward__relu"),
        ("split_heads", lambda x, h: x.view(x.shape[0], h, x.shape[1], -1), "split_heads__without_transpose"),
    ],
)
def test_a_mistake_in_own_words_is_named(exercise: str, made: object, name: str, draws: Draws):
    assert named(draws, exercise, made) == name


def test_post_norm_in_own_words_is_named(draws: Draws):
    assert named(draws, "transformer_block", post_norm()) == "TransformerBlock__post_norm"


def test_the_hint_is_the_mistakes_text_in_two_languages(draws: Draws):
    found = diagnosed(draws, "bert_feed_forward", Relu)
    assert found is not None
    assert found.hint.startswith("The activation is ReLU")
    assert found.hint_fr.startswith("L'activation est ReLU")


@pytest.mark.slow
def test_two_mistakes_of_a_module_are_named_together(draws: Draws):
    found = diagnosed(draws, "multi_head_attention", UnscaledAndJoined)
    assert found is not None
    assert found.name == "MultiHeadAttention__unscaled + MultiHeadAttention__joined_without_transpose"
    assert " And: " in found.hint
    assert " Et\u00a0: " in found.hint_fr


def test_two_mistakes_of_a_function_are_named_together(draws: Draws):
    name = named(draws, "scaled_dot_product_attention", unscaled_and_inverted)
    assert name is not None
    assert set(name.split(" + ")) == {
        "scaled_dot_product_attention__unscaled",
        "scaled_dot_product_attention__mask_inverted",
    }


def test_an_error_that_nobody_knows_gets_no_hint(draws: Draws):
    assert named(draws, "multi_head_attention", Unheard) is None


def test_code_that_raises_whatever_it_is_asked_gets_no_hint(draws: Draws):
    def cross_entropy(logits, targets, ignore_index=-100):
        return torch.nn.functional.crossentropy(logits, targets, ignore_index=ignore_index)

    assert named(draws, "cross_entropy", cross_entropy) is None


@pytest.mark.parametrize("made", [OwnWords, OwnNames])
def test_a_right_answer_gets_no_hint(made: type, draws: Draws):
    assert named(draws, "multi_head_attention", made) is None


@pytest.mark.parametrize("made", [OwnNamesUnscaled, FusedUnscaled])
@pytest.mark.slow
def test_a_mistake_is_named_under_own_parameter_names_and_forms_too(made: type, draws: Draws):
    assert named(draws, "multi_head_attention", made) == "MultiHeadAttention__unscaled"


def test_a_module_of_a_million_parameters_is_called_once_and_has_no_name(draws: Draws, monkeypatch):
    called = []
    kept = known_mistakes.fingerprint
    monkeypatch.setattr(known_mistakes, "fingerprint", lambda *given: called.append(1) or kept(*given))
    assert named(draws, "multi_head_attention", Large) is None
    assert len(called) == 1


def test_dropout_in_evaluation_is_named_although_no_two_answers_agree(draws: Draws):
    found = named(draws, "bert_feed_forward", AlwaysDropping)
    assert found == "PositionwiseFeedForward__dropout_in_evaluation"


def with_mistakes(monkeypatch, draws: Draws, exercise: Exercise, *names: str) -> KnownMistakes:
    """Suspects who know these names alone, each of the same mistake: the first of the exercise."""
    first = next(iter(mistakes(exercise.name, exercise.symbol).values()))
    monkeypatch.setattr(known_mistakes, "mistakes", lambda *_: dict.fromkeys(names, first))
    return KnownMistakes(exercise, draws.diagnostic_draws(exercise))


@pytest.mark.parametrize(("fits", "kept"), [(1, 1), (2, 2), (AT_MOST + 1, 0)])
def test_a_mistake_that_fits_several_names_gets_none_unless_the_draws_of_checks_tell_them_apart(
    monkeypatch, draws: Draws, fits: int, kept: int
):
    names = [f"name_{n}" for n in range(fits)]
    known = with_mistakes(monkeypatch, draws, EXERCISES["split_heads"], *names)
    candidate = LocalCandidate(lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1))
    assert list(known.explain(candidate).alternatives) == [(name,) for name in names][:kept]
    assert [[m.name for m in made] for made in known.identify(candidate)] == (
        [["name_0"]] if fits == 1 else []
    )
