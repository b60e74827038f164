import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        self.num_heads = num_heads
        self.mha = nn.MultiheadAttention(embed_dim, num_heads, batch_first=True, kdim=kv_dim, vdim=kv_dim)

    def forward(self, x, memory, mask=None):
        if mask is not None:
            B, Sq, Sk = x.shape[0], x.shape[1], memory.shape[1]
            mask = torch.broadcast_to(mask, (B, self.num_heads, Sq, Sk)).reshape(B * self.num_heads, Sq, Sk)
        return self.mha(x, memory, memory, attn_mask=mask, need_weights=True, average_attn_weights=False)
