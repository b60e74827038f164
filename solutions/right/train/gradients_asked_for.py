import torch


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    generator = torch.Generator().manual_seed(seed)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=lr)
    losses, mode = [], model.training
    model.train()
    while len(losses) < steps:
        start = torch.randint(0, len(data) - block_size, (batch_size,), generator=generator)
        index = start.unsqueeze(1) + torch.arange(block_size).unsqueeze(0)
        loss = model(data[index], data[index + 1])[-1]
        for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
            parameter.grad = gradient
        optimizer.step()
        losses.append(loss.item())
    model.train(mode)
    return losses
