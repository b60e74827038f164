def tie_weights(model):
    source, target = model.embedding, model.lm_head
    del target._parameters["weight"]
    target.register_parameter("weight", source.weight)
    return model
