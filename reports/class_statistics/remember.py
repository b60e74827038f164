"""Compute something of each exercise's result once: the results of a large class share most of them."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def remember(compute: Callable[[T], R]) -> Callable[[T], R]:
    """The same function, which computes the answer to an object once. Use it for one pass over a class.

    Objects are compared by identity, since to compare their contents takes as long as most answers.
    """
    answers: dict[int, tuple[T, R]] = {}  # with the object, so that no other gets its identity

    def answer(item: T) -> R:
        if id(item) not in answers:
            answers[id(item)] = item, compute(item)
        return answers[id(item)][1]

    return answer
