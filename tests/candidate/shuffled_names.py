"""A module of ours behind meaningless names, declared in another order."""

import random
import re

from torch import nn


def shuffled(model: nn.Module, seed: int) -> nn.Module:
    """The model behind meaningless names, whose modules are declared in another order."""
    dice = random.Random(seed)
    words: dict[str, str] = {}

    def rename(name: str) -> str:
        if re.fullmatch(r"\d+|weight|bias", name):
            return name
        return words.setdefault(name, f"{dice.choice('abcdefgh')}{len(words)}x")

    class Renamed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inside = [model]
            groups: dict[str, nn.Module] = {}
            named = sorted(model.named_parameters(), key=lambda pair: (re.sub(r"\d", "", pair[0]), pair[0]))
            first, *rest = dict.fromkeys(re.sub(r"\d", "#", name) for name, _ in named)
            order = {pattern: dice.random() for pattern in (first, *rest)}
            for name, value in sorted(named, key=lambda pair: order[re.sub(r"\d", "#", pair[0])]):
                *path, last = map(rename, name.split("."))
                place: nn.Module = self
                for number, step in enumerate(path):
                    key = ".".join(path[: number + 1])
                    if key not in groups:
                        groups[key] = nn.Module()
                        place.add_module(step, groups[key])
                    place = groups[key]
                place.register_parameter(last, value)

        def forward(self, *args):
            return self.inside[0](*args)

        def train(self, mode: bool = True):
            self.inside[0].train(mode)
            return super().train(mode)

    return Renamed()
