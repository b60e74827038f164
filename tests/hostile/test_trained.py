"""A hostile or broken checkpoint, graded from start to end: the exercise gets 0 points and says why."""

import importlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from graders.sandbox.limits import Limits
from tests.support.trained_models import BLOCK, NGRAM, Hall, finding_of, hand_in, make_hall

ATTACKS = sorted(path.stem for path in (Path(__file__).parent / "checkpoint").glob("[a-z]*.py"))
SMALL = Limits(memory_bytes=256 << 20, load_s=30.0, call_s=10.0)
ENDS = {
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.OUT_OF_MEMORY,
    Outcome.TIMED_OUT,
    Outcome.NOT_ATTEMPTED,
    Outcome.UNREADABLE,
}


@pytest.fixture(scope="module")
def hall(level, tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch, Box(level, SMALL) as box:
        yield make_hall(tmp_path_factory.mktemp("hall"), box, patch)


def message_of_refusal(result: ExerciseResult) -> str:
    """The message about a checkpoint of which nothing could be measured."""
    assert result.outcome in ENDS, result
    assert result.points == 0
    assert result.undecided_points == 0
    return result.message or finding_of(result, "opens_and_fits").message or ""


# At each push `test_checkpoints.py` has that the bomb, which takes a second to make, is refused.
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.nightly if name == "bomb_of_zeros" else ()) for name in ATTACKS],
)
def test_a_hostile_checkpoint_costs_its_owner_the_exercise(name: str, hall: Hall, tmp_path: Path):
    attack = importlib.import_module(f"tests.hostile.checkpoint.{name}")
    checkpoint = attack.make(tmp_path)
    folder = tmp_path / "handed-in"
    folder.mkdir()
    (folder / "model.py").write_text(NGRAM, encoding="utf-8")
    shutil.copy(checkpoint, folder / f"minigpt{checkpoint.suffix}")
    assert message_of_refusal(hall.grade(folder))
    assert not Path("/tmp/softmark-was-here").exists()


def config_of(hall: Hall, **changes: Any) -> dict[str, Any]:
    return {"vocab_size": len(hall.chars), "block_size": BLOCK, "order": 1} | changes


def nan(table: torch.Tensor) -> dict[str, torch.Tensor]:
    return {"table": table * float("nan")}


CASES: dict[str, tuple[Callable[[Hall], tuple[Any, Any, Any]], str]] = {
    "no_config": (lambda h: ({"table": h.table(1)}, None, h.chars), "does not contain config"),
    "no_chars": (lambda h: ({"table": h.table(1)}, config_of(h), None), "does not contain chars"),
    "a_list_for_a_config": (
        lambda h: ({"table": h.table(1)}, [1, 2], h.chars),
        "a dictionary of MiniGPT's arguments",
    ),
    "a_config_of_lists": (
        lambda h: ({"table": h.table(1)}, config_of(h, order=[1]), h.chars),
        "'order' is neither",
    ),
    "no_block_size": (
        lambda h: ({"table": h.table(1)}, {"vocab_size": 3}, h.chars),
        "should contain block_size",
    ),
    "a_block_without_end": (
        lambda h: ({"table": h.table(1)}, config_of(h, block_size=10**9), h.chars),
        "should contain block_size",
    ),
    "a_window_too_large": (
        lambda h: ({"table": h.table(1)}, config_of(h, vocab_size=90_000, block_size=90_000), h.chars),
        "more than softmark can measure",
    ),
    "a_giant": (lambda h: ({"table": h.table(1)}, config_of(h, order=6), h.chars), "memory"),
    "the_wrong_size": (
        lambda h: ({"table": h.table(1)}, config_of(h, order=2), h.chars),
        "table has shape (25, 25), but (625, 25) in the model",
    ),
    "a_key_missing": (lambda h: ({"other": h.table(1)}, config_of(h), h.chars), "table is missing"),
    "a_key_too_many": (
        lambda h: ({"table": h.table(1), "tril": torch.ones(2)}, config_of(h), h.chars),
        "tril is not in the model",
    ),
    "not_a_number": (lambda h: (nan(h.table(1)), config_of(h), h.chars), "contain NaN"),
    "numbers_for_chars": (lambda h: ({"table": h.table(1)}, config_of(h), [1, 2]), "a list of texts"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_that_does_not_fit_says_why(name: str, hall: Hall, tmp_path: Path):
    make, message = CASES[name]
    state, config, chars = make(hall)
    assert message in message_of_refusal(hall.grade(hand_in(tmp_path / "x", NGRAM, state, config, chars)))


def test_a_class_that_is_not_a_module_says_so(hall: Hall, tmp_path: Path):
    code = "class MiniGPT:\n    def __init__(self, **config):\n        self.x = 1\n"
    folder = hall.ngram(tmp_path / "x", 1, code)
    assert "nn.Module" in message_of_refusal(hall.grade(folder))


def test_a_model_that_never_answers_runs_out_of_time_for_the_call(hall: Hall, tmp_path: Path):
    code = NGRAM.replace("return self.logits(idx)", "while True: pass")
    impatient = replace(SMALL, call_s=0.5)
    with Box(hall.box.level, impatient) as box:
        result = replace(hall, box=box).grade(hall.ngram(tmp_path / "x", 1, code))
    assert [f.outcome for f in result.findings] == 2 * ["passed"] + 3 * ["timed_out"]
    assert "no answer within 0.5 s" in finding_of(result, "sees_no_future").message


def test_a_model_that_is_always_slow_runs_out_of_time_for_the_model(hall: Hall, tmp_path: Path):
    code = NGRAM.replace("return self.logits(idx)", "import time; time.sleep(0.3); return self.logits(idx)")
    with Box(hall.box.level, replace(SMALL, trained_s=3.0)) as box:
        box.fork().close()
        result = replace(hall, box=box).grade(hall.ngram(tmp_path / "x", 1, code))
    assert "the time for the trained model (3 s) was used up" in finding_of(result, "sees_no_future").message


def test_a_model_that_searches_the_file_system_finds_nothing(hall: Hall, tmp_path: Path):
    code = f"import glob\nfound = glob.glob('/tmp/**/corpus.txt', recursive=True)\n{NGRAM}".replace(
        "return self.logits(idx)", "raise RuntimeError(str(found))"
    )
    result = hall.grade(hall.ngram(tmp_path / "x", 1, code))
    assert "RuntimeError: []" in finding_of(result, "sees_no_future").message
