def padding_mask(attention_mask):
    mask = attention_mask.bool()
    return ~mask[:, None, None, :]
