import torch


def sample(data, block_size, batch_size):
    starts = torch.randint(0, data.size(0) - block_size, (batch_size, 1))
    window = data[starts + torch.arange(block_size + 1)]
    return window[:, :-1], window[:, 1:]


def train_model(model, data, max_iters, batch_size, block_size, learning_rate, seed):
    before = model.training
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model.train()
        optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
        history = torch.zeros(max_iters)
        for it in range(max_iters):
            x, y = sample(data, block_size, batch_size)
            _, loss = model(x, y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            history[it] = loss.detach()
    if not before:
        model.eval()
    return history.tolist()
