import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniGPT(nn.Module):
    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, n_embd)
        self.positions = nn.Parameter(torch.randn(1, block_size, n_embd) * 0.02)
        layer = nn.TransformerEncoderLayer(
            n_embd, n_head, dim_feedforward=4 * n_embd, dropout=dropout, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, n_layer, norm=nn.LayerNorm(n_embd), enable_nested_tensor=False)
        self.head = nn.Linear(n_embd, vocab_size, bias=False)

    def forward(self, idx, targets=None):
        T = idx.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(T)
        x = self.encoder(self.tokens(idx) + self.positions[:, :T], mask=mask, is_causal=True)
        logits = self.head(x)
        loss = None if targets is None else F.cross_entropy(logits.transpose(1, 2), targets)
        return logits, loss
