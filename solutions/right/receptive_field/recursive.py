def receptive_field(layers, window):
    if layers == 0:
        return 1
    return receptive_field(layers - 1, window) + window + window
