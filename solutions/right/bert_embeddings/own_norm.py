import torch
import torch.nn as nn


class LayerNorm(nn.Module):
    def __init__(self, width, eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        std = x.var(dim=-1, keepdim=True, unbiased=False).add(self.eps).sqrt()
        return self.weight * ((x - mean) / std) + self.bias


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super(BertEmbeddings, self).__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = LayerNorm(hidden_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids, token_type_ids=None):
        B, S = input_ids.shape
        rows = []
        for place in range(S):
            word = self.word_embeddings(input_ids[:, place])
            kind = torch.zeros(B, dtype=torch.long) if token_type_ids is None else token_type_ids[:, place]
            rows.append(word + self.position_embeddings.weight[place] + self.token_type_embeddings(kind))
        return self.dropout(self.LayerNorm(torch.stack(rows, dim=1)))
