def attention_cost(seq_len, embed_dim, num_heads):
    d = embed_dim // num_heads
    flops = 0
    memory = 0
    for _ in range(num_heads):
        flops += 2 * seq_len * seq_len * d  # Q K^T
        flops += 2 * seq_len * d * seq_len  # weights V
        memory += seq_len * seq_len * 4
    return (flops, memory)
