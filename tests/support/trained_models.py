"""Trained models as students hand them in, for tests: hand-made ones, whose tables need no training."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from graders.corpora.grammar import grammar
from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import ExerciseResult, Finding
from graders.sandbox.box import Box
from graders.trained import sample_sizes

BLOCK = 16
NGRAM = """
import torch
from torch import nn

class MiniGPT(nn.Module):
    def __init__(self, vocab_size, block_size, order):
        super().__init__()
        self.vocab_size, self.order = vocab_size, order
        self.register_buffer("table", torch.zeros(vocab_size**order, vocab_size))

    def logits(self, idx):
        keys = torch.zeros_like(idx)
        for back in reversed(range(self.order)):
            past = torch.zeros_like(idx)
            past[:, back:] = idx[:, : idx.shape[1] - back]
            keys = keys * self.vocab_size + past
        return self.table[keys] + self.of_all(idx)

    def of_all(self, idx):
        # Next to nothing: a Transformer's answer depends on every id up to each position.
        if self.order == 1:
            return 0.0
        return 1e-3 * torch.cos(idx.cumsum(1)[..., None] + torch.arange(self.vocab_size))

    def forward(self, idx, targets=None):
        return self.logits(idx)
"""


@dataclass(frozen=True)
class Hall:
    """Where models are handed in: a short text to be measured on, and a box."""

    box: Box
    corpus: Path
    text: str

    @property
    def chars(self) -> str:
        """The text's characters, sorted."""
        return "".join(sorted(set(self.text)))

    @property
    def ids(self) -> Tensor:
        """The text as places in `chars`."""
        ids = {char: number for number, char in enumerate(self.chars)}
        return torch.tensor([ids[char] for char in self.text])

    def assignment(self) -> Assignment:
        """The exercise alone, measured on the text."""
        return load_assignment("minigpt").only(["minigpt"]).measured_on(str(self.corpus))

    def grade(self, folder: Path, assignment: Assignment | None = None) -> ExerciseResult:
        """The result of what lies in a folder."""
        grader = Grader(assignment or self.assignment(), Draws(1), self.box)
        return grader.grade(folder, "x").exercises[0]

    def table(self, order: int) -> Tensor:
        """Logits of an n-gram of the text to train on: what a model knows that only counts."""
        size = len(self.chars)
        ids = self.ids[: len(self.ids) * 9 // 10]
        counts = torch.full((size**order, size), 0.05)
        keys = torch.zeros(len(ids) - order, dtype=torch.int64)
        for back in reversed(range(order)):
            keys = keys * size + ids[order - 1 - back : len(ids) - 1 - back]
        counts.index_put_((keys, ids[order:]), torch.ones(len(keys)), accumulate=True)
        return (counts / counts.sum(-1, keepdim=True)).log()

    def ngram(self, folder: Path, order: int, code: str = NGRAM, **changes: Any) -> Path:
        """A model that counts, handed in."""
        config = {"vocab_size": len(self.chars), "block_size": BLOCK, "order": order}
        return hand_in(folder, code, {"table": self.table(order)}, config, self.chars, **changes)


def hand_in(
    folder: Path, code: str, state: dict[str, Tensor], config: Any, chars: Any, losses: Any = ()
) -> Path:
    """A folder with code and a checkpoint."""
    folder.mkdir(exist_ok=True)
    (folder / "minigpt.py").write_text(code, encoding="utf-8")
    notes = {"config": config, "chars": chars, "losses": losses}
    told = {name: json.dumps(value) for name, value in notes.items() if value is not None}
    save_file(state, folder / "minigpt.safetensors", told)
    return folder


def finding_of(result: ExerciseResult, check: str) -> Finding:
    """The finding of a criterion."""
    return next(f for f in result.findings if f.check == check)


def failing(result: ExerciseResult) -> list[str]:
    """The criteria that do not hold."""
    return [f.check for f in result.findings if f.outcome != "passed"]


def make_hall(folder: Path, box: Box, patch: pytest.MonkeyPatch) -> Hall:
    """A hall in which models are measured on little, so that it is quick."""
    patch.setattr(sample_sizes, "MAX_CHARACTERS", 1_200)
    patch.setattr(sample_sizes, "SHORT_CONTEXT_PLACES", 40)
    patch.setattr(sample_sizes, "MAX_SAMPLED_TOKENS", 20)
    text = grammar(3).train[:60_000]
    path = folder / "corpus.txt"
    path.write_text(text, encoding="utf-8")
    return Hall(box, path, text)
