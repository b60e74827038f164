"""What is to be drawn: a sentence, how it is cut into tokens, and perhaps a pretrained model.

Imports no PyTorch: the command line makes it.
"""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from graders.language import tr
from graders.safe_text import safe_text

MOST = 64  # tokens that are drawn
CHARACTERS = 400  # of a sentence
WORDS, BY_CHARACTER = "words", "characters"
# A word with its apostrophe, as in qu'il; or a sign that is no space.
_WORD = re.compile(r"\w+['\u2019]?|[^\w\s]")


class BadRequest(ValueError):
    """It cannot be drawn. The text is for the person who asked."""


@dataclass(frozen=True)
class PretrainedModel:
    """A pretrained model in a folder, and which of its heads are drawn, by numbers from 1."""

    folder: Path
    layer: int
    heads: tuple[int, ...]


@dataclass(frozen=True)
class Request:
    """A sentence, and how it is cut for modules that know no tokens of their own."""

    sentence: str
    by: str = WORDS
    model: PretrainedModel | None = None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence's tokens."""
        return tuple(self.sentence) if self.by == BY_CHARACTER else tuple(_WORD.findall(self.sentence))


def ask_for(sentence: str, by: str = WORDS, model: PretrainedModel | None = None) -> Request:
    """The request for a sentence as it was typed; runs of spaces are one.

    Raises:
        BadRequest: it has too few tokens, or too many.
    """
    clean = " ".join(
        unicodedata.normalize("NFC", safe_text(sentence[: 4 * CHARACTERS], 4 * CHARACTERS)).split()
    )
    request = Request(clean, by, model)
    if len(clean) > CHARACTERS or len(request.tokens) > MOST:
        message = tr(
            "the sentence is too long: a drawing has at most {most} tokens, and {characters} characters",
            most=MOST,
            characters=CHARACTERS,
        )
        raise BadRequest(message)
    if len(request.tokens) < 2:
        raise BadRequest(tr("the sentence has fewer than two tokens: there is nothing to look at"))
    return request
