import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def concat_heads(x):
    return torch.cat(x.unbind(1), dim=-1)
