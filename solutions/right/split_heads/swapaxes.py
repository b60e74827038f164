import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def split_heads(x, num_heads):
    assert x.shape[-1] % num_heads == 0
    return x.reshape(*x.shape[:2], num_heads, -1).swapaxes(1, 2)
