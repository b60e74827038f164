import torch
import torch.nn as nn


class BertEmbeddings(nn.Module):
    def __init__(
        self, vocab_size: int, hidden_size: int, max_position_embeddings: int, type_vocab_size: int
    ) -> None:
        super().__init__()
        self.word_embeddings: nn.Embedding = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings: nn.Embedding = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings: nn.Embedding = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        for table in (self.word_embeddings, self.position_embeddings, self.token_type_embeddings):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, input_ids: torch.Tensor, token_type_ids: torch.Tensor | None = None) -> torch.Tensor:
        """Dropout in front of the norm: its place is free."""
        token_type_ids = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        positions = torch.arange(input_ids.shape[1], device=input_ids.device)[None]
        summed = sum(
            [
                self.word_embeddings(input_ids),
                self.position_embeddings(positions),
                self.token_type_embeddings(token_type_ids),
            ]
        )
        return self.LayerNorm(self.dropout(summed))
