"""Paragraphs for who needs more than a sentence: `softmark explain TOPIC`, named at the end of messages."""

from graders.language import spoken, tr
from graders.locations import HELP

TOPICS = ("box", "limits", "undecided", "reference", "names", "corpus", "checkpoint", "timing")


def with_topic(message: object, topic: str) -> str:
    """What is said, with the command that says more about it."""
    assert topic in TOPICS
    return tr("{says} (softmark explain {topic})", says=message, topic=topic)


def read_topic(topic: str) -> str:
    """What there is to read about a topic, in the language spoken: a title, an empty line, then text."""
    return (HELP / spoken() / f"{topic}.md").read_text(encoding="utf-8")
