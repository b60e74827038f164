"""Id 0 of the target is hidden as padding, whatever the caller says.

loses: decodes_what_it_encoded
"""

import math

import torch
import torch.nn as nn


class PositionalEncoding(nn.Module):
    def __init__(self, dim, max_len):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        pe = torch.zeros(max_len, dim)
        pe[:, 0::2] = torch.sin(position * div)
        pe[:, 1::2] = torch.cos(position * div)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[: x.size(1)]


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.src_emb = nn.Embedding(src_vocab, embed_dim)
        self.tgt_emb = nn.Embedding(tgt_vocab, embed_dim)
        self.pos = PositionalEncoding(embed_dim, max_len)
        self.transformer = nn.Transformer(
            embed_dim,
            num_heads,
            num_encoder_layers=num_layers,
            num_decoder_layers=num_layers,
            dim_feedforward=4 * embed_dim,
            dropout=dropout,
            batch_first=True,
        )
        self.out = nn.Linear(embed_dim, tgt_vocab)

    def encode(self, src, src_mask=None):
        padding = None if src_mask is None else src_mask[:, 0, 0]
        return self.transformer.encoder(self.pos(self.src_emb(src)), src_key_padding_mask=padding)

    def decode(self, tgt, memory, src_mask=None):
        T = tgt.size(1)
        causal = torch.triu(torch.ones(T, T, dtype=torch.bool, device=tgt.device), diagonal=1)
        hidden = causal | (tgt == 0)[:, None]
        hidden = torch.zeros(hidden.shape, dtype=memory.dtype).masked_fill(hidden, -1e9)
        hidden = hidden.repeat_interleave(self.num_heads, 0)
        padding = None if src_mask is None else src_mask[:, 0, 0]
        x = self.pos(self.tgt_emb(tgt))
        return self.out(self.transformer.decoder(x, memory, tgt_mask=hidden, memory_key_padding_mask=padding))

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), src_mask)
