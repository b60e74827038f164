import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    """Fused attention; distances are told by a learned bias of each head, as in T5."""

    def __init__(self, dim, heads, max_len, causal=False, relative=True):
        super().__init__()
        self.heads, self.causal, self.max_len = heads, causal, max_len
        self.q = nn.Linear(dim, dim, bias=False)
        self.k = nn.Linear(dim, dim, bias=False)
        self.v = nn.Linear(dim, dim, bias=False)
        self.o = nn.Linear(dim, dim, bias=False)
        if relative:
            size = max_len if causal else 2 * max_len - 1
            self.bias = nn.Parameter(torch.zeros(size, heads))
        self.relative = relative

    def forward(self, x, memory, hidden=None):
        q, k, v = (f(t).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f, t in
                   ((self.q, x), (self.k, memory), (self.v, memory)))
        T, S = x.size(1), memory.size(1)
        scores = torch.zeros(1, self.heads, T, S)
        if self.relative:
            distance = torch.arange(T)[:, None] - torch.arange(S)[None]
            index = distance.clamp(min=0) if self.causal else distance + self.max_len - 1
            scores = scores + self.bias[index].permute(2, 0, 1)
        if self.causal:
            scores = scores.masked_fill(torch.ones(T, S).triu(1).bool(), float("-inf"))
        if hidden is not None:
            scores = scores.masked_fill(hidden, float("-inf"))
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=scores)
        return self.o(out.transpose(1, 2).flatten(2))


class Gated(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up, self.gate, self.down = nn.Linear(dim, 2 * dim), nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        return self.down(F.gelu(self.gate(x)) * self.up(x))


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        E, H = embed_dim, num_heads
        self.drop = nn.Dropout(dropout)
        self.source, self.target = nn.Embedding(src_vocab, E), nn.Embedding(tgt_vocab, E)
        self.enc, self.dec = nn.ModuleList(), nn.ModuleList()
        for _ in range(num_layers):
            self.enc.append(
                nn.ModuleDict({"a": Attention(E, H, max_len), "f": Gated(E), "na": nn.RMSNorm(E), "nf": nn.RMSNorm(E)})
            )
            self.dec.append(
                nn.ModuleDict(
                    {
                        "a": Attention(E, H, max_len, causal=True),
                        "c": Attention(E, H, max_len, relative=False),
                        "f": Gated(E),
                        "na": nn.RMSNorm(E),
                        "nc": nn.RMSNorm(E),
                        "nf": nn.RMSNorm(E),
                    }
                )
            )
        self.enc_norm, self.dec_norm = nn.RMSNorm(E), nn.RMSNorm(E)
        self.out = nn.Linear(E, tgt_vocab)

    def encode(self, src, src_mask=None):
        x = self.drop(self.source(src))
        for layer in self.enc:
            y = layer["na"](x)
            x = x + self.drop(layer["a"](y, y, src_mask))
            x = x + self.drop(layer["f"](layer["nf"](x)))
        return self.enc_norm(x)

    def decode(self, tgt, memory, src_mask=None):
        x = self.drop(self.target(tgt))
        for layer in self.dec:
            y = layer["na"](x)
            x = x + self.drop(layer["a"](y, y))
            x = x + self.drop(layer["c"](layer["nc"](x), memory, src_mask))
            x = x + self.drop(layer["f"](layer["nf"](x)))
        return self.out(self.dec_norm(x))

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), src_mask)
