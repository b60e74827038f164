"""char_tokenizer(corpus, text, ids) -> (chars, encoded, decoded): sorted characters, ids of a text, a text.

Texts and ids are judged by the code's own list of characters, so that a list in another order costs its own
check.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from string import ascii_lowercase
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

# Both cases of a letter, blanks at the ends, letters of two and more bytes, and one that is two code points.
EVERY_KIND = "aAbBzZ \t\n.!0é€ß日🙂e\u0301"
FAR = 0x4E00  # from here on there are thousands of characters, one after another


@dataclass(frozen=True, eq=False)
class Task(Drawn):
    """A corpus, a text of its characters, and ids to be decoded."""

    corpus: str
    text: str
    ids: list[int]
    seed: int = field(default=0, metadata=hidden)

    @property
    def chars(self) -> list[str]:
        """The vocabulary that is due."""
        return sorted(set(self.corpus))


def make_task(letters: Sequence[str], lengths: tuple[int, int], seed: int) -> Task:
    """A corpus of these letters, a text and ids of these lengths.

    The corpus has the letters first in another order than theirs, and the last one most often. The text
    lacks the first one, which moves all ids where the vocabulary is made of it.
    """
    dice = random.Random(seed)  # noqa: S311
    letters = sorted(letters)
    met = dice.sample(letters, len(letters))
    met = met[::-1] if met == letters else met
    more = dice.choices(letters, k=3)
    corpus = "".join([*met, *more, *letters[-1:] * 5])
    rest = letters[1:] or letters
    text = "".join([rest[-1], *dice.choices(rest, k=lengths[0] - 1)]) if lengths[0] else ""
    drawn = dice.choices(range(len(letters)), k=max(0, lengths[1] - 2))
    ids = [0, *drawn, 0][: lengths[1]]  # one id twice: code that keeps a set of them shows
    return Task(corpus, text, ids, seed)


def letters_of(count: int, seed: int) -> list[str]:
    """So many different letters."""
    pool = ascii_lowercase if count <= len(ascii_lowercase) else [chr(FAR + n) for n in range(4 * count)]
    return random.Random(seed).sample(list(pool), count)  # noqa: S311


def sized(count: int, text: int, ids: int, seed: int) -> Task:
    """A corpus of so many different letters, a text and ids of these lengths."""
    return make_task(letters_of(count, seed), (text, ids), seed)


def tasks() -> st.SearchStrategy[Task]:
    """Corpora of a few small letters, short texts."""
    return st.builds(sized, sizes(4, 8), sizes(3, 6), sizes(3, 6), seeds())


@dataclass(frozen=True)
class Answer:
    """The three parts of an answer, in the form that is due; one whose form is another is None."""

    chars: list[str] | None
    encoded: list[int] | None
    decoded: str | None


def ask(candidate: Candidate, draw: Task) -> Answer:
    """The parts of the answer, read in forms that mean the same; one check is about the form."""
    answer = candidate(*draw.arguments)
    message = tr("the answer should be (chars, encoded, decoded), but is {kind}", kind=kind(answer))
    require(isinstance(answer, tuple | list) and len(answer) == 3, message)
    return Answer(_read_chars(answer[0]), _read_ids(answer[1]), _read_text(answer[2]))


def _read_chars(value: Any) -> list[str] | None:
    if isinstance(value, dict) and all(type(place) is int for place in value.values()):
        value = sorted(value, key=value.__getitem__)
    is_listed = isinstance(value, str | list | tuple) and all(isinstance(c, str) for c in value)
    return list(value) if is_listed else None


def _read_ids(value: Any) -> list[int] | None:
    if isinstance(value, Tensor):
        value = value.flatten().tolist()
    is_whole = isinstance(value, list | tuple) and all(type(n) in (int, float) and n == int(n) for n in value)
    return list(map(int, value)) if is_whole else None


def _read_text(value: Any) -> str | None:
    if isinstance(value, list | tuple) and all(isinstance(c, str) for c in value):
        value = "".join(value)
    return value if isinstance(value, str) else None


def require_ids(answer: Answer, draw: Task) -> list[int]:
    """The ids of the text, by the code's own list of characters, or by the one that is due.

    Raises:
        Violation: they are others.
    """
    chars = answer.chars if answer.chars and len(set(answer.chars)) == len(answer.chars) else draw.chars
    due = [chars.index(c) for c in draw.text] if set(draw.text) <= set(chars) else None
    values = {"text": written(draw.text), "chars": written("".join(chars)), "found": written(answer.encoded)}
    message = tr(
        "the text {text} should be encoded as the places of its characters in {chars}, not as {found}",
        **values,
    )
    require(answer.encoded == (due or [draw.chars.index(c) for c in draw.text]), message)
    return answer.encoded or []


@check(points=1, given=tasks(), shape_only=True)
def gives_a_list_ids_and_a_text(char_tokenizer: Candidate, draw: Task) -> None:
    """the answer is (chars, encoded, decoded): a list of characters, a list of ints, a str

    fr: la réponse est (chars, encoded, decoded) : une liste de caractères, une liste d'int, un str
    """
    ask(char_tokenizer, draw)
    chars, encoded, decoded = char_tokenizer(*draw.arguments)
    listed = isinstance(chars, str | list | tuple) and all(isinstance(c, str) for c in chars)
    require(listed, tr("chars should be a list of characters, but is {kind}", kind=kind(chars)))
    whole = isinstance(encoded, list | tuple) and all(type(place) is int for place in encoded)
    whole |= isinstance(encoded, Tensor) and encoded.dim() == 1 and not encoded.is_floating_point()
    require(whole, tr("encoded should be a list of ints, but is {kind}", kind=kind(encoded)))
    require(isinstance(decoded, str), tr("decoded should be a str, but is {kind}", kind=kind(decoded)))


@check(
    points=3.8,
    given=tasks(),
    core=True,
    stretched=[Stretched(lambda n, seed: sized(n, 5, 5, seed))],
)
def lists_each_character_once(char_tokenizer: Candidate, draw: Task) -> None:
    """chars holds the characters of the corpus, each once and no others

    fr: chars contient les caractères du corpus, chacun une fois, et aucun autre
    """
    chars = ask(char_tokenizer, draw).chars
    values = {"corpus": written(draw.corpus), "due": written(draw.chars), "found": written(chars)}
    message = tr("the corpus {corpus} has the characters {due}, but chars is {found}", **values)
    require(chars is not None and sorted(chars) == draw.chars, message)


@check(points=2, given=tasks())
def sorts_the_characters(char_tokenizer: Candidate, draw: Task) -> None:
    """chars is sorted, so that ids mean the same in every process

    fr: chars est trié, si bien que les identifiants veulent dire la même chose dans chaque processus
    """
    chars = ask(char_tokenizer, draw).chars or []
    own = [c for c in chars if len(c) == 1]  # words and special tokens are for other checks
    message = tr("chars should be in sorted order, but is {found}", found=written(chars))
    require(len(set(own)) > 1 and own == sorted(own), message)


@check(
    points=3.8,
    given=tasks(),
    core=True,
    stretched=[
        Stretched(lambda n, seed: sized(6, n, 4, seed)),
        Stretched(lambda n, seed: sized(n, 5, 4, seed)),
    ],
)
def encodes_each_character_as_its_place(char_tokenizer: Candidate, draw: Task) -> None:
    """encoded holds, for each character of the text, its place in chars, counted from 0

    fr: encoded contient, pour chaque caractère du texte, sa place dans chars, comptée à partir de 0
    """
    require_ids(ask(char_tokenizer, draw), draw)


@check(points=3, given=tasks(), stretched=[Stretched(lambda n, seed: sized(6, 4, n, seed))])
def decodes_what_it_encodes(char_tokenizer: Candidate, draw: Task) -> None:
    """the ids of a text are decoded as this text, whatever text is encoded in the same call

    fr: les identifiants d'un texte sont décodés en ce texte, quel que soit le texte encodé dans le même appel
    """
    text = "".join(draw.chars[number] for number in draw.ids)
    encoded = ask(char_tokenizer, replace(draw, text=text)).encoded
    ids = encoded if encoded and len(encoded) == len(text) else draw.ids
    decoded = ask(char_tokenizer, replace(draw, ids=ids)).decoded
    values = {"ids": written(ids), "due": written(text), "found": written(decoded)}
    require(decoded == text, tr("the ids {ids} stand for {due}, but are decoded as {found}", **values))


@st.composite
def of_every_kind(draw: st.DrawFn) -> Task:
    """Capitals, blanks at both ends, accents and signs, each of which counts."""
    task = make_task(list(EVERY_KIND), (draw(sizes(3, 6)), 3), draw(seeds()))
    text = f" \n{task.text}éEe🙂 A\u0301\t "
    return replace(task, corpus=f"\n{task.corpus}E \t", text=text, ids=[])


@check(points=2.5, given=of_every_kind(), draws=3)
def keeps_every_character(char_tokenizer: Candidate, draw: Task) -> None:
    """capitals, spaces, newlines, accents and signs are characters of their own, and come back

    fr: majuscules, espaces, sauts de ligne, accents et signes sont des caractères à part entière, et
    reviennent
    """
    answer = ask(char_tokenizer, draw)
    lost = sorted(set(draw.corpus) - set(answer.chars or []))
    require(not lost, tr("chars lacks {lost}, which the corpus has", lost=written(lost)))
    ids = answer.encoded or []
    values = {"text": written(draw.text), "n": len(draw.text), "found": len(ids)}
    message = tr("the text {text} has {n} characters, but {found} ids", **values)
    require(len(ids) == len(draw.text), message)
    message = tr("different characters should have different ids")
    require(len(set(ids)) == len(set(draw.text)), message)


@check(points=2.6, given=tasks())
def refuses_an_unknown_character(char_tokenizer: Candidate, draw: Task) -> None:
    """a character that the corpus does not have raises an error

    fr: un caractère absent du corpus lève une erreur
    """
    known = ask(char_tokenizer, draw).encoded
    require(bool(known), tr("the text {text} has no ids", text=written(draw.text)))
    stranger = next(c for c in ascii_lowercase if c not in draw.corpus)
    text = f"{draw.text}{stranger}{draw.text[:1]}"
    try:
        char_tokenizer(draw.corpus, text, draw.ids)
    except Raised:
        return
    values = {"character": written(stranger), "corpus": written(draw.corpus)}
    raise Violation(
        tr(
            "the corpus {corpus} does not have the character {character}: this should raise an error",
            **values,
        )
    )


@check(
    points=1, given=st.builds(sized, sizes(1, 1), sizes(0, 1), sizes(0, 1), seeds()), kept_because=SMALLEST
)
def takes_an_empty_text(char_tokenizer: Candidate, draw: Task) -> None:
    """a corpus of one character, an empty text and an empty list of ids are taken as others are

    fr: un corpus d'un seul caractère, un texte vide et une liste d'identifiants vide sont acceptés
    """
    empty = ask(char_tokenizer, replace(draw, text="", ids=[]))
    values = {"ids": written(empty.encoded), "text": written(empty.decoded)}
    message = tr("an empty text has the ids {ids}, and no ids stand for {text}", **values)
    require(empty.encoded == [] and empty.decoded == "", message)
    one = ask(char_tokenizer, draw)
    require(
        len(one.encoded or []) == len(draw.text), tr("the text {text} has no ids", text=written(draw.text))
    )
    message = tr("chars lacks {lost}, which the corpus has", lost=written(draw.chars))
    require(set(draw.corpus) <= set(one.chars or []), message)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    letters = [*"cabdez", " ", "x"]
    usual, other = (make_task(letters, (7, 5), seed + n) for n in range(2))
    usual = replace(usual, corpus=f"{usual.corpus} a", text=f"{usual.text} ba")
    varied = replace(other, corpus=f" Éé{other.corpus}Aq\n", text=f" é{other.text}A\n", ids=[1, 0, 2])
    unknown = replace(usual, text=f"{usual.text}q")
    return [
        BehaviourTrial(partial(_describe, usual)),
        BehaviourTrial(partial(_describe, varied)),
        BehaviourTrial(partial(_describe, unknown)),
        BehaviourTrial(partial(_describe, replace(usual, corpus="zzab", text="bza", ids=[2]))),
        BehaviourTrial(partial(_describe, replace(usual, corpus="cd ab cd", text="ab cd", ids=[1, 0]))),
    ]


def _describe(draw: Task, candidate: Candidate) -> str:
    """The answer; where its characters are in an order that differs by process, what that does not change."""
    answer = candidate(*draw.arguments)
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        return kind(answer)
    chars = _read_chars(answer[0])
    forms = " ".join(type(part).__name__ for part in answer)
    if chars is None or set(chars) != set(draw.corpus) or len(chars) > len(set(chars)):
        return f"{forms} {_with_one_sign(answer, chars or [])}"[:300]
    counts = {c: draw.corpus.count(c) for c in chars}
    orders = {
        "sorted": draw.chars,
        "as met": list(dict.fromkeys(draw.corpus)),
        "by frequency": sorted(counts, key=lambda c: (-counts[c], c)),
        "downwards": draw.chars[::-1],
    }
    known = next((name for name, order in orders.items() if order == chars), None)
    if known is None:
        return f"{forms} unsorted {_read_ids(answer[1]) == [chars.index(c) for c in draw.text if c in chars]}"
    return f"{forms} {known} {_read_ids(answer[1])} {answer[2]!r}"[:300]


def _with_one_sign(answer: Any, chars: list[str]) -> str:
    """The answer, in which the only token of several characters has a name that everybody's has."""
    longer = [each for each in chars if len(each) > 1]
    return str(answer).replace(longer[0], "<sign>") if len(longer) == 1 else str(answer)


options = Options(diagnostic_draws=diagnostic_draws)
