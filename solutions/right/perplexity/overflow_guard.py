import math

import torch.nn.functional as F


def perplexity(logits, targets, ignore_index=-100):
    loss = F.cross_entropy(logits.flatten(0, -2), targets.flatten(), ignore_index=ignore_index).item()
    return math.exp(loss) if loss < 20 else float("inf")
