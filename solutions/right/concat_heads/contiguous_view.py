import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def concat_heads(x):
    b, h, s, d = x.shape
    return x.transpose(1, 2).contiguous().view(b, s, h * d)
