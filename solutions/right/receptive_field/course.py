def receptive_field(layers, window):
    return 1 + layers * 2 * window
