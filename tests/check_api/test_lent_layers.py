"""Layers of ours are lent to students' code: real modules, which it may call, keep and change."""

from pathlib import Path

import pytest
import torch
from torch import nn

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.strategies.tensors import normal
from graders.extraction.extract import Source, extract, study
from graders.sandbox.box import Box
from graders.sandbox.session import BoxSession
from graders.submission.read import read
from softmark_worker.lent_layers import make_layer

WEIGHT = {"weight": normal(3, 3, seed=1, dtype=torch.float64)}
X = normal(2, 4, 3, seed=2, dtype=torch.float64)


@pytest.fixture
def candidate(box: Box, tmp_path: Path):
    """Makes a candidate of code in the box, with the names of its constructor's arguments."""
    sessions: list[BoxSession] = []

    def make_candidate(code: str, name: str, *arguments: str) -> RemoteCandidate:
        path = tmp_path / "rendu.py"
        path.write_text(f"import torch\nfrom torch import nn\n\n\n{code}\n", encoding="utf-8")
        source = extract(study(read(path, "rendu")), name, "")
        assert isinstance(source, Source)
        sessions.append(BoxSession(box))
        boxed = RemoteCandidate(sessions[-1], source)
        boxed.load()
        boxed.contract = {"__init__": arguments, "forward": ("x",)} if arguments else {}
        return boxed

    yield make_candidate
    for session in sessions:
        session.close()


TWICE = """
class Twice(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return self.fn(self.fn(x))
"""


def test_a_constructor_keeps_the_layer_that_it_is_given_under_any_name(candidate):
    expected = make_layer("TanhLayer", WEIGHT, {"dim": 3})
    boxed = candidate(TWICE, "Twice", "layer")
    module = boxed.construct(layer=boxed.make_layer("TanhLayer", WEIGHT, dim=3))
    torch.testing.assert_close(module(X), expected(expected(X)))
    assert module.shapes() == {"fn.weight": (3, 3)}
    namespace: dict = {"nn": nn}
    exec(TWICE, namespace)
    local = LocalCandidate(namespace["Twice"])
    module = local.construct(fn=local.make_layer("TanhLayer", WEIGHT, dim=3))
    torch.testing.assert_close(module(X), expected(expected(X)))


def test_what_a_function_does_to_a_layer_is_seen_in_its_parameters(candidate):
    code = "def halve(layer):\n    with torch.no_grad():\n        layer.weight.mul_(0.5)"
    boxed = candidate(code, "halve")
    layer = boxed.make_layer("TanhLayer", WEIGHT, dim=3)
    boxed(layer)
    assert torch.equal(layer.parameters()["weight"], WEIGHT["weight"] / 2)


def test_the_attention_that_is_lent_is_that_of_the_course():
    theirs = nn.MultiheadAttention(6, 2, batch_first=True, dtype=torch.float64)
    matrices, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    weights = {f"W_{name}.weight": matrix for name, matrix in zip("qkv", matrices, strict=True)}
    weights |= {f"W_{name}.bias": bias for name, bias in zip("qkv", biases, strict=True)}
    weights |= {f"W_o.{name}": value for name, value in theirs.out_proj.state_dict().items()}
    mine = make_layer("ProjectedAttention", weights, {"embed_dim": 6, "num_heads": 2})
    x, mask = normal(2, 5, 6, seed=3, dtype=torch.float64), torch.ones(5, 5, dtype=torch.bool).triu(1)
    expected = theirs(x, x, x, attn_mask=mask, average_attn_weights=False)
    torch.testing.assert_close(mine(x, mask), expected)


def test_the_model_that_is_lent_for_training_knows_how_many_graphs_of_its_losses_are_kept():
    model = make_layer("TableLanguageModel", {"table": torch.zeros(4, 4)}, {"words": 4})
    x, y, nothing = torch.tensor([[0, 1]]), torch.tensor([[1, 2]]), torch.zeros(0, 0, dtype=torch.int64)
    for _ in range(5):
        model(x, y)[1].backward()
    assert model(nothing).tolist() == [5, 1]
    kept = [model(x, y)[1] for _ in range(5)]
    assert model(nothing).tolist() == [10, len(kept)]


def test_the_model_that_is_lent_for_training_has_the_cross_entropy_of_its_table():
    table = normal(5, 5, seed=4, dtype=torch.float64)
    model = make_layer("TableLanguageModel", {"table": table}, {"words": 5, "in_training": 10.0, "size": 1.0})
    x, y = torch.tensor([[0, 1, 4]]), torch.tensor([[1, 4, 2]])
    due = nn.functional.cross_entropy(table[x[0]], y[0]) + 1 + 3 / 64
    torch.testing.assert_close(model(x, y)[1], due)
    torch.testing.assert_close(model.train()(x, y)[1], due + 10)
    assert torch.equal(model(x)[0], table[x])
