import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def count_parameters(embed_dim, num_heads, ff_dim):
    W = torch.empty(4, embed_dim, embed_dim + 1).numel()
    F1 = torch.empty(2, embed_dim, ff_dim).numel() + ff_dim + embed_dim
    return W + F1 + 4 * embed_dim
