"""Several pieces of work at once, each an ordinary function: where one asks, the next begins.

What all of them ask goes out together, and each goes on with its own answer. So a check's body stays a
function that calls the candidate, and the box is asked a few times for all its draws.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from greenlet import getcurrent, greenlet

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Found = TypeVar("Found")


class ConcurrentCalls(Generic[Request, Answer]):
    """`answered` gives the answers to some requests, in their order."""

    def __init__(self, answered: Callable[[list[Request]], list[Answer]]) -> None:
        self._answered = answered
        self._hub = getcurrent()

    def run(self, works: Sequence[Callable[[], Found]]) -> list[Found]:
        """What each of `works` returns. What one raises, or `answered` does, ends all of them."""
        found: dict[int, Found] = {}
        waiting: list[tuple[int, greenlet, Request]] = []
        for number, work in enumerate(works):
            started = greenlet(work)
            self._went_on(number, started, started.switch(), waiting, found)
        while waiting:
            asked, waiting = waiting, []
            answers = self._answered([request for _, _, request in asked])
            for (number, one, _), answer in zip(asked, answers, strict=True):
                self._went_on(number, one, one.switch(answer), waiting, found)
        return [found[number] for number in range(len(works))]

    def wait(self, request: Request) -> Answer:
        """The answer to a request of one of the works that are run."""
        answer: Answer = self._hub.switch(request)
        return answer

    @staticmethod
    def _went_on(
        number: int,
        one: greenlet,
        came: object,
        waiting: list[tuple[int, greenlet, Request]],
        found: dict[int, Found],
    ) -> None:
        if one.dead:
            found[number] = came  # type: ignore[assignment]  # a greenlet that ends gives what its function does
        else:
            waiting.append((number, one, came))  # type: ignore[arg-type]
