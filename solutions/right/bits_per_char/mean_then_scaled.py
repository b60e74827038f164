import numpy as np
import torch.nn as nn


def bits_per_char(logits, targets, lengths=None, ignore_index=-100):
    loss = nn.CrossEntropyLoss(ignore_index=ignore_index)(logits.transpose(-1, -2), targets) / np.log(2)
    if lengths is None:
        return loss
    tokens = targets[targets != ignore_index]
    return loss / lengths[tokens].to(loss.dtype).mean()
