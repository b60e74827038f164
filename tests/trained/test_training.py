"""The reference's training: it learns, stops early, and goes on where it was stopped."""

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
        told = {name: json.loads(value) for name, value in file.metadata().items()}
        return {name: file.get_tensor(name) for name in file.keys()}, told  # noqa: SIM118 - not a dict


def test_training_brings_the_loss_down_and_keeps_the_best_model(tmp_path: Path):
    made = training(tmp_path / "out", steps=120)
    made.run(nothing)
    losses = made.course.losses
    assert [step for step, _, _ in losses] == list(range(10, 130, 10))
    assert losses[-1][2] < losses[0][2] - 0.3
    weights, told = checkpoint(tmp_path / "out/minigpt.safetensors")
    assert told["config"] == made.recipe.config(len(set(TEXT)))
    assert told["chars"] == "".join(sorted(set(TEXT)))
    assert min(loss for _, _, loss in told["losses"]) == made.course.best
    model = reference("minigpt_model", "MiniGPT")(**told["config"])
    model.load_state_dict(weights)
    kept = reference("minigpt", "estimate_loss")(model, made.held_out, made.recipe)
    assert kept == pytest.approx(made.course.best)


def test_training_that_was_stopped_goes_on_as_if_nothing_had_been(tmp_path: Path):
    whole = training(tmp_path / "whole", dropout=0.2)
    whole.run(nothing)
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
    assert second.course.losses == whole.course.losses
    one, other = (checkpoint(tmp_path / name / "minigpt.safetensors")[0] for name in ("whole", "parts"))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_training_stops_where_it_brings_nothing_any_more(tmp_path: Path):
    made = training(tmp_path / "out", steps=400, learning_rate=0.0, patience=3)
    made.run(nothing)
    assert made.course.step == 40, "one evaluation, and three that were no better"


def test_training_stops_when_its_time_is_over_and_has_a_model(tmp_path: Path):
    made = training(tmp_path / "out", minutes=0.0)
    made.run(nothing)
    assert made.course.step == 1
    assert (tmp_path / "out/minigpt.safetensors").exists()


def test_the_command_trains_and_refuses_to_go_on_with_another_recipe(tmp_path: Path):
    (tmp_path / "text.txt").write_text(TEXT, encoding="utf-8")
    given = [f"--{name.replace('_', '-')}={value}" for name, value in {**SMALL, "steps": 20}.items()]
    command = [str(tmp_path / "text.txt"), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(main, [*command, *given], catch_exceptions=False)
    assert done.exit_code == 0
    assert "bits per character" in done.output
    done = CliRunner().invoke(main, [*command, *given, "--n-embd=32"])
    assert done.exit_code == 2
    assert "is of another training" in done.output


def test_ids_and_text_are_the_same_thing(tmp_path: Path):
    chars = "".join(sorted(set(TEXT)))
    assert decode(encode(TEXT, chars), chars) == TEXT
    model = reference("minigpt_model", "MiniGPT")(len(chars), 8, 8, 2, 1)
    drawn = sample(model, "la ", 30, chars, 8)
    assert len(drawn) == 33
    assert drawn.startswith("la ")
