import torch
import torch.nn as nn
import torch.nn.functional as F


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.places = nn.Parameter(0.02 * torch.randn(1, max_position_embeddings, hidden_size))
        self.words = nn.Parameter(0.02 * torch.randn(vocab_size, hidden_size))
        self.kinds = nn.Parameter(0.02 * torch.randn(type_vocab_size, hidden_size))
        self.gamma = nn.Parameter(torch.ones(hidden_size))
        self.beta = nn.Parameter(torch.zeros(hidden_size))

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.words[input_ids] + self.places[:, : input_ids.shape[1]] + self.kinds[token_type_ids]
        x = F.layer_norm(x, x.shape[-1:], self.gamma, self.beta, 1e-12)
        return F.dropout(x, 0.1, self.training)
