"""A trained model's heads are drawn in the model's own tokens, and on its own page only what it computes."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from graders.course.exercise import load_assignment
from graders.course.reference import reference, text
from graders.heads.draw_heads import Drawer
from graders.heads.request import ask_for
from graders.judging.draws import Draws
from graders.results.heads import Drawing
from graders.sandbox.box import Box

MiniGPT: Any = reference("minigpt_model", "MiniGPT")
CODE = (text("minigpt_model") or "").split("class _Masked")[0]
CONFIG = {"block_size": 24, "n_embd": 16, "n_head": 4, "n_layer": 2}
CHARS = " acehimnorst'Lu"


@pytest.fixture
def hand_in(box: Box, draws: Draws, tmp_path: Path):
    """Draws a MiniGPT with random weights, handed in with these characters and further code."""

    def draw(sentence: str, chars: list[str] | str = CHARS, more: str = "", **config: int) -> Drawing:
        sizes = CONFIG | config | {"vocab_size": len(chars)}
        torch.manual_seed(0)
        state = {name: value.data * 4 for name, value in MiniGPT(**sizes).named_parameters()}
        notes = {"config": json.dumps(sizes), "chars": json.dumps(chars)}
        save_file(state, tmp_path / "minigpt.safetensors", metadata=notes)
        (tmp_path / "work.py").write_text(CODE + more, encoding="utf-8")
        only = load_assignment("minigpt").only(["minigpt"])
        [drawing] = Drawer(only, draws, box, ask_for(sentence)).draw(tmp_path, "anna")
        return drawing

    return draw


def test_each_layer_shows_its_heads_on_the_characters_of_the_sentence(hand_in):
    drawing = hand_in("Le chat")
    assert drawing.problem is None
    assert "".join(drawing.tokens) == "Le chat"
    assert drawing.weights_from == "trained"
    assert [(layer.layer, layer.heads) for layer in drawing.layers] == [(1, (1, 2, 3, 4)), (2, (1, 2, 3, 4))]
    for layer in drawing.layers:
        weights = torch.tensor(layer.matrices())
        assert bool((weights.triu(1) == 0).all())
        torch.testing.assert_close(weights.sum(-1), torch.ones(4, 7), atol=1e-3, rtol=0)


def test_heads_that_are_modules_of_a_list_are_put_together_layer_by_layer(hand_in):
    one_by_one = """
class Head(nn.Module):
    def forward(self, q, k, v):
        future = torch.ones(q.shape[1], q.shape[1]).triu(1).bool()
        return (q @ k.mT).masked_fill(future, -math.inf).softmax(-1) @ v

class Attention(nn.Module):
    def __init__(self, n_embd, n_head, dropout):
        super().__init__()
        self.qkv = nn.Linear(n_embd, 3 * n_embd)
        self.heads = nn.ModuleList(Head() for _ in range(n_head))
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        q, k, v = (part.chunk(len(self.heads), -1) for part in self.qkv(x).chunk(3, -1))
        return self.proj(torch.cat([h(*three) for h, *three in zip(self.heads, q, k, v)], -1))
"""
    start, end = CODE.index("class Attention"), CODE.index("class Block")
    changed = CODE[:start] + one_by_one + CODE[end:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "CODE", changed)
        drawing = hand_in("Le chat")
    assert [(layer.layer, layer.heads) for layer in drawing.layers] == [(1, (1, 2, 3, 4)), (2, (1, 2, 3, 4))]


def test_characters_that_the_model_does_not_know_are_left_out_and_told(hand_in):
    drawing = hand_in("L\u2019été, le chat")
    assert "".join(drawing.tokens) == "Lt e chat"
    assert drawing.notes[0] == "Left out, since the model does not know them: \u2019 é , l"


def test_a_sentence_that_the_model_knows_nothing_of_is_not_drawn(hand_in):
    assert hand_in("ÉÉ ÈÈ", chars="abc").problem == "The model knows too few characters of the sentence."


def test_a_sentence_longer_than_the_models_context_is_cut_and_told(hand_in):
    drawing = hand_in("Le chat mange la souris", block_size=6)
    assert len(drawing.tokens) == 6
    assert any(note.startswith("The first 6 of 2") for note in drawing.notes)


def test_tokens_of_several_characters_are_shown_as_parts_of_the_sentence(hand_in):
    more = """
def encode(text, chars):
    ids = []
    while text:
        token = max((c for c in chars if text.startswith(c)), key=len)
        ids.append(chars.index(token))
        text = text[len(token):]
    return ids

def decode(ids, chars):
    return "".join(chars[i] for i in ids)
"""
    drawing = hand_in("le chat mange", ["le", " ch", "at", " ", "man", "ge", "a"], more)
    assert drawing.tokens == ("le", " ch", "at", " ", "man", "ge")


def test_a_tokenizer_that_gives_other_text_than_the_sentence_cannot_write_on_the_page(hand_in):
    more = "\ndef encode(text, chars):\n    return [0] * len(text)\n"
    more += "\ndef decode(ids, chars):\n    return '<script>alert(1)</script>'\n"
    drawing = hand_in("le chat", "le chat", more)
    assert drawing.problem is not None
    assert "script" not in drawing.problem
    assert drawing.tokens == ()


def test_a_model_without_attention_is_told(hand_in):
    more = """
class MiniGPT(MiniGPT):
    def through(self, x):
        return x
"""
    drawing = hand_in("Le chat", more=more)
    assert drawing.layers == ()
    assert drawing.problem is not None
    assert "No attention weights were seen" in drawing.problem
