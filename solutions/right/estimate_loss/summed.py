import torch


def get_batch(data, block_size, batch_size):
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + block_size + 1] for i in ix])
    return x, y


def estimate_loss(model, data, block_size, batch_size, eval_iters):
    was_training = model.training
    model.eval()
    total = 0.0
    with torch.no_grad():
        for _ in range(eval_iters):
            xb, yb = get_batch(data, block_size, batch_size)
            total += model(xb, yb)[1].item()
    if was_training:
        model.train()
    return total / eval_iters
