import torch.nn as nn


def tie_weights(model):
    vocab_size, dim = model.embedding.weight.shape
    head = nn.Linear(dim, vocab_size, bias=False)
    head.weight = model.embedding.weight
    model.lm_head = head
