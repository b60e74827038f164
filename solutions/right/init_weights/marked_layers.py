import torch.nn as nn


def init_weights(model, n_layer):
    for block in model.transformer.h:
        block.attn.c_proj.SCALE_INIT = True
        block.mlp.c_proj.SCALE_INIT = True

    def init(module):
        match module:
            case nn.Linear():
                std = 0.02 * ((2 * n_layer) ** -0.5 if hasattr(module, "SCALE_INIT") else 1)
                nn.init.normal_(module.weight, mean=0.0, std=std)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
            case nn.Embedding():
                nn.init.normal_(module.weight, mean=0.0, std=0.02)
            case nn.LayerNorm():
                module.reset_parameters()

    model.apply(init)
