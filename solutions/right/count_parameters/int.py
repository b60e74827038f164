import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def count_parameters(embed_dim, num_heads, ff_dim):
    return int(sum([4 * embed_dim * (embed_dim + 1), ff_dim * (embed_dim + 1), embed_dim * (ff_dim + 1), 4 * embed_dim]))
