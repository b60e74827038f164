import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def count_parameters(embed_dim, num_heads, ff_dim):
    parts = [nn.Linear(embed_dim, embed_dim) for _ in range(4)]
    parts += [nn.Linear(embed_dim, ff_dim), nn.Linear(ff_dim, embed_dim), nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)]
    return sum(p.numel() for part in parts for p in part.parameters())
