"""A pretrained model from a folder: the picture of the course, read in a box, and never a pickle."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from graders.heads import pretrained
from graders.heads.pretrained import BadModel, draw_pretrained, find_files
from graders.heads.request import PretrainedModel
from graders.results.heads import Drawing
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.process import Answer
from graders.sandbox.session import BoxSession
from softmark_worker import pretrained_heads
from tests.heads.conftest import SENTENCE

COURSE = (5, (1, 2, 6, 11))


@pytest.fixture
def folder(camembert: Path, tmp_path: Path) -> Path:
    """A copy of the folder, for a test that changes something."""
    return Path(shutil.copytree(camembert, tmp_path / "model"))


@dataclass(frozen=True)
class Seen:
    """What a box told of a folder in which code lies too, and what was drawn of it."""

    reply: Any
    drawing: Drawing
    code_ran: bool


@pytest.fixture(scope="module")
def seen(camembert: Path, level: IsolationLevel, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """The model, read in a box once: to import `transformers` there takes seconds."""
    there = tmp_path_factory.mktemp("seen")
    folder, ran = Path(shutil.copytree(camembert, there / "model")), there / "ran"
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["auto_map"] = {"AutoModel": "modeling_mine.Mine", "AutoConfig": "modeling_mine.MyConfig"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "modeling_mine.py").write_text(f"open({str(ran)!r}, 'w')\nraise SystemExit(9)\n")
    replies, draw = [], pretrained._drawing
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pretrained, "_drawing", lambda *told: replies.append(told[-1]) or draw(*told))
        drawing = draw_pretrained(PretrainedModel(folder, *COURSE), SENTENCE, level)
    return Seen(replies[0], drawing, ran.exists())


@pytest.mark.programs
def test_the_heads_of_the_course_are_those_that_transformers_computes(seen: Seen, camembert: Path):
    from transformers import CamembertModel

    assert seen.drawing.tokens == ("<s>", *SENTENCE.split(), "</s>")
    [layer] = seen.drawing.layers
    assert (layer.layer, layer.heads) == COURSE
    model = CamembertModel.from_pretrained(camembert, attn_implementation="eager").eval()
    ids = torch.tensor([[0, *range(4, 4 + len(SENTENCE.split())), 2]])
    with torch.no_grad():
        due = model(ids, output_attentions=True).attentions[4][0][[0, 1, 5, 10]]
    torch.testing.assert_close(torch.tensor(layer.matrices()), due, atol=1e-4, rtol=1e-3)


@pytest.mark.programs
def test_code_in_the_folder_is_never_run(seen: Seen):
    assert not seen.code_ran


@pytest.mark.nightly
def test_a_model_is_read_at_every_level_of_isolation(camembert: Path, any_box: Box):
    drawing = draw_pretrained(PretrainedModel(camembert, *COURSE), SENTENCE, any_box.level)
    assert drawing.layers[0].heads == COURSE[1]


@pytest.mark.programs
def test_a_layer_or_a_head_that_is_not_there_is_told(
    seen: Seen, camembert: Path, level: IsolationLevel, monkeypatch
):
    monkeypatch.setattr(pretrained, "_succeeded", lambda answer: seen.reply)
    monkeypatch.setattr(BoxSession, "ask", lambda *request: None)
    with pytest.raises(BadModel, match="6 layers, and no layer 7"):
        draw_pretrained(PretrainedModel(camembert, 7, (1,)), SENTENCE, level)
    with pytest.raises(BadModel, match="12 heads, and no head 13"):
        draw_pretrained(PretrainedModel(camembert, 1, (1, 13)), SENTENCE, level)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "tf_model.h5"])
def test_weights_that_can_run_code_are_refused(folder: Path, name: str):
    (folder / "model.safetensors").rename(folder / name)
    with pytest.raises(BadModel, match="can run code"):
        find_files(folder)


def test_a_pickle_beside_the_safetensors_is_not_sent(folder: Path):
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'echo'\ntR.")
    assert [path.name for path in find_files(folder).paths] == [
        "config.json",
        "tokenizer.json",
        "model.safetensors",
    ]


NOTHING = b"\x80\x04 nothing that it should be"


@pytest.mark.programs
def test_a_file_of_something_else_is_told(folder: Path, level: IsolationLevel):
    (folder / "config.json").write_bytes(NOTHING)
    with pytest.raises(BadModel, match="cannot be read"):
        draw_pretrained(PretrainedModel(folder, *COURSE), SENTENCE, level)


@pytest.fixture
def attend_here(monkeypatch) -> Callable[[Path], Any]:
    """What the box does with a folder's files, in this process: an error here is told as the one above."""
    monkeypatch.setattr("tempfile.tempdir", None)  # which it sets
    for name in ("HF_HUB_OFFLINE", "TORCHINDUCTOR_CACHE_DIR"):
        monkeypatch.setenv(name, "1")

    def attend(folder: Path) -> Any:
        files = {path.name: [*pretrained._pieces(path)] for path in find_files(folder).paths}
        return pretrained_heads.attend(files, SENTENCE)

    return attend


@pytest.mark.parametrize(("name", "says"), [("tokenizer.json", "codec"), ("model.safetensors", "header")])
def test_a_tokenizer_or_weights_of_something_else_raise(folder: Path, attend_here, name: str, says: str):
    assert len(attend_here(folder)["attentions"]) == 6
    (folder / name).write_bytes(NOTHING)
    with pytest.raises(Exception, match=says):
        attend_here(folder)


def test_weights_that_are_missing_are_told_and_not_made_up(folder: Path, attend_here):
    from safetensors.torch import load_file, save_file

    state = load_file(folder / "model.safetensors")
    gone = next(name for name in state if "layer.4.attention.self.query.weight" in name)
    save_file({name: value for name, value in state.items() if name != gone}, folder / "model.safetensors")
    with pytest.raises(ValueError, match="has no weights"):
        attend_here(folder)


def test_what_is_missing_or_no_file_is_told_before_a_box_is_started(folder: Path, monkeypatch):
    (folder / "tokenizer.json").unlink()
    with pytest.raises(BadModel, match=r"has no tokenizer\.json"):
        find_files(folder)
    os.mkfifo(folder / "tokenizer.json")
    with pytest.raises(BadModel, match="no ordinary file"):
        find_files(folder)
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.json").write_text("{}")
    monkeypatch.setattr(pretrained, "WEIGHTS_BYTES", 1_000)
    with pytest.raises(BadModel, match="too large"):
        find_files(folder)


def test_a_link_to_a_file_without_an_end_is_not_read(folder: Path):
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.json").symlink_to(
        "/proc/self/pagemap"
    )  # of 0 bytes, as all of the kernel's that never end
    with pytest.raises(BadModel, match="is empty"):
        find_files(folder)


def test_layers_that_have_no_weights_are_told_before_they_are_built(folder: Path, attend_here):
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 10_000}), encoding="utf-8")
    with pytest.raises(ValueError, match="has 10000 layers"):
        attend_here(folder)


def test_without_transformers_the_package_to_install_is_named(folder: Path, monkeypatch):
    monkeypatch.setattr(pretrained, "NEEDED", ("transformers_is_not_here",))
    with pytest.raises(BadModel, match="pip install transformers_is_not_here"):
        find_files(folder)


@pytest.mark.parametrize(
    "reply",
    [
        None,
        {"attentions": [], "tokens": [], "offsets": []},
        {"attentions": [torch.ones(12, 2, 2)] * 6, "tokens": ["a", "b"], "offsets": [[0, 1]]},
        {"attentions": [torch.ones(12, 3, 3)] * 6, "tokens": ["a", "b"], "offsets": [[0, 1], [1, 2]]},
        {"attentions": ["x"] * 6, "tokens": ["a", "b"], "offsets": [[0, 1], [1, 2]]},
        {
            "attentions": [torch.full((12, 2, 2), float("nan"))] * 6,
            "tokens": ["a"] * 2,
            "offsets": [[0, 1]] * 2,
        },
        {"attentions": [torch.ones(12, 90, 90)] * 6, "tokens": ["a"] * 90, "offsets": [[0, 1]] * 90},
    ],
)
def test_an_answer_of_another_form_is_not_drawn(reply: object):
    with pytest.raises(pretrained.NotDrawn):
        pretrained._drawing(PretrainedModel(Path("x"), *COURSE), SENTENCE, reply)


def test_an_answer_that_is_too_large_is_told_in_a_sentence():
    error = {"type": "BadFrame", "text": "", "message": {"says": "too_much_text", "most": "1"}}
    with pytest.raises(OSError, match="its text and numbers take more than 1 MB"):
        pretrained._succeeded(Answer(False, error))


def test_a_token_is_a_part_of_our_own_sentence_whatever_the_box_says():
    reply = {"tokens": ["<s>", "<script>", "x", "y"], "offsets": [[0, 0], [0, 0], [3, 7], [-5, "z"]]}
    assert pretrained._tokens(SENTENCE, reply) == ["<s>", "\u00b7", "chat", "\u00b7"]
