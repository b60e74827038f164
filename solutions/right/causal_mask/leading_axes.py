import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def causal_mask(seq_len):
    return torch.full((1, 1, seq_len, seq_len), True).triu(1)
