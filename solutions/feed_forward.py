"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.activation = nn.GELU()
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(ff_dim, embed_dim)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class FeedForward__without_activation(FeedForward):
    """There is no activation between the layers: together they are one linear map."""

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x)))


class FeedForward__activation_last(FeedForward):
    """The activation acts after the second layer, not between the two."""

    def forward(self, x):
        return self.activation(self.linear2(self.dropout(self.linear1(x))))


class FeedForward__silu(FeedForward):
    """The activation is SiLU, not GELU."""

    def forward(self, x):
        return self.linear2(self.dropout(nn.functional.silu(self.linear1(x))))


class FeedForward__quick_gelu(FeedForward):
    """The activation is the sigmoid approximation of GELU."""

    def forward(self, x):
        hidden = self.linear1(x)
        return self.linear2(self.dropout(hidden * (1.702 * hidden).sigmoid()))


class FeedForward__sigmoid(FeedForward):
    """The activation is the sigmoid, not GELU."""

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x).sigmoid()))


class FeedForward__tanh(FeedForward):
    """The activation is tanh itself, not GELU by tanh."""

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x).tanh()))


class FeedForward__twice_as_wide(FeedForward):
    """The inner width is 2 * E by default, not 4 * E."""

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, 2 * embed_dim if ff_dim is None else ff_dim, dropout)


class FeedForward__ff_dim_ignored(FeedForward):
    """The inner width is 4 * E, whatever ff_dim says."""

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, None, dropout)


class FeedForward__without_dropout(FeedForward):
    """Dropout never acts."""

    def forward(self, x):
        return self.linear2(self.activation(self.linear1(x)))


class FeedForward__dropout_in_evaluation(FeedForward):
    """Dropout acts in evaluation too."""

    def forward(self, x):
        return self.linear2(nn.functional.dropout(self.activation(self.linear1(x)), self.dropout.p))


class FeedForward__rate_ignored(FeedForward):
    """The rate of the dropout is always 0.1, whatever is asked for."""

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, ff_dim, 0.1)


class FeedForward__without_bias(FeedForward):
    """The layers have no bias."""

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, ff_dim, dropout)
        self.linear1.bias = self.linear2.bias = None


class FeedForward__residual(FeedForward):
    """The input is added to the output; that is the block's work."""

    def forward(self, x):
        return x + super().forward(x)


class FeedForward__mixes_positions(FeedForward):
    """The positions are averaged: each should go through the network by itself."""

    def forward(self, x):
        return super().forward(x.mean(1, keepdim=True).expand_as(x))


class FeedForward__detached(FeedForward):
    """The first layer is cut off from the gradients."""

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x)).detach()))


class FeedForward__changes_its_input(FeedForward):
    """The caller's tensor is changed."""

    def forward(self, x):
        output = super().forward(x)
        x.data.zero_()
        return output
