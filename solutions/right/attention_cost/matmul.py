def matmul_flops(n, k, m):
    return 2 * n * k * m


def attention_cost(seq_len, embed_dim, num_heads):
    head_dim = embed_dim // num_heads
    per_head = matmul_flops(seq_len, head_dim, seq_len) + matmul_flops(seq_len, seq_len, head_dim)
    return num_heads * per_head, num_heads * seq_len * seq_len * 4
