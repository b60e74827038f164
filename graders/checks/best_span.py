"""best_span(start_logits, end_logits, max_len) -> (start, end): two ints, both of which belong to the span.

One span of a draw is clearly the best, so that no order of summation decides; equal ones have a check of
their own. The core has no limit of length: the limit, and -inf, have checks of theirs.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import Candidate, Raised, Stretched, Violation, check, kind, number, require
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import SMALLEST
from graders.check_api.strategies.tensors import hidden, input_values, normal, patterns, seeds, sizes
from graders.language import tr

Span = tuple[int, int]
CLEAR = 0.05  # between the best sum and the next
ABOVE = 4.0  # added to all logits, so that most are above 0
OFFSETS = (-ABOVE, 0.0, ABOVE)  # where all sums are negative, 0 is above them: the core is about that


@dataclass(frozen=True, eq=False)
class Scored(Drawn):
    """The logits (S,) of starts and of ends, and the greatest length."""

    start_logits: Tensor
    end_logits: Tensor
    max_len: int
    seed: int = field(default=0, metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call."""
        return [self.start_logits, self.end_logits, self.max_len]

    @property
    def spans(self) -> dict[Span, float]:
        """The sum of each span of which both ends may be."""
        start, end = (logits.double().tolist() for logits in (self.start_logits, self.end_logits))
        return {
            (i, j): start[i] + end[j]
            for i in range(len(start))
            for j in range(i, min(i + self.max_len, len(end)))
            if start[i] + end[j] > -math.inf
        }

    @property
    def due(self) -> Span:
        """The first of the best spans."""
        spans = self.spans
        return max(spans, key=lambda span: (spans[span], -span[0], -span[1]))

    def normalise(self, answer: Any) -> Any:
        """The pair of numbers as a list."""
        return [*answer] if isinstance(answer, tuple | list) else answer


Trait = Callable[[Scored], bool]


def is_clear(draw: Scored) -> bool:
    """Whether the best span is better than the next by more than rounding."""
    best, *others = sorted(draw.spans.values(), reverse=True)
    return not others or best - others[0] > CLEAR


def needs_both(draw: Scored) -> bool:
    """Whether neither the best start nor the best end belongs to the best span."""
    return draw.due[0] != int(draw.start_logits.argmax()) and draw.due[1] != int(draw.end_logits.argmax())


def is_not_of_probabilities(draw: Scored) -> bool:
    """Whether the sum of probabilities is highest for another span."""
    shares = [logits.softmax(0) for logits in (draw.start_logits, draw.end_logits)]
    return replace(draw, start_logits=shares[0], end_logits=shares[1]).due != draw.due


def is_out_of_order(draw: Scored) -> bool:
    """Whether the best end lies before the best start."""
    return int(draw.end_logits.argmax()) < int(draw.start_logits.argmax())


def is_one_position(draw: Scored) -> bool:
    """Whether the best span has one position."""
    return draw.due[0] == draw.due[1]


def is_limited(draw: Scored) -> bool:
    """Whether the best span is as long as it may be, one position more would be better, and more even so."""
    longer, longest = replace(draw, max_len=draw.max_len + 1), replace(draw, max_len=len(draw.start_logits))
    at_most = draw.due[1] - draw.due[0] + 1 == draw.max_len
    return (
        at_most and len({draw.due, longer.due, longest.due}) == 3 and is_clear(longer) and is_clear(longest)
    )


def has_better_starts_in_front(draw: Scored) -> bool:
    """Whether the best end has better starts in front of those that are near enough, the best farthest."""
    end = int(draw.end_logits.argmax())
    first, starts = end - draw.max_len + 1, draw.start_logits
    if first < 3:
        return False
    nearest = starts[first : end + 1].max()
    return bool(starts[: first - 2].max() > starts[first - 2] > starts[first - 1] > nearest)


def is_late(draw: Scored) -> bool:
    """Whether the best span begins behind the first `max_len` positions."""
    return draw.due[0] >= draw.max_len


def is_just_below_0(draw: Scored) -> bool:
    """Whether the best span scores less than 0, though more than -1, and begins elsewhere than at 0."""
    return -0.9 < max(draw.spans.values()) < -0.1 and draw.due[0] > 0


def begins_at_0(draw: Scored) -> bool:
    """Whether the best span begins at the first position."""
    return draw.due[0] == 0


def ends_last(draw: Scored) -> bool:
    """Whether the best span ends at the last position."""
    return draw.due[1] == len(draw.end_logits) - 1


def scored(
    size: int,
    max_len: int,
    seed: int,
    *traits: Trait,
    offset: float = 0.0,
    dtype: torch.dtype = torch.float32,
) -> Scored:
    """Logits that have the traits, from the first seed that gives them."""
    for trial in count(seed):
        start, end = (
            offset + input_values(size, seed=2 * trial + n, scale=2.0, dtype=dtype) for n in range(2)
        )
        draw = Scored(start, end, max_len, seed)
        if all(trait(draw) for trait in (is_clear, *traits)):
            return draw
    raise AssertionError


@cache
def plain_draws() -> tuple[Scored, ...]:
    """Draws on which code is right that knows which pairs are spans, and which of them is the best."""
    return (
        scored(7, 9, 1, needs_both, is_out_of_order, offset=-4.0),
        scored(6, 8, 2, is_one_position),
        scored(5, 7, 3, begins_at_0, ends_last, offset=3.0),
    )


@cache
def limited_draw() -> Scored:
    """One on which code is right that keeps to the greatest length."""
    return scored(8, 2, 4, is_limited, is_late)


@st.composite
def logits(draw: st.DrawFn, *traits: Trait, offsets: Sequence[float] = OFFSETS) -> Scored:
    """Logits of five and more positions, whose spans may have any length."""
    size = draw(sizes(5, 9))
    longest = size + draw(st.integers(0, 2))
    return scored(size, longest, draw(seeds()), *traits, offset=draw(st.sampled_from(offsets)))


@st.composite
def limited(draw: st.DrawFn, *traits: Trait) -> Scored:
    """Logits whose best span is bounded by the greatest length."""
    size, longest = draw(sizes(8, 10)), draw(sizes(2, 3))
    return scored(size, longest, draw(seeds()), *traits, offset=ABOVE)


@st.composite
def with_hidden(draw: st.DrawFn) -> Scored:
    """Logits of which the first, the question, and the last, padding, are -inf."""
    plain = draw(logits(offsets=[ABOVE]))
    before, behind = draw(sizes(1, 3)), draw(sizes(1, 2))

    def hide(values: Tensor) -> Tensor:
        ends = values.new_full((before,), -math.inf), values.new_full((behind,), -math.inf)
        return torch.cat([ends[0], values, ends[1]])

    starts, ends = hide(plain.start_logits), hide(plain.end_logits)
    return replace(plain, start_logits=starts, end_logits=ends, max_len=len(starts))


@st.composite
def equals(draw: st.DrawFn) -> Scored:
    """Logits of which all are low but for two starts and two ends: four spans are equal, or three."""
    first, second = draw(sizes(1, 2)), draw(sizes(1, 2))
    return tied(first, second, draw(patterns()))


def tied(before: int, between: int, seed: int) -> Scored:
    """Two starts and then two ends that are equal, and a later span of one position that is as good."""
    start, end = torch.full((before + between + 5,), -3.0), torch.full((before + between + 5,), -3.0)
    start[[before, before + 1]] = 2.0
    end[[before + between + 1, before + between + 2]] = 1.0
    start[-1], end[-1] = 2.0, 1.0
    return Scored(start, end, len(start), seed)


@st.composite
def buried(draw: st.DrawFn) -> Scored:
    """Long logits: the highest starts lie behind the highest ends, and the best span has none of either."""
    size, seed = draw(sizes(60, 70)), draw(patterns())
    return rising_and_falling(size, size // 2 - 1 + seed % 3, seed)


def rising_and_falling(size: int, place: int, seed: int) -> Scored:
    """Starts that rise and ends that fall, with one place where both are a little higher."""
    rising = torch.arange(size) / 5
    start, end = rising - 3, 4 - rising
    start[place] += 0.15
    end[place] += 0.15
    return Scored(start, end, size, seed)


def smallest(size: int, max_len: int, seed: int) -> Scored:
    """One position, or spans of one."""
    return scored(size, max_len, seed)


def find_span(best_span: Candidate, draw: Scored) -> Span:
    """The answer as two whole numbers; another check is about their type, and what comes behind them."""
    answer = best_span(*draw.arguments)
    if isinstance(answer, Tensor) and answer.dim() == 1:
        answer = answer.unbind(0)
    if isinstance(answer, tuple | list) and answer and isinstance(answer[0], tuple | list):
        answer = answer[0]  # the span, before its score
    message = tr("the answer should be the pair (start, end), but is {kind}", kind=kind(answer))
    require(isinstance(answer, tuple | list) and len(answer) in (2, 3), message)
    return _whole(answer[0], message), _whole(answer[1], message)


def _whole(value: Any, message: str) -> int:
    if isinstance(value, Tensor) and value.numel() == 1:
        value = value.item()
    require(type(value) in (int, float) and math.isfinite(value) and value == int(value), message)
    return int(value)


def require_span(best_span: Candidate, draw: Scored) -> None:
    """Require the span that is due.

    Raises:
        Violation: it is another; the message says both and their sums.
    """
    found = find_span(best_span, draw)
    if found != draw.due:
        said = {"due": draw.due, "sum": number(round(draw.spans[draw.due], 2)), "found": found}
        if (other := draw.spans.get(found)) is not None:
            message = tr(
                "the best span is {due}, with the sum {sum}; {found} has {other}",
                **said,
                other=number(round(other, 2)),
            )
        else:
            message = tr("the best span is {due}, with the sum {sum}; {found} is no span that may be", **said)
        raise Violation(message)


def is_right(best_span: Candidate, *draws: Scored) -> bool:
    """Whether the spans are those that are due."""
    try:
        return all(find_span(best_span, draw) == draw.due for draw in draws)
    except (Violation, Raised):
        return False


def require_what_is_plain(best_span: Candidate) -> None:
    """Require of code that is wrong otherwise that it finds one position at which both scores are highest.

    Raises:
        Violation: neither of its numbers is that position.
    """
    for place in (1, 3):
        values = torch.full((5,), -1.0)
        values[place] = 3.0
        found = find_span(best_span, Scored(values, values.clone(), 5))
        message = tr(
            "both scores are highest at position {place}, but the span is {found}", place=place, found=found
        )
        require(place in found, message)


@check(points=1, given=logits(), shape_only=True)
def gives_two_ints(best_span: Candidate, draw: Scored) -> None:
    """the answer is the pair (start, end) of ints

    fr: la réponse est la paire (start, end) d'entiers
    """
    find_span(best_span, draw)
    answer = best_span(*draw.arguments)
    message = tr("the answer should be the pair (start, end), but is {kind}", kind=kind(answer))
    require(isinstance(answer, tuple | list), message)
    require(len(answer) == 2, tr("the answer should hold two values, but holds {n}", n=len(answer)))
    for value in answer:
        require(type(value) is int, tr("start and end should be ints, but are {kind}", kind=kind(value)))


@check(
    points=8.7,
    given=[
        logits(needs_both, is_out_of_order, offsets=OFFSETS[:1]),
        logits(is_one_position, is_not_of_probabilities, offsets=OFFSETS[1:2]),
        logits(begins_at_0, offsets=OFFSETS[2:]),
        logits(ends_last),
    ],
    core=True,
    draws=8,
    stretched=[Stretched(lambda n, seed: scored(n, n, seed), least=65, most=128)],
)
def finds_the_best_span(best_span: Candidate, draw: Scored) -> None:
    """among spans of any length, it is the one whose sum is highest, with start at or before end

    fr: parmi les segments de toute longueur, c'est celui de plus haute somme, où start est end ou avant
    """
    require_span(best_span, draw)


@check(points=4.8, given=[limited(is_limited, is_late), limited(is_one_position)])
def keeps_to_the_greatest_length(best_span: Candidate, draw: Scored) -> None:
    """the span has max_len positions at most, wherever it lies, and is the best of these

    fr: le segment a au plus max_len positions, où qu'il se trouve, et c'est le meilleur de ceux-là
    """
    start, end = find_span(best_span, draw)
    if is_right(best_span, replace(draw, max_len=len(draw.start_logits)), *plain_draws()):
        require_span(best_span, draw)
        return
    message = tr("the span has {n} positions, where max_len is {most}", n=end - start + 1, most=draw.max_len)
    require(end - start <= draw.max_len, message)  # one too many may be how the end is counted
    require_what_is_plain(best_span)


@check(points=3.9, given=with_hidden())
def never_chooses_what_is_hidden(best_span: Candidate, draw: Scored) -> None:
    """positions of -inf, the question and padding, are never chosen

    fr: les positions à -inf, la question et le remplissage, ne sont jamais choisies
    """
    shown = draw.start_logits.isfinite()
    plain = replace(draw, start_logits=draw.start_logits[shown], end_logits=draw.end_logits[shown])
    if is_right(best_span, plain, *plain_draws()):
        require_span(best_span, draw)
        return
    found = find_span(best_span, draw)
    inside = [place for place in found if 0 <= place < len(shown) and bool(shown[place])]
    require(bool(inside), tr("{found} is chosen, where no answer may be", found=found))
    require_what_is_plain(best_span)


@check(points=3.9, given=equals())
def takes_the_first_of_equals(best_span: Candidate, draw: Scored) -> None:
    """of spans that are equal, it is the one that begins first, and of these the shortest

    fr: de segments égaux, c'est celui qui commence le premier, et parmi ceux-là le plus court
    """
    if is_right(best_span, *plain_draws()):
        require_span(best_span, draw)
    require(
        find_span(best_span, draw) == find_span(best_span, draw), tr("the second call gives another span")
    )
    require_what_is_plain(best_span)


@check(
    points=1.5,
    given=buried(),
    draws=3,
    kept_because="code that looks at the twenty highest starts and ends alone, as much does, fails here",
)
def considers_every_span(best_span: Candidate, draw: Scored) -> None:
    """in a long text too, the best span is found if neither of its ends is among the highest scores

    fr: dans un long texte aussi, le meilleur segment est trouvé si aucune de ses extrémités n'est parmi les
    plus hauts scores
    """
    find_span(best_span, draw)
    if is_right(best_span, *plain_draws()):
        require_span(best_span, draw)
    require_what_is_plain(best_span)


@check(
    points=1,
    given=[
        st.builds(smallest, st.just(1), sizes(1, 3), seeds()),
        st.builds(smallest, sizes(4, 6), st.just(1), seeds()),
    ],
    draws=4,
    kept_because=SMALLEST,
)
def takes_one_position_alone(best_span: Candidate, draw: Scored) -> None:
    """a sequence of one position, and a greatest length of 1, are answered as larger ones are

    fr: une séquence d'une seule position, et une longueur maximale de 1, sont traitées comme de plus grandes
    """
    find_span(best_span, draw)
    if is_right(best_span, *plain_draws(), limited_draw()):
        require_span(best_span, draw)
    require_what_is_plain(best_span)


@check(points=1, given=logits(), on_its_word=True)
def leaves_the_logits_alone(best_span: Candidate, draw: Scored) -> str | None:
    """the logits keep their values, and the second call answers as the first

    fr: les logits gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    call = best_span.observed_call(*draw.arguments)
    for name, before, after in zip(("start_logits", "end_logits"), draw.arguments, call.args, strict=False):
        require(torch.equal(after, before), tr("{name} has other values after the call", name=name))
    first, again = find_span(best_span, draw), find_span(best_span, draw)
    require(first == again, tr("the second call gives another span"))
    require_what_is_plain(best_span)
    return None if call.random_state_kept else tr(properties.RANDOM)


def diagnostic_draws(seed: int) -> list[Scored]:
    """Logits that tell the known mistakes apart."""
    double = torch.float64
    hiding = scored(6, 9, seed + 9, needs_both, dtype=double)
    ends = [torch.cat([normal(2, seed=seed), values]) for values in (hiding.start_logits, hiding.end_logits)]
    for logits_of in ends:
        logits_of[:2] = -math.inf
    return [
        scored(7, 7, seed, needs_both, is_out_of_order, offset=-4.0, dtype=double),
        scored(9, 3, seed + 1, is_limited, is_late, dtype=double),
        scored(8, 8, seed + 2, needs_both, is_not_of_probabilities, offset=3.0, dtype=double),
        scored(9, 2, seed + 3, is_limited, offset=-4.0, dtype=double),
        scored(6, 6, seed + 4, is_one_position, dtype=double),
        scored(10, 3, seed + 5, is_limited, offset=3.0, dtype=double),
        Scored(ends[0], ends[1], 6, seed),
        tied(1, 1, seed),
        scored(5, 5, seed + 6, lambda draw: draw.due == (0, 4), dtype=double),
        scored(6, 4, seed + 8, is_just_below_0, offset=-2.0, dtype=double),
        scored(9, 3, seed + 7, has_better_starts_in_front, dtype=double),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
