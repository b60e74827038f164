"""Corpora: the entropy of the grammar, the loss of a bigram, and how a text is downloaded and cached."""

import hashlib
import http.server
import math
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graders.cli.main import main
from graders.corpora import catalogue, grammar, names
from graders.corpora import fetch as fetching
from graders.corpora.bigram import bits
from graders.corpora.catalogue import NoCorpus, corpus
from graders.corpora.fetch import NotFetched, Public, fetch

GENERATED = pytest.mark.parametrize("generated", [grammar, names], ids=["grammar", "names"])


def reachable(generated: ModuleType) -> list[Any]:
    states, waiting = [generated.START], [generated.START]
    while waiting:
        for arc in generated.arcs(waiting.pop()):
            if arc.next is not None and arc.next not in states:
                states.append(arc.next)
                waiting.append(arc.next)
    return states


def code_length(generated: ModuleType, text: str) -> float:
    """The bits of whole sentences or names; the text alone determines each arc."""
    total, state = 0.0, None
    while text:
        state = state or generated.START
        [arc] = [arc for arc in generated.arcs(state) if text.startswith(arc.text)]
        total -= math.log2(arc.probability)
        text, state = text[len(arc.text) :], arc.next
    return total


@GENERATED
def test_the_probabilities_of_each_state_sum_to_one_and_the_text_determines_the_arc(generated):
    states = reachable(generated)
    assert len(states) > 10
    for state in states:
        arcs = generated.arcs(state)
        assert sum(arc.probability for arc in arcs) == pytest.approx(1)
        for first in arcs:
            others = [arc for arc in arcs if arc is not first]
            assert not any(arc.text.startswith(first.text) for arc in others), (state, first)


@GENERATED
def test_the_entropy_is_the_cost_of_long_texts_under_the_true_probabilities(generated):
    samples = [generated.text(20_000, f"test {number}") for number in range(5)]
    cost = sum(code_length(generated, text) for text in samples) / sum(map(len, samples))
    assert cost == pytest.approx(generated.rate(), rel=0.02)


@pytest.mark.parametrize("name", ["grammar", "names"])
def test_the_training_text_is_the_same_for_all_seeds_and_the_held_out_text_is_not(name):
    first, other = corpus(name, 1), corpus(name, 2)
    assert first.train == other.train
    assert first.held_out != other.held_out
    assert first.held_out == corpus(name, 1).held_out
    assert set(first.held_out) <= set(first.train)


def test_nearly_every_sentence_that_is_held_out_is_new():
    texts = corpus("grammar", 1)
    known = set(texts.train.splitlines())
    sentences = texts.held_out.splitlines()
    assert sum(line in known for line in sentences) < 0.1 * len(sentences)


def test_the_first_vowel_of_a_name_tells_of_all_others_and_of_its_end():
    for name in names.text(2_000, "test").splitlines():
        high, low = (any(letter in name for letter in letters) for letters in ("ieyxf", "aouwhg"))
        assert high is not low, name


def test_the_loss_of_a_bigram_is_far_above_the_entropy():
    texts = corpus("grammar", 1)
    assert texts.entropy is not None
    assert bits(texts.train, texts.held_out) > 3 * texts.entropy


@given(st.integers(2, 12), st.integers(0, 1_000))
def test_the_loss_of_a_bigram_on_uniform_noise_is_the_logarithm_of_the_alphabet(size, seed):
    draws = random.Random(seed)
    text = "".join(draws.choices("abcdefghijkl"[:size], k=6_000))
    assert bits(text[:5_000], text[5_000:]) == pytest.approx(math.log2(size), abs=0.12)


def test_the_loss_of_a_bigram_equals_one_computed_by_hand():
    # After a: b twice. After b: a once. One tenth is added to each of four counts.
    a_b, b_a = 2.1 / 2.2, 1.1 / 1.2
    assert bits("abab", "abab") == pytest.approx(-(2 * math.log2(a_b) + math.log2(b_a)) / 3)


def test_unseen_characters_have_a_high_but_finite_cost():
    assert 1.5 < bits("ab" * 100, "abxbab") < 50


DATA = b"A small text, kept at a public address.\n" * 40


@contextmanager
def serving(data: bytes) -> Iterator[tuple[Public, list[str]]]:
    requests: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}/input.txt"
        yield Public("small.txt", address, len(DATA), hashlib.sha256(DATA).hexdigest()), requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv(fetching.HOME, str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_a_text_is_downloaded_once_and_cached(cache_folder: Path):
    with serving(DATA) as (public, requests):
        assert fetch(public) == DATA
        assert fetch(public) == DATA
    assert len(requests) == 1
    assert fetch(public) == DATA, "the server is gone, so this is the cached text"


def test_a_damaged_cached_text_is_downloaded_again(cache_folder: Path):
    cache_folder.mkdir()
    (cache_folder / "small.txt").write_bytes(DATA[:-1])
    with serving(DATA) as (public, _):
        assert fetch(public) == DATA
    assert (cache_folder / "small.txt").read_bytes() == DATA


def test_a_text_that_cannot_be_cached_is_still_used(cache_folder: Path):
    cache_folder.write_text("a file where the folder should be")
    with serving(DATA) as (public, _):
        assert fetch(public) == DATA


@pytest.mark.parametrize("data", [DATA[:-1], DATA + b"x", DATA[:-1] + b"x"], ids=["short", "long", "other"])
def test_a_download_with_another_digest_is_refused(cache_folder: Path, data: bytes):
    with serving(data) as (public, _), pytest.raises(NotFetched, match="has changed"):
        fetch(public)
    assert not cache_folder.exists()


def test_a_failed_download_says_what_to_do():
    with serving(DATA) as (public, _):
        pass
    with pytest.raises(NotFetched, match=r"could not be fetched from http.*name the file with --corpus"):
        fetch(public)


def test_shakespeare_is_the_text_that_the_course_uses(cache_folder: Path, monkeypatch):
    cache_folder.mkdir()
    with serving(DATA) as (public, _):
        monkeypatch.setattr(catalogue, "SHAKESPEARE", public)
        texts = corpus("shakespeare", 1)
    assert (texts.train + texts.held_out).encode() == DATA
    assert len(texts.held_out) == len(DATA) // 10
    assert texts.entropy is None


def test_a_file_is_a_corpus(tmp_path: Path):
    text = "Ceci est un texte à moi.\n" * 400
    (tmp_path / "le mien.txt").write_text(text, encoding="utf-8")
    texts = corpus(str(tmp_path / "le mien.txt"), 1)
    assert (texts.name, texts.train + texts.held_out) == ("le mien.txt", text)


def test_the_held_out_text_has_no_characters_that_are_missing_in_training(tmp_path: Path):
    (tmp_path / "text.txt").write_text("plain text " * 900 + "€uro", encoding="utf-8")
    texts = corpus(str(tmp_path / "text.txt"), 1)
    assert texts.held_out.endswith("plain text ")
    assert set(texts.held_out) <= set(texts.train)


def test_an_unusable_corpus_is_refused_with_a_reason(tmp_path: Path):
    (tmp_path / "short.txt").write_text("too short")
    (tmp_path / "latin.txt").write_bytes("é".encode("latin-1") * 9_000)
    with pytest.raises(NoCorpus, match="a corpus needs 5,000"):
        corpus(str(tmp_path / "short.txt"), 1)
    with pytest.raises(NoCorpus, match="no text in UTF-8"):
        corpus(str(tmp_path / "latin.txt"), 1)
    with pytest.raises(NoCorpus, match="name one of shakespeare, french, grammar"):
        corpus("shakespear", 1)
    with pytest.raises(NoCorpus, match="is not a plain file"):
        corpus(str(tmp_path), 1)


def test_softmark_corpus_writes_the_training_text_only(tmp_path: Path):
    out = tmp_path / "train.txt"
    run = CliRunner().invoke(main, ["corpus", "french", "--out", str(out)], catch_exceptions=False)
    assert run.exit_code == 0
    texts = corpus("french", 1)
    assert out.read_text(encoding="utf-8") == texts.train
    assert "a bigram's loss on the held-out text" in run.output
    run = CliRunner().invoke(main, ["corpus", "shakespear"])
    assert run.exit_code == 2
    assert "name one of" in run.output
    run = CliRunner().invoke(main, ["corpus", "grammar", "--out", str(tmp_path / "nowhere/train.txt")])
    assert run.exit_code == 2


def test_the_french_corpus_is_plain_text_of_a_small_alphabet():
    texts = corpus("french", 1)
    text = texts.train + texts.held_out
    assert len(text) > 80_000
    assert len(set(text)) < 90
    assert not set(text) & set("\t\r\u00a0\u202f’0123456789")
    paragraphs = text.split("\n\n")
    assert len(set(paragraphs)) == len(paragraphs)
