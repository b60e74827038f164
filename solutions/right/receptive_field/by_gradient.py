import torch


def receptive_field(layers, window):
    # The convolution has ones for weights: every position within the view gets a gradient.
    S = 2 * layers * window + 5
    x = torch.zeros(1, 1, S, dtype=torch.float64, requires_grad=True)
    kernel = torch.ones(1, 1, 2 * window + 1, dtype=torch.float64)
    h = x * 1.0
    for _ in range(layers):
        h = torch.nn.functional.conv1d(h, kernel, padding=window)
    h[0, 0, S // 2].backward()
    return (x.grad != 0).sum().item()
