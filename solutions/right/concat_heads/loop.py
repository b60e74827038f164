import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def concat_heads(x):
    b, h, s, d = x.shape
    y = x.new_zeros(b, s, h * d)
    for i in range(h):
        y[..., i * d : (i + 1) * d] = x[:, i]
    return y
