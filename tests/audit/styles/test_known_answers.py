"""A known mistake becomes one file, which computes the same."""

import ast

import pytest
import torch

from graders.audit.styles.flatten_mistake import flatten_mistake
from graders.audit.styles.known_answers import known_answers
from graders.course.reference import mistakes
from graders.results.audit_result import Kind
from tests.audit.styles.both_forms import find_exercise


@pytest.mark.parametrize(
    ("exercise", "symbol", "sizes"),
    [("feed_forward", "FeedForward", (6, 8, 0.0)), ("cross_attention", "CrossAttention", (6, 2, 6))],
)
def test_a_flattened_mistake_answers_as_the_mistake_does(
    exercise: str, symbol: str, sizes: tuple[int, ...]
) -> None:
    inputs = [torch.randn(2, 5, 6) for _ in range(2 if exercise == "cross_attention" else 1)]
    for name, mistake in mistakes(exercise, symbol).items():
        names: dict[str, type[torch.nn.Module]] = {}
        exec(ast.unparse(flatten_mistake(exercise, symbol, name)), names)
        answers = []
        for made in (mistake, names[symbol]):
            torch.manual_seed(0)
            answers.append(made(*sizes).eval()(*(value.clone() for value in inputs)))
        torch.testing.assert_close(*answers)


def test_a_mistake_of_a_mistake_keeps_the_constructors_of_both() -> None:
    """The norms of GPT-2: its class inherits from a mistake, which inherits from the reference."""
    names: dict[str, type[torch.nn.Module]] = {}
    mistake = "SimpleGPTModel__as_gpt2"
    exec(ast.unparse(flatten_mistake("gpt_model", "SimpleGPTModel", mistake)), names)
    made = (
        names["SimpleGPTModel"](7, 4, num_heads=2),
        mistakes("gpt_model", "SimpleGPTModel")[mistake](7, 4, num_heads=2),
    )
    first, second = (dict(module.named_parameters()).keys() for module in made)
    assert first == second


def test_a_mistake_in_one_file_has_no_super_but_that_of_torch_and_no_import_of_solutions() -> None:
    text = ast.unparse(
        flatten_mistake("multi_head_attention", "MultiHeadAttention", "MultiHeadAttention__half_precision")
    )
    assert "solutions" not in text
    assert text.count("super()") == text.count("super().__init__()")


def test_every_kind_of_known_answer_is_there() -> None:
    found = list(known_answers(find_exercise("cross_attention", "seq2seq")))
    assert {kind for kind, _, _ in found} == {Kind.RIGHT, Kind.DEVIATION, Kind.MISTAKE}
    for _, name, tree in found:
        assert "CrossAttention" in {getattr(s, "name", "") for s in tree.body}, name
