import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def split_heads(x, num_heads):
    return torch.stack(torch.chunk(x, num_heads, dim=2), dim=1)
