import torch
import torch.nn as nn


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, hidden_size)
        self.wpe = nn.Embedding(max_position_embeddings, hidden_size)
        self.ln = nn.LayerNorm(hidden_size)
        self.drop = nn.Dropout(0.1)

    def forward(self, idx):
        return self.drop(self.ln(self.wte(idx) + self.wpe(torch.arange(idx.size(1)))))
