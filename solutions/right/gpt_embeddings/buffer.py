import torch
import torch.nn as nn


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size: int, hidden_size: int, max_position_embeddings: int = 512) -> None:
        super().__init__()
        self.layer_norm = nn.LayerNorm(hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size, padding_idx=0)
        self.register_buffer("position_ids", torch.arange(max_position_embeddings).expand((1, -1)))
        self.drop = nn.Dropout(0.1)

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        positions = self.position_embeddings(self.position_ids[:, : input_ids.shape[1]])
        return self.layer_norm(self.drop(self.word_embeddings(input_ids) + positions))
