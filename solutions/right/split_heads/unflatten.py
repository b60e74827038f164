import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).movedim(2, 1)
