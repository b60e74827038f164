import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def causal_mask(seq_len):
    return torch.triu(torch.ones(seq_len, seq_len, dtype=torch.bool), diagonal=1)
