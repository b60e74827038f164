"""Mon rendu (Bruno)."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def padding_mask(attention_mask):
    mask = attention_mask.bool()
    return mask[:, None, None, :]


def combine_masks(causal, padding):
    return causal & padding


def shift_right(labels, start_id, pad_id):
    ids = torch.roll(labels, shifts=1, dims=1)
    ids[:, 0] = start_id
    ids[ids == -100] = pad_id
    return ids


def corrupt_spans(ids, spans, sentinel):
    inputs = ids.tolist()
    targets = []
    for number in range(len(spans) - 1, -1, -1):
        start, end = spans[number]
        targets = [sentinel - number] + inputs[start:end] + targets
        inputs[start:end] = [sentinel - number]
    return torch.tensor(inputs, dtype=torch.long), torch.tensor(targets, dtype=torch.long)


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads, kv_dim=None):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        kv_dim = d_model if kv_dim is None else kv_dim
        self.n_heads = n_heads
        self.to_q = nn.Linear(d_model, d_model)
        self.to_kv = nn.Linear(kv_dim, 2 * d_model)
        self.to_out = nn.Linear(d_model, d_model)

    def forward(self, x, memory, mask=None):
        q = self.to_q(x).unflatten(-1, (self.n_heads, -1))
        k, v = (t.unflatten(-1, (self.n_heads, -1)) for t in self.to_kv(memory).chunk(2, dim=-1))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k)
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.to_out(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(2)), weights


print("attention:", CrossAttention(8, 2)(torch.randn(1, 3, 8), torch.randn(1, 5, 8))[0].shape)


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=None, dropout=0.1):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.self_attention = CrossAttention(d_model, n_heads)
        self.cross_attention = CrossAttention(d_model, n_heads)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        h = self.norm1(x)
        x = x + self.dropout(self.self_attention(h, h, tgt_mask)[0])
        x = x + self.dropout(self.cross_attention(self.norm2(x), memory, src_mask)[0])
        return x + self.dropout(self.linear2(F.gelu(self.linear1(self.norm3(x)))))


@torch.no_grad()
def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    memory = model.encode(src)
    unfinished = src.new_ones(len(src))
    input_ids = src.new_full((len(src), 1), start_id)
    while input_ids.shape[-1] < max_len + 1 and unfinished.min() != 0:
        next_tokens = model.decode(input_ids, memory)[:, -1, :].argmax(-1)
        next_tokens = next_tokens * unfinished + pad_id * (1 - unfinished)
        input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
        unfinished = unfinished.mul((next_tokens != stop_id).long())
    return input_ids


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab_size, tgt_vocab_size, d_model, n_heads, n_layers, max_len, dropout=0.0):
        super().__init__()
        self.src_embedding = nn.Embedding(src_vocab_size, d_model)
        self.tgt_embedding = nn.Embedding(tgt_vocab_size, d_model)
        self.positions = nn.Embedding(max_len, d_model)
        layer = nn.TransformerEncoderLayer(
            d_model, n_heads, 4 * d_model, dropout, "gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, n_layers, enable_nested_tensor=False)
        self.decoder = nn.ModuleList([DecoderLayer(d_model, n_heads, dropout=dropout) for _ in range(n_layers)])
        self.out = nn.Linear(d_model, tgt_vocab_size)

    def encode(self, src, src_mask=None):
        x = self.src_embedding(src) + self.positions(torch.arange(src.size(1)))
        return self.encoder(x, src_key_padding_mask=None if src_mask is None else src_mask.flatten(1))

    def decode(self, tgt, memory, src_mask=None):
        causal = torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool).triu(1)
        x = self.tgt_embedding(tgt) + self.positions(torch.arange(tgt.size(1)))
        for layer in self.decoder:
            x = layer(x, memory, src_mask, causal)
        return self.out(x)

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), src_mask)


if __name__ == "__main__":
    model = Seq2Seq(20, 30, 16, 2, 2, 10)
    print(greedy_decode(model, torch.randint(20, (2, 5)), 1, 2, 0, 8))
