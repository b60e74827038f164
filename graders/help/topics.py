"""The texts of `softmark explain TOPIC`, to which messages refer."""

from graders.language import current_language, tr
from graders.locations import HELP

TOPICS = (
    "box",
    "unreadable",
    "limits",
    "undecided",
    "reference",
    "names",
    "masks",
    "imports",
    "parts",
    "corpus",
    "checkpoint",
    "timing",
)


def with_topic(message: object, topic: str) -> str:
    """Add the command that explains more to a message."""
    assert topic in TOPICS
    return tr("{says} (softmark explain {topic})", says=message, topic=topic)


def read_topic(topic: str) -> str:
    """Read the text on a topic in the current language: a title, an empty line, then paragraphs."""
    return (HELP / current_language() / f"{topic}.md").read_text(encoding="utf-8")


def read_title(topic: str) -> str:
    """The title of the text on a topic, in the current language."""
    return read_topic(topic).partition("\n")[0]
