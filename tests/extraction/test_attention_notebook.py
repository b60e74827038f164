"""A realistic notebook: a pip line, plots, a pretrained model, tests between the exercises."""

import pytest
import torch

from tests.support.notebooks import cells, kept, loading, markdown, taken, value

NOTEBOOK = r"""
!pip install -q torch transformers \
    matplotlib
# %%
import math
import torch
from torch import nn
import torch.nn.functional as F
import matplotlib.pyplot as plt
torch.manual_seed(0)
print(torch.__version__)
# %%
def attend(Q, K, V, mask=None):
    scores = Q @ K.mT / math.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float('-inf'))
    weights = F.softmax(scores, dim=-1)
    return weights @ V, weights


def split(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)
# %%
Q = K = V = torch.randn(2, 4, 8)
out, weights = attend(Q, K, V)
plt.imshow(weights[0]); plt.show()
# %%
split = split(Q, 2)
print('shape:', split.shape)
# %%
from transformers import CamembertModel
model = CamembertModel.from_pretrained('camembert-base')
model.eval()
# %%
def join(x):
    return x.transpose(1, 2).flatten(2)
# %%
class Heads(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.W = nn.Linear(width, 3 * width)
        self.W_o = nn.Linear(width, width)

    def forward(self, x, mask=None):
        parts = [split(part, self.heads) for part in self.W(x).chunk(3, -1)]
        output, weights = attend(*parts, mask)
        return self.W_o(join(output)), weights
# %%
%%time
heads = Heads(8, 2)
optimizer = torch.optim.AdamW(heads.parameters())
for step in range(10 ** 9):
    loss = heads(Q)[0].square().mean()
    loss.backward()
    optimizer.step()
# %%
size = 4
causal_mask = torch.triu(torch.ones(size, size), diagonal=1).bool()
print(causal_mask.int())
# %%
_, masked = attend(Q, K, V, causal_mask)
fig, axes = plt.subplots(1, 2)
for ax in axes:
    ax.imshow(masked[0])
""".strip().split("\n# %%\n")


def test_an_extracted_class_works() -> None:
    with loading(taken(cells(markdown(), *NOTEBOOK), "Heads")) as loaded:
        assert loaded.problems == []
        output, weights = loaded.namespace["Heads"](8, 2)(torch.randn(3, 5, 8))
    assert (output.shape, weights.shape) == ((3, 5, 8), (3, 2, 5, 5))


def test_an_extracted_variable_has_its_value() -> None:
    mask = value(cells(markdown(), *NOTEBOOK), "causal_mask")
    assert mask.tolist() == [[column > row for column in range(4)] for row in range(4)]
    assert kept(taken(cells(markdown(), *NOTEBOOK), "causal_mask"))[:2] == ["import torch", "size = 4"]


@pytest.mark.parametrize("symbol", ["attend", "split", "join", "Heads", "causal_mask"])
def test_plots_downloads_training_and_prints_are_dropped(symbol: str) -> None:
    lines = " ".join(kept(taken(cells(markdown(), *NOTEBOOK), symbol)))
    assert not any(word in lines for word in ("plt", "transformers", "print", "get_ipython", "for ", "seed"))
