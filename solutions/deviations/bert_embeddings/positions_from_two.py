"""Positions are counted from 2, as where the first rows of their table belong to padding.

loses: has_three_tables_and_a_norm
"""

import torch
from torch import nn

FIRST = 2


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.words = nn.Embedding(vocab_size, hidden_size)
        self.positions = nn.Embedding(FIRST + max_position_embeddings, hidden_size)
        self.types = nn.Embedding(type_vocab_size, hidden_size)
        self.normalise, self.drop = nn.LayerNorm(hidden_size), nn.Dropout(0.1)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = input_ids * 0
        positions = FIRST + torch.arange(input_ids.shape[-1], device=input_ids.device)
        summed = self.words(input_ids) + self.types(token_type_ids) + self.positions(positions)
        return self.drop(self.normalise(summed))
