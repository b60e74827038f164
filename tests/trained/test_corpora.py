"""Texts to train on: how the best possible loss is known, and how a text is fetched and kept."""

import hashlib
import http.server
import math
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graders.cli.main import main
from graders.corpora import catalogue, grammar
from graders.corpora import fetch as fetching
from graders.corpora.bigram import bits
from graders.corpora.catalogue import NoCorpus, corpus
from graders.corpora.fetch import NotFetched, Public, fetch


def reachable() -> list[grammar.State]:
    found, waiting = [grammar.START], [grammar.START]
    while waiting:
        for arc in grammar.arcs(waiting.pop()):
            if arc.next is not None and arc.next not in found:
                found.append(arc.next)
                waiting.append(arc.next)
    return found


def code_length(text: str) -> float:
    """The bits of whole sentences, each arc told from the text alone."""
    total, state = 0.0, None
    while text:
        state = state or grammar.START
        [arc] = [arc for arc in grammar.arcs(state) if text.startswith(arc.text)]
        total -= math.log2(arc.probability)
        text, state = text[len(arc.text) :], arc.next
    return total


def test_from_each_state_the_probabilities_are_one_and_the_text_tells_which_way_was_taken():
    states = reachable()
    assert len(states) > 20
    for state in states:
        ways = grammar.arcs(state)
        assert sum(arc.probability for arc in ways) == pytest.approx(1)
        for one in ways:
            others = [arc for arc in ways if arc is not one]
            assert not any(arc.text.startswith(one.text) for arc in others), (state, one)


def test_the_entropy_is_what_long_texts_cost_under_the_true_probabilities():
    whole = [grammar.text(20_000, f"test {number}") for number in range(5)]
    cost = sum(map(code_length, whole)) / sum(map(len, whole))
    assert cost == pytest.approx(grammar.rate(), rel=0.02)


def test_what_is_trained_on_is_the_same_for_all_and_what_is_judged_on_is_new_for_each_seed():
    one, other = corpus("grammar", 1), corpus("grammar", 2)
    assert one.train == other.train
    assert one.held_out != other.held_out
    assert one.held_out == corpus("grammar", 1).held_out
    known = set(one.train.splitlines())
    sentences = one.held_out.splitlines()
    assert sum(line in known for line in sentences) < 0.1 * len(sentences)


def test_a_bigram_knows_less_than_there_is_to_know():
    found = corpus("grammar", 1)
    assert found.entropy is not None
    assert bits(found.train, found.held_out) > 3 * found.entropy


@given(st.integers(2, 12), st.integers(0, 1_000))
def test_a_bigrams_loss_on_even_noise_is_the_logarithm_of_the_number_of_characters(size, seed):
    draws = random.Random(seed)
    text = "".join(draws.choices("abcdefghijkl"[:size], k=6_000))
    assert bits(text[:5_000], text[5_000:]) == pytest.approx(math.log2(size), abs=0.12)


def test_a_bigrams_loss_by_hand():
    # After a: b twice. After b: a once. One tenth is added to each of four counts.
    a_b, b_a = 2.1 / 2.2, 1.1 / 1.2
    assert bits("abab", "abab") == pytest.approx(-(2 * math.log2(a_b) + math.log2(b_a)) / 3)


def test_characters_that_were_never_seen_cost_much_and_not_everything():
    assert 1.5 < bits("ab" * 100, "abxbab") < 50


DATA = b"A small text, kept at a public address.\n" * 40


@contextmanager
def served(data: bytes) -> Iterator[tuple[Public, list[str]]]:
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
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
        yield Public("small.txt", address, len(DATA), hashlib.sha256(DATA).hexdigest()), asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setenv(fetching.HOME, str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_a_text_is_fetched_once_and_kept(kept: Path):
    with served(DATA) as (public, asked):
        assert fetch(public) == DATA
        assert fetch(public) == DATA
    assert len(asked) == 1
    assert fetch(public) == DATA, "nobody serves it any more"


def test_a_kept_text_that_was_damaged_is_fetched_again(kept: Path):
    kept.mkdir()
    (kept / "small.txt").write_bytes(DATA[:-1])
    with served(DATA) as (public, _):
        assert fetch(public) == DATA
    assert (kept / "small.txt").read_bytes() == DATA


def test_a_text_that_cannot_be_kept_serves_all_the_same(kept: Path):
    kept.write_text("a file where the folder should be")
    with served(DATA) as (public, _):
        assert fetch(public) == DATA


@pytest.mark.parametrize("data", [DATA[:-1], DATA + b"x", DATA[:-1] + b"x"], ids=["short", "long", "other"])
def test_another_text_than_the_one_that_is_known_is_refused(kept: Path, data: bytes):
    with served(data) as (public, _), pytest.raises(NotFetched, match="is not the text that it was"):
        fetch(public)
    assert not kept.exists()


def test_a_text_out_of_reach_is_told_with_what_to_do():
    with served(DATA) as (public, _):
        pass
    with pytest.raises(NotFetched, match=r"could not be fetched from http.*name the file with --corpus"):
        fetch(public)


def test_shakespeare_is_the_text_that_the_course_uses(kept: Path, monkeypatch):
    kept.mkdir()
    with served(DATA) as (public, _):
        monkeypatch.setattr(catalogue, "SHAKESPEARE", public)
        found = corpus("shakespeare", 1)
    assert (found.train + found.held_out).encode() == DATA
    assert len(found.held_out) == len(DATA) // 10
    assert found.entropy is None


def test_a_file_is_a_corpus(tmp_path: Path):
    text = "Ceci est un texte à moi.\n" * 400
    (tmp_path / "le mien.txt").write_text(text, encoding="utf-8")
    found = corpus(str(tmp_path / "le mien.txt"), 1)
    assert (found.name, found.train + found.held_out) == ("le mien.txt", text)


def test_nothing_is_held_out_that_cannot_be_learned(tmp_path: Path):
    (tmp_path / "text.txt").write_text("plain text " * 900 + "€uro", encoding="utf-8")
    found = corpus(str(tmp_path / "text.txt"), 1)
    assert found.held_out.endswith("plain text ")
    assert set(found.held_out) <= set(found.train)


def test_what_is_no_corpus_is_told(tmp_path: Path):
    (tmp_path / "short.txt").write_text("too short")
    (tmp_path / "latin.txt").write_bytes("é".encode("latin-1") * 9_000)
    with pytest.raises(NoCorpus, match="a corpus needs 5,000"):
        corpus(str(tmp_path / "short.txt"), 1)
    with pytest.raises(NoCorpus, match="no text in UTF-8"):
        corpus(str(tmp_path / "latin.txt"), 1)
    with pytest.raises(NoCorpus, match="name one of shakespeare, french, grammar"):
        corpus("shakespear", 1)
    with pytest.raises(NoCorpus, match="no corpus"):
        corpus(str(tmp_path), 1)


def test_the_command_gives_out_what_is_trained_on_and_no_more(tmp_path: Path):
    out = tmp_path / "train.txt"
    done = CliRunner().invoke(main, ["corpus", "french", "--out", str(out)], catch_exceptions=False)
    assert done.exit_code == 0
    found = corpus("french", 1)
    assert out.read_text(encoding="utf-8") == found.train
    assert "a bigram's loss on the held-out text" in done.output
    done = CliRunner().invoke(main, ["corpus", "shakespear"])
    assert done.exit_code == 2
    assert "name one of" in done.output
    done = CliRunner().invoke(main, ["corpus", "grammar", "--out", str(tmp_path / "nowhere/train.txt")])
    assert done.exit_code == 3


def test_the_french_corpus_is_plain_text_of_a_small_alphabet():
    found = corpus("french", 1)
    text = found.train + found.held_out
    assert len(text) > 80_000
    assert len(set(text)) < 90
    assert not set(text) & set("\t\r\u00a0\u202f’0123456789")
    paragraphs = text.split("\n\n")
    assert len(set(paragraphs)) == len(paragraphs)
