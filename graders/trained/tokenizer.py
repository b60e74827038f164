"""Text to numbers and back, by the student's `encode` and `decode`, each in a process of its own.

So the numbers are the only way from the one to the other: what comes back can come from nowhere else.
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
from graders.trained.fresh_process import FreshProcesses, Parts, Stopped

T = TypeVar("T")
PER_CHARACTER, SPARE = 2, 16  # tokens that a text may become, at most
SHOWN = 12  # characters before the first that is wrong


class Tokenizer:
    """A model's tokens. `notes` are remarks about what was done in place of the student's own code."""

    def __init__(self, bench: FreshProcesses, parts: Parts, opened: TrainedModel) -> None:
        self.notes: list[str] = []
        self._bench = bench
        self._parts = parts
        self._opened = opened
        self._numbers = {token: number for number, token in enumerate(opened.chars)}

    def encode(self, texts: Sequence[str]) -> list[Tensor]:
        """The numbers of each text, int64.

        Raises:
            Stopped: there are none, or they are none of the vocabulary's.
        """

        def ask(candidate: RemoteCandidate) -> list[Tensor]:
            given = self._opened.given
            return [self._sound(candidate.ask("numbers_of", [text, given]), text) for text in texts]

        return self._by(self._parts.encode, ask, lambda: [self._positions(text) for text in texts])

    def decode(self, numbers: Sequence[Tensor]) -> list[str]:
        """The text of each; what is no text is empty.

        Raises:
            Stopped: the student's `decode` ended its process.
        """

        def ask(candidate: RemoteCandidate) -> list[str]:
            given = self._opened.given
            found = [candidate.ask("text_of", [ids, given]) for ids in numbers]
            return [text if type(text) is str else "" for text in found]

        return self._by(self._parts.decode, ask, lambda: [self._joined(ids) for ids in numbers])

    def _by(self, source: object, ask: Callable[[RemoteCandidate], T], plainly: Callable[[], T]) -> T:
        """What the student's function gives; by the order of `chars` where there is none, or it raises."""
        if not isinstance(source, Source):
            return plainly()
        try:
            with self._bench.fresh(source) as candidate:
                return ask(candidate)
        except Stopped as stopped:
            if stopped.outcome is not Outcome.RAISED or any(len(token) != 1 for token in self._opened.chars):
                raise
            says = tr(
                "your {symbol} was not used, but the order of chars: it raised {stopped}",
                symbol=source.symbol,
                stopped=stopped,
            )
            self.notes.append(says)
            return plainly()

    def _positions(self, text: str) -> Tensor:
        if any(len(token) != 1 for token in self._opened.chars):
            says = tr("the tokens in chars have several characters, so encode(text, chars) must be handed in")
            raise Stopped(Outcome.FAILED, says)
        for char in text:
            if char not in self._numbers:
                says = tr(
                    "chars does not have {char}, which stands in the text that it is measured on",
                    char=repr(char),
                )
                raise Stopped(Outcome.FAILED, says)
        return torch.tensor([self._numbers[char] for char in text], dtype=torch.int64)

    def _joined(self, ids: Tensor) -> str:
        chars = self._opened.chars
        return "".join(chars[number] for number in ids.tolist() if number < len(chars))

    def _sound(self, found: object, text: str) -> Tensor:
        most, size = PER_CHARACTER * len(text) + SPARE, self._opened.vocab_size
        if not isinstance(found, Tensor) or found.dim() != 1 or found.dtype is not torch.int64:
            raise Stopped(Outcome.FAILED, tr("encode(text, chars) should give a list of whole numbers"))
        if not 0 < len(found) <= most:
            says = tr(
                "{characters} characters should become 1 to {most} numbers, but are {found}",
                characters=number(len(text), ","),
                most=number(most, ","),
                found=number(len(found), ","),
            )
            raise Stopped(Outcome.FAILED, says)
        least, highest = int(found.min()), int(found.max())
        if least < 0 or highest >= size:
            wrong = least if least < 0 else highest
            says = tr(
                "encode should give numbers from 0 to vocab_size - 1 = {last}, but gives {wrong}",
                last=size - 1,
                wrong=wrong,
            )
            raise Stopped(Outcome.FAILED, says)
        return found


def garbled(texts: Sequence[str], back: Sequence[str]) -> str | None:
    """Where what came back is not the text; None where it is."""
    for text, other in zip(texts, back, strict=True):
        if text != other:
            pairs = zip(text, other, strict=False)
            at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(text), len(other)))
            end = tr("the end")
            due, came = text[at : at + 1] or end, safe_text(other[at : at + 1], 10) or end
            return tr(
                "after {before} there should come {due}, but {came} comes",
                before=repr(text[max(0, at - SHOWN) : at]),
                due=repr(due),
                came=repr(came),
            )
    return None
