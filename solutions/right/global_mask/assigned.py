def global_mask(local, is_global):
    mask = local.repeat(len(is_global), 1, 1)
    for one, chosen in zip(mask, is_global, strict=True):
        one[chosen] = False
        one[:, chosen] = False
    return mask
