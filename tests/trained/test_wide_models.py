"""Models of many tokens: their answers are not kept, and losses are the same piece by piece."""

from dataclasses import dataclass
from typing import Any

import pytest
import torch
from torch import Tensor

from graders.corpora import ngram
from graders.corpora.grammar import grammar
from graders.trained import next_token
from graders.trained.loss import Place, measure_loss, predict_from_prefixes
from graders.trained.next_token import Model

SIZE, BLOCK = 1_000, 50
PLACES = [Place(0, 3), Place(0, 49), Place(0, 70)]


@dataclass
class Table:
    """Logits of the last token's row, as a module in the box would answer."""

    rows: Tensor

    def infer(self, ids: Tensor) -> Any:
        return self.rows[ids]


@pytest.fixture
def model() -> Model:
    return Model(Table(torch.randn(SIZE, SIZE)), SIZE)  # type: ignore[arg-type]


IDS = [torch.randint(SIZE, (101,), generator=torch.Generator().manual_seed(1))]


def test_rows_that_are_kept_hold_no_other_row(model: Model):
    whole = measure_loss(model, IDS, BLOCK, PLACES)
    prefixes = predict_from_prefixes(model, IDS, PLACES, BLOCK, keep_rows=True)
    rows = [*whole.rows.values(), *prefixes.rows.values()]
    assert len(rows) == 2 * len(PLACES)
    assert {row.untyped_storage().nbytes() for row in rows} == {4 * SIZE}
    assert all(torch.equal(whole.rows[place], prefixes.rows[place]) for place in PLACES)


def test_prefixes_keep_rows_only_where_they_are_wanted(model: Model):
    assert predict_from_prefixes(model, IDS, PLACES, BLOCK).rows == {}


def test_losses_are_the_same_in_pieces(model: Model, monkeypatch: pytest.MonkeyPatch):
    whole = measure_loss(model, IDS, BLOCK)
    monkeypatch.setattr(next_token, "AT_ONCE", 3 * SIZE + 1)
    pieces = measure_loss(model, IDS, BLOCK)
    assert pieces.bits == pytest.approx(whole.bits)
    assert list(pieces.bits) == [Place(0, at) for at in range(1, 101)]


@pytest.mark.parametrize("letters", ["ab", "abcdefgh"])
def test_counting_reaches_the_entropy_of_random_letters_and_no_less(letters: str):
    draws = torch.randint(len(letters), (60_000,), generator=torch.Generator().manual_seed(2)).tolist()
    text = "".join(letters[n] for n in draws)
    entropy = torch.tensor(float(len(letters))).log2().item()
    assert entropy < ngram.bits(text[:50_000], text[50_000:]) < 1.3 * entropy


def test_counting_lies_between_the_entropy_and_a_bigram():
    texts = grammar(1)
    assert texts.entropy is not None
    assert texts.entropy < ngram.bits(texts.train, texts.held_out) < 2 * texts.entropy
