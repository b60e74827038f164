"""There are two segments; their number is no argument.

loses: has_three_tables_and_a_norm
"""

import torch
import torch.nn as nn


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(2, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(p=0.1)

    def forward(self, input_ids, token_type_ids=None):
        batch, length = input_ids.size()
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        places = (
            torch.arange(length, dtype=torch.long, device=input_ids.device).unsqueeze(0).expand(batch, length)
        )
        e = self.word_embeddings(input_ids) + self.position_embeddings(places)
        e = e + self.token_type_embeddings(token_type_ids)
        return self.dropout(self.LayerNorm(e))
