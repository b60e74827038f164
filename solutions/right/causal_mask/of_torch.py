import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def causal_mask(seq_len):
    return nn.Transformer.generate_square_subsequent_mask(seq_len) == float('-inf')
