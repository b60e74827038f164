import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def concat_heads(x):
    return torch.dstack([x[:, i] for i in range(x.size(1))])
