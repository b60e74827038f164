"""bpe_encode(text, merges) -> ids: bytes, then the merges in the order in which they were learned."""

import random
from dataclasses import dataclass, field, replace
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
TRIES = 300  # texts until one has what is asked for
LETTERS = "abcd "
ACCENTED = "éèça"


@dataclass(frozen=True, eq=False)
class Task(Drawn):
    """A text, and the merges by which it is encoded."""

    text: str
    merges: list[Pair]
    seed: int = field(default=0, metadata=hidden)

    @property
    def due(self) -> list[int]:
        """The ids, by their definition: each merge in its turn."""
        ids = list(self.text.encode())
        for number, pair in enumerate(self.merges):
            ids = merge(ids, pair, BYTES + number)
        return ids


def merge(ids: list[int], pair: Pair, new: int) -> list[int]:
    """A sequence with a new id in the place of each pair, from left to right."""
    merged: list[int] = []
    for place, number in enumerate(ids):
        if merged and merged[-1] == -1:  # this id belongs to the pair that was found just before
            merged[-1] = new
        else:
            merged.append(-1 if tuple(ids[place : place + 2]) == pair else number)
    return merged


def longest(draw: Task) -> list[int]:
    """The ids of the longest pieces from left to right: those of another tokenizer."""
    pieces = [bytes([number]) for number in range(BYTES)]
    for left, right in draw.merges:
        pieces.append(pieces[left] + pieces[right])
    rest, ids = draw.text.encode(), []
    while rest:
        known = [number for number, piece in enumerate(pieces) if rest.startswith(piece)]
        ids.append(max(known, key=lambda number: len(pieces[number])))
        rest = rest[len(pieces[ids[-1]]) :]
    return ids


def make_merges(text: str, count: int, dice: random.Random) -> list[Pair]:
    """Merges that can be made in a text, any of its pairs in any order, two of equals never."""
    ids, merges = list(text.encode()), []
    for number in range(count):
        pairs = [pair for pair in dict.fromkeys(pairwise(ids)) if pair[0] != pair[1]]
        if not pairs:
            break
        merges.append(dice.choice(pairs))
        ids = merge(ids, merges[-1], BYTES + number)
    return merges


def write_apart(letters: str, length: int, dice: random.Random) -> str:
    """A text of so many letters, in which no letter follows itself: rows of equals are for another check."""
    text = dice.choice(letters)
    while len(text) < length:
        text += dice.choice(letters.replace(text[-1], ""))
    return text


def make_task(letters: str, length: int, count: int, seed: int) -> Task:
    """A text whose merges compete: the longest pieces, or the merges in another order, give other ids."""
    dice = random.Random(seed)  # noqa: S311
    found = Task("abcdabcd", [(98, 99), (97, 98), (256, 100)], seed)
    for _ in range(TRIES):
        text = write_apart(letters, length + length // 2, dice)
        taught = text[:length]
        task = Task(text, make_merges(taught, count, dice), seed)
        others = [replace(task, merges=task.merges[::-1]).due, longest(task), list(text.encode())]
        if len(task.merges) == count and max(task.due) > BYTES and task.due not in others:
            return task
    return found


def tasks(letters: str = LETTERS) -> st.SearchStrategy[Task]:
    """Texts of some fifteen letters and three to five merges."""
    return st.builds(make_task, st.just(letters), sizes(8, 12), sizes(3, 5), seeds())


def make_runs(seed: int) -> Task:
    """Rows of one letter, in which what overlaps decides."""
    dice = random.Random(seed)  # noqa: S311
    letter, other = dice.sample("xyzw", 2)
    own, next_to = ord(letter), ord(other)
    text = other.join(letter * dice.choice((3, 5)) for _ in range(2)) + other
    return Task(text, [(own, own), (own, next_to), (BYTES, BYTES)], seed)


def ids_of(bpe_encode: Candidate, draw: Task) -> list[int]:
    """The student's ids as a list of ints; that they are one is for another check.

    Raises:
        Violation: they are none.
    """
    answer = bpe_encode(*draw.arguments)
    if isinstance(answer, Tensor) and answer.dim() == 1:
        answer = answer.tolist()
    message = tr("the ids should be a list of ints, but are {kind}", kind=kind(answer))
    require(isinstance(answer, list | tuple), message)
    require(all(type(n) in (int, float) and n == n // 1 for n in answer), tr("an id is no whole number"))
    return [int(number) for number in answer]


def require_ids(bpe_encode: Candidate, draw: Task) -> None:
    """Require the ids that are due.

    Raises:
        Violation: they are others.
    """
    found = ids_of(bpe_encode, draw)
    values = {"text": written(draw.text), "found": written(found), "due": written(draw.due)}
    message = tr("the text {text} should be encoded as {due}, but is as {found}", **values)
    require(found == draw.due, message)


def depends_on_the_text(bpe_encode: Candidate, draw: Task) -> None:
    """Require other ids for another text, and the same for the same."""
    first, other, again = (
        ids_of(bpe_encode, replace(draw, text=text)) for text in (draw.text, draw.text[::-1] + "!", draw.text)
    )
    require(first != other, tr("the ids do not depend on the text"))
    require(first == again, tr("the ids are others in the second call"))


@check(points=1, given=tasks(), shape_only=True)
def gives_a_list_of_ints(bpe_encode: Candidate, draw: Task) -> None:
    """the answer is a list of ints, or a tensor of them

    fr: la réponse est une liste d'int, ou un tenseur d'int
    """
    answer = bpe_encode(*draw.arguments)
    whole = isinstance(answer, list | tuple) and all(type(number) is int for number in answer)
    whole |= isinstance(answer, Tensor) and answer.dim() == 1 and not answer.is_floating_point()
    require(whole, tr("the ids should be a list of ints, but are {kind}", kind=kind(answer)))


@check(
    points=5,
    given=tasks(),
    core=True,
    draws=8,
    stretched=[
        Stretched(lambda n, seed: make_task("abcdefgh ", n, 6, seed)),
        Stretched(lambda n, seed: make_task("abcdefgh ", 2 * n, n, seed), most=129),
    ],
)
def makes_the_merges_in_their_order(bpe_encode: Candidate, draw: Task) -> None:
    """of the pairs that can be merged, the one that was learned first is replaced, wherever it stands

    fr: parmi les paires à fusionner, celle apprise en premier est remplacée, partout où elle figure
    """
    require_ids(bpe_encode, draw)


@check(points=2, given=tasks(LETTERS.strip()))  # merges across a space are for another check
def loses_nothing(bpe_encode: Candidate, draw: Task) -> None:
    """put together again, the pieces that the ids stand for are the text, and they are fewer than its bytes

    fr: remis bout à bout, les morceaux désignés par les identifiants redonnent le texte, et sont moins que
    ses octets
    """
    ids = ids_of(bpe_encode, draw)
    pieces = [bytes([number]) for number in range(BYTES)]
    for left, right in draw.merges:
        pieces.append(pieces[left] + pieces[right])
    values = {"text": written(draw.text), "found": written(ids)}
    known = all(0 <= number < len(pieces) for number in ids)
    require(known, tr("the ids {found} hold one for which there is neither a byte nor a merge", **values))
    whole = b"".join(pieces[number] for number in ids)
    message = tr("the ids {found} do not stand for the text {text}", **values)
    require(whole == draw.text.encode(), message)
    message = tr("the text {text} has as many ids as bytes, though it holds pairs to merge", **values)
    require(len(ids) < len(draw.text.encode()), message)


@check(points=1.6, given=tasks(ACCENTED))
def begins_with_bytes(bpe_encode: Candidate, draw: Task) -> None:
    """the sequence begins with the bytes of the text: without merges an accented letter has two ids

    fr: la suite commence par les octets du texte : sans fusions, une lettre accentuée a deux identifiants
    """
    require_ids(bpe_encode, replace(draw, merges=[]))
    depends_on_the_text(bpe_encode, draw)


@check(points=2, given=st.builds(make_runs, seeds()))
def merges_rows_of_equals(bpe_encode: Candidate, draw: Task) -> None:
    """a row of equal ids is merged from left to right, without overlapping

    fr: une suite d'identifiants égaux est fusionnée de gauche à droite, sans chevauchement
    """
    one = replace(draw, merges=draw.merges[:1])
    require_ids(bpe_encode, one)
    depends_on_the_text(bpe_encode, one)


@check(
    points=1,
    given=st.builds(
        lambda text, merges: Task(text, merges), st.sampled_from(["", "a", "ab"]), st.just([(97, 98)])
    ),
    kept_because=SMALLEST,
    draws=4,
)
def takes_an_empty_text(bpe_encode: Candidate, draw: Task) -> None:
    """a text without any letter, of one or of two is taken as longer ones are

    fr: un texte sans lettre, d'une ou de deux lettres est traité comme de plus longs
    """
    usual = Task("cabab", draw.merges)
    longer, found = ids_of(bpe_encode, usual), ids_of(bpe_encode, draw)
    values = {"text": written(draw.text), "due": written(draw.due), "found": written(found)}
    message = tr("the text {text} should be encoded as {due}, but is as {found}", **values)
    require(longer != usual.due or found == draw.due, message)
    depends_on_the_text(bpe_encode, usual)


@check(points=0.8, given=tasks(), on_its_word=True)
def leaves_the_merges_alone(bpe_encode: Candidate, draw: Task) -> None:
    """the list of merges keeps its pairs, and the second call answers as the first

    fr: la liste des fusions garde ses paires, et le second appel répond comme le premier
    """
    call = bpe_encode.observed_call(*draw.arguments)
    after = call.args[1]
    kept = isinstance(after, list) and [tuple(pair) for pair in after] == draw.merges
    require(kept, tr("the list of merges is another after the call"))
    depends_on_the_text(bpe_encode, draw)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    tasks_drawn = [make_task(LETTERS, 12, 5, seed + number) for number in range(4)]
    spaced = Task("ab ab cab ab abab", [(98, 32), (97, 98), (97, 256)], seed)
    runs = Task("xxxyxxxxx", [(120, 120), (120, 121), (256, 256)], seed)
    accented = Task("éèé a", [(195, 169), (256, 195), (233, 232)], seed)
    counted = [Task(text, [(97, 98), (98, 99)], seed) for text in ("ababcbcbca", "abcabab")]
    draws = [*tasks_drawn, spaced, runs, accented, *counted, Task("cab", [(97, 99)], seed)]
    return [BehaviourTrial(partial(_describe, draw)) for draw in draws]


def _describe(draw: Task, bpe_encode: Candidate) -> Any:
    """The ids, or what came back in their place."""
    try:
        return str(ids_of(bpe_encode, draw))
    except Raised as error:
        return error.kind
    except Violation:
        return kind(bpe_encode(*draw.arguments))


options = Options(diagnostic_draws=diagnostic_draws)
