"""The host measures a trained model, and its loss determines the points."""

import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import torch
from click.testing import CliRunner

from graders.batch import cache_key
from graders.cli.main import main
from graders.course.exercise import load_assignment
from graders.course.loss_policy import LossPolicy
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.compact import compact
from graders.results.result import ExerciseResult, Outcome, from_json, to_json
from graders.sandbox.box import Box
from graders.sandbox.limits import Limits
from graders.submission.read import read
from graders.trained.held_out import digest
from graders.trained.sample_sizes import choose_passages, choose_sample_sizes
from tests.support.trained_models import BLOCK, NGRAM, Hall, failing, finding_of, hand_in, make_hall

BY_HEART = """
import torch
from torch import nn

class MiniGPT(nn.Module):
    def __init__(self, vocab_size, block_size, size):
        super().__init__()
        self.vocab_size = vocab_size
        self.register_buffer("text", torch.zeros(size, dtype=torch.uint8))

    def forward(self, idx, targets=None):
        logits = torch.zeros(1, idx.shape[1], self.vocab_size)
        digits = self.vocab_size ** torch.arange(6)
        text, last = self.text.long(), len(self.text) - 6
        seen = sum(text[place : last + place] * digits[place] for place in range(6))
        for at in range(5, idx.shape[1]):
            same = seen == idx[0, at - 5 : at + 1] @ digits
            logits[0, at] += 5.0 * torch.bincount(text[6:][same], minlength=self.vocab_size)
        return logits
"""
SOLUTIONS = Path(__file__).parents[2] / "solutions"


@pytest.fixture(scope="module")
def hall(box: Box, tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        yield make_hall(tmp_path_factory.mktemp("hall"), box, patch)


@pytest.fixture(scope="module")
def folder_of_bigram(hall: Hall, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hall.ngram(tmp_path_factory.mktemp("bigram") / "x", 1)


@pytest.fixture(scope="module")
def bigram(hall: Hall, folder_of_bigram: Path) -> ExerciseResult:
    """The result of a model that sees one character back, with which those of others are compared."""
    return hall.grade(folder_of_bigram)


def test_the_share_of_points_grows_with_the_distance_to_the_bigram(hall: Hall, tmp_path: Path):
    result = hall.grade(hall.ngram(tmp_path / "x", 3, losses=[[0, 3.0, 3.1], [10, 2.0, None]]))
    trained = result.trained
    assert trained is not None
    assert failing(result) in ([], ["beats_the_bigram"])
    share = (trained.bigram - trained.counted) / (trained.bigram - trained.target)
    assert finding_of(result, "beats_the_bigram").points == pytest.approx(4 * min(1, max(0, share)), abs=0.01)
    assert trained.counted == trained.held_out
    assert trained.prefixes is None
    assert trained.one_token > trained.whole_context + 0.5
    assert trained.by_context[0][1] > trained.by_context[-1][1]
    assert len(trained.sample) > 10
    assert set(trained.sample) <= set(hall.chars)
    assert [(loss.step, loss.held_out) for loss in trained.losses] == [(0, 3.1), (10, None)]


def test_a_loss_at_the_target_has_all_points(hall: Hall, tmp_path: Path):
    assignment = hall.assignment()
    [exercise] = assignment.exercises
    easy = replace(exercise, rule=replace(exercise.rule, of_bigram=0.97))
    result = hall.grade(hall.ngram(tmp_path / "x", 3), assignment=replace(assignment, exercises=(easy,)))
    assert (result.outcome, result.points) == (Outcome.PASSED, 6)


def test_a_bigram_has_no_points_for_its_loss_and_uses_no_context(bigram: ExerciseResult):
    assert failing(bigram) == ["uses_its_context", "beats_the_bigram"]
    assert finding_of(bigram, "beats_the_bigram").points < 0.2
    assert "as a bigram does" in finding_of(bigram, "uses_its_context").message


def test_a_memorising_model_has_a_gap_between_training_and_held_out_loss(hall: Hall, tmp_path: Path):
    state = {"text": hall.ids[: len(hall.ids) * 9 // 10].to(torch.uint8)}
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "size": len(state["text"])}
    trained = hall.grade(hand_in(tmp_path / "x", BY_HEART, state, config, hall.chars)).trained
    assert trained.train < trained.held_out - 0.5


def test_an_untrained_model_gets_no_point_for_its_loss(hall: Hall, tmp_path: Path):
    from graders.course.reference import reference

    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "n_embd": 16, "n_head": 2, "n_layer": 1}
    torch.manual_seed(1)
    state = {
        name: value.clone()
        for name, value in reference("minigpt_model", "MiniGPT")(**config).state_dict().items()
    }
    code = (SOLUTIONS / "minigpt_model.py").read_text(encoding="utf-8")
    result = hall.grade(hand_in(tmp_path / "x", code, state, config, hall.chars))
    assert failing(result) == ["uses_its_context", "beats_the_bigram"]
    assert result.points == 1.5


def test_the_same_model_gets_the_same_result_each_time(
    hall: Hall, folder_of_bigram: Path, bigram: ExerciseResult
):
    assert hall.grade(folder_of_bigram) == bigram


def test_the_loss_of_a_tokenizer_with_longer_tokens_is_per_character(hall: Hall, tmp_path: Path):
    pairs = sorted({a + b for a, b in zip(hall.text[::2], hall.text[1::2], strict=False)})
    chars = [*hall.chars, *pairs]
    code = (
        NGRAM
        + """
def encode(text, chars):
    known = {token: number for number, token in enumerate(chars)}
    return [known[text[at : at + 2]] for at in range(0, len(text), 2)]

def decode(ids, chars):
    return "".join(chars[number] for number in ids)
"""
    )
    state = {"table": torch.zeros(len(chars), len(chars))}
    result = hall.grade(
        hand_in(tmp_path / "x", code, state, {"vocab_size": len(chars), "block_size": 8, "order": 1}, chars)
    )
    assert finding_of(result, "gives_the_text_back").outcome == "passed"
    tokens = torch.tensor(float(len(chars))).log2().item()
    assert result.trained.held_out == pytest.approx(tokens / 2, rel=0.02)


def test_the_order_of_chars_replaces_an_encode_that_raises(hall: Hall, tmp_path: Path):
    code = f"{NGRAM}\nencode = lambda s: [stoi[c] for c in s]\n"
    result = hall.grade(hall.ngram(tmp_path / "x", 1, code))
    finding = finding_of(result, "gives_the_text_back")
    assert finding.outcome == "passed"
    assert "your encode raised NameError" in finding.message


def test_a_model_may_return_logits_and_loss(hall: Hall, bigram: ExerciseResult, tmp_path: Path):
    code = NGRAM.replace("return self.logits(idx)", "return self.logits(idx), None")
    assert hall.grade(hall.ngram(tmp_path / "x", 1, code)).points == bigram.points


def test_without_a_corpus_all_is_decided_that_needs_none(hall: Hall, tmp_path: Path):
    nowhere = load_assignment("minigpt").only(["minigpt"]).measured_on(str(tmp_path / "nowhere.txt"))
    result = hall.grade(hall.ngram(tmp_path / "x", 1), assignment=nowhere)
    assert [f.outcome for f in result.findings] == 3 * ["passed"] + 2 * ["skipped"]
    assert (result.points, result.undecided_points) == (1.5, 4.5)
    assert "there is no corpus" in result.findings[3].message


def test_without_a_corpus_a_wrong_tokenizer_and_a_look_into_the_future_are_found(hall: Hall, tmp_path: Path):
    nowhere = load_assignment("minigpt").only(["minigpt"]).measured_on(str(tmp_path / "nowhere.txt"))
    code = NGRAM.replace("self.table[keys]", "self.table[keys.roll(-1, 1)]")
    code += "\ndef decode(ids, chars):\n    return ''.join(chars[number] for number in ids)[::-1]\n"
    result = hall.grade(hall.ngram(tmp_path / "x", 1, code), assignment=nowhere)
    assert [f.outcome for f in result.findings] == ["passed", "failed", "failed", "skipped", "skipped"]
    assert "The loss that counts" not in result.findings[2].message


def test_without_a_checkpoint_the_exercise_is_not_attempted(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    (folder / "minigpt.safetensors").unlink()
    result = hall.grade(folder)
    assert result.outcome is Outcome.NOT_ATTEMPTED
    assert "There is no minigpt.safetensors or minigpt.pt" in result.message


def test_the_checkpoint_is_part_of_the_submissions_digest(hall: Hall, tmp_path: Path):
    grader = Grader(hall.assignment(), Draws(1), hall.box)
    first = grader.grade(hall.ngram(tmp_path / "x", 1), "x").submission
    second = grader.grade(hall.ngram(tmp_path / "x", 2), "x").submission
    assert "minigpt.safetensors" in first.files
    assert first.sha256 != second.sha256


def test_measurements_survive_json_and_the_compact_form_drops_the_long_ones(hall: Hall, tmp_path: Path):
    result = Grader(hall.assignment(), Draws(1), hall.box).grade(hall.ngram(tmp_path / "x", 1), "x")
    assert from_json(to_json(result)) == result
    [compacted] = compact(result).exercises
    assert (compacted.trained.sample, compacted.trained.by_context) == ("", ())
    assert compacted.trained.weights == result.exercises[0].trained.weights


def test_the_digest_of_weights_ignores_their_names_and_the_file(
    hall: Hall, bigram: ExerciseResult, tmp_path: Path
):
    renamed = NGRAM.replace("table", "counts")
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "order": 1}
    other = hand_in(tmp_path / "b", renamed, {"counts": hall.table(1)}, config, hall.chars, [[1, 2.0, 3.0]])
    assert hall.grade(other).trained.weights == bigram.trained.weights


def test_a_loss_policy_computes_its_target():
    rule = LossPolicy("grammar", (("shakespeare", 2.74),))
    assert rule.target("shakespeare", 3.5, None) == 2.74
    assert rule.target("grammar", 2.5, 0.5) == pytest.approx(0.525)
    assert rule.target("mine.txt", 3.0, None) == pytest.approx(2.4)
    assert rule.on("french").corpus == "french"
    assert rule.on(None) == rule


def test_another_text_is_another_evaluation_set(tmp_path: Path):
    for name, text in (("a.txt", "abc " * 3_000), ("b.txt", "abd " * 3_000)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    first, other = (digest(LossPolicy(str(tmp_path / name)), 1) for name in ("a.txt", "b.txt"))
    assert first != other


def test_the_cache_key_depends_on_the_checkpoint_and_the_corpus(hall: Hall, tmp_path: Path):
    assignment, other = hall.assignment(), hall.assignment().measured_on(str(SOLUTIONS / "minigpt.py"))
    settings = cache_key.Settings(seed=1, device="cpu", dtype="None", limits=Limits(), level=hall.box.level)
    runs = [cache_key.of_run(chosen, settings) for chosen in (assignment, other)]
    assert runs[0] != runs[1]
    folder = hall.ngram(tmp_path / "x", 1)
    checkpoint = folder / "minigpt.safetensors"
    before, first = checkpoint.read_bytes(), cache_key.of_submission(runs[0], "x", folder)
    hall.ngram(folder, 2)
    assert cache_key.of_submission(runs[0], "x", folder) != first
    checkpoint.write_bytes(before)  # the same bytes, since saving again may reorder the metadata
    assert cache_key.of_submission(runs[0], "x", folder) == first


def test_a_zip_with_code_and_checkpoint_gives_the_same_result_as_a_folder(
    hall: Hall, folder_of_bigram: Path, bigram: ExerciseResult, tmp_path: Path
):
    packed = shutil.make_archive(str(tmp_path / "x"), "zip", folder_of_bigram)
    assert hall.grade(Path(packed)).trained == bigram.trained


def test_a_checkpoint_of_torch_gives_the_same_result_as_one_of_safetensors(
    hall: Hall, bigram: ExerciseResult, tmp_path: Path
):
    folder = hall.ngram(tmp_path / "x", 1)
    (folder / "minigpt.safetensors").unlink()
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "order": 1}
    saved = {"state_dict": {"table": hall.table(1)}, "config": config, "chars": hall.chars}
    torch.save(saved, folder / "minigpt.pt")
    assert hall.grade(folder).trained == bigram.trained


def test_of_two_checkpoints_the_one_in_the_outer_folder_is_judged(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    (folder / "old").mkdir()
    (folder / "old/minigpt.safetensors").write_bytes(b"not this one")
    result = Grader(hall.assignment(), Draws(1), hall.box).grade(folder, "x")
    assert "There are 2 checkpoints; minigpt.safetensors was judged." in [r.says for r in result.remarks]
    assert result.exercises[0].findings[0].outcome == "passed"


@pytest.mark.parametrize(("right", "other"), [("a", "b"), ("b", "a")])
def test_of_checkpoints_of_which_nothing_says_which_is_the_last_the_better_one_counts(
    hall: Hall, tmp_path: Path, right: str, other: str
):
    folder = hall.ngram(tmp_path / "x", 1)
    for name in (right, other):
        (folder / name).mkdir()
    (folder / "minigpt.safetensors").rename(folder / right / "minigpt.safetensors")
    (folder / other / "minigpt.safetensors").write_bytes(b"not this one")
    result = hall.grade(folder)
    assert result.findings[0].outcome == "passed"
    assert result.versions == ("a/minigpt.safetensors", "b/minigpt.safetensors")


def test_of_checkpoints_the_later_version_is_judged_alone(tmp_path: Path):
    for name, text in {"v1/minigpt.pt": b"1", "v2/minigpt.pt": b"2", "m.py": b"x = 1"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(text)
    assert [checkpoint.name for checkpoint in read(tmp_path).checkpoints] == ["v2/minigpt.pt"]


def test_a_checkpoint_beside_the_zip_of_the_code_is_found(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    with ZipFile(folder / "code.zip", "w") as packed:
        packed.write(folder / "minigpt.py", "minigpt.py")
    (folder / "minigpt.py").unlink()
    assert finding_of(hall.grade(folder), "opens_and_fits").outcome == "passed"


def test_softmark_check_opens_and_measures_a_checkpoint(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    arguments = ["check", str(folder), "--assignment", "minigpt", "--exercise", "minigpt"]
    run = CliRunner().invoke(main, [*arguments, "--corpus", str(hall.corpus)])
    assert run.exit_code == 1, run.output
    assert "25 tokens, a context of 16" in run.output
    assert "bits per character on corpus.txt" in run.output


def test_save_minigpt_of_the_handout_saves_what_is_graded(hall: Hall, tmp_path: Path):
    namespace: dict[str, Any] = {}
    exec(hall.assignment().exercises[0].handed_out, namespace)
    code: dict[str, Any] = {}
    exec(NGRAM, code)
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "order": 1}
    model = code["MiniGPT"](**config)
    folder = tmp_path / "x"
    folder.mkdir()
    namespace["save_minigpt"](
        model, config, list(hall.chars), folder / "minigpt.safetensors", [(1, 2.0, 3.0)]
    )
    stubs = hall.assignment().exercises[0].handed_out
    (folder / "all.py").write_text(f"{stubs}\n{NGRAM}", encoding="utf-8")
    result = hall.grade(folder)
    assert finding_of(result, "gives_the_text_back").outcome == "passed"
    assert result.trained.losses[0].held_out == 3.0


def test_passages_keep_the_order_of_the_text_and_do_not_overlap():
    text = "".join(chr(0x100 + n) for n in range(5_000))
    chosen = choose_passages(text, 24, 16, seed=3)
    starts = [text.index(passage) for passage in chosen]
    assert len(chosen) == 8
    assert all(len(passage) == 3 * 16 + 1 for passage in chosen)
    assert all(a + 49 <= b for a, b in pairwise(starts))
    assert choose_passages("short", 24, 16, seed=3) == ["short"]


@pytest.mark.parametrize("parameters", [10_000, 1_000_000, 10_000_000, 16_000_000])
@pytest.mark.parametrize("block_size", [8, 64, 256, 1024])
def test_a_larger_model_is_measured_on_less(parameters: int, block_size: int):
    small, large = (
        choose_sample_sizes(parameters, block_size, 65),
        choose_sample_sizes(2 * parameters, block_size, 65),
    )
    assert large.held_out <= small.held_out
    assert large.sample <= small.sample
    assert min(small.held_out, small.train, small.prefixes, small.sample) >= 1


def test_a_model_of_many_tokens_is_measured_on_less():
    few, many = (choose_sample_sizes(1_000_000, 128, vocab_size) for vocab_size in (65, 90_000))
    assert many.prefixes < few.prefixes
    assert min(many.held_out, many.train, many.prefixes, many.sample) >= 1


def test_a_window_longer_than_the_text_is_measured(hall: Hall, tmp_path: Path):
    config = {"vocab_size": len(hall.chars), "block_size": 100_000, "order": 2}
    folder = hand_in(tmp_path / "x", NGRAM, {"table": hall.table(2)}, config, hall.chars)
    assert hall.grade(folder).trained.counted < 3
