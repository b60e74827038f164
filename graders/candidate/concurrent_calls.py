"""Runs several functions concurrently and batches their requests: while one waits, the next runs.

When all of them wait, their requests are sent together, and each continues with its own answer. So a check's
body stays an ordinary function that calls the candidate, and the box gets a few messages for all draws.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from greenlet import getcurrent, greenlet

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Result = TypeVar("Result")


class ConcurrentCalls(Generic[Request, Answer]):
    """`answer` sends a list of requests and returns their answers, in the same order."""

    def __init__(self, answer: Callable[[list[Request]], list[Answer]]) -> None:
        self._answer = answer
        self._hub = getcurrent()

    def run(self, works: Sequence[Callable[[], Result]]) -> list[Result]:
        """What each of `works` returns. If one raises, or `answer` does, all of them end."""
        results: dict[int, Result] = {}
        waiting: list[tuple[int, greenlet, Request]] = []
        for number, work in enumerate(works):
            started = greenlet(work)
            self._advance(number, started, started.switch(), waiting, results)
        while waiting:
            sent, waiting = waiting, []
            answers = self._answer([request for _, _, request in sent])
            for (number, running, _), answer in zip(sent, answers, strict=True):
                self._advance(number, running, running.switch(answer), waiting, results)
        return [results[number] for number in range(len(works))]

    def wait(self, request: Request) -> Answer:
        """Send a request from one of the running works, and return its answer."""
        answer: Answer = self._hub.switch(request)
        return answer

    @staticmethod
    def _advance(
        number: int,
        running: greenlet,
        value: object,
        waiting: list[tuple[int, greenlet, Request]],
        results: dict[int, Result],
    ) -> None:
        if running.dead:
            results[number] = value  # type: ignore[assignment]  # the last switch gives the function's result
        else:
            waiting.append((number, running, value))  # type: ignore[arg-type]
