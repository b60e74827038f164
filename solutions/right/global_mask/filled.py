def global_mask(local, is_global):
    B, S = is_global.shape
    mask = local.unsqueeze(0).expand(B, S, S)
    mask = mask.masked_fill(is_global.view(B, S, 1), False)
    return mask.masked_fill(is_global.view(B, 1, S), False)
