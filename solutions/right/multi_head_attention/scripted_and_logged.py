import lightning as L
import torch
import wandb
from torch import Tensor, nn
from tqdm.auto import tqdm


@torch.jit.script
def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None):
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    return weights @ value, weights


@torch.compile(dynamic=True)
class MultiHeadAttention(L.LightningModule):
    def __init__(self, embed_dim, num_heads, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        assert embed_dim % num_heads == 0, f"{num_heads} heads do not divide {embed_dim}"
        self.num_heads = num_heads
        for name in tqdm(["W_q", "W_k", "W_v", "W_o"], desc="layers"):
            layer = nn.Linear(embed_dim, embed_dim)
            nn.init.xavier_uniform_(layer.weight)
            setattr(self, name, layer)
        self.register_buffer("calls", torch.zeros(()), persistent=False)
        wandb.watch(self, log="all")

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        output, weights = attend(self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x)), mask)
        wandb.log({"entropy": -(weights * weights.clamp(min=1e-9).log()).sum(-1).mean()})
        return self.W_o(output.transpose(1, 2).flatten(2)), weights

    def training_step(self, batch, index):
        loss = self(batch)[0].square().mean()
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
