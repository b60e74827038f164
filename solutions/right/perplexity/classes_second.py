import math

import torch.nn as nn


def perplexity(logits, targets, ignore_index=-100):
    criterion = nn.CrossEntropyLoss(ignore_index=ignore_index, reduction="mean")
    return math.exp(criterion(logits.transpose(1, 2), targets).item())
