"""corrupt_spans(ids, spans, sentinel) -> (inputs, targets): one sentinel for each span, counting down."""

from dataclasses import dataclass, replace
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import Candidate, Stretched, Violation, check, kind, require, same, tensor
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import ids, seeds, sizes
from graders.language import tr, translatable

INPUTS = translatable("for ids {ids} and spans {spans}, inputs should be {due}, but is {found}")
TARGETS = translatable("for ids {ids} and spans {spans}, targets should be {due}, but is {found}")
WORDS = 60  # ids below are words: some stand in a text more than once
MORE = 15  # draws: that a span reaches too far, or the wrong way, shows in few of them


@dataclass(frozen=True, eq=False)
class Gapped(Drawn):
    """A text (S,), the spans that are taken out of it, and the first sentinel."""

    ids: Tensor
    spans: list[tuple[int, int]]
    sentinel: int

    @property
    def due(self) -> tuple[Tensor, Tensor]:
        """The inputs and the targets, by their definition: place by place."""
        inputs: list[int] = []
        targets: list[int] = []
        starts = {start: n for n, (start, _) in enumerate(self.spans)}
        inside = {place for start, end in self.spans for place in range(start, end)}
        for place, word in enumerate(self.ids.tolist()):
            if place in starts:
                inputs.append(self.sentinel - starts[place])
                targets.append(self.sentinel - starts[place])
            (targets if place in inside else inputs).append(word)
        targets.append(self.sentinel - len(self.spans))
        return torch.tensor(inputs), torch.tensor(targets)


def gapped(gaps: list[int], lengths: list[int], sentinel: int, seed: int) -> Gapped:
    """A text whose spans have these lengths, with so many words before each and after the last."""
    spans, place = [], 0
    for gap, length in zip(gaps, lengths, strict=False):
        spans.append((place + gap, place + gap + length))
        place += gap + length
    return Gapped(ids(place + gaps[-1], vocabulary=WORDS, seed=seed), spans, sentinel)


@st.composite
def texts(draw: st.DrawFn, alone: bool = False, length: int = 0, touching: bool = False) -> Gapped:
    """A text with two or three spans, or one `alone`, each with at most three words.

    They have words between them, or are `touching`. `length` is the least number of words.
    """
    count = 1 if alone else draw(st.integers(2, 3))
    gaps = [draw(st.integers(0, 3)), *(0 if touching else draw(sizes(1, 3)) for _ in range(count - 1))]
    lengths = [draw(sizes(1, 3)) for _ in range(count)]
    rest = max(1, draw(st.integers(0, 3)), length - sum(gaps) - sum(lengths))
    return gapped([*gaps, rest], lengths, draw(st.sampled_from([99, 32_099])), draw(seeds()))


def read_both(corrupt_spans: Candidate, draw: Gapped) -> tuple[Tensor, Tensor]:
    """Inputs and targets, as tensors and in their order: another check is about lists, floats, the order."""
    answer = corrupt_spans(*draw.arguments)
    require(
        isinstance(answer, tuple | list) and len(answer) == 2,
        tr("the answer should be the pair (inputs, targets), but is {kind}", kind=kind(answer)),
    )
    first, second = (_row(value, name) for value, name in zip(answer, ("inputs", "targets"), strict=True))
    lengths, due = (len(first), len(second)), tuple(map(len, draw.due))
    return (second, first) if lengths == due[::-1] != due else (first, second)


def _row(value: Any, name: str) -> Tensor:
    if isinstance(value, list) and all(type(word) is int and abs(word) < 1 << 31 for word in value):
        value = torch.tensor(value)
    row = tensor(value, name).detach()
    require(row.dim() == 1, tr("{name} should have one axis, but has {axes}", name=name, axes=row.dim()))
    return row.long() if bool(row.isfinite().all()) else row


def _say_both(answer: Tensor, due: Tensor, draw: Gapped, message: str) -> None:
    """Require a row to be what is due; the message shows both and the question."""
    if not torch.equal(answer, due):
        text, spans = " ".join(map(str, draw.ids.tolist())), ", ".join(f"({a}, {b})" for a, b in draw.spans)
        raise Violation(
            tr(
                message,
                ids=text,
                spans=spans,
                due=" ".join(map(str, due.tolist())),
                found=" ".join(map(str, answer.tolist()[:40])),
            )
        )


@check(points=2, given=[texts(), texts(alone=True)], shape_only=True, draws=MORE)
def gives_two_rows_of_ids(corrupt_spans: Candidate, draw: Gapped) -> None:
    """the answer is (inputs, targets), two int64 tensors with one axis each, for one span too

    fr: la réponse est (inputs, targets), deux tenseurs int64 à un axe chacun, pour un seul segment aussi
    """
    read_both(corrupt_spans, draw)
    answer = corrupt_spans(*draw.arguments)
    for name, value in zip(("inputs", "targets"), answer, strict=True):
        row = tensor(value, name)
        message = tr("{name} should be of dtype int64, but is of {dtype}", name=name, dtype=row.dtype)
        require(row.dtype == torch.int64, message)
    lengths, due = tuple(map(len, answer)), tuple(map(len, draw.due))
    swapped = tr("inputs and targets are swapped: the answer should be (inputs, targets)")
    require(not lengths == due[::-1] != due, swapped)


@check(
    points=4.5,
    given=texts(),
    core=True,
    at_length=lambda n: texts(length=n),
    stretched=[
        Stretched(lambda n, seed: gapped([1] * (n + 1), [1] * n, 32_099, seed)),
        Stretched(lambda n, seed: gapped([1, 1, 2], [n, 2], 32_099, seed)),
    ],
)
def puts_one_sentinel_for_each_span(corrupt_spans: Candidate, draw: Gapped) -> None:
    """inputs is the text with one sentinel in the place of each span

    fr: inputs est le texte, avec une sentinelle à la place de chaque segment
    """
    inputs, _ = read_both(corrupt_spans, draw)
    _say_both(inputs, draw.due[0], draw, INPUTS)


@check(points=4.5, given=texts(), core=True, draws=MORE)
def asks_for_what_was_taken_out(corrupt_spans: Candidate, draw: Gapped) -> None:
    """targets is each span behind its sentinel

    fr: targets est chaque segment derrière sa sentinelle
    """
    _, targets = read_both(corrupt_spans, draw)
    if not torch.equal(targets, draw.due[1][:-1]):  # the last sentinel has a check of its own
        _say_both(targets, draw.due[1], draw, TARGETS)


@check(points=4.6, given=texts(), draws=MORE)
def ends_with_one_sentinel_more(corrupt_spans: Candidate, draw: Gapped) -> None:
    """targets ends with one sentinel more, the next: it says that nothing follows

    fr: targets se termine par une sentinelle de plus, la suivante : elle dit que rien ne suit
    """
    _, targets = read_both(corrupt_spans, draw)
    ends = len(targets) > 0 and int(targets[-1]) >= WORDS
    due, found = (" ".join(map(str, row.tolist()[-3:])) for row in (draw.due[1], targets))
    message = tr(
        "targets should end with {due}, the last of which is one sentinel more, but ends with {found}",
        due=due,
        found=found,
    )
    require(ends, message)


@check(points=4.6, given=texts(touching=True))
def keeps_spans_that_touch_apart(corrupt_spans: Candidate, draw: Gapped) -> None:
    """spans with no word between them have a sentinel each, in inputs and in targets

    fr: des segments sans mot entre eux ont chacun leur sentinelle, dans inputs comme dans targets
    """
    inputs, targets = read_both(corrupt_spans, draw)
    if sum(word >= WORDS for word in inputs.tolist()) < len(draw.spans):
        _say_both(inputs, draw.due[0], draw, INPUTS)
    stands = [word >= WORDS for word in targets.tolist()]
    due = [word >= WORDS for word in draw.due[1].tolist()]
    if stands not in (due, due[:-1]):  # the last sentinel has a check of its own
        _say_both(targets, draw.due[1], draw, TARGETS)


@check(points=2, given=texts(), draws=MORE)
def counts_sentinels_down(corrupt_spans: Candidate, draw: Gapped) -> None:
    """sentinels count down from the first, in inputs and in targets alike

    fr: les sentinelles décomptent à partir de la première, dans inputs comme dans targets
    """
    for row, name, more in zip(read_both(corrupt_spans, draw), ("inputs", "targets"), (0, 1), strict=True):
        sentinels = [int(word) for word in row.tolist() if word >= WORDS]
        due = [draw.sentinel - n for n in range(len(draw.spans) + more)]
        listed = {"found": " ".join(map(str, sentinels)) or tr("none"), "due": " ".join(map(str, due))}
        message = tr("the sentinels of {name} should be {due}, but are {found}", name=name, **listed)
        # The last has a check of its own.
        require(sentinels == due or sentinels == due[: len(draw.spans)], message)


@check(points=2, given=texts())
def loses_no_word(corrupt_spans: Candidate, draw: Gapped) -> None:
    """put together again, inputs and targets give the text

    fr: remis ensemble, inputs et targets redonnent le texte
    """
    inputs, targets = (row.tolist() for row in read_both(corrupt_spans, draw))
    spans: list[list[int]] = []
    for word in targets:
        if word >= WORDS:
            spans.append([])
        elif spans:
            spans[-1].append(word)
    whole: list[int] = []
    waiting = iter(spans)
    for word in inputs:
        whole += next(waiting, []) if word >= WORDS else [word]
    same(torch.tensor(whole), draw.ids, tr("the text put together again"))


@check(points=1, given=texts())
def leaves_a_text_without_spans(corrupt_spans: Candidate, draw: Gapped) -> None:
    """without spans, inputs is the text; with them, it is another

    fr: sans segments, inputs est le texte ; avec eux, c'en est un autre
    """
    inputs, targets = read_both(corrupt_spans, replace(draw, spans=[]))
    same(inputs, draw.ids, tr("inputs without spans"))
    few = len(targets) <= 1
    require(few, tr("targets should hold one sentinel where there are no spans, not {n} ids", n=len(targets)))
    require(not torch.equal(read_both(corrupt_spans, draw)[0], draw.ids), tr("the spans change nothing"))


@check(points=1, given=texts(), on_its_word=True)
def leaves_the_ids_alone(corrupt_spans: Candidate, draw: Gapped) -> str | None:
    """the ids keep their values, and the second call answers as the first

    fr: les identifiants gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    inputs, _ = read_both(corrupt_spans, draw)
    other, _ = read_both(corrupt_spans, replace(draw, ids=(draw.ids + 1) % WORDS))
    require(not torch.equal(inputs, other), tr("inputs does not depend on the ids"))
    require(not torch.equal(inputs, draw.ids), tr("the spans change nothing"))
    return properties.leaves_alone(corrupt_spans, draw.arguments, *draw.argument_names)


def diagnostic_draws(seed: int) -> list[Gapped]:
    """Texts that tell the known mistakes apart."""
    return [
        gapped([2, 1, 3], [2, 3], 99, seed),
        gapped([1, 2, 2], [3, 1], 99, seed + 1),
        gapped([0, 3, 1], [1, 2], 99, seed + 2),
        gapped([1, 0, 2, 1], [2, 1, 3], 32_099, seed + 3),
        gapped([3, 4], [2], 99, seed + 4),
        gapped([4], [], 99, seed + 5),
        gapped([2, 2, 1, 2], [3, 2, 2], 99, seed + 6),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
