"""Which assignment a file is for, by its symbols and by the exercises that are named."""

import pytest

from graders.course.outline import recognise


@pytest.mark.parametrize(
    ("exercises", "assignment"),
    [((), "attention"), (("cross_attention",), "seq2seq"), (("nothing",), "attention")],
)
def test_exercises_that_are_named_say_which_assignment_is_meant(exercises: tuple[str, ...], assignment: str):
    symbols = {"MultiHeadAttention", "FeedForward", "TransformerBlock", "CrossAttention"}
    assert recognise(symbols, exercises) == assignment
