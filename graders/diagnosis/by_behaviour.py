"""Identify a known mistake by what code does, where its values cannot be compared (`check_api/behaviour.py`).

A mistake must agree with the code in every trial. Trials that are aside come last: where nothing agrees in
all of them, the others decide. To make two mistakes at once in every trial costs seconds for a whole model.
So pairs are tried only where each trial that shows something wrong is changed by one of the two. Where code
raises or answers in a wrong form in all that is wrong, no pair explains it: too much else does the same.
"""

from collections.abc import Sequence
from typing import Protocol

from graders.check_api.behaviour import NO_ANSWER, RAISES, BehaviourTrial
from graders.diagnosis.fingerprint import Fingerprint


class Possible(Protocol):
    """A known mistake, or two at once; or the reference."""

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the mistakes."""

    def fingerprint(self, number: int) -> Fingerprint:
        """What is seen of it in a trial."""


def agreeing_by_behaviour(
    trials: Sequence[BehaviourTrial],
    seen: Sequence[Fingerprint],
    right: Possible,
    alone: Sequence[Possible],
    pairs: Sequence[Possible],
) -> list[tuple[str, ...]]:
    """The names of the mistakes that agree, alone or else in pairs; none where nothing else is wrong.

    Args:
        trials: those of the exercise.
        seen: what is seen of the code in each.
        right: the reference.
        alone: the mistakes.
        pairs: two of them at once.
    """
    everything = range(len(trials))
    of_others = [number for number in everything if not trials[number].aside]
    for numbers in [everything, of_others] if len(of_others) < len(trials) else [everything]:
        wrong = [number for number in numbers if not seen[number].matches(right.fingerprint(number))]
        if not wrong:
            return []
        if all(_says_little(fingerprint.form) for fingerprint in seen):
            return []
        first = [*wrong, *(number for number in numbers if number not in wrong)]
        if names := _agreeing(alone, first, seen):
            return names
        if all(_says_little(seen[number].form) for number in wrong):
            continue
        if names := _agreeing(_that_change(wrong, right, alone, pairs), first, seen):
            return names
    return []


def _agreeing(
    possible: Sequence[Possible], numbers: Sequence[int], seen: Sequence[Fingerprint]
) -> list[tuple[str, ...]]:
    agreeing = (p.names for p in possible if all(seen[n].matches(p.fingerprint(n)) for n in numbers))
    return list(dict.fromkeys(agreeing))


def _that_change(
    numbers: Sequence[int], right: Possible, alone: Sequence[Possible], pairs: Sequence[Possible]
) -> list[Possible]:
    """The pairs of which one or the other, by itself, changes what is seen in each of these trials."""
    by_name = {mistake.names[0]: mistake for mistake in alone}
    left = list(pairs)
    for number in numbers:
        due = right.fingerprint(number)
        concerned = dict.fromkeys(name for pair in left for name in pair.names)
        changing = {name for name in concerned if not due.matches(by_name[name].fingerprint(number))}
        left = [pair for pair in left if changing.intersection(pair.names)]
    return left


def _says_little(summary: str) -> bool:
    """Whether a summary says only that there is no answer: much that is wrong has none."""
    return summary.startswith((RAISES, NO_ANSWER))
