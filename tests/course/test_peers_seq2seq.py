"""The references of the seq2seq assignment compute what PyTorch's and transformers' own code computes."""

from typing import Any

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from graders.check_api.strategies.memories import states
from graders.check_api.strategies.tensors import ids, masks, seeds, sizes
from graders.course.reference import reference
from tests.course.test_peers_gpt import alike, carry, taken
from tests.support.peers import peer

MODEL = {"vocab_size": 12, "d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "dropout": 0.0}
HEADS = {f"{side}_attention_heads": 2 for side in ("encoder", "decoder")}
INNER = {f"{side}_ffn_dim": 8 for side in ("encoder", "decoder")}
IDS = {"pad_token_id": 0, "eos_token_id": 2, "bos_token_id": 1, "decoder_start_token_id": 3}


def spread(mask: Tensor, batch: int, heads: int, queries: int) -> Tensor:
    """A mask as nn.MultiheadAttention takes it, (B * H, Sq, Sk)."""
    return mask.expand(batch, heads, queries, mask.shape[-1]).reshape(-1, queries, mask.shape[-1])


@given(st.data(), sizes(), sizes(1, 5), sizes(), sizes(1, 4), sizes(1, 9), seeds())
@settings(max_examples=30)
def test_cross_attention_is_that_of_pytorchs_module(data, batch, queries, heads, head_width, other, seed):
    width, keys = heads * head_width, queries + 1
    mine = taken("cross_attention", "CrossAttention", seed, width, heads, other + (other == width))
    theirs = nn.MultiheadAttention(
        width, heads, kdim=mine.W_k.in_features, vdim=mine.W_k.in_features, batch_first=True
    ).double()
    with torch.no_grad():
        for name in "qkv":
            getattr(theirs, f"{name}_proj_weight").copy_(getattr(mine, f"W_{name}").weight)
        theirs.in_proj_bias.copy_(torch.cat([mine.W_q.bias, mine.W_k.bias, mine.W_v.bias]))
    theirs.out_proj.load_state_dict(mine.W_o.state_dict())
    x, memory = states(batch, queries, width, seed), states(batch, keys, mine.W_k.in_features, seed + 1)
    mask = data.draw(masks((batch, heads), queries, keys))
    output, weights = mine(x, memory, mask)
    flat = spread(mask, batch, heads, queries)
    due = theirs.eval()(x, memory, memory, attn_mask=flat, average_attn_weights=False)
    alike(output, due[0])
    alike(weights, due[1])


def test_with_itself_as_memory_cross_attention_is_multi_head_attention():
    mine, alone = (
        taken(name, symbol, 5, 12, 3)
        for name, symbol in (
            ("cross_attention", "CrossAttention"),
            ("multi_head_attention", "MultiHeadAttention"),
        )
    )
    x = states(2, 5, 12, 1)
    for own, due in zip(mine(x, x), alone(x), strict=True):
        alike(own, due)


@given(sizes(), sizes(1, 6), sizes(1, 6), sizes(), sizes(2, 4), sizes(1, 12), seeds())
@settings(max_examples=30)
def test_a_decoder_layer_is_pytorchs_with_the_norms_in_front(batch, length, source, heads, wide, inner, seed):
    width = heads * wide
    mine = taken("decoder_layer", "DecoderLayer", seed, width, heads, inner)
    theirs = nn.TransformerDecoderLayer(
        width, heads, inner, activation="gelu", batch_first=True, norm_first=True, dtype=torch.float64
    ).eval()
    parts = ((theirs.self_attn, mine.self_attention), (theirs.multihead_attn, mine.cross_attention))
    for attention, part in parts:
        carry(attention, part.W_q, part.W_k, part.W_v, part.W_o)
    for name in ("norm1", "norm2", "norm3"):
        getattr(theirs, name).load_state_dict(getattr(mine, name).state_dict())
    for name in ("linear1", "linear2"):
        getattr(theirs, name).load_state_dict(getattr(mine.feed_forward, name).state_dict())
    x, memory = states(batch, length, width, seed), states(batch, source, width, seed + 1)
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    hidden = ids(batch, source, vocabulary=2, seed=seed).bool()
    hidden[:, 0] = False
    due = theirs(x, memory, tgt_mask=future, memory_key_padding_mask=hidden)
    alike(mine(x, memory, future, hidden[:, None, None, :]), due)


def test_labels_are_shifted_as_bart_and_t5_shift_them():
    shift = reference("shift_right", "shift_right")
    labels = torch.tensor([[5, 6, 7, 2], [8, 2, -100, -100]])
    shift_tokens_right = peer("transformers.models.bart.modeling_bart").shift_tokens_right

    assert torch.equal(shift(labels, 3, 1), shift_tokens_right(labels, 1, 3))
    sizes_of_t5 = {"vocab_size": 12, "d_model": 8, "d_kv": 4, "d_ff": 8, "num_layers": 1, "num_heads": 2}
    config = peer("transformers").T5Config(**sizes_of_t5, decoder_start_token_id=3, pad_token_id=1)
    t5: Any = peer("transformers").T5ForConditionalGeneration(config)
    assert torch.equal(shift(labels, 3, 1), t5._shift_right(labels))


class Bart:
    """A tiny BART with random weights, asked as the students' function asks its model."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        options = {**MODEL, **HEADS, **INNER, **IDS}
        config = peer("transformers").BartConfig(**options, init_std=1.0, forced_eos_token_id=None)
        self.model: Any = peer("transformers").BartForConditionalGeneration(config).eval()

    def encode(self, src: Tensor) -> Tensor:
        return self.model.get_encoder()(src).last_hidden_state

    def decode(self, tgt: Tensor, memory: Tensor) -> Tensor:
        return self.model(encoder_outputs=(memory,), decoder_input_ids=tgt).logits


def test_greedy_decoding_is_that_of_transformers():
    decode, widths = reference("greedy_decode", "greedy_decode"), set()
    for seed in range(12):
        bart, src = Bart(seed), 4 + ids(4, 5, vocabulary=8, seed=seed)
        with torch.no_grad():
            mine = decode(bart, src, 3, 2, 0, 9)
            due = bart.model.generate(src, do_sample=False, num_beams=1, max_new_tokens=9, max_length=None)
        assert torch.equal(mine, due), seed
        widths.add(mine.shape[1])
    assert len(widths) > 1  # some batches end before others
