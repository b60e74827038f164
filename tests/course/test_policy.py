"""What counts as right in the attention assignment, decision by decision, with a student's text for each."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from graders.course.exercise import Assignment
from graders.judging.draws import Draws
from tests.support.at_night import at_night
from tests.support.policy import (
    ATTENTION,
    BLOCK,
    EQUALITY,
    MASK,
    MASKED,
    NETWORK,
    Grade,
    changed,
    failing,
    mistakes,
    remarks,
    whole,
)

ROOT = Path(__file__).parents[2]
RIGHT = ROOT / "solutions/right"


@pytest.mark.parametrize(
    ("exercise", "style", "taken"),
    [
        ("multi_head_attention", "renamed_fused_qkv", "qkv.weight: W_q.weight, W_k.weight, W_v.weight"),
        ("multi_head_attention", "renamed_raw_parameters", "wq: W_q.weight"),
        ("feed_forward", "renamed_fc", "fc1.weight: linear1.weight"),
        ("transformer_block", "renamed_ln_mha_ffn", "ln1.weight: norm1.weight"),
    ],
)
def test_other_names_cost_nothing_and_the_report_says_what_was_taken_for_what(
    grade: Grade, exercise: str, style: str, taken: str
):
    result = grade(exercise, (RIGHT / exercise / f"{style}.py").read_text(encoding="utf-8"))
    assert whole(result)
    assert taken in remarks(result)


def test_missing_biases_are_found_by_the_check_of_the_parameters_with_their_names(judge: Grade):
    code = changed(
        ATTENTION,
        "self.W_q = nn.Linear(embed_dim, embed_dim)",
        "self.W_q = nn.Linear(embed_dim, embed_dim, bias=False)",
    )
    messages = failing(judge("multi_head_attention", code))
    assert "W_q.weight" in (messages["has_four_layers_with_bias"] or "")
    assert not messages.keys() & {"keeps_the_shape", "knows_no_order", *MASKED} - {
        "obeys_masks_of_every_shape"
    }


WIDE, NARROW = "embed_dim, embed_dim", "embed_dim // num_heads, embed_dim // num_heads"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("return output", "the answer should be the pair (output, weights)"),
        ("return weights, output", "output and weights are swapped"),
        ("return output, weights.mean(1)", "have they been averaged"),
    ],
)
def test_weights_dropped_swapped_or_averaged_fail_one_check_and_the_output_is_still_judged(
    judge: Grade, answer: str, says: str
):
    messages = failing(judge("multi_head_attention", changed(ATTENTION, "return output, weights", answer)))
    assert list(messages) == ["answers_with_output_and_weights"]
    assert says in (messages["answers_with_output_and_weights"] or "")


def test_an_output_alone_is_told_as_such_though_the_parameters_are_others(judge: Grade):
    code = changed(ATTENTION, "return output, weights", "return output")
    for layer in "qkv":
        large, small = f"self.W_{layer} = nn.Linear({WIDE})", f"self.W_{layer} = nn.Linear({NARROW})"
        code = changed(code, large, small)
        code = changed(code, f"self.heads(self.W_{layer}(x))", f"self.W_{layer}(self.heads(x))")
    messages = failing(judge("multi_head_attention", code))
    assert "the answer should be the pair" in (messages["answers_with_output_and_weights"] or "")


def test_a_mask_right_under_the_opposite_convention_fails_the_check_of_its_sense_alone(grade: Grade):
    code = changed(ATTENTION, "masked_fill(mask", "masked_fill(~mask")
    result = grade("scaled_dot_product_attention", code)
    assert set(failing(result)) == {"gives_masked_keys_no_weight"}
    assert mistakes(result) == {"scaled_dot_product_attention__mask_inverted"}
    result = grade("multi_head_attention", code)
    assert set(failing(result)) == {"ignores_what_is_masked"}
    assert mistakes(result) == {"MultiHeadAttention__mask_inverted"}


@pytest.mark.parametrize(
    "code",
    [
        "import torch\ncausal_mask = torch.triu(torch.ones(6, 6), diagonal=1).bool()",
        MASK + "torch.ones(seq_len, seq_len).triu(1).bool()[None, None]",
        "import torch\ncausal_mask = lambda seq_len: torch.ones(seq_len, seq_len).triu(1) == 1",
    ],
)
def test_a_causal_mask_may_be_a_variable_or_a_function_with_leading_axes(grade: Grade, code: str):
    assert whole(grade("causal_mask", code))


@pytest.mark.parametrize(
    ("made", "mistake"),
    [
        ("torch.triu(torch.full((seq_len, seq_len), float('-inf')), diagonal=1)", "additive"),
        ("torch.triu(torch.ones(seq_len, seq_len), diagonal=1).int()", "of_numbers"),
        ("torch.triu(torch.ones(seq_len, seq_len), diagonal=1)", "of_floats"),
    ],
)
def test_a_causal_mask_of_numbers_fails_with_a_hint(grade: Grade, made: str, mistake: str):
    result = grade("causal_mask", MASK + made)
    assert "True = masked" in (failing(result)["is_a_square_of_bool"] or "")
    assert mistakes(result) == {f"causal_mask__{mistake}"}
    assert not failing(result).keys() & {"hides_the_future", "shows_the_past_and_the_present"}


@pytest.mark.parametrize("activation", ["F.gelu({})", "F.gelu({}, approximate='tanh')", "torch.relu({})"])
def test_gelu_exact_or_by_tanh_and_relu_are_accepted(grade: Grade, activation: str):
    code = changed(NETWORK, "F.gelu(self.linear1(x))", activation.format("self.linear1(x)"))
    assert whole(grade("feed_forward", code))


@pytest.mark.parametrize(
    ("activation", "mistake"),
    [
        ("F.silu({})", "silu"),
        # At each push the audit tries them in our code.
        at_night("torch.sigmoid({})", "sigmoid"),
        at_night("torch.tanh({})", "tanh"),
        at_night("F.leaky_relu({})", "leaky_relu"),
        at_night("F.elu({})", "elu"),
        ("(lambda h: h * torch.sigmoid(1.702 * h))({})", "quick_gelu"),
    ],
)
def test_other_activations_fail_with_their_names(grade: Grade, activation: str, mistake: str):
    code = changed(NETWORK, "F.gelu(self.linear1(x))", activation.format("self.linear1(x)"))
    result = grade("feed_forward", code)
    assert set(failing(result)) == EQUALITY
    assert mistakes(result) == {f"FeedForward__{mistake}"}


@pytest.mark.parametrize("eps", ["1e-12", at_night("1e-8"), "1e-5"])
def test_an_epsilon_from_1e_12_to_1e_5_is_accepted(grade: Grade, eps: str):
    assert whole(grade("transformer_block", BLOCK.replace("eps=1e-5", f"eps={eps}")))


@pytest.mark.parametrize("eps", ["1e-3", at_night("1e-2")])
def test_a_greater_epsilon_fails(judge: Grade, eps: str):
    messages = failing(judge("transformer_block", BLOCK.replace("eps=1e-5", f"eps={eps}")))
    assert "normalises_small_inputs_too" in messages
    assert messages.keys() <= EQUALITY | {
        "normalises_small_inputs_too",
        "hands_the_mask_to_the_attention",
        "answers_long_sequences",
    }


def test_a_network_may_have_the_misspelt_name_of_the_courses_document(grade: Grade):
    result = grade("feed_forward", NETWORK.replace("class FeedForward", "class FeedFoward"))
    assert whole(result)
    assert "FeedFoward is taken for FeedForward" in remarks(result)


def test_the_right_name_goes_before_a_misspelt_one_and_a_stub_does_not(grade: Grade):
    misspelt = changed(NETWORK, "class FeedForward", "class FeedFoward")
    wrong = changed(misspelt, "F.gelu(self.linear1(x))", "torch.sigmoid(self.linear1(x))")
    assert whole(grade("feed_forward", f"{wrong}\n\n{NETWORK}"))
    stub = (ROOT / "assignments/feed_forward.py").read_text(encoding="utf-8")
    assert whole(grade("feed_forward", stub + textwrap.dedent(misspelt)))


def test_a_corrected_deviation_fails_with_its_name(grade: Grade):
    norm = """
    class Norm(nn.Module):
        def __init__(self, width, eps):
            super().__init__()
            self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))
            self.eps = eps

        def forward(self, x):
            spread = torch.sqrt(x.var(-1, keepdim=True) + self.eps)
            return self.weight * (x - x.mean(-1, keepdim=True)) / spread + self.bias
"""
    result = grade("transformer_block", BLOCK.replace("nn.LayerNorm(", "Norm(") + norm)
    assert mistakes(result) == {"TransformerBlock__unbiased_norm"}


def test_a_post_norm_block_fails_equality_with_its_name_and_the_rest_counts(grade: Grade):
    code = changed(
        BLOCK,
        "x = x + self.attention(self.norm1(x), mask)[0]",
        "x = self.norm1(x + self.attention(x, mask)[0])",
    )
    code = changed(
        code, "return x + self.feed_forward(self.norm2(x))", "return self.norm2(x + self.feed_forward(x))"
    )
    result = grade("transformer_block", code)
    assert set(failing(result)) == EQUALITY
    assert mistakes(result) == {"TransformerBlock__post_norm"}


def test_heads_strided_throughout_fail_equality_with_their_name_and_the_rest_counts(grade: Grade):
    code = changed(
        ATTENTION,
        "x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)",
        "x.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)",
    )
    code = changed(code, "output.transpose(1, 2).flatten(2)", "output.permute(0, 2, 3, 1).flatten(2)")
    result = grade("multi_head_attention", code)
    assert set(failing(result)) == EQUALITY
    assert mistakes(result) == {"MultiHeadAttention__strided_heads"}


def masks_of(assignment: Assignment, draws: Draws) -> Iterator[torch.Tensor]:
    for exercise in assignment.exercises:
        for check in exercise.checks:
            for example in draws.for_check(exercise, check):
                if getattr(example.draw, "mask", None) is not None:
                    yield example.draw.mask


@pytest.mark.slow
def test_no_row_is_ever_masked_whole(assignment: Assignment, draws: Draws):
    masks = list(masks_of(assignment, draws))
    assert masks
    assert not any(mask.all(-1).any() for mask in masks)


@pytest.mark.parametrize(
    "forward",
    [
        "self.dropout(self.linear2(F.gelu(self.linear1(x))))",
        "self.linear2(F.gelu(self.dropout(self.linear1(x))))",
        "self.dropout(self.linear2(self.dropout(F.gelu(self.linear1(x)))))",
        "self.linear2(F.gelu(self.linear1(self.dropout(x))))",
    ],
)
def test_the_place_of_dropout_is_free(grade: Grade, forward: str):
    code = changed(NETWORK, "self.linear2(self.dropout(F.gelu(self.linear1(x))))", forward)
    assert whole(grade("feed_forward", code))


@pytest.mark.parametrize(
    "forward", ["self.linear2(F.gelu(self.linear1(x)))", "self.linear2(F.dropout(F.gelu(self.linear1(x))))"]
)
def test_dropout_must_act_in_training_and_in_training_only(judge: Grade, forward: str):
    code = changed(NETWORK, "self.linear2(self.dropout(F.gelu(self.linear1(x))))", forward)
    assert "drops_in_training_only" in failing(judge("feed_forward", code))


@pytest.mark.parametrize(
    ("exercise", "text"), [("feed_forward", NETWORK), at_night("transformer_block", BLOCK)]
)
@pytest.mark.parametrize(
    ("rate", "names"),
    [
        (", self.dropout.p", {"dropout_in_evaluation"}),
        (", 0.1", {"dropout_in_evaluation"}),  # the check fails for it alone
        ("", {"dropout_in_evaluation"}),
    ],
)
def test_dropout_that_acts_in_evaluation_too_costs_the_check_about_it_alone_and_is_named(
    grade: Grade, exercise: str, text: str, rate: str, names: set[str]
):
    code = changed(
        text,
        "self.linear2(self.dropout(F.gelu(self.linear1(x))))",
        f"self.linear2(F.dropout(F.gelu(self.linear1(x)){rate}))",
    )
    result = grade(exercise, code)
    assert failing(result).keys() == {"drops_in_training_only"}
    [finding] = [finding for finding in result.exercises[0].findings if finding.mistakes]
    named = {mistake.name.rpartition("__")[2] for pair in finding.mistakes for mistake in pair}
    assert named == names


def test_a_tuple_where_one_tensor_is_due_is_said_to_be_one(judge: Grade):
    code = changed(
        BLOCK,
        "return x + self.feed_forward(self.norm2(x))",
        "return x + self.feed_forward(self.norm2(x)), None",
    )
    messages = failing(judge("transformer_block", code))
    assert "should be a plain tensor, but is a tuple of 2" in (messages["keeps_the_shape"] or "")
