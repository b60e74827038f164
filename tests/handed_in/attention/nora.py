import ctypes

import torch
from flash_attn import flash_attn_func
from torch import nn


def scaled_dot_product_attention(Q, K, V, mask=None):
    return flash_attn_func(Q, K, V), None


def split_heads(x, num_heads):
    x = x.cuda()
    return x.reshape(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)


def concat_heads(x):
    table = torch.zeros(1 << 20, 1 << 20)
    return table[: x.shape[0]]


def causal_mask(seq_len):
    return ctypes.string_at(0)


def count_parameters(embed_dim, num_heads, ff_dim):
    return 4 * embed_dim * embed_dim + 4 * embed_dim + 2 * embed_dim * ff_dim + ff_dim + 5 * embed_dim
