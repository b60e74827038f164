import torch


def get_batch(data, block_size, batch_size):
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + block_size + 1] for i in ix])
    return x, y


def estimate_loss(model, data, block_size, batch_size, eval_iters):
    mode, grad = model.training, torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    model.eval()
    mean = 0
    for k in range(1, eval_iters + 1):
        x, y = get_batch(data, block_size, batch_size)
        loss = model(x, y)[1]
        mean = mean + (float(loss) - mean) / k
    model.train(mode)
    torch.set_grad_enabled(grad)
    return mean
