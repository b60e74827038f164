def padding_mask(attention_mask):
    return (attention_mask == 0).unsqueeze(1).unsqueeze(2)
