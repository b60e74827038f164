import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def count_parameters(embed_dim, num_heads, ff_dim):
    layer = nn.TransformerEncoderLayer(embed_dim, num_heads, ff_dim)
    return sum(p.numel() for p in layer.parameters())
