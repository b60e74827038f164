"""Styles of dress compute nothing: what they add takes no part in the answer."""

import ast

import pytest
import torch

from tests.audit.styles.both_forms import both_forms, find_exercise, rewrite

CODE = """
    import torch
    from torch import nn

    class FeedForward(nn.Module):
        def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
            super().__init__()
            hidden = ff_dim or 4 * embed_dim
            self.linear1 = nn.Linear(embed_dim, hidden)
            self.linear2 = nn.Linear(hidden, embed_dim)
            self.drop = nn.Dropout(dropout)

        def forward(self, x):
            for _ in range(1):
                x = self.linear1(x) + torch.zeros(1)
            return self.linear2(self.drop(torch.relu(x)))
"""


@pytest.mark.parametrize("style", ["buffers", "initialisation", "dropout_function", "training", "prints"])
@pytest.mark.parametrize("number", range(2))
def test_a_module_has_the_same_parameters_and_answers(style: str, number: int):
    exercise = find_exercise("feed_forward", "attention")
    plain, styled = (
        names["FeedForward"](4) for names in both_forms(f"dress.{style}", exercise, CODE, number)
    )
    styled.load_state_dict(plain.state_dict(), strict=False)
    x = torch.randn(2, 3, 4)
    assert dict(styled.named_parameters()).keys() == dict(plain.named_parameters()).keys()
    assert torch.equal(styled.eval()(x), plain.eval()(x))


def test_a_module_that_is_given_a_layer_initialises_no_weights():
    code = """
        class Residual(nn.Module):
            def __init__(self, layer, dim):
                super().__init__()
                self.layer = layer

            def forward(self, x):
                return x + self.layer(x)
    """
    assert rewrite("dress.initialisation", find_exercise("residual", "foundations"), code) is None


def test_dropout_by_a_function_acts_in_training_alone():
    exercise = find_exercise("feed_forward", "attention")
    _, styled = both_forms("dress.dropout_function", exercise, CODE)
    module, x = styled["FeedForward"](4, dropout=0.5), torch.ones(5, 6, 4)
    assert not torch.equal(module(x), module(x))
    assert torch.equal(module.eval()(x), module(x))


@pytest.mark.parametrize(
    ("style", "says"),
    [
        ("compiled_class", "torch.compile"),
        ("cuda", "cuda"),
        ("tensors_on_cuda", "device="),
        ("decorators", "@"),
        ("lightning", "LightningModule"),
        ("logging", "import"),
        ("progress", "tqdm(range(1))"),
        ("annotations", "x: "),
    ],
)
@pytest.mark.parametrize("number", range(3))
def test_what_needs_a_package_or_a_device_is_code_that_can_be_read(style: str, says: str, number: int):
    rewritten = rewrite(f"dress.{style}", find_exercise("feed_forward", "attention"), CODE, number)
    assert rewritten is not None
    [text] = rewritten.texts().values()
    assert says in text
    assert ast.parse(text)


@pytest.mark.parametrize("number", range(4))
def test_a_call_is_refused_by_another_error_and_no_other_call_is(number: int):
    code = """
        def split_heads(x, num_heads):
            if x.shape[-1] % num_heads:
                raise ValueError("no")
            return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    """
    exercise = find_exercise("split_heads", "attention")
    plain, styled = (names["split_heads"] for names in both_forms("dress.refusals", exercise, code, number))
    x = torch.randn(2, 3, 4)
    assert torch.equal(styled(x, 2), plain(x, 2))
    with pytest.raises(Exception, match=r"^(?!no$)"):
        styled(x, 3)
