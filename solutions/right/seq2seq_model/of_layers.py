import torch
import torch.nn as nn


class Seq2Seq(nn.Module):
    """Pre-norm layers of PyTorch, learned positions, the output tied to the target's table."""

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        options = dict(
            dim_feedforward=2 * embed_dim, dropout=dropout, activation="gelu", batch_first=True, norm_first=True
        )
        self.src_tokens = nn.Embedding(src_vocab, embed_dim)
        self.tgt_tokens = nn.Embedding(tgt_vocab, embed_dim)
        self.positions = nn.Embedding(max_len, embed_dim)
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(embed_dim, num_heads, **options),
            num_layers,
            nn.LayerNorm(embed_dim),
            enable_nested_tensor=False,
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(embed_dim, num_heads, **options), num_layers, nn.LayerNorm(embed_dim)
        )
        self.lm_head = nn.Linear(embed_dim, tgt_vocab, bias=False)
        self.lm_head.weight = self.tgt_tokens.weight

    def embed(self, table, ids):
        return table(ids) + self.positions(torch.arange(ids.shape[1]))

    def encode(self, src, src_mask=None):
        keys = None if src_mask is None else src_mask.reshape(src.shape)
        return self.encoder(self.embed(self.src_tokens, src), src_key_padding_mask=keys)

    def decode(self, tgt, memory, src_mask=None):
        T = tgt.shape[1]
        keys = None if src_mask is None else src_mask.flatten(1)
        future = nn.Transformer.generate_square_subsequent_mask(T) < 0
        hidden = self.decoder(
            self.embed(self.tgt_tokens, tgt), memory, tgt_mask=future, memory_key_padding_mask=keys
        )
        return self.lm_head(hidden)

    def forward(self, src, tgt, src_mask=None):
        memory = self.encode(src, src_mask)
        return self.decode(tgt, memory, src_mask)
