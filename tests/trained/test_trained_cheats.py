"""Cheating attempts of a model, of `encode` and of `decode`: none of them gains points."""

from pathlib import Path

import pytest
import torch

from graders.sandbox.box import Box
from tests.support.trained_models import BLOCK, NGRAM, Hall, failing, finding_of, hand_in, make_hall

# Each is a bigram that tries to see the targets: it puts a large logit on those that it finds.
PEEKS = """
        logits = self.logits(idx)
        known = idx[:, 1:]
        {when}logits[:, :-1] += 30.0 * torch.nn.functional.one_hot(known, self.vocab_size)
        return logits
"""
REMEMBERS = """
        logits = self.logits(idx)
        for other in seen:
            for at in range(idx.shape[1]):
                known = other[: idx.shape[1] + 1]
                if len(known) > at + 1 and known[: at + 1] == idx[0, : at + 1].tolist():
                    logits[0, at, known[at + 1]] += 30.0
        seen.append(idx[0].tolist())
        return logits
"""
LOOKS_ABOUT = """
        logits = self.logits(idx)
        import gc
        for other in gc.get_objects():
            if isinstance(other, torch.Tensor) and other.dtype == torch.int64 and other.numel() > idx.numel():
                logits += 30.0 * torch.nn.functional.one_hot(other.flatten()[: 1], self.vocab_size)
        return logits
"""
HANDS_THE_TEXT_OVER = """
import builtins, os, sys, tempfile

def encode(text, chars):
    for place in (tempfile.gettempdir(), "/dev/shm", os.getcwd(), "/var/tmp"):
        try:
            with open(os.path.join(place, "softmark-was-here"), "a") as file:
                file.write(text + chr(0))
        except OSError:
            pass
    os.environ["SOFTMARK_TEXT"] = text
    builtins.text = sys.modules["text"] = text
    return [0] * len(text)

def decode(ids, chars):
    for place in (tempfile.gettempdir(), "/dev/shm", os.getcwd(), "/var/tmp"):
        try:
            return open(os.path.join(place, "softmark-was-here")).read().split(chr(0))[0]
        except OSError:
            pass
    return os.environ.get("SOFTMARK_TEXT") or getattr(__import__("builtins"), "text", "")
"""
BY_HEART = """
        logits = self.logits(idx)
        for at in range(idx.shape[1]):
            before, found, after = TEXT.partition("".join(CHARS[n] for n in idx[0, : at + 1].tolist()))
            if after and found not in after:
                logits[0, at, CHARS.index(after[0])] += 30.0
        return logits
"""
BACKWARDS = """
def encode(text, chars):
    return [chars.index(char) for char in reversed(text)]

def decode(ids, chars):
    return "".join(chars[number] for number in reversed(ids))
"""
A_TOKEN_A_TEXT = """
texts = {}

def encode(text, chars):
    texts[len(texts)] = text
    return [len(texts) - 1]

def decode(ids, chars):
    return texts.get(ids[0], "")
"""


@pytest.fixture(scope="module")
def hall(box: Box, tmp_path_factory: pytest.TempPathFactory):
    with pytest.MonkeyPatch.context() as patch:
        yield make_hall(tmp_path_factory.mktemp("hall"), box, patch)


@pytest.fixture(scope="module")
def honest(hall: Hall, tmp_path_factory: pytest.TempPathFactory) -> float:
    """The loss of the bigram that does not cheat."""
    return hall.grade(hall.ngram(tmp_path_factory.mktemp("honest") / "x", 1)).trained.counted


def forward(body: str, before: str = "") -> str:
    """The bigram's code with another forward."""
    return before + NGRAM.replace("        return self.logits(idx)\n", body)


@pytest.mark.parametrize("when", ["", f"if idx.shape[1] == {BLOCK}: "], ids=["always", "in_whole_windows"])
def test_a_model_that_sees_later_tokens_is_scored_on_prefixes_and_the_message_says_so(
    hall: Hall, honest: float, tmp_path: Path, when: str
):
    result = hall.grade(hall.ngram(tmp_path / "x", 1, forward(PEEKS.format(when=when))))
    assert result.trained.held_out < 0.7
    assert result.trained.prefixes == result.trained.counted == pytest.approx(honest, abs=0.4)
    assert "is the causal mask applied" in finding_of(result, "sees_no_future").message
    assert {"sees_no_future", "uses_its_context", "beats_the_bigram"} <= set(failing(result))


def test_a_model_that_remembers_earlier_requests_gains_nothing(hall: Hall, honest: float, tmp_path: Path):
    result = hall.grade(hall.ngram(tmp_path / "x", 1, forward(REMEMBERS, "seen = []\n")))
    assert result.trained.counted >= honest - 0.1


def test_no_later_token_lies_in_the_memory_of_the_models_process(hall: Hall, honest: float, tmp_path: Path):
    result = hall.grade(hall.ngram(tmp_path / "x", 1, forward(LOOKS_ABOUT)))
    assert result.trained is None or result.trained.counted is None or result.trained.counted >= honest - 0.1


def test_a_model_that_answers_differently_each_time_is_asked_about_dropout(hall: Hall, tmp_path: Path):
    code = forward("        return torch.nn.functional.dropout(self.logits(idx), 0.5)\n")
    result = hall.grade(hall.ngram(tmp_path / "x", 2, code))
    assert "is dropout active there?" in finding_of(result, "sees_no_future").message


def test_the_loss_of_a_model_that_knows_the_text_by_heart_is_left_to_a_person(hall: Hall, tmp_path: Path):
    code = forward(BY_HEART, f"TEXT, CHARS = {hall.text!r}, {hall.chars!r}\n")
    config = {"vocab_size": len(hall.chars), "block_size": 200, "order": 1}
    result = hall.grade(hand_in(tmp_path / "x", code, {"table": hall.table(1)}, config, hall.chars))
    finding = finding_of(result, "beats_the_bigram")
    assert result.trained.counted < result.trained.least
    assert finding.outcome == "skipped"
    assert finding.points == 0
    assert result.undecided_points == finding.max_points
    assert "Your instructor decides" in finding.message
    assert "by heart" in finding.staff


def test_encode_cannot_hand_the_text_to_decode(hall: Hall, tmp_path: Path):
    result = hall.grade(hall.ngram(tmp_path / "x", 1, NGRAM + HANDS_THE_TEXT_OVER))
    assert finding_of(result, "gives_the_text_back").outcome == "failed"
    assert finding_of(result, "beats_the_bigram").message.startswith("not counted")
    assert finding_of(result, "beats_the_bigram").points == 0
    for place in ("/tmp", "/dev/shm", "/var/tmp"):
        assert not (Path(place) / "softmark-was-here").exists()


def test_a_tokenizer_that_reverses_the_text_gains_nothing(hall: Hall, honest: float, tmp_path: Path):
    result = hall.grade(hall.ngram(tmp_path / "x", 1, NGRAM + BACKWARDS))
    assert finding_of(result, "gives_the_text_back").outcome == "passed"
    assert result.trained.counted > honest


def test_chars_with_more_tokens_than_the_model_has_are_refused(hall: Hall, tmp_path: Path):
    config = {"vocab_size": 1, "block_size": BLOCK, "order": 1}
    result = hall.grade(hand_in(tmp_path / "x", NGRAM, {"table": hall.table(1)[:1, :1]}, config, hall.chars))
    assert "tokens, but vocab_size is 1" in finding_of(result, "gives_the_text_back").message
    assert result.undecided_points == 0


def test_a_single_token_for_a_whole_text_is_refused(hall: Hall, tmp_path: Path):
    result = hall.grade(hall.ngram(tmp_path / "x", 1, NGRAM + A_TOKEN_A_TEXT))
    assert finding_of(result, "gives_the_text_back").outcome == "failed"
    assert finding_of(result, "beats_the_bigram").points == 0


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def encode(text, chars):\n    return [10**6] * len(text)", "numbers from 0 to vocab_size - 1"),
        ("def encode(text, chars):\n    return [-1] * len(text)", "but gives -1"),
        ("def encode(text, chars):\n    return [0] * 100 * len(text)", "characters into 1 to"),
        ("def encode(text, chars):\n    return []", "list of whole numbers"),
        ("def encode(text, chars):\n    return [0.5] * len(text)", "list of whole numbers"),
        ("def encode(text, chars):\n    return text", "so the order of chars was used"),
        ("def decode(ids, chars):\n    return 3", "the decoded text should have"),
    ],
    ids=["too_large", "negative", "too_many", "none", "fractions", "text", "no_text"],
)
def test_invalid_token_ids_are_refused(hall: Hall, tmp_path: Path, code: str, message: str):
    result = hall.grade(hall.ngram(tmp_path / "x", 1, f"{NGRAM}\n{code}\n"))
    assert message in finding_of(result, "gives_the_text_back").message


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("self.logits(idx) * float('nan')", "finite"),
        ("self.logits(idx) + float('inf')", "finite"),
        ("self.logits(idx)[:, :, :-1]", "the logits should be floating point"),
        ("self.logits(idx).softmax(-1).long()", "floating point"),
        ("'logits'", "should return its logits, a tensor"),
        ("1 / 0", "ZeroDivisionError"),
        ("self.logits(idx).double().sign() * 1e308", "the logits should lie within ±1e+100, but reach"),
    ],
    ids=["nan", "infinity", "too_few", "whole_numbers", "text", "raises", "near_infinity"],
)
def test_invalid_logits_are_refused_with_a_reason(hall: Hall, tmp_path: Path, answer: str, message: str):
    result = hall.grade(hall.ngram(tmp_path / "x", 1, forward(f"        return {answer}\n")))
    assert message in finding_of(result, "sees_no_future").message
    assert finding_of(result, "gives_the_text_back").outcome == "passed"
    assert result.points == 1


def test_equal_huge_logits_do_not_give_a_low_loss(hall: Hall, tmp_path: Path):
    code = forward("        return self.logits(idx) * 0 + 1e30\n")
    result = hall.grade(hall.ngram(tmp_path / "x", 1, code))
    assert result.trained.counted > 4


def test_weights_under_other_names_do_not_fit(hall: Hall, tmp_path: Path):
    config = {"vocab_size": len(hall.chars), "block_size": BLOCK, "order": 1}
    folder = hand_in(tmp_path / "x", NGRAM, {"counts": hall.table(1)}, config, hall.chars)
    message = finding_of(hall.grade(folder), "opens_and_fits").message
    assert "table is missing" in message
    assert "counts is not in the model" in message


# Of each 16 tokens a few hold three characters each, the others are padding: that many tokens are allowed.
# The model knows where padding is due, and nothing else; it sees the tokens that it should predict.
IN_A_CORNER = """
import torch
from torch import nn

PLACES, GROUP, TOGETHER, SURE = {places}, 16, 3, {sure}

class MiniGPT(nn.Module):
    def __init__(self, vocab_size, block_size):
        super().__init__()
        self.vocab_size = vocab_size
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, idx, targets=None):
        logits = torch.zeros(1, idx.shape[1], self.vocab_size)
        for at in range(idx.shape[1]):
            if (at + 1) % GROUP not in PLACES:
                logits[0, at, 0] = SURE
            elif at + 1 < idx.shape[1]:
                logits[0, at, idx[0, at + 1]] = SURE
        logits[..., 1] += 0.01 * torch.cos(idx.cumsum(1))
        return logits * self.scale

def encode(text, chars):
    size, ids = len(chars), [1 + len(text) % len(chars)]
    groups = [text[at : at + TOGETHER].ljust(TOGETHER, chars[0]) for at in range(0, len(text), TOGETHER)]
    numbers = [len(text) // size] + [
        sum(chars.index(char) * size**place for place, char in enumerate(group)) for group in groups
    ]
    while numbers:
        ids.append(1 + numbers.pop(0) if len(ids) % GROUP in PLACES else 0)
    return ids

def decode(ids, chars):
    size = len(chars)
    length, *numbers = [number - 1 for number in ids if number]
    length += numbers.pop(0) * size
    text = [chars[number // size**place % size] for number in numbers for place in range(TOGETHER)]
    return "".join(text)[:length]
"""


@pytest.mark.parametrize("places", [(1, 2, 3), (1, 6, 11)], ids=["first_quarter", "spread"])
def test_text_in_a_part_of_the_window_is_paid_for(hall: Hall, tmp_path: Path, places: tuple[int, ...]):
    vocabulary = 1 + len(hall.chars) ** 3
    code = IN_A_CORNER.format(places=places, sure=9.0)  # so sure that its loss is not doubted
    config = {"vocab_size": vocabulary, "block_size": 16}
    result = hall.grade(hand_in(tmp_path / "x", code, {"scale": torch.ones(1)}, config, hall.chars))
    assert finding_of(result, "gives_the_text_back").outcome == "passed"
    assert finding_of(result, "sees_no_future").outcome == "failed"
    assert result.trained.counted > result.trained.bigram
    assert result.points <= 1.5


COUNTS = """
import torch
from torch import nn

class MiniGPT(nn.Module):
    def __init__(self, vocab_size, block_size, size, longest):
        super().__init__()
        self.vocab_size, self.longest, self.known = vocab_size, longest, []
        self.text = nn.Parameter(torch.zeros(size))

    def keys(self, ids, length):
        return (ids.unfold(0, length, 1) * 128 ** torch.arange(length)).sum(1)

    def forward(self, idx, targets=None):
        if not self.known:
            text = self.text.round().long()
            for length in range(1, self.longest + 1):
                keys, places = self.keys(text[:-1], length).sort(stable=True)
                self.known.append((keys, text[places + length]))
        rows = []
        for at in range(1, idx.shape[1] + 1):
            share = torch.full((self.vocab_size,), 1 / self.vocab_size)
            for length in range(1, min(self.longest, at) + 1):
                keys, follows = self.known[length - 1]
                key = self.keys(idx[0, at - length : at], length)
                low, high = torch.searchsorted(keys, key), torch.searchsorted(keys, key, right=True)
                counts = torch.bincount(follows[low:high], minlength=self.vocab_size)
                share = (counts + 2 * share) / (counts.sum() + 2)
            rows.append(share.log())
        return torch.stack(rows)[None]
"""


@pytest.mark.parametrize(("longest", "block"), [(9, 32), (9, 10)])
def test_a_table_of_counts_is_no_transformer(hall: Hall, tmp_path: Path, longest: int, block: int):
    text = hall.ids[: len(hall.ids) * 9 // 10].float()
    config = {"vocab_size": len(hall.chars), "block_size": block, "size": len(text), "longest": longest}
    result = hall.grade(hand_in(tmp_path / "x", COUNTS, {"text": text}, config, hall.chars))
    assert result.trained.counted < result.trained.target
    assert failing(result) == ["uses_its_context", "beats_the_bigram"]
    assert "It is not counted" in finding_of(result, "beats_the_bigram").message
    assert result.points == 1.5
