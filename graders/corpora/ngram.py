"""The loss of a model that only counts: what characters came after the last few, in the training text."""

import torch
from torch import Tensor

ORDER = 5  # characters of context
MOST_KEYS = 1 << 62  # contexts are numbered in int64


def bits(train: str, held_out: str) -> float:
    """The mean loss on `held_out`, in bits per character, of counts of up to ORDER characters of context.

    The probability after a context is interpolated with that after the context shorter by one, the more the
    fewer times the context came and the more different characters followed it (Witten and Bell 1991, "The
    zero-frequency problem", method C).
    """
    characters = sorted(set(train) | set(held_out))
    numbers = {char: number for number, char in enumerate(characters)}
    known, asked = (torch.tensor([numbers[char] for char in text]) for text in (train, held_out))
    size = len(characters)
    order = max(n for n in range(ORDER + 1) if size ** (n + 1) < MOST_KEYS)
    probabilities = torch.full((len(asked) - order,), 1 / size, dtype=torch.float64)
    for n in range(order + 1):
        probabilities = _interpolate(
            probabilities, _keys(known, n, size, n), _keys(asked, n, size, order), size
        )
    return float(-probabilities.log2().mean())


def _keys(ids: Tensor, context: int, size: int, first: int) -> Tensor:
    """A number for each character from `first` on with so many characters before it."""
    keys = ids[first:].clone()
    for back in range(1, context + 1):
        keys += size**back * ids[first - back : len(ids) - back]
    return keys


def _interpolate(shorter: Tensor, known: Tensor, asked: Tensor, size: int) -> Tensor:
    """The probabilities with a longer context, from those with one character less."""
    kinds, counts = known.unique(return_counts=True)
    # Characters are the lowest digit of a key; a context is the rest, and its keys stand together.
    contexts, different = (kinds // size).unique_consecutive(return_counts=True)
    totals = torch.zeros(len(contexts), dtype=torch.int64)
    totals.index_add_(0, torch.searchsorted(contexts, kinds // size), counts)
    seen, total = _of(kinds, counts, asked), _of(contexts, totals, asked // size)
    followers = _of(contexts, different, asked // size)
    longer = (seen + followers * shorter) / (total + followers).clamp(min=1)
    return torch.where(total > 0, longer, shorter)


def _of(keys: Tensor, values: Tensor, asked: Tensor) -> Tensor:
    """The value of each asked key, and 0 for keys that there are not."""
    places = torch.searchsorted(keys, asked).clamp(max=len(keys) - 1)
    return torch.where(keys[places] == asked, values[places], 0)
