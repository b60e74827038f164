"""Right code with other names of arguments loses nothing, and the report says what was taken for what."""

import pytest

from graders.candidate.remote_candidate import RemoteCandidate
from graders.course.exercise import load_assignment
from graders.judging.draws import Draws
from graders.judging.judge_exercise import judge_exercise
from graders.results.result import Outcome
from graders.sandbox.session import BoxSession
from tests.support.submissions import source_of

EXERCISES = {e.name: e for name in ("attention", "bert", "gpt") for e in load_assignment(name).exercises}
DRAWS = Draws(1, tries=0).first(5)
IMPORTS = "import math\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
BODY = """
        q, k, v = (f(t).view(*t.shape[:2], self.h, -1).transpose(1, 2)
                   for f, t in ((self.W_q, q), (self.W_k, k), (self.W_v, v)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights
"""


def attention(signature, width, heads, forward="self, x, mask=None", layer="nn.Linear({0}, {0})"):
    """A multi-head attention whose constructor has this signature."""
    inputs = "" if "q" in forward else "\n        q = k = v = x"
    made = layer.format(width)
    return f"""{IMPORTS}
class MultiHeadAttention(nn.Module):
    def __init__(self, {signature}):
        super().__init__()
        assert {width} % {heads} == 0
        self.h = {heads}
        self.W_q, self.W_k, self.W_v, self.W_o = ({made} for _ in range(4))

    def forward({forward}):{inputs}{BODY}"""


@pytest.fixture
def session(box):
    """A session in a box."""
    with BoxSession(box) as opened:
        yield opened


def judged(tmp_path, session, code, name="multi_head_attention"):
    """The result of an exercise, and the remarks."""
    source = source_of(tmp_path, code, EXERCISES[name])
    candidate = RemoteCandidate(session, source, lambda: DRAWS.mapping_draws(EXERCISES[name]))
    result = judge_exercise(EXERCISES[name], DRAWS, session, candidate, names_mistakes=False)
    return result, [remark.says for remark in candidate.remarks]


@pytest.mark.parametrize(
    "code",
    {
        "by_meaning": attention("n_heads, d_model", "d_model", "n_heads"),
        "by_place": attention("a, b", "a", "b"),
        "configuration": attention("config", "config.n_embd", "config.n_head"),
        "keys": attention("cfg", "cfg['emb_dim']", "cfg['n_heads']"),
        "several_widths": attention("d_in, d_out, context_length, dropout, heads", "d_out", "heads"),
        "lazy": attention("dim, heads", "dim", "heads", layer="nn.LazyLinear({0})"),
        "three_inputs": attention("h, d_model", "d_model", "h", "self, q, k, v, mask"),
    }.values(),
)
def test_a_right_attention_with_other_arguments_loses_nothing(tmp_path, session, code):
    result, remarks = judged(tmp_path, session, code)
    assert [(f.check, f.message) for f in result.findings if f.outcome is not Outcome.PASSED] == []
    assert any("arguments were passed by what they mean" in remark for remark in remarks)


def test_the_remark_says_what_was_taken_for_what(tmp_path, session):
    _, remarks = judged(
        tmp_path, session, attention("h, d_model", "d_model", "h", "self, q, k, v, mask=None")
    )
    assert (
        "MultiHeadAttention: arguments were passed by what they mean: h = num_heads, d_model = embed_dim, "
        "forward: q = x, forward: k = x, forward: v = x"
    ) in remarks


def test_arguments_that_cannot_be_matched_are_told_once(tmp_path, session):
    result, remarks = judged(tmp_path, session, attention("width, depth, mystery", "width", "1"))
    assert result.outcome is Outcome.RAISED
    assert result.findings == ()
    assert "MultiHeadAttention(embed_dim, num_heads) is due" in (result.message or "")
    assert "MultiHeadAttention(width, depth, mystery) is defined" in (result.message or "")
    assert remarks == []


def test_an_error_in_the_constructor_is_told_as_it_is(tmp_path, session):
    code = f"""{IMPORTS}
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.1):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
        self.dropout = nn.Dropout(dropout=dropout)

    def forward(self, x):
        return self.dropout(self.net(x))
"""
    result, _ = judged(tmp_path, session, code, "feed_forward")
    assert result.message is None
    assert sum("unexpected keyword argument" in (f.message or "") for f in result.findings) > 5


def test_a_name_that_a_configuration_lacks_is_told_once(tmp_path, session):
    width = "config.colour + config.shade"
    result, _ = judged(tmp_path, session, attention("config", width, "config.n_head"))
    assert result.outcome is Outcome.RAISED
    assert "config.colour" in (result.message or "")


def test_the_only_name_without_a_meaning_stands_for_the_only_value_that_is_left(tmp_path, session):
    result, remarks = judged(tmp_path, session, attention("config", "config.colour", "config.n_head"))
    assert result.outcome is Outcome.PASSED
    assert any("config.colour = embed_dim" in remark for remark in remarks)


SCALED = f"""{IMPORTS}
def scaled_dot_product_attention(query, key, value, attn_mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ value, weights
"""


def lost(result):
    """The checks that do not hold."""
    return [f.check for f in result.findings if f.outcome is not Outcome.PASSED]


@pytest.mark.parametrize("name", ["scaled_dot_product_attention", "multi_head_attention"])
def test_an_output_without_its_weights_loses_the_check_on_them_alone(tmp_path, session, name):
    code = SCALED if name == "scaled_dot_product_attention" else attention("d_model, h", "d_model", "h")
    code = code.replace("@ value, weights", "@ value").replace(".flatten(2)), weights", ".flatten(2))")
    result, _ = judged(tmp_path, session, code, name)
    assert lost(result) == ["answers_with_output_and_weights"]


def test_a_function_of_four_axes_loses_the_check_on_leading_axes_alone(tmp_path, session):
    code = SCALED.replace("    scores = query", "    B, H, S, D = query.shape\n    scores = query")
    assert lost(judged(tmp_path, session, code, "scaled_dot_product_attention")[0]) == [
        "treats_leading_axes_apart"
    ]


@pytest.mark.parametrize("name", ["bert_attention", "gpt_attention"])
def test_weights_beside_a_single_output_lose_the_check_on_the_form_alone(tmp_path, session, name):
    causal = "scores = scores.masked_fill(torch.ones(*scores.shape[-2:]).triu(1).bool(), float('-inf'))"
    code = attention("d_model, h", "d_model", "h").replace("MultiHeadAttention", EXERCISES[name].symbol)
    if name == "bert_attention":
        code = code.replace('scores.masked_fill(mask, float("-inf"))', "scores + mask")
    else:
        code = code.replace("masked_fill(mask,", "masked_fill(mask == 0,")
        code = code.replace("        if mask is not None", f"        {causal}\n        if mask is not None")
    assert lost(judged(tmp_path, session, code, name)[0]) == ["keeps_the_shape"]
