"""get_batch(data, block_size, batch_size) -> x, y, both int64 (B, T): random windows, and the same one later.

The ids of a draw are all different, so that each tells where it was taken from.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    Raised,
    Stretched,
    Violation,
    check,
    kind,
    require,
    same,
    shaped,
    tensor,
)
from graders.check_api.options import Options
from graders.check_api.properties import parts
from graders.check_api.statistics import surprising
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import hidden, seeds, sizes
from graders.language import tr

STARTS = 30  # of windows in a text, of which a batch has about as many
RARE = 10  # draws: a text on which windows that are too long, or are never drawn again, run short is rare
MANY = 2_000  # windows in a batch that is large enough to count how often each start is drawn


@dataclass(frozen=True, eq=False)
class Text(Drawn):
    """Ids (N,), all different, and the sizes of a batch."""

    data: Tensor
    block_size: int
    batch_size: int
    seed: int = field(default=0, metadata=hidden)

    @property
    def starts(self) -> int:
        """The number of places where a window may begin."""
        return len(self.data) - self.block_size


def text(length: int, block: int, batch: int, seed: int) -> Text:
    """A text of `length` different ids, in an order given by the seed."""
    order = torch.randperm(length, generator=torch.Generator().manual_seed(seed))
    return Text(order + 100, block, batch, seed)


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """A text so short that a batch of windows cut one after another would run over its end.

    It has at least three windows: two other checks are about bounds that are off by one.
    """
    block, blocks = draw(sizes(2, 5)), draw(sizes(2, 4))
    length = block * blocks + draw(sizes(1, block - 1))
    rows = draw(sizes(blocks + 1, 8))
    return text(length, block, rows + (rows == block), draw(seeds()))  # windows are told from columns


def batch(candidate: Candidate, draw: Text, seed: int) -> tuple[Tensor, Tensor]:
    """x and y of a call under a seed, required to be a tuple of two tensors of the right shape."""
    answer = candidate.seeded(seed, *draw.arguments).answer
    require_pair(answer, isinstance(answer, tuple | list))
    x, y = pair_in(answer)
    for name, ids in zip("xy", (x, y), strict=True):
        shaped(ids, (draw.batch_size, draw.block_size), name)
    return x, y


def windows(candidate: Candidate, draw: Text, seed: int) -> Tensor:
    """x of a call under a seed, with a window in each row: others are about y, the shape and the dtype."""
    answer = candidate.seeded(seed, *draw.arguments).answer
    found = parts(answer)
    return rows_of(tensor(found[0] if found else answer, "x").detach(), draw)


def rows_of(ids: Tensor, draw: Text) -> Tensor:
    """Ids with a window in each row: turned where they have the shape (block_size, batch_size)."""
    require(ids.dim() == 2 and ids.numel() > 0, tr("x should have two axes, but has {axes}", axes=ids.dim()))
    due = draw.batch_size, draw.block_size
    return ids.mT if tuple(ids.shape) == due[::-1] != due else ids


def pair_of(candidate: Candidate, draw: Text, seed: int) -> tuple[Tensor, Tensor]:
    """x and y of a call under a seed: two tensors, which may be in a dict."""
    return pair_in(candidate.seeded(seed, *draw.arguments).answer)


def pair_in(answer: Any) -> tuple[Tensor, Tensor]:
    """x and y of an answer.

    Raises:
        Violation: it has another number of values, or others than tensors.
    """
    found = parts(answer)
    require_pair(answer, len(found) == 2)
    return tensor(found[0], "x").detach(), tensor(found[1], "y").detach()


def require_pair(answer: Any, holds: bool) -> None:
    """Require what makes an answer the tuple that is due.

    Raises:
        Violation: it is not.
    """
    require(
        holds, tr("x and y should come back, a tuple of two tensors, but it is {kind}", kind=kind(answer))
    )


def places(data: Tensor, ids: Tensor, value_name: str) -> Tensor:
    """The position of each id in the text.

    Raises:
        Violation: an id is not in the text.
    """
    matches = ids[..., None] == data
    if not bool(matches.any(-1).all()):
        stray = ids[~matches.any(-1)][0].item()
        raise Violation(
            tr("{what} holds {stray}, which is no id of data", what=value_name, stray=stray), actual=ids
        )
    return matches.int().argmax(-1)


def require_windows(data: Tensor, x: Tensor) -> None:
    """Require that each row of x is a window of data.

    Raises:
        Violation: a row is not.
    """
    positions = places(data, x, "x")
    for row in ((positions[:, 1:] - positions[:, :-1]) != 1).any(1).nonzero().flatten().tolist():
        window = data[int(positions[row, 0]) :][: x.shape[1]].tolist()
        message = tr(
            "row {row} of x is no window of data: it is {ids}, and the window {window}",
            row=row,
            ids=x[row].tolist(),
            window=window,
        )
        raise Violation(message, actual=x)


@check(points=1, given=texts(), shape_only=True, draws=RARE)
def gives_two_batches_of_ids(get_batch: Candidate, draw: Text) -> None:
    """x and y come back, both int64 of shape (batch_size, block_size)

    fr: x et y sont renvoyés, tous deux int64 de forme (batch_size, block_size)
    """
    for name, ids in zip("xy", batch(get_batch, draw, draw.seed), strict=True):
        require(
            ids.dtype == torch.int64,
            tr("{name} should be of dtype int64, but is of {dtype}", name=name, dtype=ids.dtype),
        )


def large_text(length: int, block: int, batch: int, seed: int) -> Text:
    """A text of so many ids more than a window has."""
    return text(length + block, block, batch, seed)


@check(
    points=3,
    given=texts(),
    core=True,
    fixed=[partial(large_text, 9, 4, 4)],
    stretched=[
        Stretched(lambda n, seed: large_text(n, 3, 4, seed)),
        Stretched(lambda n, seed: large_text(5, n, 3, seed)),
        Stretched(lambda n, seed: large_text(9, 4, n, seed)),
    ],
)
def cuts_windows_out_of_the_text(get_batch: Candidate, draw: Text) -> None:
    """each row of x is a window of data: ids that stand there one after another

    fr: chaque ligne de x est une fenêtre de data : des identifiants qui s'y suivent un à un
    """
    require_windows(draw.data, windows(get_batch, draw, draw.seed))
    same(get_batch.seeded(draw.seed, *draw.arguments).args[0], draw.data, tr("data after the call"))


@check(points=4, given=texts(), core=True, draws=RARE)
def gives_what_comes_next(get_batch: Candidate, draw: Text) -> None:
    """y holds the next id of every position of x: the same windows, one id later

    fr: y contient l'identifiant suivant de chaque position de x : les mêmes fenêtres, un identifiant plus
    loin
    """
    x, y = pair_of(get_batch, draw, draw.seed)
    positions = places(draw.data, x, "x")
    require(
        bool((positions < len(draw.data) - 1).all()),
        tr("x holds the last id of data, after which there is no next"),
    )
    same(y.to(draw.data.dtype), draw.data[positions + 1], "y")


@check(
    points=1,
    given=st.builds(lambda t, b, s: text(t + 1, t, b + (b == t), s), sizes(2, 6), sizes(2, 4), seeds()),
)
def takes_the_only_window_there_is(get_batch: Candidate, draw: Text) -> None:
    """where data has just one id more than block_size, every row of x is its only window

    fr: là où data n'a qu'un identifiant de plus que block_size, chaque ligne de x est son unique fenêtre
    """
    x = windows(get_batch, draw, draw.seed).to(draw.data.dtype)
    same(x, draw.data[:-1].expand(len(x), -1), "x")


@st.composite
def few_windows(draw: st.DrawFn) -> Text:
    """A text with few possible starts of a window, and a batch of very many windows."""
    block = draw(sizes(2, 4))
    return text(draw(sizes(3, 6)) + block, block, MANY, draw(seeds()))


@check(points=3, given=few_windows(), draws=4)
def draws_every_window_equally_often(get_batch: Candidate, draw: Text) -> None:
    """every window is equally likely, the first and the last too, whatever the other rows are

    fr: toute fenêtre est également probable, la première et la dernière aussi, quelles que soient les autres
    lignes
    """
    x = windows(get_batch, draw, draw.seed)
    shaped(x, (draw.batch_size, draw.block_size), "x")
    first = places(draw.data, x[:, 0], "x")
    count, expected = draw.starts, MANY / draw.starts
    require(bool((first < count).all()), tr("a window begins so late that it has no next id at its end"))
    counts = torch.bincount(first, minlength=count)
    if (cell := surprising(counts, torch.full((count,), 1 / count))) is not None:
        which = {0: tr("{n} (the first)", n=0), count - 1: tr("{n} (the last)", n=cell)}.get(cell, str(cell))
        message = tr(
            "of {many} windows {n} begin at {start}, where about {due} are due: "
            "every start should be as likely as any other",
            many=MANY,
            n=int(counts[cell]),
            start=which,
            due=round(expected),
        )
        raise Violation(message, actual=counts)
    require(
        _independent(first, count), tr("a row depends on the row before it: each should be drawn by itself")
    )
    for rows in (STARTS, STARTS - 1):
        message = tr(
            "{rows} rows of {starts} windows, and none comes twice: each row should be drawn by itself",
            rows=rows,
            starts=STARTS,
        )
        require(not _all_different(get_batch, draw.seed, rows), message)


def _all_different(get_batch: Candidate, seed: int, rows: int) -> bool:
    """Whether no window comes twice in a batch: by chance once in 10^10 times, with so many rows."""
    draw = large_text(STARTS, 4, rows, seed)
    x = windows(get_batch, draw, seed)
    return len(x) == rows and len(x.unique(dim=0)) == rows


def _independent(first: Tensor, count: int) -> bool:
    pairs = first[0::2] * count + first[1::2]
    counts = torch.bincount(pairs, minlength=count * count)
    return surprising(counts, torch.full((count * count,), 1 / count**2)) is None


@st.composite
def many_windows(draw: st.DrawFn) -> Text:
    """So many possible windows that the same batch is drawn twice only once in 10^11 times."""
    block = draw(sizes(2, 4))
    return text(40 + block, block, draw(sizes(7, 9)), draw(seeds()))


@check(points=2, given=many_windows(), draws=6)
def follows_the_seed(get_batch: Candidate, draw: Text) -> None:
    """after torch.manual_seed the same batch comes for the same seed, and another for another

    fr: après torch.manual_seed, le même lot vient pour la même graine, et un autre pour une autre
    """
    x, again, other = (windows(get_batch, draw, draw.seed + n) for n in (1, 1, 2))
    require(not torch.equal(x, other), tr("two different seeds give the same batch: is it random at all?"))
    same(again, x, tr("x under the same seed"))
    require_windows(draw.data, x)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    return [
        BehaviourTrial(partial(_all, text(12, 4, MANY, seed + 1), seed)),
        BehaviourTrial(partial(_raising, text(24, 14, 2, seed + 2), seed)),
        BehaviourTrial(partial(_reproduced, text(44, 4, 9, seed + 3), seed)),
        BehaviourTrial(partial(_all, text(9, 3, 200, seed + 4), seed)),
        BehaviourTrial(lambda candidate: str(_all_different(candidate, seed, STARTS))),
    ]


def _all(draw: Text, seed: int, candidate: Candidate) -> Any:
    """The form of the answer and, for a large batch, where the ids of x and y are in the text."""
    answer = candidate.seeded(seed, *draw.arguments).answer
    if not isinstance(answer, tuple | list):
        return kind(answer)
    form = [f"{ids.dtype} {tuple(ids.shape)}" if isinstance(ids, Tensor) else kind(ids) for ids in answer]
    try:
        x, y = batch(candidate, draw, seed)
        positions, next_positions = places(draw.data, x, "x"), places(draw.data, y, "y")
    except Violation:
        return form
    if draw.batch_size < MANY:
        return form
    steps, shift = positions[:, 1:] - positions[:, :-1], next_positions - positions
    first = positions[:, 0].clamp(max=draw.starts - 1)
    counts = torch.bincount(first, minlength=draw.starts)
    only_one = int((counts > 0).sum()) == 1 and bool((steps == 1).all())
    uniform = surprising(counts, torch.full((draw.starts,), 1 / draw.starts)) is None
    return [
        form,
        "one window" if only_one else (counts > 0).long(),
        uniform,
        uniform and _independent(first, draw.starts),
        *(int(value) for value in (steps.min(), steps.max(), shift.min(), shift.max())),
    ]


def _raising(draw: Text, seed: int, candidate: Candidate) -> Any:
    """How often a call raises because one of two windows runs over the end of the text.

    It happens for 1 in 6 batches if starts are drawn from one position too many, and for 5 in 6 if they are
    drawn from the whole text.
    """
    raised = 0
    for number in range(60):
        try:
            candidate.seeded(seed + number, *draw.arguments)
        except Raised:
            raised += 1
    return {0: "never", 60: "always"}.get(raised, "at times" if raised < 30 else "mostly")


def _reproduced(draw: Text, seed: int, candidate: Candidate) -> Any:
    """Whether the same seed gives the same batch, and whether other seeds all do so."""
    answers = [candidate.seeded(seed + n, *draw.arguments).answer for n in (0, 0, 1, 2, 3)]
    xs = [answer[0] if isinstance(answer, tuple | list) and answer else answer for answer in answers]
    if not all(isinstance(x, Tensor) for x in xs):
        return kind(xs[0])
    return [torch.equal(xs[0], xs[1]), all(torch.equal(xs[0], x) for x in xs[2:])]


options = Options(diagnostic_draws=diagnostic_draws)
