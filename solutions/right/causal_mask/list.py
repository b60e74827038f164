import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def causal_mask(seq_len):
    return torch.tensor([[j > i for j in range(seq_len)] for i in range(seq_len)])
