"""Multi-head attention with its parameters kept in many ways, all under names that say nothing or lie."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

Pair = tuple[Tensor, Tensor]


class Attention(nn.Module):
    """Four layers in a list, in an order of their own. Subclasses keep them otherwise."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.h, self.e = num_heads, embed_dim
        self.make()

    def make(self) -> None:
        self.linears = nn.ModuleList(nn.Linear(self.e, self.e) for _ in range(4))

    def split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        """Q, K and V, each (B, H, S, D)."""
        return tuple(self.split(self.linears[n](x)) for n in (2, 0, 3))

    def close(self, x: Tensor) -> Tensor:
        out: Tensor = self.linears[1](x)
        return out

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Pair:
        q, k, v = self.project(x)
        scores = self.scores(q, k)
        if mask is not None:
            scores = scores.masked_fill(mask, -torch.inf)
        weights = scores.softmax(-1)
        return self.close((weights @ v).transpose(1, 2).flatten(2)), weights


class FewBiases(Attention):
    """Only two of the four layers have a bias."""

    def make(self) -> None:
        self.linears = nn.ModuleList(nn.Linear(self.e, self.e, bias=n < 2) for n in range(4))


class NoBiases(Attention):
    """No layer has a bias."""

    def make(self) -> None:
        self.linears = nn.ModuleList(nn.Linear(self.e, self.e, bias=False) for n in range(4))


class ListOfThree(Attention):
    """A list of three layers beside the last: with three heads it looks like one layer per head."""

    def make(self) -> None:
        self.many = nn.ModuleList(nn.Linear(self.e, self.e) for _ in range(3))
        self.query = nn.Linear(self.e, self.e)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        k, q, v = (self.split(layer(x)) for layer in self.many)
        return q, k, v

    def close(self, x: Tensor) -> Tensor:
        out: Tensor = self.query(x)
        return out


class Fused(Attention):
    """One layer for K, V and Q, in this order."""

    biased = True

    def make(self) -> None:
        self.qkv_proj = nn.Linear(self.e, 3 * self.e, bias=self.biased)
        self.c_proj = nn.Linear(self.e, self.e)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        k, v, q = (self.split(part) for part in self.qkv_proj(x).chunk(3, -1))
        return q, k, v

    def close(self, x: Tensor) -> Tensor:
        out: Tensor = self.c_proj(x)
        return out


class FusedNoBias(Fused):
    """The fused layer has no bias, the last has one."""

    biased = False


class FusedByHead(Fused):
    """Each head has its rows of Q, V and K side by side."""

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        q, v, k = self.split(self.qkv_proj(x)).chunk(3, -1)
        return q, k, v


class FusedByRow(Fused):
    """Every third row belongs to the same of the three."""

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        q, v, k = (self.split(part) for part in self.qkv_proj(x).unflatten(-1, (-1, 3)).unbind(-1))
        return q, k, v


class FusedOfTwo(Fused):
    """V and K share a layer."""

    def make(self) -> None:
        self.a, self.kv, self.c_proj = (nn.Linear(self.e, n * self.e) for n in (1, 2, 1))

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        v, k = (self.split(part) for part in self.kv(x).chunk(2, -1))
        return self.split(self.a(x)), k, v


class Raw(Fused):
    """Three matrices in one parameter, for x @ W."""

    def make(self) -> None:
        self.w = nn.Parameter(torch.randn(3, self.e, self.e))
        self.b = nn.Parameter(torch.zeros(3, self.e))
        self.c_proj = nn.Linear(self.e, self.e)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        v, q, k = (self.split(x @ w + b) for w, b in zip(self.w, self.b, strict=True))
        return q, k, v


class RawLinear(Raw):
    """Three matrices in one parameter, for F.linear."""

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        v, q, k = (self.split(functional.linear(x, w, b)) for w, b in zip(self.w, self.b, strict=True))
        return q, k, v


class RawOfFour(Raw):
    """All four matrices in one parameter."""

    def make(self) -> None:
        self.all = nn.Parameter(torch.randn(4, self.e, self.e))
        self.more = nn.Parameter(torch.zeros(4, self.e))

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        k, q, v = (self.split(x @ self.all[n] + self.more[n]) for n in (1, 2, 3))
        return q, k, v

    def close(self, x: Tensor) -> Tensor:
        return x @ self.all[0] + self.more[0]


class RawByHead(Raw):
    """One matrix (E, D) per head in one parameter (H, E, D), without biases."""

    def make(self) -> None:
        width = self.e // self.h
        self.p1, self.p2, self.p3 = (nn.Parameter(torch.randn(self.h, self.e, width)) for _ in range(3))
        self.p4 = nn.Parameter(torch.randn(self.h, width, self.e))

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        k, q, v = (torch.einsum("bse,hed->bhsd", x, p) for p in (self.p1, self.p2, self.p3))
        return q, k, v

    def close(self, x: Tensor) -> Tensor:
        return x @ self.p4.flatten(0, 1)


class RawByPartAndHead(RawByHead):
    """All three in one parameter (E, 3, H, D), without biases."""

    def make(self) -> None:
        width = self.e // self.h
        self.p = nn.Parameter(torch.randn(self.e, 3, self.h, width))
        self.p4 = nn.Parameter(torch.randn(self.h, width, self.e))

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        v, q, k = torch.einsum("bse,ephd->pbhsd", x, self.p)
        return q, k, v


class ListsOfParameters(Raw):
    """A ParameterList of one matrix per head for each of the three."""

    def make(self) -> None:
        width = self.e // self.h
        self.a, self.b, self.c = (
            nn.ParameterList(nn.Parameter(torch.randn(self.e, width)) for _ in range(self.h))
            for _ in range(3)
        )
        self.d = nn.Parameter(torch.randn(self.e, self.e))

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        q, k, v = (torch.stack([x @ w for w in many], 1) for many in (self.c, self.a, self.b))
        return q, k, v

    def close(self, x: Tensor) -> Tensor:
        return x @ self.d


class Head(nn.Module):
    """The three layers of one head."""

    def __init__(self, embed_dim: int, width: int) -> None:
        super().__init__()
        self.z, self.y, self.x = (nn.Linear(embed_dim, width) for _ in range(3))


class ListOfHeads(Attention):
    """A module per head."""

    def make(self) -> None:
        self.heads = nn.ModuleList(Head(self.e, self.e // self.h) for _ in range(self.h))
        self.last = nn.Linear(self.e, self.e)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        by_head = [(head.x(x), head.z(x), head.y(x)) for head in self.heads]
        return tuple(torch.stack(parts, 1) for parts in zip(*by_head, strict=True))

    def close(self, x: Tensor) -> Tensor:
        out: Tensor = self.last(x)
        return out


class ListOfFusedHeads(ListOfHeads):
    """One fused layer per head."""

    def make(self) -> None:
        self.hs = nn.ModuleList(nn.Linear(self.e, 3 * (self.e // self.h)) for _ in range(self.h))
        self.last = nn.Linear(self.e, self.e)

    def project(self, x: Tensor) -> tuple[Tensor, ...]:
        by_head = [layer(x).chunk(3, -1) for layer in self.hs]
        return tuple(torch.stack(parts, 1) for parts in zip(*by_head, strict=True))


class OneBiasMore(Fused):
    """A bias that is not in the reference."""

    def make(self) -> None:
        super().make()
        self.shift = nn.Parameter(torch.zeros(self.e))

    def close(self, x: Tensor) -> Tensor:
        return super().close(x) + self.shift


class MaskAsParameter(Fused):
    """A parameter that is not trained holds a mask."""

    def make(self) -> None:
        super().make()
        self.tril = nn.Parameter(torch.ones(5, 5).tril(), requires_grad=False)


class WithoutGradient(Attention):
    """Right answers, of which no parameter learns."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Pair:
        with torch.no_grad():
            return super().forward(x, mask)


class MaskRequired(Fused):
    """It cannot be called without a mask."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Pair:
        assert mask is not None
        return super().forward(x, mask)


class MaskInverted(Fused):
    """Wrong: True means kept."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Pair:
        return super().forward(x, None if mask is None else ~mask)


class Unscaled(Fused):
    """Wrong: the scores are not scaled."""

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.transpose(-2, -1)


class ScaledOddly(Fused):
    """Wrong in a way that is no known mistake."""

    def scores(self, q: Tensor, k: Tensor) -> Tensor:
        return 1.3 * super().scores(q, k)


class DropoutAlways(Fused):
    """Wrong: dropout acts in evaluation too."""

    def close(self, x: Tensor) -> Tensor:
        return super().close(functional.dropout(x, 0.1))


class NoAttention(Attention):
    """Wrong: it has the right parameters and uses them for something else."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Pair:
        for layer in self.linears:
            x = torch.tanh(layer(x))
        return x, x


class Short(Fused):
    """Wrong: the last layer is missing."""

    def make(self) -> None:
        self.qkv_proj = nn.Linear(self.e, 3 * self.e)

    def close(self, x: Tensor) -> Tensor:
        return x


RIGHT = (
    Attention,
    ListOfThree,
    Fused,
    FusedByHead,
    FusedByRow,
    FusedOfTwo,
    Raw,
    RawLinear,
    RawOfFour,
    ListOfHeads,
    ListOfFusedHeads,
    MaskAsParameter,
    MaskRequired,
    MaskInverted,
    Unscaled,
)
LACKING = {
    FewBiases: ("W_o", "W_k"),
    NoBiases: (),
    FusedNoBias: ("W_o",),
    RawByHead: (),
    RawByPartAndHead: (),
    ListsOfParameters: (),
}
WRONG = (ScaledOddly, DropoutAlways, NoAttention)
