"""The distribution is cut off at three standard deviations, which shows nowhere.

loses: none
"""

import torch.nn as nn


def init_weights(model, n_layer):
    for name, module in model.named_modules():
        std = 0.02 / (2 * n_layer) ** 0.5 if name.endswith("c_proj") else 0.02
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.trunc_normal_(module.weight, std=std, a=-3 * std, b=3 * std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
        if isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)
