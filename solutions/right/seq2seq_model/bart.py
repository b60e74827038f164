import torch
import torch.nn as nn


class Stack(nn.Module):
    """Embeddings with a norm, and layers, as in BART: the encoder's and the decoder's are alike."""

    def __init__(self, vocab, dim, heads, layers, max_len, dropout, layer):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab, dim)
        self.embed_positions = nn.Embedding(max_len + 2, dim)
        self.layernorm_embedding = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(
            layer(dim, heads, 4 * dim, dropout, activation="gelu", batch_first=True) for _ in range(layers)
        )

    def embed(self, ids):
        # BART's first two positions stay empty.
        positions = self.embed_positions.weight[2 : 2 + ids.shape[1]]
        return self.dropout(self.layernorm_embedding(self.embed_tokens(ids) + positions))


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        sizes = (embed_dim, num_heads, num_layers, max_len, dropout)
        self.encoder = Stack(src_vocab, *sizes, nn.TransformerEncoderLayer)
        self.decoder = Stack(tgt_vocab, *sizes, nn.TransformerDecoderLayer)
        self.final_logits_bias = nn.Parameter(torch.zeros(tgt_vocab))

    def encode(self, src, src_mask=None):
        hidden = self.encoder.embed(src)
        padding = None if src_mask is None else src_mask.squeeze(1).squeeze(1)
        for layer in self.encoder.layers:
            hidden = layer(hidden, src_key_padding_mask=padding)
        return hidden

    def decode(self, tgt, memory, src_mask=None):
        hidden = self.decoder.embed(tgt)
        padding = None if src_mask is None else src_mask.squeeze(1).squeeze(1)
        causal = torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool).triu(diagonal=1)
        for layer in self.decoder.layers:
            hidden = layer(hidden, memory, tgt_mask=causal, memory_key_padding_mask=padding)
        return hidden @ self.decoder.embed_tokens.weight.T + self.final_logits_bias

    def forward(self, src, tgt, src_mask=None):
        memory = self.encode(src, src_mask)
        return self.decode(tgt, memory, src_mask)
