import torch


class Adam:
    def __init__(self, params, lr, betas=(0.9, 0.999), eps=1e-8):
        self.params, self.lr, self.betas, self.eps, self.t = list(params), lr, betas, eps, 0
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        self.t += 1
        b1, b2 = self.betas
        for p, m, v in zip(self.params, self.m, self.v):
            if p.grad is None:
                continue
            m.mul_(b1).add_((1 - b1) * p.grad)
            v.mul_(b2).add_((1 - b2) * p.grad**2)
            p -= self.lr * (m / (1 - b1**self.t)) / ((v / (1 - b2**self.t)).sqrt() + self.eps)


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    mode = model.training
    model.train(True)
    dice, optimizer, losses = torch.Generator(), Adam(model.parameters(), lr), []
    dice.manual_seed(seed)
    for _ in range(steps):
        places = torch.randint(len(data) - block_size, (batch_size,), generator=dice)
        x = torch.stack([data[p : p + block_size] for p in places.tolist()])
        y = torch.stack([data[p + 1 : p + 1 + block_size] for p in places.tolist()])
        for parameter in model.parameters():
            parameter.grad = None
        loss = model(x, y)[1]
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    model.train(mode)
    return losses
