"""Styles of corners: code that fails at one size alone, and loses the check that is about this size.

Each raises where an axis of its first argument has the size 1. The exercises are those whose first argument
is of states (B, S, E), so that both axes are where they are looked for.
"""

from collections.abc import Callable, Mapping

from graders.audit.styles.answer_code import AnswerCode, insert_in_body, parameters_of, parse
from graders.audit.styles.style import Choice, Style

# The owners of a size of 1, by exercise: of one sequence, and of one position.
OWNERS: Mapping[str, tuple[str, str]] = {
    "multi_head_attention": ("treats_sequences_apart", "answers_the_smallest_sizes"),
    "feed_forward": ("answers_the_smallest_sizes", "treats_positions_alike_and_apart"),
    "transformer_block": ("knows_neither_order_nor_batch", "answers_the_smallest_sizes"),
    "self_attention": ("treats_sequences_apart", "answers_the_smallest_sizes"),
    "list_of_heads": ("treats_sequences_apart", "answers_the_smallest_sizes"),
    "layer_norm": ("treats_positions_apart", "treats_positions_apart"),
    "residual": ("answers_the_smallest_sizes", "answers_the_smallest_sizes"),
    "gpt_attention": ("treats_sequences_apart", "answers_the_smallest_sizes"),
    "gpt_feed_forward": ("answers_the_smallest_sizes", "treats_positions_alike_and_apart"),
    "gpt_block": ("treats_sequences_apart", "answers_the_smallest_sizes"),
    "bert_attention": ("treats_sequences_apart", "answers_the_smallest_sizes"),
    "bert_feed_forward": ("answers_the_smallest_sizes", "treats_positions_alike_and_apart"),
    "bert_layer": ("knows_neither_order_nor_batch", "answers_the_smallest_sizes"),
    "bert_encoder": ("knows_neither_order_nor_batch", "answers_the_smallest_sizes"),
    "cross_attention": ("treats_sequences_apart", "answers_the_smallest_sizes"),
    "decoder_layer": ("knows_neither_order_nor_batch", "answers_the_smallest_sizes"),
    "causal_head": ("treats_sequences_apart", "answers_the_smallest_sizes"),
    "causal_conv1d": ("treats_sequences_apart", "answers_the_smallest_sizes"),
}
SAYS = ("there is nothing to compare", "too short", "a batch is due", "expected more than one")


def refuse(axis: int) -> Callable[[AnswerCode, Choice], bool]:
    """A style that raises where this axis of the first argument has the size 1."""

    def rewrite(code: AnswerCode, choice: Choice) -> bool:
        called = code.called
        if called is None or code.exercise.name not in OWNERS or not parameters_of(called):
            return False
        name, says = parameters_of(called)[0].arg, choice.one(SAYS)
        insert_in_body(called, parse(f"if {name}.shape[{axis}] == 1:\n    raise ValueError({says!r})"))
        return True

    return rewrite


def owner(axis: int) -> Callable[[AnswerCode], set[str]]:
    """Tells which check is about this axis."""
    return lambda code: {OWNERS[code.exercise.name][axis]} if code.exercise.name in OWNERS else set()


STYLES = (
    Style("corners.one_sequence", refuse(0), owner(0)),
    Style("corners.one_position", refuse(1), owner(1)),
)
