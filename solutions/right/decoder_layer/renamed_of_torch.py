import torch.nn as nn


def as_torch_wants_it(mask, num_heads, queries, keys):
    if mask is None:
        return None
    B, T, S = queries.shape[0], queries.shape[1], keys.shape[1]
    return mask.expand(B, num_heads, T, S).reshape(B * num_heads, T, S)


class DecoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.h = num_heads
        self.self_attn = nn.MultiheadAttention(embed_dim, num_heads, batch_first=True)
        self.enc_attn = nn.MultiheadAttention(embed_dim, num_heads, batch_first=True)
        self.mlp = nn.Sequential(
            nn.Linear(embed_dim, ff_dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(ff_dim, embed_dim)
        )
        self.ln_self, self.ln_enc, self.ln_mlp = (nn.LayerNorm(embed_dim) for _ in range(3))

    def forward(self, x, memory, mask=None, memory_mask=None):
        y = self.ln_self(x)
        mask = as_torch_wants_it(mask, self.h, x, x)
        x = x + self.self_attn(y, y, y, attn_mask=mask, need_weights=False)[0]
        memory_mask = as_torch_wants_it(memory_mask, self.h, x, memory)
        x = x + self.enc_attn(self.ln_enc(x), memory, memory, attn_mask=memory_mask)[0]
        return x + self.mlp(self.ln_mlp(x))
