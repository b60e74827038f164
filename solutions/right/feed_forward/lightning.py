import pytorch_lightning as pl
from torch import nn


class FeedForward(pl.LightningModule):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.save_hyperparameters()
        width = self.hparams.ff_dim or 4 * embed_dim
        self.linear1, self.linear2 = nn.Linear(embed_dim, width), nn.Linear(width, embed_dim)
        self.act, self.drop = nn.GELU(), nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.drop(self.act(self.linear1(x))))

    def training_step(self, batch, index):
        loss = self(batch).square().mean()
        self.log("loss", loss)
        return loss
