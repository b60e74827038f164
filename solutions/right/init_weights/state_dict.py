import torch


def init_weights(model, n_layer):
    values = {}
    for name, value in model.state_dict().items():
        if value.dim() == 2:
            scale = (2.0 * n_layer) ** -0.5 if name.split(".")[-2] == "c_proj" else 1.0
            values[name] = torch.normal(0.0, 0.02 * scale, size=value.shape)
        else:
            is_gain = "ln" in name and name.endswith("weight")
            values[name] = torch.ones_like(value) if is_gain else torch.zeros_like(value)
    if model.lm_head.weight is model.transformer.wte.weight:
        values["lm_head.weight"] = values["transformer.wte.weight"]
    model.load_state_dict(values)
