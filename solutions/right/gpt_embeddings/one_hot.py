import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.vocab_size = vocab_size
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids):
        table = self.word_embeddings.weight
        words = F.one_hot(input_ids, self.vocab_size).to(table.dtype) @ table
        positions = self.position_embeddings(torch.arange(input_ids.shape[1]))
        return self.dropout(self.layer_norm(words + positions[None]))
