def tie_weights(model):
    model.embedding.weight = model.lm_head.weight
    return model
