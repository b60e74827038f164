"""A number of merges is passed as the size of a vocabulary where that is what the code takes."""

import itertools

import pytest

from graders.course.reference import reference
from softmark_worker.call_assignments import Argument
from softmark_worker.forward_arguments import adapt_function
from softmark_worker.merges_learned import merges_in

train_bpe = reference("train_bpe", "train_bpe")
ARGUMENTS = (Argument("text"), Argument("num_merges"))
TEXT = "the hat that the cat had"


def of_bytes(text, vocab_size):
    return train_bpe(text, vocab_size - 256)


def of_characters(text, vocab_size):
    return train_bpe(text, vocab_size - len(set(text)))


def of_merges(text, vocab_size):
    return train_bpe(text, vocab_size)


def as_dict(text, vocab_size):
    return dict(zip(of_bytes(text, vocab_size), itertools.count(256)))


def beside_a_vocabulary(text, num_merges):
    return {n: bytes([n]) for n in range(256)}, train_bpe(text, num_merges)


@pytest.mark.parametrize(
    ("function", "taken"),
    [
        (of_bytes, {"vocab_size": "num_merges + 256"}),
        (of_characters, {"vocab_size": "num_merges + len(set(text))"}),
        (of_merges, {}),
        (as_dict, {"vocab_size": "num_merges + 256", "answer": "list(answer)"}),
        (beside_a_vocabulary, {"answer": "answer[1]"}),
        (train_bpe, {}),
    ],
)
def test_the_merges_are_those_that_are_asked_for_whatever_the_code_counts(function, taken):
    learn, told = adapt_function(function, ARGUMENTS)
    assert told == taken
    assert learn(TEXT, 4) == train_bpe(TEXT, 4)
    assert learn("", 4) == []


def test_a_number_of_merges_from_which_256_are_taken_stays_what_it_is():
    learn, told = adapt_function(
        lambda text, num_merges: train_bpe(text, max(0, num_merges - 256)), ARGUMENTS
    )
    assert (learn(TEXT, 4), told) == ([], {})


def test_pairs_of_a_dict_come_in_the_order_of_their_ids():
    assert merges_in({(2, 3): 257, (0, 1): 256}) == [(0, 1), (2, 3)]
    assert merges_in({"a": 256}) is None
    assert merges_in([]) is None
