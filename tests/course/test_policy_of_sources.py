"""What counts as right in how code is written: definitions, stubs, changed inputs, what cannot work here."""

import pytest

from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.locations import SHIPPED
from graders.results.result import Outcome
from graders.sandbox.box import Box
from tests.support.policy import ATTENTION, MASK, NETWORK, Grade, changed, failing, remarks, whole


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


SPLIT = (
    "def split_heads(x, num_heads):\n    {}\n    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)\n"
)


def test_what_cannot_work_here_is_said_to_be_an_environment_problem_with_its_line(grade: Grade):
    [exercise] = grade("split_heads", SPLIT.format("import flash_attn")).exercises
    assert exercise.outcome is Outcome.RAISED
    says = "an environment problem: this package is not available"
    assert all(says in (f.message or "") for f in exercise.findings)
    assert all(f.place is not None and f.place.line == 2 for f in exercise.findings)


@pytest.mark.parametrize(
    "line",
    [
        "x = x.cuda()",
        "x = x.to('cuda:0', non_blocking=True)",
        "x = x + torch.zeros(x.shape, dtype=x.dtype, device='mps')",
        "torch.cuda.synchronize()",
        "x = x.pin_memory()",
    ],
)
def test_a_device_that_is_not_there_is_a_remark_with_its_line(grade: Grade, line: str):
    result = grade("split_heads", "import torch\n" + SPLIT.format(line))
    assert whole(result)
    [remark] = [remark for remark in result.remarks if "the CPU took its place" in remark.says]
    assert remark.line == 3


def test_a_device_that_is_asked_for_where_it_is_there_is_no_remark(grade: Grade):
    line = "x = x.cuda() if torch.cuda.is_available() else x"
    result = grade("split_heads", "import torch\n" + SPLIT.format(line))
    assert whole(result)
    assert not result.remarks


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
    assert "`from torch import *` replaces Python's float by torch.float" in remarks(result)


@pytest.mark.parametrize("body", ["pass", "...", "return None", "raise NotImplementedError", '"""A stub."""'])
def test_a_stub_left_as_handed_out_was_not_attempted(grade: Grade, body: str):
    [exercise] = grade("causal_mask", f"def causal_mask(seq_len):\n    {body}\n").exercises
    assert (exercise.outcome, exercise.points, exercise.findings) == (Outcome.NOT_ATTEMPTED, 0, ())


@pytest.mark.parametrize("name", [exercise.name for exercise in load_assignment("attention").exercises])
def test_what_was_handed_out_was_not_attempted(assignment: Assignment, draws: Draws, box: Box, name: str):
    grader = Grader(assignment.only([name]), draws, box)
    [exercise] = grader.grade(SHIPPED.assignments / f"{name}.py", "rendu").exercises
    assert exercise.outcome is Outcome.NOT_ATTEMPTED
