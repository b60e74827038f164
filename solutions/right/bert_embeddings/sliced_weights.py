import torch
import torch.nn as nn
import torch.nn.functional as F


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size)

    def forward(self, input_ids, token_type_ids=None):
        x = self.word_embeddings.weight[input_ids]
        x = x + self.position_embeddings.weight[: input_ids.shape[-1]]
        if token_type_ids is not None:
            x = x + self.token_type_embeddings.weight[token_type_ids]
        else:
            x = x + self.token_type_embeddings.weight[0]
        return F.dropout(self.LayerNorm(x), 0.1, training=self.training)
