def tie_weights(model):
    model.lm_head.weight = model.embedding.weight  # GPT shares the two matrices
    return model
