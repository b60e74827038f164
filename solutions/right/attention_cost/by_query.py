def attention_cost(seq_len, embed_dim, num_heads):
    flops = sum(2 * embed_dim + 2 * embed_dim for query in range(seq_len) for key in range(seq_len))
    return flops, sum(4 for _ in range(num_heads) for _ in range(seq_len)) * seq_len
