# %% [markdown]
# ## Scaled dot-product attention
#
# Every query is compared with every key. The comparisons become weights, and the answer to a query is
# the mean of the values under these weights.

# %%
def scaled_dot_product_attention(Q, K, V, mask=None):
    """Attend with queries Q over keys K and values V.

    Args:
        Q: queries, shape (..., Sq, D), with any number of leading axes.
        K: keys, shape (..., Sk, D).
        V: values, shape (..., Sk, Dv).
        mask: None, or a bool tensor that broadcasts to (..., Sq, Sk); True = masked, that is, the query
            must not see the key.

    Returns:
        (output, weights): shapes (..., Sq, Dv) and (..., Sq, Sk). The scores Q K^T are scaled by
        1 / sqrt(D); the weights of each query sum to one.
    """
    raise NotImplementedError
