"""train_bpe(text, num_merges) -> [(a, b), ...]: bytes, the commonest pair, ids from 256.

Texts of the core check have one commonest pair at each merge: which of equals is taken has a check of its
own. So have rows of equal letters, where places overlap.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Raised, Stretched, Violation, check, kind, require
from graders.check_api.describe import written
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import SMALLEST
from graders.check_api.strategies.tensors import hidden, seeds, sizes
from graders.language import tr

Pair = tuple[int, int]
BYTES = 256
TRIES = 400  # texts until one has what is asked for
LETTERS = "abcde "
ACCENTED = "éèçaà "  # all but a begin with the same byte


@dataclass(frozen=True, eq=False)
class Corpus(Drawn):
    """A text, and how many merges are learned from it."""

    text: str
    num_merges: int
    seed: int = field(default=0, metadata=hidden)

    @property
    def due(self) -> list[Pair]:
        """The merges, by their definition."""
        return learn(self)[0]

    @property
    def is_clear(self) -> bool:
        """Whether one pair alone comes most often at each merge."""
        return all(len(equals) == 1 for equals in learn(self)[1])

    @property
    def has_rows(self) -> bool:
        """Whether an id follows itself, in the text or after one of the merges but the last."""
        ids, rows = list(self.text.encode()), False
        for number, pair in enumerate(self.due):
            rows |= any(left == right for left, right in pairwise(ids))
            ids = merge(ids, pair, BYTES + number)
        return rows


def learn(draw: Corpus) -> tuple[list[Pair], list[list[Pair]]]:
    """The merges, and for each all pairs that come as often, in the order in which they stand."""
    ids, merges, equals = list(draw.text.encode()), [], []
    for number in range(draw.num_merges):
        if not (pairs := list(pairwise(ids))):
            break
        counts = Counter(pairs)  # in the order in which the pairs stand
        most = max(counts.values())
        equals.append([pair for pair, count in counts.items() if count == most])
        merges.append(equals[-1][0])
        ids = merge(ids, merges[-1], BYTES + number)
    return merges, equals


def merge(ids: list[int], pair: Pair, new: int) -> list[int]:
    """A sequence with a new id in the place of each pair, from left to right."""
    merged: list[int] = []
    for place, number in enumerate(ids):
        if merged and merged[-1] == -1:  # this id belongs to the pair that was found just before
            merged[-1] = new
        else:
            merged.append(-1 if tuple(ids[place : place + 2]) == pair else number)
    return merged


def find_clear(letters: str, length: int, merges: int, seed: int) -> Corpus:
    """A text in which one pair alone comes most often at each merge, and no id ever follows itself."""
    dice = random.Random(seed)  # noqa: S311
    often = [2**place for place in range(len(letters))]  # so that few pairs come as often
    for _ in range(TRIES):
        shuffled = "".join(dice.sample(letters, len(letters)))
        text = dice.choice(letters)
        while len(text) < length:
            [letter] = dice.choices(shuffled, often)
            text += letter if letter != text[-1] else ""
        found = Corpus(text, merges, seed)
        is_nested = merges == 1 or max(map(max, found.due)) >= BYTES
        if found.is_clear and len(found.due) == merges and is_nested and not found.has_rows:
            return found
    return Corpus("abdabcabd abd", 2, seed)


def clear(letters: str = LETTERS) -> st.SearchStrategy[Corpus]:
    """Texts of some twenty letters, with two merges."""
    return st.builds(find_clear, st.just(letters), sizes(18, 26), st.just(2), seeds())


def find_equals(seed: int) -> Corpus:
    """A text with several commonest pairs, of which the first is neither the greatest nor the smallest."""
    dice = random.Random(seed)  # noqa: S311
    for _ in range(TRIES):
        found = Corpus("".join(dice.choices(LETTERS[:5], k=9)), 1, seed)
        equals = learn(found)[1][0]
        runs = any(a == b for a, b in pairwise(found.text))
        if len(equals) > 2 and not runs and min(equals) < equals[0] < max(equals):
            return found
    return Corpus("bcabacbc", 1, seed)


def find_runs(seed: int) -> Corpus:
    """Rows of one letter, in which what overlaps decides."""
    dice = random.Random(seed)  # noqa: S311
    for _ in range(TRIES):
        text = "".join(dice.choice("xyz") * dice.choice((1, 3, 3, 5)) for _ in range(4))
        found = Corpus(text, 3, seed)
        first, *others = found.due
        # The second merge shows whether the first one left the last of three, or the first.
        if found.is_clear and first[0] == first[1] and others[:1] == [(BYTES, first[0])]:
            return found
    return Corpus("xxxyxxx", 2, seed)


def make_row(seed: int) -> Corpus:
    """A row of five equal letters, whose pair stands at four places; another pair stands at three."""
    alone, left, right = random.Random(seed).sample("xyzvw", 3)  # noqa: S311
    return Corpus(alone * 5 + (left + right) * 3, 1, seed)


def merges_of(train_bpe: Candidate, draw: Corpus) -> list[Pair]:
    """The student's merges, as pairs of ints.

    Raises:
        Violation: they are none.
    """
    answer = train_bpe(*draw.arguments)
    if isinstance(answer, Tensor) and answer.dim() == 2:
        answer = answer.tolist()
    message = tr("the merges should be a list of pairs of ints, but are {kind}", kind=kind(answer))
    require(isinstance(answer, list | tuple), message)
    for pair in answer:
        two = isinstance(pair, list | tuple) and len(pair) == 2 and all(type(n) is int for n in pair)
        require(two, tr("a merge should be a pair of ints, but is {kind}", kind=kind(pair)))
    return [(int(a), int(b)) for a, b in answer]


def require_merges(train_bpe: Candidate, draw: Corpus) -> None:
    """Require the merges that are due.

    Raises:
        Violation: they are others.
    """
    found = merges_of(train_bpe, draw)
    if found == draw.due:
        return
    place = next(
        (n for n, pairs in enumerate(zip(found, draw.due, strict=False)) if pairs[0] != pairs[1]), None
    )
    values = {"text": written(draw.text), "found": written(found), "due": written(draw.due)}
    if place is None:
        raise Violation(tr("for the text {text} the merges should be {due}, but are {found}", **values))
    values |= {"place": str(place), "other": written(found[place]), "right": written(draw.due[place])}
    message = tr(
        "for the text {text}, merge {place} (counted from 0) should be {right}, but is {other}; "
        "all are due as {due}",
        **values,
    )
    raise Violation(message)


@check(points=1, given=clear(), shape_only=True)
def gives_pairs_of_ints(train_bpe: Candidate, draw: Corpus) -> None:
    """the answer is a list of pairs of ints

    fr: la réponse est une liste de paires d'int
    """
    merges_of(train_bpe, draw)


@check(
    points=6,
    given=clear(),
    core=True,
    draws=8,
    stretched=[Stretched(lambda n, seed: find_clear("abcdefgh ", n, 1, seed))],
)
def merges_the_commonest_pair(train_bpe: Candidate, draw: Corpus) -> None:
    """each merge is the pair that comes most often after the merges before; its id is 256 and more

    fr: chaque fusion est la paire la plus fréquente après les fusions précédentes ; son identifiant part de
    256
    """
    require_merges(train_bpe, draw)


@check(points=2.2, given=st.builds(find_equals, seeds()))
def takes_the_first_of_equals(train_bpe: Candidate, draw: Corpus) -> None:
    """of pairs that come as often, the one that stands first in the sequence is taken

    fr: parmi des paires aussi fréquentes, celle qui vient en premier dans la suite est prise
    """
    [found, *_], [equals, *_] = merges_of(train_bpe, draw) or [(-1, -1)], learn(draw)[1]
    values = {"text": written(draw.text), "equals": written(equals), "found": written(found)}
    message = tr(
        "in the text {text} the pairs {equals} come as often, "
        "and the first of them should be taken, not {found}",
        **values,
    )
    require(found == equals[0], message)


@check(points=1.6, given=clear(ACCENTED))
def begins_with_bytes(train_bpe: Candidate, draw: Corpus) -> None:
    """the sequence begins with the bytes of the text: an accented letter has two

    fr: la suite commence par les octets du texte : une lettre accentuée en a deux
    """
    found = merges_of(train_bpe, draw)
    large = [number for pair in found for number in pair if not 0 <= number < BYTES + len(found)]
    require(
        not large, tr("the merges hold {id}, which is neither a byte nor a new id", id=written(large[:1]))
    )
    known = set(draw.text.encode())
    bytes_found = {number for pair in found[:1] for number in pair}
    message = tr(
        "the first merge of {text} should be of its bytes, but is {found}",
        text=written(draw.text),
        found=written(found[:1]),
    )
    require(bool(bytes_found) and bytes_found <= known, message)


@check(points=2.2, given=[st.builds(find_runs, seeds()), st.builds(make_row, seeds())])
def merges_rows_of_equals(train_bpe: Candidate, draw: Corpus) -> None:
    """in a row of equal ids every place counts, and merges go from left to right without overlapping

    fr: dans une suite d'identifiants égaux, chaque place compte, et les fusions vont de gauche à droite
    sans se chevaucher
    """
    require_merges(train_bpe, draw)


@check(points=1.2, given=st.builds(find_equals, seeds()))
def ends_where_no_pair_is_left(train_bpe: Candidate, draw: Corpus) -> None:
    """where more merges are asked for than there are, learning ends with one id, and raises nothing

    fr: là où plus de fusions sont demandées qu'il n'y en a, l'apprentissage finit à un seul identifiant,
    sans erreur
    """
    many = Corpus(draw.text, 40, draw.seed)
    found, due = merges_of(train_bpe, many), many.due
    values = {"text": written(draw.text), "n": len(found), "due": len(due)}
    message = tr(
        "the text {text} has {due} merges, but there are {n}: a pair is merged even if it comes once",
        **values,
    )
    # Other merges than those that are due are for other checks.
    require(found == due or found != due[: len(found)], message)
    require(bool(found), message)


@check(
    points=1,
    given=st.builds(lambda text, merges: Corpus(text, merges), st.sampled_from(["", "a", "ab"]), sizes(1, 3)),
    kept_because=SMALLEST,
    draws=4,
)
def takes_an_empty_text(train_bpe: Candidate, draw: Corpus) -> None:
    """a text without any letter, of one or of two is taken as longer ones are

    fr: un texte sans lettre, d'une ou de deux lettres est traité comme de plus longs
    """
    usual = Corpus("abcab", 1)
    longer = merges_of(train_bpe, usual)
    found = merges_of(train_bpe, draw)
    if longer == usual.due:
        values = {"text": written(draw.text), "due": written(draw.due), "found": written(found)}
        message = tr("for the text {text} the merges should be {due}, but are {found}", **values)
        require(found == draw.due, message)
    require(bool(longer), tr("{n} merges of the text {text}", n=0, text=written(usual.text)))
    require(longer != merges_of(train_bpe, Corpus("xyzxy", 1)), tr("the merges do not depend on the text"))


@check(points=1, given=clear())
def knows_its_arguments_alone(train_bpe: Candidate, draw: Corpus) -> None:
    """the second call answers as the first, whatever was learned between them

    fr: le second appel répond comme le premier, quoi qu'on ait appris entre les deux
    """
    first = merges_of(train_bpe, draw)
    other = merges_of(train_bpe, Corpus("zyxzyxzy", draw.num_merges))
    require(other != first, tr("the merges do not depend on the text"))
    again = merges_of(train_bpe, draw)
    values = {"first": written(first), "again": written(again)}
    require(first == again, tr("the merges are {first}, and in a second call {again}", **values))


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    draws = [
        find_clear(LETTERS, 24, 3, seed),
        find_equals(seed),
        find_clear(ACCENTED, 18, 3, seed),
        find_runs(seed),
        make_row(seed),
        Corpus("aaa bcbc", 12),
        Corpus("abab ccdcc abab cc", 300),
        Corpus("a b a b a b abc", 4),
        Corpus("xxxyxxxyxxxzyy", 5),
        Corpus("bab cab bab", 6),
    ]
    return [BehaviourTrial(partial(_describe, draw)) for draw in draws]


def _describe(draw: Corpus, train_bpe: Candidate) -> Any:
    """The merges, or what came back in their place."""
    try:
        return str(merges_of(train_bpe, draw))
    except Raised as error:
        return error.kind
    except Violation:
        return kind(train_bpe(*draw.arguments))


options = Options(diagnostic_draws=diagnostic_draws)
