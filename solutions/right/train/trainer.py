import random
from dataclasses import dataclass

import torch


@dataclass
class Config:
    steps: int
    batch_size: int
    block_size: int
    lr: float
    seed: int


class Trainer:
    def __init__(self, model, data, config):
        self.model, self.data, self.config = model, data, config
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
        self.dice = random.Random(config.seed)

    def batch(self):
        size = self.config.block_size
        starts = [self.dice.randrange(len(self.data) - size) for _ in range(self.config.batch_size)]
        return (torch.stack([self.data[s + k : s + k + size] for s in starts]) for k in (0, 1))

    def step(self):
        x, y = self.batch()
        _, loss = self.model(x, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self):
        before = self.model.training
        self.model.train()
        losses = [self.step() for _ in range(self.config.steps)]
        self.model.train(before)
        return losses


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    return Trainer(model, data, Config(steps, batch_size, block_size, lr, seed)).run()
