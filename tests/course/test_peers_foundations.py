"""The references of the foundations assignment compute what PyTorch's own modules and functions compute."""

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from graders.check_api.figures import panels_of
from graders.check_api.strategies.tensors import ids, normal, sizes
from graders.course.reference import reference
from softmark_worker import drawn_figure
from tests.course.test_peers_gpt import SIZES, alike, carry, later, states, taken

F = nn.functional


@given(**{name: SIZES[name] for name in ("batch", "length", "seed")}, width=sizes(1, 6), masked=st.booleans())
@settings(max_examples=40)
def test_self_attention_is_multi_head_attention_of_one_head_that_projects_nothing_back(
    batch, length, width, seed, masked
):
    mine = taken("self_attention", "SelfAttention", seed, width)
    theirs = nn.MultiheadAttention(width, 1, batch_first=True, dtype=torch.float64).eval()
    with torch.no_grad():
        layers = (mine.W_q, mine.W_k, mine.W_v)
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        nn.init.eye_(theirs.out_proj.weight)
        nn.init.zeros_(theirs.out_proj.bias)
    x, mask = states(batch, length, width, seed), later(length) if masked else None
    output, shares = mine(x, mask)
    expected, expected_shares = theirs(x, x, x, attn_mask=mask)
    alike(output, expected)
    alike(shares, expected_shares)


@given(batch=sizes(), length=sizes(1, 9), width=sizes(1, 12), seed=SIZES["seed"], eps=st.floats(1e-12, 0.5))
@settings(max_examples=40)
def test_the_layer_norm_is_pytorchs(batch, length, width, seed, eps):
    mine = taken("layer_norm", "LayerNorm", seed, width, eps=eps)
    x = states(batch, length, width, seed)
    alike(mine(x), F.layer_norm(x, (width,), mine.gamma, mine.beta, eps))


@given(rows=sizes(1, 7), classes=sizes(1, 6), seed=SIZES["seed"], ignored=st.sampled_from([-100, -1, 0, 2]))
@settings(max_examples=60)
def test_the_cross_entropy_is_pytorchs_with_its_gradient(rows, classes, seed, ignored):
    logits = normal(rows, classes, seed=seed, scale=20.0, dtype=torch.float64).requires_grad_()
    targets = ids(rows, vocabulary=classes, seed=seed)
    if targets[0] == ignored:
        ignored = -100
    targets[1:][normal(rows - 1, seed=seed) > 0] = ignored
    mine = reference("cross_entropy", "cross_entropy")(logits, targets, ignored)
    theirs = F.cross_entropy(logits, targets, ignore_index=ignored)
    alike(mine, theirs)
    alike(*(torch.autograd.grad(loss, logits)[0] for loss in (mine, theirs)))


@given(
    batch=sizes(),
    length=sizes(1, 9),
    width=sizes(1, 6),
    out=sizes(1, 6),
    taps=sizes(1, 12),
    seed=SIZES["seed"],
    biased=st.booleans(),
)
@settings(max_examples=60)
def test_the_causal_convolution_is_pytorchs_on_a_sequence_with_zeros_before_it(
    batch, length, width, out, taps, seed, biased
):
    x, weight = states(batch, length, width, seed), normal(out, width, taps, seed=seed, dtype=torch.float64)
    bias = normal(out, seed=seed, dtype=torch.float64) if biased else None
    padded = F.pad(x.transpose(1, 2), (taps - 1, 0))
    mine = reference("causal_conv1d", "causal_conv1d")(x, weight, bias)
    alike(mine, F.conv1d(padded, weight, bias).transpose(1, 2))


@given(heads=sizes(), length=sizes(2, 9), seed=SIZES["seed"])
@settings(max_examples=40)
def test_the_entropy_of_heads_is_that_of_pytorchs_distribution(heads, length, seed):
    attention = states(heads, length, length, seed).softmax(-1)
    scores = reference("head_scores", "head_scores")(attention)
    alike(scores["entropy"], torch.distributions.Categorical(attention).entropy().mean(-1))


def test_planted_heads_have_the_scores_of_what_they_look_at():
    itself = torch.eye(5)
    before = torch.cat([itself[:1], itself[:-1]])
    attention = torch.stack([before, itself[:1].expand(5, -1), itself, torch.full((5, 5), 0.2)])
    scores = reference("head_scores", "head_scores")(attention)
    assert [round(x, 4) for x in scores["previous"].tolist()] == [1, 0.25, 0, 0.2]
    assert [round(x, 4) for x in scores["first"].tolist()] == [0.4, 1, 0.2, 0.2]
    assert [round(x, 4) for x in scores["self"].tolist()] == [0.2, 0.2, 1, 0.2]
    assert [round(x, 4) for x in scores["entropy"].tolist()] == [0, 0, 0, 1.6094]


@given(
    layers=sizes(1, 4),
    batch=sizes(),
    heads=sizes(1, 4),
    length=sizes(2, 7),
    seed=SIZES["seed"],
    kind=st.sampled_from(["previous", "first", "self", "entropy"]),
)
@settings(max_examples=40)
def test_the_strongest_head_is_numpys(layers, batch, heads, length, seed, kind):
    attentions = normal(layers, batch, heads, length, length, seed=seed, dtype=torch.float64).softmax(-1)
    weights = attentions.numpy()
    scores = {
        "previous": weights[..., 1:, :].diagonal(0, -2, -1),
        "first": weights[..., 0],
        "self": weights.diagonal(0, -2, -1),
        "entropy": (weights * numpy.log(weights)).sum(-1),  # its negative: the least is the highest here
    }
    table = scores[kind].mean(-1).mean(1)
    due = numpy.unravel_index(table.argmax(), table.shape)
    found = reference("strongest_head", "strongest")(tuple(attentions), kind)
    assert found == due and all(type(place) is int for place in found)


def test_the_strongest_of_equal_heads_is_the_first():
    even = torch.full((1, 3, 4, 4), 0.25)
    planted = even.clone()
    planted[0, 1:] = torch.eye(4)
    strongest = reference("strongest_head", "strongest")
    assert strongest((even, planted, planted), "self") == (1, 1)
    assert strongest((even, planted, planted), "entropy") == (1, 1)


def test_the_count_of_a_model_is_that_of_gpt_as_it_is_built():
    sizes_of_gpt = {"vocab_size": 23, "hidden_size": 12, "num_layers": 3, "intermediate_size": 20}
    model = reference("gpt_model", "SimpleGPTModel")(**sizes_of_gpt, num_heads=3, max_position_embeddings=9)
    built = sum(p.numel() for p in model.parameters())
    assert reference("count_model", "count_model")(23, 12, 3, 20, 9, tied=False) == built


@pytest.mark.slow
def test_the_count_of_a_model_is_that_of_transformers_bert():
    transformers = pytest.importorskip("transformers")
    sizes_of_bert = {"vocab_size": 23, "hidden_size": 12, "num_hidden_layers": 3, "intermediate_size": 20}
    config = transformers.BertConfig(
        **sizes_of_bert, num_attention_heads=3, max_position_embeddings=9, type_vocab_size=2
    )
    model = transformers.BertModel(config, add_pooling_layer=False)
    count = reference("count_model", "count_model")
    assert count(23, 12, 3, 20, 9, 2) == sum(p.numel() for p in model.parameters())
    assert count(30522, 768, 12, 3072, 512, types=2) == 108_891_648


class Answering(nn.Module):
    """PyTorch's attention of x on itself, without the weights."""

    def __init__(self, attention):
        super().__init__()
        self.attention = attention

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]


@given(batch=sizes(), length=sizes(1, 7), width=sizes(2, 6), seed=SIZES["seed"], pre=st.booleans())
@settings(max_examples=30)
def test_two_residuals_around_pytorchs_parts_are_its_encoder_layer(batch, length, width, seed, pre):
    torch.manual_seed(seed)
    theirs = nn.TransformerEncoderLayer(
        width, 1, 9, batch_first=True, norm_first=pre, dtype=torch.float64
    ).eval()
    network = nn.Sequential(theirs.linear1, nn.ReLU(), theirs.linear2)
    residual = reference("residual", "Residual")
    mine = [residual(layer, width, pre=pre).double() for layer in (Answering(theirs.self_attn), network)]
    for part, norm in zip(mine, (theirs.norm1, theirs.norm2), strict=True):
        nn.init.normal_(norm.weight)
        part.norm.load_state_dict(norm.state_dict())
    x = states(batch, length, width, seed)
    alike(mine[1](mine[0](x)), theirs(x))


@given(**SIZES)
@settings(max_examples=40)
def test_a_list_of_heads_is_pytorchs_causal_attention(batch, length, heads, head_width, seed):
    width = heads * head_width
    mine = taken("list_of_heads", "MultiHead", seed, heads, head_width, width, length)
    theirs = nn.MultiheadAttention(width, heads, batch_first=True, dtype=torch.float64).eval()
    for layer in (mine.query, mine.key, mine.value):
        layer.bias = nn.Parameter(torch.zeros(width, dtype=torch.float64))
    carry(theirs, mine.query, mine.key, mine.value, mine.proj)
    x = states(batch, length, width, seed)
    alike(mine(x), theirs(x, x, x, attn_mask=later(length))[0])


@given(**SIZES, bias=st.booleans(), masked=st.booleans())
@settings(max_examples=40)
def test_with_the_weights_of_pytorchs_attention_the_courses_gives_its_answers(
    batch, length, heads, head_width, seed, bias, masked
):
    width = heads * head_width
    torch.manual_seed(seed)
    theirs = nn.MultiheadAttention(width, heads, bias=bias, batch_first=True, dtype=torch.float64).eval()
    if bias:
        nn.init.normal_(theirs.in_proj_bias)
        nn.init.normal_(theirs.out_proj.bias)
    mine = taken("multi_head_attention", "MultiHeadAttention", seed, width, heads)
    reference("from_torch", "from_torch")(theirs, mine)
    x, mask = states(batch, length, width, seed), later(length) if masked else None
    expected = theirs(x, x, x, attn_mask=mask, average_attn_weights=False)
    for answer, due in zip(mine(x, mask), expected, strict=True):
        alike(answer, due)


@pytest.mark.slow
def test_the_heads_that_are_drawn_are_those_of_a_camembert_that_was_saved_to_a_folder(tmp_path):
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(1)
    sizes_of_bert = {"vocab_size": 19, "hidden_size": 12, "num_hidden_layers": 3, "num_attention_heads": 6}
    config = transformers.CamembertConfig(
        **sizes_of_bert, intermediate_size=8, max_position_embeddings=16, attn_implementation="eager"
    )
    transformers.CamembertModel(config).save_pretrained(tmp_path)
    model = transformers.CamembertModel.from_pretrained(
        tmp_path, local_files_only=True, attn_implementation="eager"
    )
    with torch.no_grad():
        found = model.eval()(torch.tensor([[5, 7, 9, 11, 6]]), output_attentions=True)
    tokens = ["<s>", "le", "chat", "dort", "</s>"]
    figure = reference("plot_heads", "plot_heads")(found.attentions, tokens, 1, [0, 1, 5])
    panels = panels_of(drawn_figure.describe(figure, True))
    for panel, head in zip(panels, [0, 1, 5], strict=True):
        alike(panel.array.float(), found.attentions[1][0, head])
        assert list(panel.rows.values()) == list(panel.columns.values()) == tokens


@given(batch=sizes(), length=sizes(2, 7), width=sizes(1, 5), seed=SIZES["seed"])
@settings(max_examples=30)
def test_a_mask_in_each_sense_gives_what_pytorch_gives_for_it(batch, length, width, seed):
    to_additive, x = reference("additive_mask", "to_additive"), states(batch, length, width, seed)
    torch.manual_seed(seed)
    attention = nn.MultiheadAttention(width, 1, batch_first=True, dtype=torch.float64)
    hides, shows = later(length), ~later(length)
    causal = nn.Transformer.generate_square_subsequent_mask(length)
    assert torch.equal(to_additive(hides), causal)
    assert torch.equal(to_additive(shows, "shows"), causal)
    assert torch.equal(to_additive(causal, "adds"), causal)
    added = to_additive(hides).double()
    alike(attention(x, x, x, attn_mask=hides)[0], attention(x, x, x, attn_mask=added)[0])
    by_bool = F.scaled_dot_product_attention(x, x, x, attn_mask=shows)
    alike(by_bool, F.scaled_dot_product_attention(x, x, x, attn_mask=added))
