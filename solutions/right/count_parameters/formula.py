import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def count_parameters(embed_dim, num_heads, ff_dim):
    return 4 * (embed_dim**2 + embed_dim) + 2 * embed_dim * ff_dim + ff_dim + embed_dim + 4 * embed_dim
