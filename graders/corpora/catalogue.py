"""Load a corpus by its name, or from a file."""

import stat
from pathlib import Path

from graders.corpora.corpus import Corpus
from graders.corpora.fetch import SHAKESPEARE, NotFetched, fetch
from graders.corpora.grammar import grammar
from graders.corpora.names import names
from graders.language import number, tr, translatable
from graders.locations import FRENCH_CORPUS

NAMES = ("shakespeare", "french", "grammar", "names")
HELD_OUT = 0.1  # the last share of a text, as in the course
LEAST = 5_000  # characters of a file; the loss on a shorter text means little
MOST = 50_000_000  # bytes of a file


class NoCorpus(Exception):
    """There is no such corpus, or it is not available here. The message is for the user."""


def corpus(name: str, seed: int) -> Corpus:
    """Load the corpus of this name, or the file at this path.

    Args:
        name: one of `NAMES`, or the path of a text in UTF-8.
        seed: generates the held-out text of the corpora that can be generated.

    Raises:
        NoCorpus: there is none, or it is not available.
    """
    if name == "grammar":
        return grammar(seed)
    if name == "names":
        return names(seed)
    if name == "shakespeare":
        return _split(name, _shakespeare())
    return _split(name, _read(FRENCH_CORPUS if name == "french" else Path(name)))


def _shakespeare() -> str:
    try:
        return fetch(SHAKESPEARE).decode()
    except NotFetched as error:
        raise NoCorpus(str(error)) from error


def _read(path: Path) -> str:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # a pipe would be waited for
            raise NoCorpus(tr("{file} is not a plain file", file=path))
        if status.st_size > MOST:
            message = translatable("{file} is larger than a corpus may be: {most} bytes")
            raise NoCorpus(tr(message, file=path, most=number(MOST, ",")))
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        message = translatable("{file} is no corpus ({reason}): name one of {names}, or a text file")
        raise NoCorpus(tr(message, file=path, reason=error.strerror, names=", ".join(NAMES))) from error
    except ValueError as error:
        raise NoCorpus(tr("{file} is no text in UTF-8", file=path)) from error
    if len(text) < LEAST:
        message = translatable("{file} has {count} characters; a corpus needs {least}")
        raise NoCorpus(tr(message, file=path, count=number(len(text), ","), least=number(LEAST, ",")))
    return text


def _split(name: str, text: str) -> Corpus:
    cut = len(text) - int(HELD_OUT * len(text))
    train = text[:cut]
    characters = set(train)  # a vocabulary made from the training text has no other characters
    return Corpus(Path(name).name, train, "".join(char for char in text[cut:] if char in characters))
