"""As in the course's document on MiniGPT: another name, a global rate of dropout, and no inner width.

loses: has_two_layers_with_bias
"""

import torch.nn as nn

dropout = 0.2


class FeedFoward(nn.Module):
    """a simple linear layer followed by a non-linearity"""

    def __init__(self, n_embd):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_embd, 4 * n_embd),
            nn.ReLU(),
            nn.Linear(4 * n_embd, n_embd),
            nn.Dropout(dropout),
        )

    def forward(self, x):
        return self.net(x)
