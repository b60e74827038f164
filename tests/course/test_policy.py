"""What counts as right in the attention assignment, decision by decision, with a student's text for each."""

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.locations import ASSIGNMENTS
from graders.results.result import Outcome, Result
from graders.sandbox.box import Box

RIGHT = Path(__file__).parents[2] / "solutions/right"
Grade = Callable[[str, str], Result]

ATTENTION = """
    import math, torch
    import torch.nn as nn
    import torch.nn.functional as F

    def scaled_dot_product_attention(Q, K, V, mask=None):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        return weights @ V, weights

    class MultiHeadAttention(nn.Module):
        def __init__(self, embed_dim, num_heads):
            super().__init__()
            assert embed_dim % num_heads == 0
            self.num_heads = num_heads
            self.W_q = nn.Linear(embed_dim, embed_dim)
            self.W_k = nn.Linear(embed_dim, embed_dim)
            self.W_v = nn.Linear(embed_dim, embed_dim)
            self.W_o = nn.Linear(embed_dim, embed_dim)

        def heads(self, x):
            return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

        def forward(self, x, mask=None):
            Q, K, V = self.heads(self.W_q(x)), self.heads(self.W_k(x)), self.heads(self.W_v(x))
            output, weights = scaled_dot_product_attention(Q, K, V, mask)
            output = self.W_o(output.transpose(1, 2).flatten(2))
            return output, weights
"""
FEED_FORWARD = """
    class FeedForward(nn.Module):
        def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
            super().__init__()
            ff_dim = ff_dim or 4 * embed_dim
            self.linear1, self.linear2 = nn.Linear(embed_dim, ff_dim), nn.Linear(ff_dim, embed_dim)
            self.dropout = nn.Dropout(dropout)

        def forward(self, x):
            return self.linear2(self.dropout(F.gelu(self.linear1(x))))
"""
BLOCK = f"""{ATTENTION}{FEED_FORWARD}
    class TransformerBlock(nn.Module):
        def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
            super().__init__()
            self.attention = MultiHeadAttention(embed_dim, num_heads)
            self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
            self.norm1 = nn.LayerNorm(embed_dim, eps=1e-5)
            self.norm2 = nn.LayerNorm(embed_dim, eps=1e-5)

        def forward(self, x, mask=None):
            x = x + self.attention(self.norm1(x), mask)[0]
            return x + self.feed_forward(self.norm2(x))
"""
NETWORK = f"""
    import torch, torch.nn as nn, torch.nn.functional as F
{FEED_FORWARD}"""
MASK = "import torch\ndef causal_mask(seq_len):\n    return "

# Checks that compare with the reference, under the same weights: they fail if any number differs.
EQUALITY = {"computes_what_the_reference_computes", "computes_in_double_precision", "teaches_every_parameter"}
MASKED = {"obeys_masks_of_every_shape", "ignores_what_is_masked", "does_not_look_ahead"}


@pytest.fixture
def grade(assignment: Assignment, draws: Draws, box: Box, tmp_path: Path) -> Grade:
    def graded(exercise: str, code: str) -> Result:
        (tmp_path / "rendu.py").write_text(textwrap.dedent(code), encoding="utf-8")
        return Grader(assignment.only([exercise]), draws, box).grade(tmp_path / "rendu.py", "rendu")

    return graded


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def failing(result: Result) -> dict[str, str | None]:
    """The checks that cost points, with their messages."""
    return {f.check: f.message for f in result.exercises[0].findings if f.outcome is not Outcome.PASSED}


def remarks(result: Result) -> str:
    sentences = [remark.says for remark in result.remarks]
    return "\n".join([*sentences, *(f.message or "" for f in result.exercises[0].findings)])


def mistakes(result: Result) -> set[str]:
    return {f.mistake.name for f in result.exercises[0].findings if f.mistake}


def whole(result: Result) -> bool:
    [exercise] = result.exercises
    return exercise.outcome is Outcome.PASSED and exercise.points == exercise.max_points


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


def test_missing_biases_are_found_by_the_check_of_the_parameters_with_their_names(grade: Grade):
    code = changed(
        ATTENTION,
        "self.W_q = nn.Linear(embed_dim, embed_dim)",
        "self.W_q = nn.Linear(embed_dim, embed_dim, bias=False)",
    )
    messages = failing(grade("multi_head_attention", code))
    assert "W_q.weight" in (messages["has_four_layers_with_bias"] or "")
    assert not messages.keys() & {"keeps_the_shape", "knows_no_order", *MASKED} - {
        "obeys_masks_of_every_shape"
    }


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("return output", "the answer should be the pair (output, weights)"),
        ("return weights, output", "output and weights are swapped"),
        ("return output, weights.mean(1)", "have they been averaged"),
    ],
)
def test_weights_dropped_swapped_or_averaged_fail_one_check_and_the_output_is_still_judged(
    grade: Grade, answer: str, says: str
):
    messages = failing(grade("multi_head_attention", changed(ATTENTION, "return output, weights", answer)))
    assert list(messages) == ["answers_with_output_and_weights"]
    assert says in (messages["answers_with_output_and_weights"] or "")


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
        ("torch.sigmoid({})", "sigmoid"),
        ("torch.tanh({})", "tanh"),
        ("F.leaky_relu({})", "leaky_relu"),
        ("F.elu({})", "elu"),
        ("(lambda h: h * torch.sigmoid(1.702 * h))({})", "quick_gelu"),
    ],
)
def test_other_activations_fail_with_their_names(grade: Grade, activation: str, mistake: str):
    code = changed(NETWORK, "F.gelu(self.linear1(x))", activation.format("self.linear1(x)"))
    result = grade("feed_forward", code)
    assert set(failing(result)) == EQUALITY
    assert mistakes(result) == {f"FeedForward__{mistake}"}


@pytest.mark.parametrize("eps", ["1e-12", "1e-8", "1e-5"])
def test_an_epsilon_from_1e_12_to_1e_5_is_accepted(grade: Grade, eps: str):
    assert whole(grade("transformer_block", BLOCK.replace("eps=1e-5", f"eps={eps}")))


@pytest.mark.parametrize("eps", ["1e-3", "1e-2"])
def test_a_greater_epsilon_fails(grade: Grade, eps: str):
    messages = failing(grade("transformer_block", BLOCK.replace("eps=1e-5", f"eps={eps}")))
    assert "normalises_small_inputs_too" in messages
    assert messages.keys() <= EQUALITY | {
        "normalises_small_inputs_too",
        "hands_the_mask_to_the_attention",
        "answers_long_sequences",
    }


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
    of_masks = {"normalises_small_inputs_too", "hands_the_mask_to_the_attention", "answers_long_sequences"}
    assert set(failing(result)) == EQUALITY | of_masks
    assert mistakes(result) == {"TransformerBlock__post_norm"}


def test_heads_strided_throughout_fail_equality_with_their_name_and_the_rest_counts(grade: Grade):
    code = changed(
        ATTENTION,
        "x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)",
        "x.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)",
    )
    code = changed(code, "output.transpose(1, 2).flatten(2)", "output.permute(0, 2, 3, 1).flatten(2)")
    result = grade("multi_head_attention", code)
    assert set(failing(result)) == EQUALITY | {
        "answers_with_output_and_weights",
        "obeys_masks_of_every_shape",
    }
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
def test_dropout_must_act_in_training_and_in_training_only(grade: Grade, forward: str):
    code = changed(NETWORK, "self.linear2(self.dropout(F.gelu(self.linear1(x))))", forward)
    assert "drops_in_training_only" in failing(grade("feed_forward", code))


def test_a_tuple_where_one_tensor_is_due_is_said_to_be_one(grade: Grade):
    code = changed(
        BLOCK,
        "return x + self.feed_forward(self.norm2(x))",
        "return x + self.feed_forward(self.norm2(x)), None",
    )
    messages = failing(grade("transformer_block", code))
    assert "should be a plain tensor, but is a tuple of 2" in (messages["keeps_the_shape"] or "")


def test_of_two_definitions_the_last_counts_and_is_remarked(grade: Grade):
    first = "import torch\ndef causal_mask(seq_len):\n    return torch.zeros(seq_len, seq_len)\n\n"
    result = grade("causal_mask", first + MASK + "torch.ones(seq_len, seq_len).triu(1).bool()")
    assert whole(result)
    assert "the last definition counts" in remarks(result)


def test_a_definition_deleted_at_the_end_counts_and_is_remarked(grade: Grade):
    result = grade("causal_mask", MASK + "torch.ones(seq_len, seq_len).triu(1).bool()\n\ndel causal_mask\n")
    assert whole(result)
    assert "its definition counts all the same" in remarks(result)


def test_an_input_changed_in_place_and_restored_costs_nothing(grade: Grade):
    code = changed(
        NETWORK,
        "return self.linear2(",
        "x.data.mul_(2)\n            x.data.div_(2)\n            return self.linear2(",
    )
    assert whole(grade("feed_forward", code))


def test_an_input_that_stays_changed_costs_the_check_of_it(grade: Grade):
    code = changed(
        NETWORK,
        "return self.linear2(self.dropout(F.gelu(self.linear1(x))))",
        "y = self.linear2(self.dropout(F.gelu(self.linear1(x))))\n"
        "            x.data.zero_()\n            return y",
    )
    assert "leaves_its_input_alone" in failing(grade("feed_forward", code))


@pytest.mark.parametrize("exercise", ["scaled_dot_product_attention", "multi_head_attention"])
def test_setting_the_global_seed_is_remarked_and_costs_nothing(grade: Grade, exercise: str):
    code = changed(ATTENTION, "scores = Q @", "torch.manual_seed(0)\n        scores = Q @")
    result = grade(exercise, code)
    assert whole(result)
    assert "global random state" in remarks(result)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("import flash_attn", "an environment problem: this package is not available"),
        ("x = x.cuda()", "an environment problem: there is no GPU here"),
        ("x = x.to('cuda')", "an environment problem: there is no GPU here"),
    ],
)
def test_what_cannot_work_here_is_said_to_be_an_environment_problem_with_its_line(
    grade: Grade, line: str, says: str
):
    answer = "return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)"
    code = f"def split_heads(x, num_heads):\n    {line}\n    {answer}\n"
    [exercise] = grade("split_heads", code).exercises
    assert exercise.outcome is Outcome.RAISED
    assert all(says in (f.message or "") for f in exercise.findings)
    assert all(f.place is not None and f.place.line == 2 for f in exercise.findings)


def test_a_name_shadowed_by_a_star_import_fails_and_is_named(grade: Grade):
    code = """
        import math
        from torch import *

        def scaled_dot_product_attention(Q, K, V, mask=None):
            scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(mask, float("-inf"))
            weights = softmax(scores, dim=-1)
            return weights @ V, weights
    """
    result = grade("scaled_dot_product_attention", code)
    assert "applies_any_mask_that_broadcasts" in failing(result)
    assert "`from torch import *` in rendu.py, line 3 replaces Python's float by torch.float" in remarks(
        result
    )


@pytest.mark.parametrize("body", ["pass", "...", "return None", "raise NotImplementedError", '"""A stub."""'])
def test_a_stub_left_as_handed_out_was_not_attempted(grade: Grade, body: str):
    [exercise] = grade("causal_mask", f"def causal_mask(seq_len):\n    {body}\n").exercises
    assert (exercise.outcome, exercise.points, exercise.findings) == (Outcome.NOT_ATTEMPTED, 0, ())


@pytest.mark.parametrize("name", [exercise.name for exercise in load_assignment("attention").exercises])
def test_what_was_handed_out_was_not_attempted(assignment: Assignment, draws: Draws, box: Box, name: str):
    grader = Grader(assignment.only([name]), draws, box)
    [exercise] = grader.grade(ASSIGNMENTS / f"{name}.py", "rendu").exercises
    assert exercise.outcome is Outcome.NOT_ATTEMPTED
