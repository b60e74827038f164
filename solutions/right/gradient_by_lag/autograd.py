from torch import autograd, linalg


def gradient_by_lag(net, inputs):
    inputs = inputs.detach().requires_grad_()
    out = net(inputs)[0]
    (gradient,) = autograd.grad(outputs=out[:, -1, :].sum(), inputs=inputs)
    return linalg.vector_norm(gradient, dim=-1).mean(dim=0)[list(range(inputs.size(1)))[::-1]]
