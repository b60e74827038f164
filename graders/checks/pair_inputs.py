"""pair_inputs(a, b, cls, sep, max_len, pad=0) -> (ids, types, mask): CLS a SEP b SEP and padding.

The ids of a and of b are different numbers, so that each tells which segment it was taken from. Types and
mask are judged by the ids that the code itself gives: a missing SEP costs the check of the ids alone.
"""

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties, rows_of_ints
from graders.check_api.check import Candidate, Stretched, Violation, check, require
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import ids, seeds, sizes
from graders.language import tr

SPECIAL = 3  # CLS, SEP and SEP
OF_A, OF_B, WORDS = 1_000, 2_000, 900  # the least id of a segment, and how many there are
NAMES = ("ids", "types", "mask")
OF_A_LIBRARY = ("input_ids", "token_type_ids", "attention_mask")
Rows = tuple[list[int], list[int], list[int]]


@dataclass(frozen=True, eq=False)
class TwoSegments(Drawn):
    """The ids of two segments, of CLS and of SEP, the length of the answer, and the id of padding."""

    a: list[int]
    b: list[int]
    cls: int
    sep: int
    max_len: int
    pad: int | None = None

    @property
    def kept(self) -> tuple[list[int], list[int]]:
        """The segments as they are shortened, by their definition."""
        lengths = [len(self.a), len(self.b)]
        while sum(lengths) > self.max_len - SPECIAL:
            lengths[0 if lengths[0] > lengths[1] else 1] -= 1
        return self.a[: lengths[0]], self.b[: lengths[1]]

    @property
    def due(self) -> list[int]:
        """The ids that are due, without padding."""
        a, b = self.kept
        return [self.cls, *a, self.sep, *b, self.sep]

    @property
    def padding(self) -> int:
        """The id of padding."""
        return self.pad or 0

    def normalise(self, answer: Any) -> Any:
        """Rows of numbers, whether they come as lists or as tensors."""
        return rows_of_ints.rows_as_lists(answer)


def segments(of_a: int, of_b: int, max_len: int, seed: int, pad: int | None = None) -> TwoSegments:
    """Segments of these lengths; two of the special ids depend on the seed."""
    a, b = (
        (least + ids(n, vocabulary=WORDS, seed=seed + least)).tolist()
        for n, least in ((of_a, OF_A), (of_b, OF_B))
    )
    cls, sep = ((101, 102), (2, 3), (5, 4))[seed % 3]
    return TwoSegments(a, b, cls, sep, max_len, pad)


@st.composite
def that_fit(draw: st.DrawFn, padded: bool = False) -> TwoSegments:
    """Segments of two and more ids each, and padding of one and more; `padded` with an id that is not 0."""
    of_a, of_b, seed = draw(sizes(2, 5)), draw(sizes(2, 5)), draw(seeds())
    pad = draw(st.sampled_from([1, 9, 50])) if padded else None
    return segments(of_a, of_b, of_a + of_b + SPECIAL + draw(sizes(1, 4)), seed, pad)


@st.composite
def too_long(draw: st.DrawFn, longer: str) -> TwoSegments:
    """Segments that do not fit, of which one is so much longer that both may lose ids, or that just fit."""
    short, more, seed = draw(sizes(3, 5)), draw(sizes(2, 4)), draw(seeds())
    if longer == "neither":
        return segments(short, short, 2 * short - draw(sizes(1, 3)) + SPECIAL, seed)
    of_a, of_b = (short + more, short) if longer == "a" else (short, short + more)
    lost = 0 if longer == "fits" else draw(sizes(1, more + 3))
    return segments(of_a, of_b, of_a + of_b - lost + SPECIAL, seed)


def read_rows(pair_inputs: Candidate, draw: TwoSegments, as_given: bool = False) -> Rows:
    """The three rows as lists of ints, in their order: another check is about tensors, a dict, the order.

    Several SEP at the end count as one and padding, if they are not wanted `as_given`: so does another check.
    """
    words, types, mask = rows_of_ints.read_rows(pair_inputs(*draw.arguments), NAMES, OF_A_LIBRARY)
    words = words if as_given else _with_one_sep_at_the_end(words, draw)
    return (words, mask, types) if _swapped(types, mask, draw) else (words, types, mask)


def _with_one_sep_at_the_end(row: list[int], draw: TwoSegments) -> list[int]:
    more = next((n for n, word in enumerate(reversed(row)) if word != draw.sep), 1) - 1
    return row[: len(row) - more] + [draw.padding] * more if more > 0 else row


def _swapped(types: list[int], mask: list[int], draw: TwoSegments) -> bool:
    """Whether the row in the place of the types is the mask that is due, and the other one is no mask."""
    due = [1] * len(draw.due) + [0] * (draw.max_len - len(draw.due))
    return types == due != mask and mask[:1] == [0]


def words_of(row: list[int], draw: TwoSegments) -> list[int]:
    """The ids without padding at either end: another check is about its place."""
    left = next((n for n, word in enumerate(row) if word != draw.padding), len(row))
    right = next((n for n, word in enumerate(reversed(row)) if word != draw.padding), 0)
    return row[left : len(row) - right]


def _say(found: list[int], due: list[int], draw: TwoSegments, name: str) -> None:
    """Require a row to be what is due; the message shows both and the question."""
    if found != due:
        shown = {"a": draw.a, "b": draw.b, "due": due, "found": found[:40]}
        lists = {key: " ".join(map(str, row)) or tr("nothing") for key, row in shown.items()}
        raise Violation(
            tr(
                "for a = {a}, b = {b} and max_len = {length}, {name} should be {due}, but is {found}",
                length=draw.max_len,
                name=name,
                **lists,
            )
        )


def types_by_words(row: list[int], draw: TwoSegments) -> list[int | None]:
    """The type that is due for each id of a row: a SEP has that of the word before; None for padding."""
    due: list[int | None] = []
    current = 0
    for word in row:
        current = 1 if word >= OF_B else 0 if word >= OF_A else current
        due.append(None if word == draw.padding else current)
    return due


def require_both(row: list[int]) -> None:
    """Require words of both segments: of others nothing can be judged.

    Raises:
        Violation: one has none.
    """
    there = any(OF_A <= word < OF_B for word in row) and any(word >= OF_B for word in row)
    require(there, tr("ids should hold ids of both segments"))


@check(points=1, given=that_fit(), shape_only=True)
def gives_three_lists(pair_inputs: Candidate, draw: TwoSegments) -> str | None:
    """the answer is (ids, types, mask), three lists of ints of one length

    fr: la réponse est (ids, types, mask), trois listes d'entiers d'une même longueur
    """
    answer = pair_inputs(*draw.arguments)
    remark = rows_of_ints.returns_lists(answer, NAMES)
    words, second, third = rows_of_ints.read_rows(answer, NAMES)
    lengths = ", ".join(str(len(row)) for row in (words, second, third))
    message = tr("ids, types and mask should be equally long, but have {lengths} values", lengths=lengths)
    require(len(words) == len(second) == len(third), message)
    swapped = tr("types and mask are swapped: the answer should be (ids, types, mask)")
    require(not _swapped(second, third, draw), swapped)
    return remark


@check(
    points=8,
    given=that_fit(),
    core=True,
    stretched=[
        Stretched(lambda n, seed: segments(n, 3, n + 8, seed)),
        Stretched(lambda n, seed: segments(3, n, n + 8, seed)),
        Stretched(lambda n, seed: segments(2, 3, n, seed)),
    ],
)
def joins_both_segments(pair_inputs: Candidate, draw: TwoSegments) -> None:
    """ids is CLS, the first segment, SEP, the second segment, SEP

    fr: ids est CLS, le premier segment, SEP, le deuxième segment, SEP
    """
    row, _, _ = read_rows(pair_inputs, draw)
    _say(words_of(row, draw), draw.due, draw, tr("ids without its padding"))


@check(points=3, given=that_fit())
def tells_the_segments_apart(pair_inputs: Candidate, draw: TwoSegments) -> None:
    """types is 0 for the first segment and 1 for the second; each SEP belongs to the segment before it

    fr: types vaut 0 pour le premier segment et 1 pour le deuxième ; chaque SEP appartient au segment qui
    précède
    """
    row, types, _ = read_rows(pair_inputs, draw)
    require_both(row)
    due = types_by_words(row, draw)
    require(len(types) >= len(words_of(row, draw)), tr("types is shorter than ids"))
    found = [t for t, expected in zip(types, due, strict=False) if expected is not None]
    _say(found, [t for t in due if t is not None], draw, tr("types without its padding"))


@check(points=3, given=that_fit())
def marks_what_is_read(pair_inputs: Candidate, draw: TwoSegments) -> None:
    """mask is 1 for every id and 0 for padding

    fr: mask vaut 1 pour chaque identifiant et 0 pour le remplissage
    """
    row, _, mask = read_rows(pair_inputs, draw)
    require_both(row)
    _say(mask, [int(word != draw.padding) for word in row], draw, "mask")


@check(points=3.6, given=[too_long(longer) for longer in ("a", "b", "neither", "fits")], draws=12)
def shortens_the_longer_segment(pair_inputs: Candidate, draw: TwoSegments) -> None:
    """what does not fit loses the last ids of the longer segment, and what just fits loses nothing

    fr: ce qui ne tient pas perd les derniers identifiants du segment le plus long, et ce qui tient tout juste
    ne perd rien
    """
    fits = replace(draw, max_len=len(draw.a) + len(draw.b) + SPECIAL + 2)
    row, types, _ = read_rows(pair_inputs, draw)
    plain, plain_types, _ = read_rows(pair_inputs, fits)
    if words_of(plain, fits) == fits.due:
        _say(words_of(row, draw), draw.due, draw, "ids")
    else:  # what is wrong where both fit has a check of its own
        words = [word for word in words_of(row, draw) if word >= OF_A]
        _say(words, [word for word in draw.due if word >= OF_A], draw, tr("what is left of the segments"))
    if [t for t in types_by_words(plain, fits) if t is not None] == plain_types[: len(fits.due)]:
        _say(types, [t or 0 for t in types_by_words(row, draw)], draw, "types")


@check(points=3.6, given=that_fit(padded=True))
def fills_up_with_padding(pair_inputs: Candidate, draw: TwoSegments) -> None:
    """what is too short is filled up to max_len, at the end: ids with pad, types with 0

    fr: ce qui est trop court est complété jusqu'à max_len, à la fin : ids par pad, types par 0
    """
    row, types, _ = read_rows(pair_inputs, draw, as_given=True)
    length = tr("ids should hold max_len = {due} values, but holds {n}", due=draw.max_len, n=len(row))
    require(len(row) == draw.max_len, length)
    require_both(row)
    last = max(n for n, word in enumerate(row) if word >= OF_A)
    tail = row[last + 1 :]
    tail = tail[1:] if tail[:1] == [draw.sep] else tail  # whether it is there is for another check
    front = tr("ids begins with padding, which belongs to the end")
    require(draw.padding not in row[:1] and bool(tail), front)
    strange = [word for word in tail if word != draw.padding]
    message = tr(
        "the padding of ids should be {due}, but holds {found}", due=draw.padding, found=str(strange[:1])
    )
    require(not strange, message)
    ends = types[len(row) - len(tail) :]
    require(
        not any(ends), tr("types should be 0 for padding, but is {found}", found=str(max(ends, default=0)))
    )


@check(points=1, given=too_long("a"), on_its_word=True)
def leaves_the_lists_alone(pair_inputs: Candidate, draw: TwoSegments) -> str | None:
    """the lists keep their ids, and the second call answers as the first

    fr: les listes gardent leurs identifiants, et le deuxième appel répond comme le premier
    """
    first = read_rows(pair_inputs, draw)
    call = pair_inputs.observed_call(*draw.arguments)
    for name, before, after in zip("ab", (draw.a, draw.b), call.args, strict=False):
        now = after.tolist() if isinstance(after, Tensor) else list(after)
        message = tr(
            "{name} holds {n} ids after the call, and held {before}",
            name=name,
            n=len(now),
            before=len(before),
        )
        require(now == before, message)
    require(read_rows(pair_inputs, draw) == first, tr("the second call gives another answer"))
    # One segment is enough: which ids are lost is for another check.
    require(any(word >= OF_A for word in first[0]), tr("ids should hold ids of the segments"))
    other = read_rows(pair_inputs, segments(len(draw.a), len(draw.b), draw.max_len, len(draw.a) + draw.a[0]))
    require(other[0] != first[0], tr("the answer does not depend on the ids"))
    return None if call.random_state_kept else tr(properties.RANDOM)


def diagnostic_draws(seed: int) -> list[TwoSegments]:
    """Segments that tell the known mistakes apart."""
    return [
        segments(3, 4, 14, seed, 9),
        segments(4, 3, 15, seed + 1, 1),
        segments(2, 6, 13, seed + 2, 50),
        segments(6, 3, 9, seed + 3),
        segments(3, 7, 10, seed + 4),
        segments(5, 5, 12, seed + 5),
        segments(4, 5, 12, seed + 6),
        segments(2, 9, 10, seed + 7),
        segments(9, 2, 10, seed + 8),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
