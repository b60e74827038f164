import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)

    def forward(self, input_ids):
        words = F.embedding(input_ids, self.word_embeddings.weight)
        positions = F.embedding(torch.ones_like(input_ids).cumsum(1) - 1, self.position_embeddings.weight)
        normed = F.layer_norm(words + positions, words.shape[-1:], self.layer_norm.weight, self.layer_norm.bias)
        return F.dropout(normed, p=0.1, training=self.training)
