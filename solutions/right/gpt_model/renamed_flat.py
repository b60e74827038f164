import torch
import torch.nn as nn
import torch.nn.functional as F


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, intermediate_size=256, max_position_embeddings=512
    ):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.H = num_heads
        self.tokens = nn.Embedding(vocab_size, hidden_size)
        self.positions = nn.Embedding(max_position_embeddings, hidden_size)
        self.norm = nn.LayerNorm(hidden_size)
        self.layers = nn.ModuleList(
            nn.ModuleDict(
                {
                    "q": nn.Linear(hidden_size, hidden_size),
                    "k": nn.Linear(hidden_size, hidden_size),
                    "v": nn.Linear(hidden_size, hidden_size),
                    "o": nn.Linear(hidden_size, hidden_size),
                    "norm1": nn.LayerNorm(hidden_size),
                    "up": nn.Linear(hidden_size, intermediate_size),
                    "down": nn.Linear(intermediate_size, hidden_size),
                    "norm2": nn.LayerNorm(hidden_size),
                }
            )
            for _ in range(num_layers)
        )
        self.head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.drop = nn.Dropout(0.1)

    def forward(self, input_ids, attention_mask=None):
        S = input_ids.shape[1]
        allowed = torch.ones(S, S, dtype=torch.bool).tril()
        if attention_mask is not None:
            allowed = allowed & attention_mask.bool()
        x = self.drop(self.norm(self.tokens(input_ids) + self.positions(torch.arange(S))))
        for layer in self.layers:
            q, k, v = (layer[name](x).unflatten(-1, (self.H, -1)).transpose(1, 2) for name in "qkv")
            a = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed).transpose(1, 2).flatten(2)
            x = layer["norm1"](x + self.drop(layer["o"](a)))
            x = layer["norm2"](x + self.drop(layer["down"](F.gelu(layer["up"](x)))))
        return self.head(x)
