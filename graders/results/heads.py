"""Attention maps of a submission on a sentence: `OUT/<id>/heads.json`, beside its result and no part of it.

No point depends on it. Weights are kept as text, a line for each row, since a picture needs no more digits.
"""

import math
from dataclasses import dataclass
from pathlib import Path

from graders.results.json_schema import from_json_text, to_json_text
from graders.results.read_below import read_below

SCHEMA = "softmark/heads/1"
NAME = "heads.json"
LIMIT = 16_000_000  # bytes of a file that is read; the largest that is written has a quarter of them
TOKENS, MAPS, DRAWINGS = 80, 64, 64  # tokens of a sentence; layers, heads or notes of a drawing; drawings

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class LayerOfHeads:
    """The heads of one layer.

    Attributes:
        layer: the layer's number, from 1; null where there is only one.
        heads: the numbers of its heads, from 1.
        weights: for each head its rows, from the first token on: a row has what its token gives to each
            token, as numbers with spaces between them.
    """

    layer: int | None
    heads: tuple[int, ...]
    weights: tuple[tuple[str, ...], ...]

    def matrices(self) -> list[Matrix]:
        """The weights as numbers.

        Raises:
            ValueError: a word is no finite number.
        """
        return [tuple(tuple(map(_finite, row.split())) for row in rows) for rows in self.weights]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The heads of one module on the sentence.

    Attributes:
        exercise: the exercise whose code it is; empty for a pretrained model.
        title: what it is, for people.
        causal: whether no token is to see later ones.
        weights_from: `reference`, `random`, `trained` or `pretrained`: where the module's parameters come
            from; `none` for a function, which has none; empty where nothing was drawn.
        tokens: the sentence's tokens.
        layers: the layers that are drawn; none where nothing could be drawn.
        notes: sentences below the drawing.
        problem: the sentence that stands in its place; null where it was drawn.
    """

    exercise: str
    title: str
    causal: bool
    weights_from: str = ""
    tokens: tuple[str, ...] = ()
    layers: tuple[LayerOfHeads, ...] = ()
    notes: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Heads:
    """All drawings of a submission.

    Attributes:
        key: the digest of all that they depend on.
        sha256: the digest of the submission's files, as in its result.
        sentence: the sentence that was asked for.
        drawings: one after another.
        schema: the form of this file.
    """

    key: str
    sha256: str
    sentence: str
    drawings: tuple[Drawing, ...]
    schema: str = SCHEMA


def layer_of(layer: int | None, heads: list[int], matrices: list[Matrix]) -> LayerOfHeads:
    """The heads of a layer, from their weights as numbers."""
    written = tuple(tuple(" ".join(f"{value:.4g}" for value in row) for row in rows) for rows in matrices)
    return LayerOfHeads(layer, tuple(heads), written)


def to_json(heads: Heads) -> str:
    """The text of a heads.json."""
    return to_json_text(heads)


def from_json(text: str) -> Heads:
    """The drawings in a heads.json, checked: each head has a finite number for each pair of tokens.

    Raises:
        ValueError: the text is none, or more is drawn than is ever written.
    """
    heads = from_json_text(text, Heads, SCHEMA)
    if len(heads.drawings) > DRAWINGS:
        raise ValueError("too many drawings")
    for drawing in heads.drawings:
        count = len(drawing.tokens)
        maps = sum(len(layer.weights) for layer in drawing.layers)
        if count > TOKENS or max(maps, len(drawing.layers), len(drawing.notes)) > MAPS:
            raise ValueError("too large a drawing")
        for layer in drawing.layers:
            square = all([len(row) for row in m] == [count] * count for m in layer.matrices())
            if not square or len(layer.heads) != len(layer.weights):
                raise ValueError("weights that do not fit the tokens")
    return heads


def read_heads(folder: Path) -> Heads | None:
    """The drawings in the folder of a submission; None if there are none that can be read."""
    try:
        return from_json(read_below(folder, LIMIT, NAME).text)
    except (OSError, ValueError, RecursionError):
        return None


def _finite(word: str) -> float:
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(f"{word} is no finite number")
    return value
