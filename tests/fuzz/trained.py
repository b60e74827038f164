"""Random checkpoints and logits for the measurement of a trained model. Not collected by pytest.

    python -m tests.fuzz.trained --seconds 600 --seed 1

Configurations, characters and curves of a checkpoint are arbitrary JSON; the model answers with tensors of
arbitrary shapes, dtypes and values. Whatever they are, each result must be the submission's own: never
`broken`, written and read again without loss, and shown on a page. The first case that is not ends the run
with its seed.
"""

import argparse
import json
import random
import resource
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome, Result, from_json, to_json
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from reports.pages import student_page
from tests.support.trained_models import BLOCK, NGRAM, Hall, make_hall

ODD_INTEGERS = (0, 1, 2, 3, -1, 2**31, 2**63, 2**300, 131_072)
ODD_FLOATS = (0.0, -0.0, 1e308, -1e308, 1e-320, float("nan"), float("inf"), 0.5)
ODD_TEXTS = ("", "a", "self", "\x00", "\ud800", "\u202e", "<b>", "é" * 50, "__class__", "args", "order")
ODD_NAMES = (
    "self",
    "args",
    "kwargs",
    "do",
    "config",
    "device",
    "order",
    "vocab_size",
    "seed",
    "",
    "a b",
    "é",
)
DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "bool", "complex64")
VALUES = (
    "0.0",
    "1e308",
    "-1e308",
    "3e38",
    "1e30",
    "float('nan')",
    "float('inf')",
    "65504.0",
    "1e-300",
    "2**60",
)
ANSWERS = (
    "torch.full({shape}, {value}, dtype=torch.{dtype})",
    "torch.randn({shape}).to(torch.{dtype}) * {value}",
    "torch.cat([torch.full((1, T, V - 1), {value}, dtype=torch.{dtype}), "
    "torch.full((1, T, 1), -{value}, dtype=torch.{dtype})], -1)",
    "(torch.zeros({shape}), {value})",
    "[torch.zeros({shape})]",
    "{{'logits': torch.zeros({shape})}}",
    "torch.zeros({shape}).requires_grad_()",
    "{value}",
)
SHAPES = (
    "(1, T, V)",
    "(T, V)",
    "(1, T, V + 1)",
    "(1, T, 0)",
    "(1, 0, V)",
    "(0,)",
    "()",
    "(1, T, 1).T",
    "(V, T)",
)


def main() -> None:
    """Judge random models until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    until, number, outcomes = time.monotonic() + options.seconds, options.seed, Counter[str]()
    limits = Limits(call_s=3.0, load_s=10.0, trained_s=8.0)
    with (
        best(limits)[0] as box,
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory() as folder,
    ):
        hall = make_hall(Path(folder), box, patch)
        while time.monotonic() < until:
            outcomes[judge(hall, Path(folder) / str(number), number)] += 1
            number += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{sum(outcomes.values())} models, {dict(outcomes)}, peak {peak} MB")  # noqa: T201


def judge(hall: Hall, folder: Path, number: int) -> str:
    """The outcome of a random model, or `measured` if it has a loss; the number is its seed."""
    draws = random.Random(number)
    folder.mkdir()
    (folder / "minigpt.py").write_text(_code(draws), encoding="utf-8")
    order = draws.choice((0, 1, 1, 1))
    size = len(hall.chars) if draws.random() < 0.7 else draws.choice((1, 2, 3, 200, 90_000))
    config: Any = {
        "vocab_size": size,
        "block_size": draws.choice((1, 2, BLOCK, BLOCK, 4_000)),
        "order": order,
    }
    chars: Any = hall.chars if draws.random() < 0.7 else "".join(map(chr, range(97, 97 + min(size, 5_000))))
    if draws.random() < 0.3:
        config[draws.choice(ODD_NAMES)] = _value(draws, 1)
    if draws.random() < 0.1:
        config = _value(draws, 3)
    if draws.random() < 0.1:
        chars = _value(draws, 2)
    notes = {"config": config, "chars": chars, "losses": _value(draws, 3)}
    told = {name: json.dumps(value) for name, value in notes.items() if draws.random() < 0.98}
    table = torch.randn(size**order, size) if size < 300 else torch.zeros(1, 1)
    if draws.random() < 0.1:
        table *= draws.choice((1e38, 0.0))
    save_file({"table": table}, folder / "minigpt.safetensors", told)
    result = Grader(hall.assignment(), Draws(1), hall.box).grade(folder, "x")
    _require_its_own(result, number)
    trained = result.exercises[0].trained
    return "measured" if trained and trained.counted is not None else str(result.exercises[0].outcome)


def _require_its_own(result: Result, number: int) -> None:
    [exercise] = result.exercises
    outcomes = {exercise.outcome, *(finding.outcome for finding in exercise.findings)}
    staff = [exercise.staff, *(finding.staff for finding in exercise.findings)]
    assert Outcome.BROKEN not in outcomes, (number, *filter(None, staff))
    assert from_json(to_json(result)) == result, number
    assert student_page.render(result), number


def _code(draws: random.Random) -> str:
    if draws.random() < 0.2:
        return NGRAM
    answer = draws.choice(ANSWERS).format(
        shape=draws.choice(SHAPES[:2] if draws.random() < 0.8 else SHAPES),
        value=draws.choice(VALUES),
        dtype=draws.choice(DTYPES[:2] if draws.random() < 0.8 else DTYPES),
    )
    return NGRAM.replace(
        "        return self.logits(idx)\n",
        f"        T, V = idx.shape[1], self.vocab_size\n        return {answer}\n",
    )


def _value(draws: random.Random, depth: int) -> Any:
    """Any value of JSON, with containers of at most `depth` levels."""
    kind = draws.randrange(7 if depth else 5)
    if kind == 5:
        return [_value(draws, depth - 1) for _ in range(draws.randrange(4))]
    if kind == 6:
        return {draws.choice(ODD_NAMES): _value(draws, depth - 1) for _ in range(draws.randrange(4))}
    return draws.choice(
        (None, draws.random() < 0.5, *map(draws.choice, (ODD_INTEGERS, ODD_FLOATS, ODD_TEXTS)))
    )


if __name__ == "__main__":
    main()
