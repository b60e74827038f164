"""Find the pairs of submissions that share more of their code than any two of a class do by chance."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from graders.results.result import Result
from reports.similarity.fingerprints import fingerprints

FEWEST = 6  # submissions: what a smaller class shares by chance is not known
COMMON = 0.2  # of the class: what more of it have is the course's, or everybody's
AT_LEAST = 4  # submissions may share a fingerprint in any class
SHARED = 30  # fingerprints that a pair shares, at least: fewer are alike by chance
LIKE = 0.5  # of the smaller one's fingerprints, at least


@dataclass(frozen=True)
class Pair:
    """Two submissions.

    Attributes:
        first: the id of one.
        second: that of the other.
        share: of the fingerprints of the one that has fewer, from 0 to 1, without what many have.
        count: how many these are.
        exercises: the names of the exercises in which they are alike, the most alike first.
    """

    first: str
    second: str
    share: float
    count: int
    exercises: tuple[str, ...]


def find_pairs(results: Sequence[Result], handed_out: Mapping[str, str]) -> list[Pair]:
    """The pairs that somebody should read side by side, the most alike first; none in a small class.

    Args:
        results: complete ones, with the students' own definitions.
        handed_out: for each exercise the code that all were given.
    """
    if len(results) < FEWEST:
        return []
    given = {name: fingerprints(code, name) for name, code in handed_out.items()}
    own = {r.submission.id: _fingerprints_of(r, given) for r in results}
    common = _common([prints.keys() for prints in own.values()])
    rare = {who: {p: e for p, e in prints.items() if p not in common} for who, prints in own.items()}
    return sorted(_alike(rare), key=lambda pair: (-pair.share, -pair.count, pair.first, pair.second))


def _fingerprints_of(result: Result, given: Mapping[str, Collection[int]]) -> dict[int, str]:
    """The fingerprints of what a student wrote, with the exercise of each."""
    return {
        each: e.name
        for e in result.exercises
        for definition in e.definitions
        for each in fingerprints(definition.code, e.name)
        if each not in given.get(e.name, ())
    }


def _common(classes: Sequence[Collection[int]]) -> frozenset[int]:
    """What so many have that it says nothing."""
    counts = Counter(each for prints in classes for each in prints)
    most = max(AT_LEAST, COMMON * len(classes))
    return frozenset(each for each, count in counts.items() if count > most)


def _alike(rare: Mapping[str, Mapping[int, str]]) -> list[Pair]:
    holders: dict[int, list[str]] = defaultdict(list)
    for who, prints in rare.items():
        for each in prints:
            holders[each].append(who)
    shared: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for each, people in holders.items():
        for first, second in itertools.combinations(sorted(people), 2):
            shared[first, second][rare[first][each]] += 1
    pairs = []
    for (first, second), exercises in shared.items():
        count = exercises.total()
        share = count / min(len(rare[first]), len(rare[second]))
        if count >= SHARED and share >= LIKE:
            names = tuple(name for name, _ in exercises.most_common())
            pairs.append(Pair(first, second, share, count, names))
    return pairs
