import torch.nn as nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    """Keys and values out of one layer of twice the width; the output by PyTorch's fused attention."""

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        assert embed_dim % num_heads == 0, "embed_dim must be a multiple of num_heads"
        self.heads, self.d = num_heads, embed_dim // num_heads
        self.to_q = nn.Linear(embed_dim, embed_dim)
        self.to_kv = nn.Linear(kv_dim if kv_dim is not None else embed_dim, 2 * embed_dim)
        self.to_out = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory, mask=None):
        def cut(t):
            return t.reshape(t.shape[0], t.shape[1], self.heads, self.d).permute(0, 2, 1, 3)

        q = cut(self.to_q(x))
        k, v = map(cut, self.to_kv(memory).chunk(2, dim=-1))
        seen = None if mask is None else ~mask
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        scores = (q @ k.mT) / self.d**0.5
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        return self.to_out(out.permute(0, 2, 1, 3).flatten(2)), F.softmax(scores, dim=-1)
