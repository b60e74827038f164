from math import sqrt

from torch import nn


def draw(layer, std):
    nn.init.normal_(layer.weight, std=std)
    if getattr(layer, "bias", None) is not None:
        nn.init.constant_(layer.bias, 0.0)


def reset(norm):
    nn.init.constant_(norm.weight, 1.0)
    nn.init.constant_(norm.bias, 0.0)


def init_weights(model, n_layer):
    parts = model.transformer
    for layer in (parts.wte, parts.wpe, model.lm_head):
        draw(layer, 0.02)
    for block in parts.h:
        draw(block.attn.c_attn, 0.02)
        draw(block.mlp.c_fc, 0.02)
        draw(block.attn.c_proj, 0.02 / sqrt(2 * n_layer))
        draw(block.mlp.c_proj, 0.02 / sqrt(2 * n_layer))
        reset(block.ln_1)
        reset(block.ln_2)
    reset(parts.ln_f)
