"""A checkpoint is opened only in the box; a hostile one is refused with a sentence and harms nobody else."""

import importlib
from pathlib import Path

import pytest
import torch

from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.limits import Limits
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.trained.open_checkpoint import BadCheckpoint, read_weights

SMALL = Limits(memory_bytes=128 << 20, load_s=30.0)
ATTACKS = sorted(path.stem for path in (Path(__file__).parent / "checkpoint").glob("[a-z]*.py"))


@pytest.fixture(scope="module")
def small_box(level):
    with Box(level, SMALL) as box:
        yield box


def open_checkpoint(box, path: Path) -> tuple[str, str]:
    """How opening the checkpoint ended, and the message."""
    try:
        with BoxSession(box) as session:
            values = read_weights(session, path.name, path.read_bytes())
    except BadCheckpoint as bad:
        return "bad", str(bad)
    except ProcessLost as lost:
        assert lost.outcome is not Outcome.BROKEN
        return "lost", str(lost)
    assert all(type(value) is torch.Tensor for value in values.values())
    return "opened", ""


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_checkpoint_is_refused_with_a_sentence(name: str, small_box, tmp_path: Path):
    attack = importlib.import_module(f"tests.hostile.checkpoint.{name}")
    expected = dict(line.split(":", 1) for line in attack.__doc__.strip().splitlines()[2:])
    ended, message = open_checkpoint(small_box, attack.make(tmp_path))
    assert ended in expected["ends"].strip().split(" or "), message
    assert expected["says"].strip() in message
    assert not Path("/tmp/softmark-was-here").exists()
    torch.save({"state_dict": {"w": torch.eye(2)}, "config": {"n_head": 2}}, tmp_path / "honest.pt")
    assert open_checkpoint(small_box, tmp_path / "honest.pt") == ("opened", "")


@pytest.mark.parametrize("name", ["minigpt.pt", "minigpt.pth", "minigpt.safetensors"])
def test_an_honest_checkpoint_comes_back_as_it_was(box, tmp_path: Path, name: str):
    from safetensors.torch import save_file

    written = {"a.weight": torch.randn(3, 4), "a.bias": torch.arange(4)}
    (save_file if name.endswith("tensors") else torch.save)(written, tmp_path / name)
    with BoxSession(box) as session:
        values = read_weights(session, name, (tmp_path / name).read_bytes())
    assert values.keys() == written.keys()
    assert all(torch.equal(values[key], written[key]) for key in written)


def test_another_kind_of_file_is_no_checkpoint(box):
    with BoxSession(box) as session, pytest.raises(BadCheckpoint, match="its name should end with"):
        read_weights(session, "model.bin", b"x")
