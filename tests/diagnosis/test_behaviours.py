"""Where behaviour is compared, not values: what a check of its own tells hides no mistake."""

import pytest
import torch
from torch import nn

from graders.candidate.local_candidate import LocalCandidate
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.course.reference import mistakes
from graders.diagnosis.known_mistakes import KnownMistakes
from tests.support.at_night import at_night

EXERCISES = {e.name: e for name in assignment_names() for e in load_assignment(name).exercises}
torch.set_num_threads(1)  # as `Draws` does: on such small tensors a second thread only waits
MiniGPT = mistakes("minigpt_model", "MiniGPT")
Seq2Seq = mistakes("seq2seq_model", "Seq2Seq")


class OwnNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain, self.shift = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        deviation = x.std(-1, keepdim=True) + 1e-6
        return self.gain * (x - x.mean(-1, keepdim=True)) / deviation + self.shift


class AddThenNorm(nn.Module):
    """There is no dropout, and the norm comes last whatever pre says."""

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        self.layer, self.norm, self.pre = layer, nn.LayerNorm(dim, eps=1e-6), pre

    def forward(self, x):
        return self.norm(x + self.layer(x))


class AddThenOwnNorm(AddThenNorm):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__(layer, dim, dropout, pre)
        self.norm = OwnNorm(dim)


class NormThenLayer(AddThenNorm):
    def forward(self, x):
        return self.layer(self.norm(x))


class AddInPlace(nn.Module):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        answer = self.layer(x)
        answer += x
        return answer


class WithoutDropout(AddThenNorm):
    def forward(self, x):
        return x + self.layer(self.norm(x)) if self.pre else super().forward(x)


class OpenModel(MiniGPT["MiniGPT__not_causal"]):
    def __init__(self, dropout=0.0, **sizes):
        super().__init__(**sizes)

    def positions(self, idx):
        return 0.0


class OpenTranslator(Seq2Seq["Seq2Seq__target_sees_the_future"]):
    def __init__(self, dropout=0.0, **sizes):
        super().__init__(**sizes)
        del self.src_positions

    def source_places(self, src):
        return 0.0


def named(exercise: Exercise, symbol: object, seed: int) -> set[str]:
    known = KnownMistakes(exercise, exercise.diagnostic_draws(seed))
    pairs = known.identify(LocalCandidate(symbol, list))
    return {mistake.name.rpartition("__")[2] for pair in pairs for mistake in pair}


@pytest.mark.parametrize("seed", [1, at_night(11)])
@pytest.mark.parametrize(
    ("exercise", "made", "names"),
    [
        ("residual", AddThenNorm, {"always_post", "without_dropout"}),
        ("residual", AddThenOwnNorm, {"always_post", "unbiased_norm"}),
        ("residual", NormThenLayer, {"always_pre", "without_residual"}),
        ("residual", AddInPlace, {"without_any_norm", "adds_in_place"}),
    ],
)
def test_that_dropout_never_acts_hides_no_other_mistake(
    exercise: str, made: type, names: set[str], seed: int
) -> None:
    assert named(EXERCISES[exercise], made, seed) == names


@pytest.mark.parametrize(
    ("exercise", "made", "names"),
    [
        ("minigpt_model", OpenModel, {"not_causal", "positions_not_added"}),
        # More trials, and nothing else of the diagnosis.
        at_night("seq2seq_model", OpenTranslator, {"target_sees_the_future", "no_source_positions"}),
    ],
)
def test_two_mistakes_are_named_in_a_free_architecture(exercise: str, made: type, names: set[str]) -> None:
    assert named(EXERCISES[exercise], made, 1) == names


def test_dropout_that_never_acts_is_named_where_nothing_else_is_wrong() -> None:
    assert named(EXERCISES["residual"], WithoutDropout, 1) == {"without_dropout"}
