"""The maps on a page are those of the student's code, whatever it is and however it computes them."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from graders.check_api.drawn_attention import LAYERS
from graders.check_api.reference_answer import Recipe
from graders.course.exercise import assignment_names, load_assignment
from graders.course.reference import reference
from graders.heads.draw_heads import Drawer
from graders.heads.embed import as_given, embed
from graders.heads.request import ask_for
from graders.judging.draws import Draws
from graders.results.heads import Drawing
from tests.heads.conftest import SENTENCE, Draw

ROOT = Path(__file__).parents[2]
TOKENS = ["Le", "chat", "mange", "la", "souris", "parce", "qu'", "il", "a", "faim"]

OWN = """
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.h = num_heads
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        B, S, E = x.shape
        q, k, v = (l(x).view(B, S, self.h, -1).transpose(1, 2) for l in (self.q, self.k, self.v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        output = self.o((weights @ v).transpose(1, 2).reshape(B, S, E))
        {end}
"""


def maps(drawing: Drawing) -> Tensor:
    """The weights (H, S, S) of a drawing, of all its layers."""
    assert drawing.problem is None, drawing.problem
    return torch.cat([torch.tensor(layer.matrices()) for layer in drawing.layers])


def due(name: str, assignment: str = "attention", *, causal: bool = False) -> Tensor:
    """The weights of the reference on the sentence, computed here."""
    exercise = load_assignment(assignment).only([name]).exercises[0]
    assert exercise.options.drawn is not None
    call = exercise.options.drawn.draw(as_given(exercise.options.drawn, TOKENS), causal)
    make = reference(exercise.name, exercise.symbol)
    module = make(**call.config).eval()
    module.load_state_dict(Recipe(make).answer(call).parameters)
    seen: list[Tensor] = []
    softmax = Tensor.softmax
    with pytest.MonkeyPatch.context() as patch:
        kept = lambda scores, dim: (seen.append(softmax(scores, dim)), seen[-1])[1]  # noqa: E731
        patch.setattr(Tensor, "softmax", kept)
        patch.setattr(torch, "softmax", kept)
        module(*call.arguments)
    return torch.cat(
        [weights[0] for weights in seen[: LAYERS if exercise.options.drawn.is_model else 1]]
    ).detach()


def test_a_right_module_shows_the_references_own_weights_with_the_future_and_without(draw: Draw):
    free, causal = draw(OWN.format(end="return output, weights"), "multi_head_attention")
    assert (free.causal, causal.causal) == (False, True)
    assert list(free.tokens) == TOKENS
    assert free.weights_from == causal.weights_from == "reference"
    torch.testing.assert_close(maps(free), due("multi_head_attention"), atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(maps(causal), due("multi_head_attention", causal=True), atol=1e-4, rtol=1e-3)
    assert bool((maps(causal).triu(1) == 0).all())


def test_weights_that_come_back_transposed_are_shown_transposed(draw: Draw):
    free, _ = draw(OWN.format(end="return output, weights.transpose(-2, -1)"), "multi_head_attention")
    expected = due("multi_head_attention").transpose(-2, -1)
    torch.testing.assert_close(maps(free), expected, atol=1e-4, rtol=1e-3)
    assert any("do not sum to 1" in note for note in free.notes)


def test_a_mask_that_is_read_the_other_way_round_shows_the_future_alone(draw: Draw):
    code = OWN.replace("masked_fill(mask", "masked_fill(~mask | torch.eye(S, dtype=torch.bool)")
    _, causal = draw(code.format(end="return output, weights.nan_to_num()"), "multi_head_attention")
    assert bool((maps(causal).tril() == 0).all())


def test_weights_that_do_not_come_back_are_seen_while_the_code_runs(draw: Draw):
    free, _ = draw(OWN.format(end="return output"), "multi_head_attention")
    torch.testing.assert_close(maps(free), due("multi_head_attention"), atol=1e-4, rtol=1e-3)
    assert free.notes == ("The code does not return its weights: these are what it computes.",)


@pytest.mark.parametrize("style", ["fused", "by_hand", "in_a_loop"])
def test_however_attention_is_computed_the_same_weights_are_seen(style: str, draw: Draw):
    ways = {
        "fused": "context = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)",
        "by_hand": """
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) - 1e9 * torch.ones(S, S).triu(1)
        shares = (scores - scores.amax(-1, keepdim=True)).exp()
        context = (shares / shares.sum(-1, keepdim=True)) @ v""",
        "in_a_loop": """
        future = torch.ones(S, S).triu(1).bool()
        heads = [(q[:, h] @ k[:, h].mT / math.sqrt(q.shape[-1])) for h in range(self.h)]
        heads = [torch.softmax(one.masked_fill(future, float("-inf")), -1) for one in heads]
        context = torch.stack([one @ v[:, h] for h, one in enumerate(heads)], 1)""",
    }
    code = OWN.replace("MultiHeadAttention", "CausalMultiHeadSelfAttention").replace(
        "embed_dim", "hidden_size"
    )
    code = code.replace("mask=None", "attention_mask=None").split("        scores =")[0]
    code += (
        f"        {ways[style].strip()}\n        return self.o(context.transpose(1, 2).reshape(B, S, E))\n"
    )
    [causal] = draw(code, "gpt_attention", "gpt")
    torch.testing.assert_close(maps(causal), due("gpt_attention", "gpt"), atol=1e-4, rtol=1e-3)


def test_every_module_whose_checks_file_says_so_is_drawn_as_its_reference(draw: Draw):
    drawn = []
    for assignment in assignment_names():
        for exercise in load_assignment(assignment).exercises:
            if exercise.options.drawn is None or not isinstance(
                reference(exercise.name, exercise.symbol), type
            ):
                continue
            if exercise.rule is not None:
                continue
            styles = ROOT / f"solutions/right/{exercise.name}"
            course = styles / "course.py"  # others may have no matrix of weights
            style = (course if course.exists() else sorted(styles.glob("*.py"))[0]).read_text("utf-8")
            drawings = draw(style, exercise.name, assignment)
            assert [d.causal for d in drawings] == list(exercise.options.drawn.causal)
            for drawing in drawings:
                expected = due(exercise.name, assignment, causal=drawing.causal).reshape(-1, 10, 10)
                torch.testing.assert_close(maps(drawing), expected, atol=1e-4, rtol=1e-3)
            drawn.append(exercise.name)
    assert {"multi_head_attention", "list_of_heads", "transformer_block", "gpt_model", "bert_model"} < {
        *drawn
    }


def test_a_run_in_double_precision_draws_as_any_other(box, tmp_path):
    (tmp_path / "work.py").write_text(OWN.format(end="return output, weights"), encoding="utf-8")
    only = load_assignment("attention").only(["multi_head_attention"])
    drawer = Drawer(only, Draws(1, dtype=torch.float64), box, ask_for(SENTENCE))
    free, _ = drawer.draw(tmp_path / "work.py", "work")
    torch.testing.assert_close(maps(free), due("multi_head_attention"), atol=1e-4, rtol=1e-3)


def test_a_function_is_given_the_vectors_of_the_tokens_as_queries_and_keys(draw: Draw):
    code = "import torch\ndef scaled_dot_product_attention(Q, K, V, mask=None):\n"
    code += "    w = (Q @ K.mT / Q.shape[-1] ** 0.5).softmax(-1)\n    return w @ V, w\n"
    free, causal = draw(code, "scaled_dot_product_attention")
    x = embed(TOKENS)
    expected = (x @ x.mT / x.shape[-1] ** 0.5).softmax(-1)
    torch.testing.assert_close(maps(free), expected, atol=1e-4, rtol=1e-3)
    assert free.weights_from == "none"
    assert causal.layers == free.layers  # this code knows no mask, and so the page shows


def test_a_module_with_parameters_of_its_own_is_drawn_with_random_ones(draw: Draw):
    code = OWN.replace("l(x)", "(l(x) + self.more(x))").replace(
        "self.h = num", "self.more = nn.Linear(embed_dim, embed_dim)\n        self.h = num"
    )
    free, _ = draw(code.format(end="return output, weights"), "multi_head_attention")
    assert free.weights_from == "random"
    assert maps(free).shape == (4, 10, 10)


def test_tokens_may_be_characters(draw: Draw):
    request = ask_for("le  chat", "characters")
    free, _ = draw(OWN.format(end="return output, weights"), "multi_head_attention", request=request)
    assert free.tokens == ("l", "e", " ", "c", "h", "a", "t")


def test_code_that_is_not_there_is_not_drawn(draw: Draw):
    assert draw("x = 1\n", "multi_head_attention") == []


def test_the_sentence_is_the_one_that_the_tokens_are_of():
    assert list(ask_for(SENTENCE).tokens) == TOKENS
