def receptive_field(layers, window):
    seen = {0}
    for _ in range(layers):
        seen = {position + step for position in seen for step in range(-window, window + 1)}
    return len(seen)
