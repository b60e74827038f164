import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def count_parameters(embed_dim, num_heads, ff_dim):
    def linear(a, b):
        return a * b + b

    norm = 2 * embed_dim
    return 4 * linear(embed_dim, embed_dim) + linear(embed_dim, ff_dim) + linear(ff_dim, embed_dim) + 2 * norm
