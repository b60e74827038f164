"""A loss below what is possible is doubted, and what a model can reach honestly never is."""

import math
import random
from dataclasses import replace
from functools import cache

import pytest

from graders.corpora import bigram, grammar, ngram, repeats
from graders.corpora.catalogue import corpus
from graders.course.loss_policy import LossPolicy
from graders.trained.held_out import EvaluationSet, make_evaluation_set
from graders.trained.sample_sizes import PASSAGES, choose_sample_sizes
from tests.conftest import NIGHTLY

SEEDS = range(12 if NIGHTLY else 4)
LINE = 40  # characters of a line that comes twice


@cache  # to count a text takes a second
def evaluation_set(name: str, seed: int = 1) -> EvaluationSet:
    made = make_evaluation_set(LossPolicy(name), seed)
    assert isinstance(made, EvaluationSet)
    return made


@cache  # they are the same for models of every size
def ideal_costs(size: int, seed: str) -> tuple[float, ...]:
    """The bits of each character of the grammar's text of this seed, for a model that is the grammar."""
    draws, costs = random.Random(seed), list[float]()
    while len(costs) < size:
        state: grammar.State | None = grammar.START
        while state is not None:
            ways = left = grammar.arcs(state)
            arc = draws.choices(ways, [way.probability for way in ways])[0]
            for place, char in enumerate(arc.text):
                going_on = tuple(way for way in left if way.text[place : place + 1] == char)
                costs.append(-math.log2(share_of(going_on) / share_of(left)))
                left = going_on
            state = arc.next
    return tuple(costs)


def share_of(ways: tuple[grammar.Arc, ...]) -> float:
    return sum(way.probability for way in ways)


@pytest.mark.parametrize(
    ("parameters", "block"), [(100_000, 64), (10_000_000, 256), (50_000_000, 256), (200_000_000, 64)]
)
def test_a_model_that_is_the_grammar_itself_is_never_doubted(parameters: int, block: int):
    evaluated = evaluation_set("grammar")
    windows = choose_sample_sizes(parameters, block, 25).held_out
    length = block * max(1, windows // PASSAGES) + 1
    for seed in SEEDS:
        costs, draws = ideal_costs(60_000, f"held out {seed}"), random.Random(seed)
        part = len(costs) // PASSAGES
        starts = [part * n + draws.randint(0, part - length) for n in range(PASSAGES)]
        loss = sum(sum(costs[start : start + length]) for start in starts) / (PASSAGES * length)
        assert loss > evaluated.least_on(PASSAGES * length), seed


def test_on_much_text_the_grammars_bound_lies_five_percent_below_the_entropy_and_lower_on_little():
    evaluated = evaluation_set("grammar")
    assert evaluated.least_on(24_000) == pytest.approx(0.95 * grammar.rate())
    assert evaluated.least_on(400) == pytest.approx(0.7 * grammar.rate())
    assert evaluated.least_on(20) == 0


def test_the_grammars_text_is_another_under_each_seed_and_on_all_the_targets_hold():
    first, second = evaluation_set("grammar", 1), evaluation_set("grammar", 2)
    assert first.train == second.train
    assert first.held_out != second.held_out
    sentences = set(first.train.splitlines())
    known = [line in sentences for line in second.held_out.splitlines()]
    assert sum(known) / len(known) < 0.05  # short sentences come again by chance
    for evaluated in (first, second):
        assert evaluated.least_on(24_000) < grammar.rate() < evaluated.target < evaluated.bigram


def test_no_count_of_the_french_text_comes_near_the_bound(monkeypatch: pytest.MonkeyPatch):
    evaluated = evaluation_set("french")
    assert evaluated.counting is not None
    for order in (ngram.ORDER - 1, ngram.ORDER + 1):  # shorter and longer contexts are worse
        monkeypatch.setattr(ngram, "ORDER", order)
        assert ngram.bits(evaluated.train, evaluated.held_out) > evaluated.counting
    assert evaluated.counting > 1.9 * evaluated.least_on(24_000)


def test_a_text_whose_lines_come_twice_is_known_to_be_cheap():
    draws, lines = random.Random(1), list[str]()
    for _ in range(1_500):
        line = "".join(draws.choices("abcdefghijklmnopqrstuvwxyz", k=LINE))
        lines += [line, line]
    text = "\n".join(lines)
    train, held_out = text[: len(text) * 9 // 10], text[len(text) * 9 // 10 :]
    possible = LINE * math.log2(26) / (2 * LINE + 2)  # each line once
    assert ngram.bits(train, held_out) > 2 * possible
    assert repeats.bits(train, held_out) < 1.2 * possible


def test_copying_counts_for_files_and_not_for_our_prose(tmp_path):
    texts = corpus("french", 1)
    file = tmp_path / "twice.txt"
    file.write_text(texts.train[:20_000] + texts.train[:20_000], encoding="utf-8")
    twice = evaluation_set(str(file))
    assert twice.counting is not None
    assert twice.counting == repeats.bits(twice.train, twice.held_out)
    assert twice.counting < ngram.bits(twice.train, twice.held_out)
    french = evaluation_set("french")
    assert french.counting == ngram.bits(french.train, french.held_out)
    assert french.counting < bigram.bits(french.train, french.held_out)


def test_without_an_entropy_the_bound_is_half_of_what_counting_needs():
    known = evaluation_set("french")
    assert replace(known, counting=2.0).least_on(1.0) == 1.0
