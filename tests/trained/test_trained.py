"""A trained model is measured by the host, and gets the marks that it deserves."""

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
from graders.results.result import Outcome, from_json, to_json
from graders.sandbox.box import Box
from graders.sandbox.limits import Limits
from graders.trained.held_out import digest
from graders.trained.sample_sizes import choose_sample_sizes, passages
from tests.support.trained_models import BLOCK, NGRAM, Hall, failing, found, hall_of, hand_in

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
        seen = self.text[:-1].unfold(0, 6, 1)
        for at in range(5, idx.shape[1]):
            for follows in (seen == idx[0, at - 5 : at + 1]).all(1).nonzero()[:, 0]:
                logits[0, at, int(self.text[follows + 6])] += 5.0
        return logits
"""
SOLUTIONS = Path(__file__).parents[2] / "solutions"


@pytest.fixture(scope="module")
def hall(box: Box, tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        yield hall_of(tmp_path_factory.mktemp("hall"), box, patch)


def test_a_model_that_counts_gets_points_for_what_it_is_better(hall: Hall, tmp_path: Path):
    result = hall.graded(hall.ngram(tmp_path / "x", 3, losses=[[0, 3.0, 3.1], [10, 2.0, None]]))
    trained = result.trained
    assert trained is not None
    assert failing(result) in ([], ["beats_the_bigram"])
    share = (trained.bigram - trained.counted) / (trained.bigram - trained.target)
    assert found(result, "beats_the_bigram").points == pytest.approx(4 * min(1, max(0, share)), abs=0.01)
    assert trained.counted == trained.held_out
    assert trained.prefixes is None
    assert trained.one_token > trained.whole_context + 0.5
    assert trained.by_context[0][1] > trained.by_context[-1][1]
    assert len(trained.sample) > 10
    assert set(trained.sample) <= set(hall.chars)
    assert [(one.step, one.held_out) for one in trained.losses] == [(0, 3.1), (10, None)]


def test_a_loss_at_the_target_has_all_points(hall: Hall, tmp_path: Path):
    assignment = hall.assignment()
    [exercise] = assignment.exercises
    easy = replace(exercise, rule=replace(exercise.rule, of_bigram=0.97))
    result = hall.graded(hall.ngram(tmp_path / "x", 3), assignment=replace(assignment, exercises=(easy,)))
    assert (result.outcome, result.points) == (Outcome.PASSED, 6)


def test_a_bigram_has_no_points_for_its_loss_and_uses_no_context(hall: Hall, tmp_path: Path):
    result = hall.graded(hall.ngram(tmp_path / "x", 1))
    assert failing(result) == ["uses_its_context", "beats_the_bigram"]
    assert found(result, "beats_the_bigram").points < 0.2
    assert "as a bigram does" in found(result, "uses_its_context").message


def test_a_model_that_learned_by_heart_shows_by_its_gap(hall: Hall, tmp_path: Path):
    state = {"text": hall.ids[: len(hall.ids) * 9 // 10].to(torch.uint8)}
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "size": len(state["text"])}
    trained = hall.graded(hand_in(tmp_path / "x", BY_HEART, state, config, hall.chars)).trained
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
    result = hall.graded(hand_in(tmp_path / "x", code, state, config, hall.chars))
    assert failing(result) == ["uses_its_context", "beats_the_bigram"]
    assert result.points == 1.5


def test_the_same_model_gets_the_same_result_each_time(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 2)
    assert hall.graded(folder) == hall.graded(folder)


def test_a_tokenizer_of_words_is_compared_by_its_characters(hall: Hall, tmp_path: Path):
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
    result = hall.graded(
        hand_in(tmp_path / "x", code, state, {"vocab_size": len(chars), "block_size": 8, "order": 1}, chars)
    )
    assert found(result, "gives_the_text_back").outcome == "passed"
    tokens = torch.tensor(float(len(chars))).log2().item()
    assert result.trained.held_out == pytest.approx(tokens / 2, rel=0.02)


def test_encode_and_decode_that_cannot_run_give_way_to_the_order_of_chars(hall: Hall, tmp_path: Path):
    code = f"{NGRAM}\nencode = lambda s: [stoi[c] for c in s]\n"
    result = hall.graded(hall.ngram(tmp_path / "x", 1, code))
    finding = found(result, "gives_the_text_back")
    assert finding.outcome == "passed"
    assert "your encode was not used, but the order of chars: it raised TypeError" in finding.message


def test_a_pair_of_logits_and_loss_is_as_good_as_logits(hall: Hall, tmp_path: Path):
    code = NGRAM.replace("return self.logits(idx)", "return self.logits(idx), None")
    plainly, paired = (hall.graded(hall.ngram(tmp_path / n, 1, c)) for n, c in (("a", NGRAM), ("b", code)))
    assert plainly.points == paired.points


def test_without_a_corpus_the_checkpoint_is_opened_and_the_rest_undecided(hall: Hall, tmp_path: Path):
    nowhere = load_assignment("minigpt").only(["minigpt"]).measured_on(str(tmp_path / "nowhere.txt"))
    result = hall.graded(hall.ngram(tmp_path / "x", 1), assignment=nowhere)
    assert [f.outcome for f in result.findings] == ["passed"] + 4 * ["skipped"]
    assert (result.points, result.undecided_points) == (0.5, 5.5)
    assert "there is no corpus" in result.findings[1].message


def test_without_a_checkpoint_the_exercise_is_not_attempted(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    (folder / "minigpt.safetensors").unlink()
    result = hall.graded(folder)
    assert result.outcome is Outcome.NOT_ATTEMPTED
    assert "There is no minigpt.safetensors or minigpt.pt" in result.message


def test_the_checkpoint_is_one_of_the_files_and_changes_their_fingerprint(hall: Hall, tmp_path: Path):
    grader = Grader(hall.assignment(), Draws(1), hall.box)
    first = grader.grade(hall.ngram(tmp_path / "x", 1), "x").submission
    again = grader.grade(hall.ngram(tmp_path / "x", 2), "x").submission
    assert "minigpt.safetensors" in first.files
    assert first.sha256 != again.sha256


def test_what_was_measured_goes_through_json_and_stays_slim(hall: Hall, tmp_path: Path):
    result = Grader(hall.assignment(), Draws(1), hall.box).grade(hall.ngram(tmp_path / "x", 1), "x")
    assert from_json(to_json(result)) == result
    [kept] = compact(result).exercises
    assert (kept.trained.sample, kept.trained.by_context) == ("", ())
    assert kept.trained.weights == result.exercises[0].trained.weights


def test_weights_are_the_same_under_other_names_and_in_another_file(hall: Hall, tmp_path: Path):
    first = hall.graded(hall.ngram(tmp_path / "a", 1)).trained.weights
    renamed = NGRAM.replace("table", "counts")
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "order": 1}
    other = hand_in(tmp_path / "b", renamed, {"counts": hall.table(1)}, config, hall.chars, [[1, 2.0, 3.0]])
    assert hall.graded(other).trained.weights == first


def test_a_rule_knows_its_target():
    rule = LossPolicy("grammar", (("shakespeare", 2.74),))
    assert rule.target("shakespeare", 3.5, None) == 2.74
    assert rule.target("grammar", 2.5, 0.5) == pytest.approx(0.525)
    assert rule.target("mine.txt", 3.0, None) == pytest.approx(2.4)
    assert rule.on("french").corpus == "french"
    assert rule.on(None) == rule


def test_another_text_is_another_yardstick(tmp_path: Path):
    for name, text in (("a.txt", "abc " * 3_000), ("b.txt", "abd " * 3_000)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    first, other = (digest(LossPolicy(str(tmp_path / name)), 1) for name in ("a.txt", "b.txt"))
    assert first != other


def test_a_result_is_made_again_for_another_checkpoint_and_another_corpus(hall: Hall, tmp_path: Path):
    assignment, other = hall.assignment(), hall.assignment().measured_on(str(SOLUTIONS / "minigpt.py"))
    settings = cache_key.Settings(1, "cpu", "None", Limits(), hall.box.level)
    runs = [cache_key.of_run(each, settings) for each in (assignment, other)]
    assert runs[0] != runs[1]
    folder = hall.ngram(tmp_path / "x", 1)
    checkpoint = folder / "minigpt.safetensors"
    before, first = checkpoint.read_bytes(), cache_key.of_submission(runs[0], "x", folder)
    hall.ngram(folder, 2)
    assert cache_key.of_submission(runs[0], "x", folder) != first
    checkpoint.write_bytes(before)  # saved once more it may differ: its notes come in any order
    assert cache_key.of_submission(runs[0], "x", folder) == first


def test_a_zip_with_code_and_checkpoint_is_as_good_as_a_folder(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    packed = shutil.make_archive(str(tmp_path / "x"), "zip", folder)
    assert hall.graded(Path(packed)).trained == hall.graded(folder).trained


def test_a_checkpoint_of_torch_is_as_good_as_one_of_safetensors(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    first = hall.graded(folder)
    (folder / "minigpt.safetensors").unlink()
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "order": 1}
    kept = {"state_dict": {"table": hall.table(1)}, "config": config, "chars": hall.chars}
    torch.save(kept, folder / "minigpt.pt")
    assert hall.graded(folder).trained == first.trained


def test_of_two_checkpoints_the_one_that_lies_highest_counts(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    (folder / "old").mkdir()
    (folder / "old/minigpt.safetensors").write_bytes(b"not this one")
    result = Grader(hall.assignment(), Draws(1), hall.box).grade(folder, "x")
    assert "There are 2 checkpoints; minigpt.safetensors was judged." in [r.says for r in result.remarks]
    assert result.exercises[0].findings[0].outcome == "passed"


def test_a_checkpoint_beside_the_zip_of_the_code_is_found(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    with ZipFile(folder / "code.zip", "w") as packed:
        packed.write(folder / "minigpt.py", "minigpt.py")
    (folder / "minigpt.py").unlink()
    assert found(hall.graded(folder), "opens_and_fits").outcome == "passed"


def test_the_command_says_that_a_checkpoint_opens_before_it_is_handed_in(hall: Hall, tmp_path: Path):
    folder = hall.ngram(tmp_path / "x", 1)
    asked = ["check", str(folder), "--assignment", "minigpt", "--exercise", "minigpt"]
    shown = CliRunner().invoke(main, [*asked, "--corpus", str(hall.corpus)])
    assert shown.exit_code == 1, shown.output
    assert "the checkpoint opens, and its weights fit MiniGPT(**config)" in shown.output
    assert "bits per character on corpus.txt" in shown.output


def test_what_students_get_saves_what_is_graded(hall: Hall, tmp_path: Path):
    given: dict[str, Any] = {}
    exec(hall.assignment().exercises[0].handed_out, given)
    code: dict[str, Any] = {}
    exec(NGRAM, code)
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "order": 1}
    model = code["MiniGPT"](**config)
    folder = tmp_path / "x"
    folder.mkdir()
    given["save_minigpt"](model, config, list(hall.chars), folder / "minigpt.safetensors", [(1, 2.0, 3.0)])
    stubs = hall.assignment().exercises[0].handed_out
    (folder / "all.py").write_text(f"{stubs}\n{NGRAM}", encoding="utf-8")
    result = hall.graded(folder)
    assert found(result, "gives_the_text_back").outcome == "passed"
    assert result.trained.losses[0].held_out == 3.0


def test_passages_lie_in_the_text_in_their_order_and_do_not_overlap():
    text = "".join(chr(0x100 + n) for n in range(5_000))
    cut = passages(text, 24, 16, seed=3)
    starts = [text.index(passage) for passage in cut]
    assert len(cut) == 8
    assert all(len(passage) == 3 * 16 + 1 for passage in cut)
    assert all(a + 49 <= b for a, b in pairwise(starts))
    assert passages("short", 24, 16, seed=3) == ["short"]


@pytest.mark.parametrize("parameters", [10_000, 1_000_000, 10_000_000, 16_000_000])
@pytest.mark.parametrize("block_size", [8, 64, 256, 1024])
def test_a_larger_model_is_measured_on_less(parameters: int, block_size: int):
    small, large = (
        choose_sample_sizes(parameters, block_size),
        choose_sample_sizes(2 * parameters, block_size),
    )
    assert large.held_out <= small.held_out
    assert large.sample <= small.sample
    assert min(small.held_out, small.train, small.alone, small.sample) >= 1
