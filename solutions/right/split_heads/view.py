import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def split_heads(x, num_heads):
    B, S, E = x.size()
    x = x.view(B, S, num_heads, E // num_heads)
    return x.transpose(1, 2).contiguous()
