"""Its tables have more rows than are asked for: two for special words, and a third segment.

loses: has_three_tables_and_a_norm
"""

import torch
from torch import nn

SPECIAL = 2


class BertEmbeddings(nn.Module):
    def __init__(self, words, width, positions, segments):
        super().__init__()
        self.of_words = nn.Embedding(words + SPECIAL, width)
        self.of_positions = nn.Embedding(positions, width)
        self.of_segments = nn.Embedding(segments + 1, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids, segments=None):
        segments = torch.zeros_like(ids) if segments is None else segments
        places = torch.arange(ids.size(1), device=ids.device)
        return self.dropout(self.norm(self.of_words(ids) + self.of_positions(places) + self.of_segments(segments)))
