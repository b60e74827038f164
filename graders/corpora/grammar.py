"""Generate sentences of a small grammar: the best possible loss on them is known.

A sentence is a walk over states (`graders/corpora/walk.py`).

Verbs agree with their subject in number, adjectives in gender too, and a pronoun recalls the subject after
everything in between, so a model needs a long context.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cache

from graders.corpora import walk
from graders.corpora.corpus import Corpus
from graders.corpora.walk import Arc

TRAIN, HELD_OUT = 400_000, 60_000  # characters
# The training text is the same for all; the seed of the run generates the held-out text.
TRAIN_SEED = "train"

# Nouns and adjectives have regular plurals; each list is drawn from evenly.
NOUNS = {
    "m": ("roi", "duc", "loup", "chat", "rat", "coq", "porc", "chien", "lion", "paon", "merle", "page"),
    "f": (
        "dame",
        "fille",
        "reine",
        "mule",
        "poule",
        "vache",
        "biche",
        "pie",
        "tante",
        "carpe",
        "louve",
        "nonne",
    ),
}
THINGS = {
    "m": ("pain", "vin", "lait", "miel", "fil", "pot", "sac", "lac", "pont", "mur", "banc", "drap"),
    "f": ("lune", "mer", "tour", "porte", "soupe", "pomme", "corde", "robe", "rue", "cave", "lampe", "perle"),
}
ADJECTIVES = (
    "petit",
    "vert",
    "lourd",
    "brun",
    "noir",
    "rond",
    "froid",
    "grand",
)  # plus e for feminine, s for plural
VERBS = (
    ("voit", "voient"),
    ("veut", "veulent"),
    ("tient", "tiennent"),
    ("prend", "prennent"),
    ("perd", "perdent"),
    ("vend", "vendent"),
    ("suit", "suivent"),
    ("garde", "gardent"),
)
ENDS = (
    ("dort", "dorment"),
    ("rit", "rient"),
    ("part", "partent"),
    ("sort", "sortent"),
    ("court", "courent"),
    ("ment", "mentent"),
    ("chante", "chantent"),
    ("danse", "dansent"),
)
PLACES = ("ici", "au lac", "en mer", "le soir", "sans bruit", "chez moi", "pour rien", "trop tard")
THE = {"m": ("le", "les"), "f": ("la", "les")}
_FEMININE, _PLURAL = {"m": "", "f": "e"}, ("", "s")
PRONOUN = {"m": ("il", "ils"), "f": ("elle", "elles")}


@dataclass(frozen=True)
class State:
    """A position in a sentence, with everything on which the rest of the sentence depends.

    `subject` and `noun` are the (gender, number) of the sentence's subject and of the last noun.
    """

    at: str
    subject: tuple[str, int] = ("m", 0)
    noun: tuple[str, int] = ("m", 0)

    def to(self, at: str) -> "State":
        """Another position with the same subject and noun."""
        return State(at, self.subject, self.noun)


START = State("subject")


@cache
def arcs(state: State) -> tuple[Arc, ...]:
    """All continuations of a state: their probabilities sum to 1, and no text is a prefix of another."""
    return tuple(_WAYS[state.at](state))


def rate() -> float:
    """The entropy of the text in bits per character."""
    return walk.rate(_arcs, START)


def text(size: int, seed: str) -> str:
    """Generate whole sentences of `size` characters in total, or a few more."""
    return walk.write(_arcs, START, size, seed)


def _arcs(state: Hashable) -> tuple[Arc, ...]:
    assert isinstance(state, State)
    return arcs(state)


def grammar(seed: int) -> Corpus:
    """The corpus whose held-out text this seed generates; the training text is always the same."""
    return Corpus("grammar", text(TRAIN, TRAIN_SEED), text(HELD_OUT, f"held out {seed}"), rate())


def _subject(_: State) -> Iterator[Arc]:
    for gender in THE:
        for number, share in ((0, 0.6), (1, 0.4)):
            for noun in NOUNS[gender]:
                agreement = (gender, number)
                text = f"{THE[gender][number]} {noun}{_PLURAL[number]} "
                yield Arc(0.5 * share / len(NOUNS[gender]), text, State("quality", agreement, agreement))


def _quality(state: State) -> Iterator[Arc]:
    for adjective in ADJECTIVES:
        yield Arc(0.4 / len(ADJECTIVES), f"{_agree(adjective, state)} ", state.to("verb"))
    yield from _skip(0.6, _verb(state))


def _verb(state: State) -> Iterator[Arc]:
    for verb in VERBS:
        yield Arc(1 / len(VERBS), f"{verb[state.subject[1]]} ", state.to("object"))


def _object(state: State) -> Iterator[Arc]:
    for gender in THE:
        for number, share in ((0, 0.7), (1, 0.3)):
            for thing in THINGS[gender]:
                text = f"{THE[gender][number]} {thing}{_PLURAL[number]}"
                to = State("how", state.subject, (gender, number))
                yield Arc(0.5 * share / len(THINGS[gender]), text, to)


def _how(state: State) -> Iterator[Arc]:
    for adjective in ADJECTIVES:
        yield Arc(0.3 / len(ADJECTIVES), f" {_agree(adjective, state)}", state.to("where"))
    yield from _skip(0.7, _where(state))


def _where(state: State) -> Iterator[Arc]:
    for place in PLACES:
        yield Arc(0.35 / len(PLACES), f" {place}", state.to("end"))
    yield from _skip(0.65, _end(state))


def _end(state: State) -> Iterator[Arc]:
    gender, number = state.subject
    for verb in ENDS:
        yield Arc(0.6 / len(ENDS), f", et {PRONOUN[gender][number]} {verb[number]}.\n", None)
    yield Arc(0.4, ".\n", None)


_WAYS: dict[str, Callable[[State], Iterator[Arc]]] = {
    "subject": _subject,
    "quality": _quality,
    "verb": _verb,
    "object": _object,
    "how": _how,
    "where": _where,
    "end": _end,
}


def _agree(adjective: str, state: State) -> str:
    gender, number = state.noun
    return f"{adjective}{_FEMININE[gender]}{_PLURAL[number]}"


def _skip(share: float, ways: Iterator[Arc]) -> Iterator[Arc]:
    """Skip this position: the arcs of the next one, with the rest of the probability."""
    for arc in ways:
        yield Arc(share * arc.probability, arc.text, arc.next)
