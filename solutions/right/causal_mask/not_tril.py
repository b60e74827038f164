import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def causal_mask(seq_len):
    return ~torch.tril(torch.ones((seq_len, seq_len))).bool()
