import torch
import torch.nn as nn


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size)
        self.dropout1, self.dropout2 = nn.Dropout(0.05), nn.Dropout(0.05)

    def forward(self, input_ids):
        rows = []
        for ids in input_ids:
            x = torch.stack([self.word_embeddings.weight[i] + self.position_embeddings.weight[n] for n, i in enumerate(ids)])
            rows.append(self.dropout2(self.layer_norm(self.dropout1(x))))
        return torch.stack(rows)
