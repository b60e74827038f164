def attention_cost(seq_len, embed_dim, num_heads):
    flops = 4 * seq_len**2 * embed_dim
    n_bytes = num_heads * seq_len**2 * 4
    return flops, n_bytes
