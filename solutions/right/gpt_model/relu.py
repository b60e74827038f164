import torch
import torch.nn as nn
import torch.nn.functional as F


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


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("heads")
        self.h = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, x, attention_mask=None):
        q, k, v = (layer(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for layer in (self.query, self.key, self.value))
        if attention_mask is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=causal & attention_mask.bool())
        return self.out(y.transpose(1, 2).flatten(2))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class GPTBlock(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, intermediate_size: int) -> None:
        super().__init__()
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.attn_layer_norm = nn.LayerNorm(hidden_size, eps=1e-6)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_dropout, self.ff_dropout = nn.Dropout(0.1), nn.Dropout(0.1)

    def forward(self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None) -> torch.Tensor:
        residual = hidden_states
        hidden_states = self.attn_dropout(self.attn(hidden_states, attention_mask))
        hidden_states = self.attn_layer_norm(residual + hidden_states)
        residual = hidden_states
        hidden_states = self.ff_dropout(self.ff(hidden_states))
        return self.ff_layer_norm(hidden_states + residual)


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, intermediate_size=256, max_position_embeddings=512
    ):
        super().__init__()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.blocks = nn.ModuleList([GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)])
        self.embeddings = GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings)

    def forward(self, input_ids, attention_mask=None):
        x = self.embeddings(input_ids)
        for block in self.blocks:
            x = block(x, attention_mask)
        return self.lm_head(x)
