"""Text to token ids and back, by the student's `encode` and `decode`, each in its own process.

So `decode` gets nothing but the ids: the text that it returns cannot have come from anywhere else.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import torch
from torch import Tensor

from graders.candidate.remote_candidate import RemoteCandidate
from graders.extraction.extract import Source
from graders.language import number, tr
from graders.results.result import Outcome
from graders.safe_text import safe_text
from graders.trained.checkpoint import TrainedModel
from graders.trained.fresh_process import MeasurementStopped, Parts, Processes

T = TypeVar("T")
TOKENS_PER_CHARACTER, SPARE_TOKENS = 2, 16  # bounds of the ids that a text may become
CONTEXT_SHOWN = 12  # characters quoted before the first wrong one


class Tokenizer:
    """A model's tokenizer. `notes` are remarks on where the order of `chars` replaced the student's code."""

    def __init__(self, processes: Processes, parts: Parts, model: TrainedModel) -> None:
        self.notes: list[str] = []
        self._processes = processes
        self._parts = parts
        self._model = model
        self._numbers = {token: number for number, token in enumerate(model.chars)}

    def encode(self, texts: Sequence[str]) -> list[Tensor]:
        """The token ids of each text, int64 of shape (T,).

        Raises:
            MeasurementStopped: `encode` gives no ids, too many, or ids outside the vocabulary.
        """

        def ask(candidate: RemoteCandidate) -> list[Tensor]:
            given = self._model.given
            return [self._require_ids(candidate.ask("numbers_of", [text, given]), text) for text in texts]

        return self._run_or_fall_back(
            self._parts.encode, ask, lambda: [self._encode_by_order(text) for text in texts]
        )

    def decode(self, numbers: Sequence[Tensor]) -> list[str]:
        """The text of each tensor of ids; empty where `decode` does not return a text.

        Raises:
            MeasurementStopped: the student's `decode` ended its process.
        """

        def ask(candidate: RemoteCandidate) -> list[str]:
            given = self._model.given
            texts = [candidate.ask("text_of", [ids, given]) for ids in numbers]
            return [text if type(text) is str else "" for text in texts]

        return self._run_or_fall_back(
            self._parts.decode, ask, lambda: [self._decode_by_order(ids) for ids in numbers]
        )

    def _run_or_fall_back(
        self, source: object, ask: Callable[[RemoteCandidate], T], fallback: Callable[[], T]
    ) -> T:
        """The result of the student's function; of the order of `chars` where it is missing or raises."""
        if not isinstance(source, Source):
            return fallback()
        try:
            with self._processes.load(source) as candidate:
                return ask(candidate)
        except MeasurementStopped as stopped:
            if stopped.outcome is not Outcome.RAISED or any(len(token) != 1 for token in self._model.chars):
                raise
            message = tr(
                "your {symbol} raised {stopped}, so the order of chars was used in its place",
                symbol=source.symbol,
                stopped=stopped,
            )
            self.notes.append(message)
            return fallback()

    def _encode_by_order(self, text: str) -> Tensor:
        if any(len(token) != 1 for token in self._model.chars):
            message = tr(
                "some tokens in chars have several characters, so encode(text, chars) must be handed in"
            )
            raise MeasurementStopped(Outcome.FAILED, message)
        if len(self._model.chars) > self._model.vocab_size:
            message = tr(
                "chars has {tokens} tokens, but vocab_size is {size}",
                tokens=number(len(self._model.chars), ","),
                size=number(self._model.vocab_size, ","),
            )
            raise MeasurementStopped(Outcome.FAILED, message)
        for char in text:
            if char not in self._numbers:
                message = tr(
                    "chars does not contain {char}, which occurs in the text that the model is measured on",
                    char=repr(char),
                )
                raise MeasurementStopped(Outcome.FAILED, message)
        return torch.tensor([self._numbers[char] for char in text], dtype=torch.int64)

    def _decode_by_order(self, ids: Tensor) -> str:
        chars = self._model.chars
        return "".join(chars[number] for number in ids.tolist() if number < len(chars))

    def _require_ids(self, result: object, text: str) -> Tensor:
        largest, size = TOKENS_PER_CHARACTER * len(text) + SPARE_TOKENS, self._model.vocab_size
        if not isinstance(result, Tensor) or result.dim() != 1 or result.dtype is not torch.int64:
            raise MeasurementStopped(
                Outcome.FAILED, tr("encode(text, chars) should give a list of whole numbers")
            )
        if not 0 < len(result) <= largest:
            message = tr(
                "encode should turn {characters} characters into 1 to {most} numbers, but gives {actual}",
                characters=number(len(text), ","),
                most=number(largest, ","),
                actual=number(len(result), ","),
            )
            raise MeasurementStopped(Outcome.FAILED, message)
        least, highest = int(result.min()), int(result.max())
        if least < 0 or highest >= size:
            wrong = least if least < 0 else highest
            message = tr(
                "encode should give numbers from 0 to vocab_size - 1 = {last}, but gives {wrong}",
                last=size - 1,
                wrong=wrong,
            )
            raise MeasurementStopped(Outcome.FAILED, message)
        return result


def describe_difference(texts: Sequence[str], decoded: Sequence[str]) -> str | None:
    """Where the decoded texts first differ from the original ones; None where they are equal."""
    for text, other in zip(texts, decoded, strict=True):
        if text != other:
            pairs = zip(text, other, strict=False)
            at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(text), len(other)))
            end = tr("the end")
            expected, actual = text[at : at + 1] or end, safe_text(other[at : at + 1], 10) or end
            return tr(
                "after {before}, the decoded text should have {expected}, but has {actual}",
                before=repr(text[max(0, at - CONTEXT_SHOWN) : at]),
                expected=repr(expected),
                actual=repr(actual),
            )
    return None
