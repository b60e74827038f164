"""With the same weights, our BERT computes what PyTorch's and the transformers library's modules do."""

from itertools import product

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from graders.check_api.strategies.tensors import ids, normal, weights
from graders.course.reference import reference

SEEDS = range(3)
B, S, E, H, F, V, P, T, L = 3, 6, 12, 3, 20, 17, 9, 2, 2
KEPT = torch.tensor([[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0]])
# The names of a layer's parts: ours, and the transformers library's.
LAYER = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.out": "attention.output.dense",
    "attention_layer_norm": "attention.output.LayerNorm",
    "ff.fc1": "intermediate.dense",
    "ff.fc2": "output.dense",
    "ff_layer_norm": "output.LayerNorm",
}


def ours(exercise: str, symbol: str, *sizes: int, seed: int) -> nn.Module:
    """The reference in float64 and evaluation mode, with weights drawn from a seed."""
    module = reference(exercise, symbol)(*sizes).double().eval()
    shapes = {name: tuple(p.shape) for name, p in module.named_parameters()}
    module.load_state_dict(weights(shapes, seed, dtype=torch.float64))
    return module


def states(seed: int) -> Tensor:
    return normal(B, S, E, seed=seed, dtype=torch.float64)


def additive_masks(seed: int) -> list[Tensor | None]:
    """None, a mask of keys, and one for each head and query; every query sees a key."""
    by_keys = (1.0 - KEPT.double())[:, None, None] * -1e9
    hidden = (normal(B, H, S, S, seed=seed) > 0) & ~torch.eye(S, dtype=torch.bool)
    return [None, by_keys, torch.zeros(hidden.shape, dtype=torch.float64).masked_fill(hidden, -1e9)]


def close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-10, atol=1e-10)


@pytest.fixture(scope="module")
def transformers():
    """The library, imported only here, since that takes seconds."""
    return pytest.importorskip("transformers")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("segmented", "padded"), [*product([False, True], repeat=2)])
@pytest.mark.slow
def test_the_model_is_that_of_the_transformers_library(transformers, seed, segmented, padded):
    model = ours("bert_model", "SimpleBertModel", V, E, H, L, F, P, T, seed=seed)
    config = transformers.BertConfig(
        vocab_size=V,
        hidden_size=E,
        num_attention_heads=H,
        num_hidden_layers=L,
        intermediate_size=F,
        max_position_embeddings=P,
        type_vocab_size=T,
        hidden_act="gelu",
        layer_norm_eps=1e-12,
        attn_implementation="eager",
    )
    theirs = transformers.BertModel(config, add_pooling_layer=False).double().eval()
    _carry(model, theirs)
    words = ids(B, S, vocabulary=V, seed=seed + 1)
    types = ids(B, S, vocabulary=T, seed=seed + 2) if segmented else None
    mask = KEPT if padded else None
    with torch.no_grad():
        actual = model(words, types, mask)
        expected = theirs(input_ids=words, token_type_ids=types, attention_mask=mask).last_hidden_state
    visible = KEPT.bool() if padded else torch.ones_like(KEPT, dtype=torch.bool)
    close(actual[visible], expected[visible])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_layer_is_that_of_torch(seed):
    layer = ours("bert_layer", "BertLayer", E, H, F, seed=seed)
    theirs = nn.TransformerEncoderLayer(
        E,
        H,
        F,
        activation="gelu",
        layer_norm_eps=1e-12,
        batch_first=True,
        norm_first=False,
        dtype=torch.float64,
    ).eval()
    state = layer.state_dict()
    renamed = {
        **{f"self_attn.{name}": value for name, value in _packed(layer.attention).items()},
        **{f"linear1.{k}": state[f"ff.fc1.{k}"] for k in ("weight", "bias")},
        **{f"linear2.{k}": state[f"ff.fc2.{k}"] for k in ("weight", "bias")},
        **{f"norm1.{k}": state[f"attention_layer_norm.{k}"] for k in ("weight", "bias")},
        **{f"norm2.{k}": state[f"ff_layer_norm.{k}"] for k in ("weight", "bias")},
    }
    theirs.load_state_dict(renamed)
    x = states(seed)
    for mask in additive_masks(seed):
        close(layer(x, mask), theirs(x, src_mask=_by_head(mask)))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_attention_is_that_of_torch(seed):
    attention = ours("bert_attention", "MultiHeadSelfAttention", E, H, seed=seed)
    theirs = nn.MultiheadAttention(E, H, batch_first=True, dtype=torch.float64).eval()
    theirs.load_state_dict(_packed(attention))
    x = states(seed)
    for mask in additive_masks(seed):
        close(attention(x, mask), theirs(x, x, x, attn_mask=_by_head(mask), need_weights=False)[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_attention_is_the_functional_one_of_torch(seed):
    attention = ours("bert_attention", "MultiHeadSelfAttention", E, H, seed=seed)
    x = states(seed)
    layers = (attention.query, attention.key, attention.value)
    Q, K, V = (layer(x).view(B, S, H, E // H).transpose(1, 2) for layer in layers)
    for mask in additive_masks(seed):
        heads = functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
        close(attention(x, mask), attention.out(heads.transpose(1, 2).reshape(B, S, E)))


def _carry(model: nn.Module, theirs: nn.Module) -> None:
    """Give the library's model our weights; all of them, and nothing else."""
    renamed = {}
    for name, value in model.state_dict().items():
        if name.startswith("embeddings."):
            renamed[name] = value
            continue
        _, _, number, *part, kind = name.split(".")
        renamed[f"encoder.layer.{number}.{LAYER['.'.join(part)]}.{kind}"] = value
    assert set(renamed) == {name for name, _ in theirs.named_parameters()}
    theirs.load_state_dict(renamed, strict=False)


def _packed(attention: nn.Module) -> dict[str, Tensor]:
    """Our projections in the layout of nn.MultiheadAttention: the first three concatenated."""
    layers = (attention.query, attention.key, attention.value)
    return {
        "in_proj_weight": torch.cat([layer.weight for layer in layers]),
        "in_proj_bias": torch.cat([layer.bias for layer in layers]),
        "out_proj.weight": attention.out.weight,
        "out_proj.bias": attention.out.bias,
    }


def _by_head(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask.expand(B, H, S, S).reshape(B * H, S, S)
