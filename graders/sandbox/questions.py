"""Who answers what the box asks while it answers a request."""

from typing import Any, Protocol


class Answers(Protocol):
    """Answers what models or stand-ins in the box ask while a request is answered."""

    def answer(self, question: str, value: Any) -> list[Any]:
        """Whether an untrusted question has an answer, and the answer. Never raises."""


class Parts(Answers, Protocol):
    """Answers what stand-ins in the box ask."""

    @property
    def descriptions(self) -> dict[str, Any]:
        """What the box is told of the parts that it has stand-ins for."""
