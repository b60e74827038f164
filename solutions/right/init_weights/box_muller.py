import math

import torch


def normal(shape, std):
    first, second = torch.rand(2, *shape).clamp_min(1e-12)
    return std * torch.sqrt(-2 * torch.log(first)) * torch.cos(2 * math.pi * second)


def init_weights(model, n_layer):
    small = 0.02 / math.sqrt(2 * n_layer)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            kind = name.rsplit(".", 1)
            if parameter.ndim == 1:
                parameter[:] = float(kind[1] == "weight")
            else:
                parameter[:] = normal(parameter.shape, small if kind[0].endswith("c_proj") else 0.02)
