import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def concat_heads(x):
    return x.swapaxes(-2, -3).reshape(x.shape[0], x.shape[2], -1)
