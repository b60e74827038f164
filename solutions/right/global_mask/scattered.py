def global_mask(local, is_global):
    seen = (~local).repeat(is_global.shape[0], 1, 1)
    sequence, position = is_global.nonzero(as_tuple=True)
    seen[sequence, position] = True
    seen[sequence, :, position] = True
    return seen.logical_not()
