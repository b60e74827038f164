"""What one submission lacks does not change how the next is judged: all share their draws."""

from functools import partial

import pytest
from torch import nn

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping import search
from graders.course.exercise import load_assignment
from graders.course.reference import reference
from graders.judging.draws import Draws

CrossAttention = reference("cross_attention", "CrossAttention")


class Renamed(CrossAttention):
    """The reference under other names."""

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        self.first, self.second, self.third, self.last = self.W_q, self.W_k, self.W_v, self.W_o
        del self.W_q, self.W_k, self.W_v, self.W_o

    def project(self, x, memory):
        return self.first(x), self.second(memory), self.third(memory)

    def project_back(self, x):
        return self.last(x)


class WithoutBiases(Renamed):
    """The same without biases."""

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        for name, layer in list(self.named_children()):
            setattr(self, name, nn.Linear(layer.in_features, layer.out_features, bias=False))


def test_a_mapping_is_proven_whatever_the_submission_before_lacked(monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = next(e for e in load_assignment("seq2seq").exercises if e.name == "cross_attention")
    draws = Draws(1)
    answer = draws.mapping_draws(exercise)[0]
    # An answer that is only near the reference's is not what proves it.
    monkeypatch.setattr(search, "_is_like", lambda theirs, ours: False)
    for made in (WithoutBiases, Renamed):
        candidate = LocalCandidate(made, partial(draws.mapping_draws, exercise))
        candidate.with_reference_weights(answer)
        mapping = candidate.mapper.mapping
        assert mapping is not None
        assert mapping.proven
        assert {rule.name: rule.sources for rule in mapping.rules}["second.weight"] == ("W_k.weight",)
