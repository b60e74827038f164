import torch
import torch.nn as nn


class MaskedLMHead(nn.Module):
    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.hidden_size, self.vocab_size = hidden_size, vocab_size
        self.linear = nn.Linear(hidden_size, hidden_size)
        self.act = nn.GELU()
        self.layer_norm = nn.LayerNorm(hidden_size)
        self.register_parameter("bias", nn.Parameter(torch.zeros(vocab_size)))

    def forward(self, sequence_output, embedding_table):
        B, S, _ = sequence_output.shape
        flat = sequence_output.reshape(-1, self.hidden_size)
        flat = self.layer_norm(self.act(self.linear(flat)))
        logits = torch.addmm(self.bias, flat, embedding_table.T)
        return logits.view(B, S, self.vocab_size)
