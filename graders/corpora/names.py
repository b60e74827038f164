"""Names that nobody has, one a line, made of syllables: the best possible loss on them is known.

A name is a walk over states (`graders/corpora/walk.py`): syllables of a consonant and a vowel, then an end.
The vowels of a name are all of one family, high or low, and its end goes with them, so that the first vowel
tells of the last letter. No name stands in a list of ours; some may sound like real ones.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache

from graders.corpora import walk
from graders.corpora.corpus import Corpus
from graders.corpora.walk import Arc

TRAIN, HELD_OUT = 200_000, 30_000  # characters
# The training text is the same for all; the seed of the run generates the held-out text.
TRAIN_SEED = "train"

ONSETS = {"k": 4, "t": 4, "m": 3, "n": 3, "l": 3, "r": 3, "s": 2, "v": 2, "b": 2, "d": 2, "z": 1, "p": 1}
VOWELS = {"high": {"i": 3, "e": 3, "y": 1}, "low": {"a": 4, "o": 3, "u": 1}}
# No end begins as a syllable does, so that the text tells where a name ends.
ENDS = {"high": {"": 4, "x": 2, "ff": 1}, "low": {"": 3, "w": 2, "hg": 1}}
GOES_ON = {1: 1.0, 2: 0.6, 3: 0.35}  # the probability of a further syllable, by how many there are


@dataclass(frozen=True)
class State:
    """A place in a name: how many syllables are whole, whether a vowel is due, and the family of vowels."""

    syllables: int = 0
    vowel_due: bool = False
    family: str | None = None


START = State()


@cache
def arcs(state: State) -> tuple[Arc, ...]:
    """All continuations of a state: their probabilities sum to 1, and no text is a prefix of another."""
    if state.vowel_due:
        families = [state.family] if state.family else list(VOWELS)
        return tuple(arc for family in families for arc in _vowels(state, family, 1 / len(families)))
    going_on = 1.0 if state.family is None else GOES_ON.get(state.syllables, 0.0)
    further = State(state.syllables, True, state.family)
    onsets = tuple(Arc(going_on * share, text, further) for text, share in _shares(ONSETS) if going_on)
    if state.family is None or going_on == 1:
        return onsets
    ends = (Arc((1 - going_on) * share, f"{text}\n", None) for text, share in _shares(ENDS[state.family]))
    return (*onsets, *ends)


def rate() -> float:
    """The entropy of the text in bits per character."""
    return walk.rate(_arcs, START)


def text(size: int, seed: str) -> str:
    """Generate whole names of `size` characters in total, or a few more."""
    return walk.write(_arcs, START, size, seed)


def names(seed: int) -> Corpus:
    """The corpus whose held-out text this seed generates; the training text is always the same."""
    return Corpus("names", text(TRAIN, TRAIN_SEED), text(HELD_OUT, f"held out {seed}"), rate())


def _arcs(state: Hashable) -> tuple[Arc, ...]:
    assert isinstance(state, State)
    return arcs(state)


def _vowels(state: State, family: str, share: float) -> list[Arc]:
    after = State(state.syllables + 1, False, family)
    return [Arc(share * of_family, text, after) for text, of_family in _shares(VOWELS[family])]


def _shares(weights: dict[str, int]) -> list[tuple[str, float]]:
    return [(text, weight / sum(weights.values())) for text, weight in weights.items()]
