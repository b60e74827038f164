import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def concat_heads(x):
    return x.permute(0, 2, 1, 3).flatten(2)
