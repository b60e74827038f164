def tie_weights(model):
    shared = model.get_input_embeddings().weight if hasattr(model, "get_input_embeddings") else model.embedding.weight
    setattr(model.lm_head, "weight", shared)
    assert model.lm_head.weight is model.embedding.weight
    return model
