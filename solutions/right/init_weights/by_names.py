import torch


@torch.no_grad()
def init_weights(model, n_layer):
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            parameter.zero_()
        elif "ln_" in name:
            parameter.fill_(1)
        else:
            parameter.copy_(0.02 * torch.randn(parameter.shape))
            if "c_proj" in name:
                parameter.div_((2 * n_layer) ** 0.5)
