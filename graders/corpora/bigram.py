"""The loss that a trained model must beat: that of a bigram model, computed from counts."""

import numpy as np

SMOOTHING = 0.1  # added to every count: a pair that was never seen is rare, not impossible


def bits(train: str, text: str) -> float:
    """The loss of a bigram model of `train` on `text`, in bits per character.

    P(b | a) = (n(ab) + s) / (n(a) + s V), with counts n over `train` and V the number of different
    characters in both texts; the first character of `text` is given.
    """
    characters = sorted(set(train) | set(text))
    numbers = {char: number for number, char in enumerate(characters)}
    counts = np.full((len(characters), len(characters)), SMOOTHING)
    np.add.at(counts, _pairs(train, numbers), 1.0)
    logs = np.log2(counts / counts.sum(axis=1, keepdims=True))
    return float(-logs[_pairs(text, numbers)].mean())


def _pairs(text: str, numbers: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    ids = np.fromiter((numbers[char] for char in text), dtype=np.int64, count=len(text))
    return ids[:-1], ids[1:]
