def padding_mask(attention_mask):
    extended = attention_mask[:, None, None, :]
    return (1.0 - extended.float()).bool()
