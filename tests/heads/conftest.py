"""What the tests of drawings share: code that is drawn, and a pretrained model of a few kilobytes."""

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from graders.course.exercise import load_assignment
from graders.heads.draw_heads import Drawer
from graders.heads.request import Request, ask_for
from graders.judging.draws import Draws
from graders.results.heads import Drawing
from graders.sandbox.box import Box

SENTENCE = "Le chat mange la souris parce qu'il a faim"
Draw = Callable[..., list[Drawing]]


@pytest.fixture
def draw(box: Box, draws: Draws, tmp_path: Path) -> Draw:
    """Draws code that was handed in as a module, for one exercise of an assignment."""

    def draw_code(code: str, exercise: str, assignment: str = "attention", request: Request | None = None):
        file = tmp_path / "work.py"
        file.write_text(textwrap.dedent(code), encoding="utf-8")
        only = load_assignment(assignment).only([exercise])
        return list(Drawer(only, draws, box, request or ask_for(SENTENCE)).draw(file, "work"))

    return draw_code


@pytest.fixture(scope="session")
def camembert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a random CamemBERT of 6 layers and 12 heads, and a tokenizer of some words."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import CamembertConfig, CamembertForMaskedLM

    folder = tmp_path_factory.mktemp("camembert")
    words = ["<s>", "<pad>", "</s>", "<unk>", *("\u2581" + word for word in SENTENCE.split())]
    tokenizer = Tokenizer(models.Unigram([(word, -float(n)) for n, word in enumerate(words)], unk_id=3))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = [("<s>", 0), ("</s>", 2)]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=special)
    sizes = {"hidden_size": 48, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 8}
    torch.manual_seed(0)
    model = CamembertForMaskedLM(CamembertConfig(vocab_size=len(words), max_position_embeddings=40, **sizes))
    for value in model.parameters():
        value.data.mul_(20 if value.dim() > 1 else 1)  # else all heads look everywhere alike
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
