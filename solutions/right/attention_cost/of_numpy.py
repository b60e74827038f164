import numpy as np


def attention_cost(seq_len, embed_dim, num_heads):
    shape = (num_heads, seq_len, seq_len)
    multiplications = 2 * np.prod(shape) * (embed_dim // num_heads)
    return int(2 * multiplications), int(np.prod(shape) * np.dtype("float32").itemsize)
