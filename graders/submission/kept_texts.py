"""Which texts of a submission its result keeps, for questions that people judge."""

from collections.abc import Iterator

from graders.results.result import Text
from graders.safe_text import safe_text
from graders.submission.read import Submission

TEXT = 8_000  # characters of one text
TEXTS = 40_000  # of all texts of a submission: beyond it, nobody reads


def keep_texts(submission: Submission) -> tuple[Text, ...]:
    """The texts of a submission in the order of its files, made safe to show."""
    kept, length = [], 0
    for text in _texts(submission):
        length += len(text.text)
        if length > TEXTS:
            break
        kept.append(text)
    return tuple(kept)


def _texts(submission: Submission) -> Iterator[Text]:
    for file in submission.files:
        for cell in file.texts:
            if cell.source.strip():
                yield Text(file.name, cell.number, safe_text(cell.source, TEXT))
    for name, text in submission.texts:
        yield Text(name, None, safe_text(text, TEXT))
