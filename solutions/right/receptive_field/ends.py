def receptive_field(layers, window):
    left, right = 0, 0
    for _ in range(layers):
        left, right = left - window, right + window
    return right - left + 1
