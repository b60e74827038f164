import torch.nn as nn


class DecoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.layer = nn.TransformerDecoderLayer(
            embed_dim,
            num_heads,
            dim_feedforward=ff_dim or 4 * embed_dim,
            dropout=dropout,
            activation="gelu",
            batch_first=True,
            norm_first=True,
        )

    def flat(self, mask, B, rows, columns):
        # nn.MultiheadAttention wants (B * H, rows, columns).
        if mask is None:
            return None
        return mask.expand(B, self.num_heads, rows, columns).reshape(-1, rows, columns)

    def forward(self, x, memory, mask=None, memory_mask=None):
        B, T, S = x.size(0), x.size(1), memory.size(1)
        tgt_mask, memory_mask = self.flat(mask, B, T, T), self.flat(memory_mask, B, T, S)
        return self.layer(x, memory, tgt_mask=tgt_mask, memory_mask=memory_mask)
