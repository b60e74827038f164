import torch


def attention_cost(seq_len, embed_dim, num_heads):
    scores = torch.empty(num_heads, seq_len, seq_len, device="meta")
    return 4 * seq_len * seq_len * embed_dim, scores.numel() * scores.element_size()
