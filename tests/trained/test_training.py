"""The training script of the reference: the loss falls, it stops early, and it can be resumed."""

import json
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner
from safetensors import safe_open

from graders.corpora.grammar import text
from graders.course.reference import reference

TEXT = text(6_000, "training")
SMALL = {"block_size": 16, "n_embd": 16, "n_head": 2, "n_layer": 1, "batch_size": 8, "eval_interval": 10}

Recipe, Training, main = (reference("minigpt", name) for name in ("Recipe", "Training", "main"))
encode, decode, sample = (reference("minigpt", name) for name in ("encode", "decode", "sample"))


def training(out: Path, **changes) -> object:
    out.mkdir(exist_ok=True)
    return Training(TEXT, Recipe(**{**SMALL, "steps": 40, "warmup": 10, **changes}), out, "cpu")


def nothing(course: object) -> None:
    pass


def checkpoint(path: Path) -> tuple[dict[str, torch.Tensor], dict]:
    with safe_open(path, "pt") as file:
        metadata = {name: json.loads(value) for name, value in file.metadata().items()}
        return {name: file.get_tensor(name) for name in file.keys()}, metadata  # noqa: SIM118 - not a dict


def test_training_lowers_the_loss_and_saves_the_best_model(tmp_path: Path):
    trainer = training(tmp_path / "out", steps=120)
    trainer.run(nothing)
    losses = trainer.course.losses
    assert [step for step, _, _ in losses] == list(range(10, 130, 10))
    assert losses[-1][2] < losses[0][2] - 0.3
    weights, metadata = checkpoint(tmp_path / "out/minigpt.safetensors")
    assert metadata["config"] == trainer.recipe.config(len(set(TEXT)))
    assert metadata["chars"] == "".join(sorted(set(TEXT)))
    assert min(loss for _, _, loss in metadata["losses"]) == trainer.course.best
    model = reference("minigpt_model", "MiniGPT")(**metadata["config"])
    model.load_state_dict(weights)
    loss = reference("minigpt", "estimate_loss")(model, trainer.held_out, trainer.recipe)
    assert loss == pytest.approx(trainer.course.best)


def test_resumed_training_equals_uninterrupted_training(tmp_path: Path):
    uninterrupted = training(tmp_path / "whole", dropout=0.2)
    uninterrupted.run(nothing)
    first = training(tmp_path / "parts", dropout=0.2)

    class Stopped(Exception):
        pass

    def stop(course):
        if course.step == 25:  # what came after step 20 is lost
            raise Stopped

    with pytest.raises(Stopped):
        first.run(stop)
    second = training(tmp_path / "parts", dropout=0.2)
    second.resume()
    assert second.course.step == 20
    second.run(nothing)
    assert second.course.losses == uninterrupted.course.losses
    first_weights, second_weights = (
        checkpoint(tmp_path / name / "minigpt.safetensors")[0] for name in ("whole", "parts")
    )
    assert all(torch.equal(first_weights[name], second_weights[name]) for name in first_weights)


def test_training_stops_when_the_loss_no_longer_improves(tmp_path: Path):
    trainer = training(tmp_path / "out", steps=400, learning_rate=0.0, patience=3)
    trainer.run(nothing)
    assert trainer.course.step == 40, "one evaluation, and three that were no better"


def test_training_stops_at_its_time_limit_and_has_saved_a_model(tmp_path: Path):
    trainer = training(tmp_path / "out", minutes=0.0)
    trainer.run(nothing)
    assert trainer.course.step == 1
    assert (tmp_path / "out/minigpt.safetensors").exists()


def test_the_script_trains_and_refuses_to_resume_with_another_recipe(tmp_path: Path):
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    options = [f"--{name.replace('_', '-')}={value}" for name, value in {**SMALL, "steps": 20}.items()]
    command = [str(tmp_path / "text.txt"), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(main, [*command, *options], catch_exceptions=False)
    assert result.exit_code == 0
    assert "bits per character" in result.output
    result = CliRunner().invoke(main, [*command, *options, "--n-embd=32"])
    assert result.exit_code == 2
    assert "is of another training" in result.output


def test_decode_inverts_encode_and_sample_continues_a_text(tmp_path: Path):
    chars = "".join(sorted(set(TEXT)))
    assert decode(encode(TEXT, chars), chars) == TEXT
    model = reference("minigpt_model", "MiniGPT")(len(chars), 8, 8, 2, 1)
    drawn = sample(model, "la ", 30, chars, 8)
    assert len(drawn) == 33
    assert drawn.startswith("la ")
