def receptive_field(layers, window):
    width = 1
    for _ in range(layers):
        width += 2 * window
    return width
