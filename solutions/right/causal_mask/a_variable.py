import math

import torch
import torch.nn as nn
import torch.nn.functional as F


S = 7
causal_mask = torch.triu(torch.ones(S, S), 1).bool()
