"""shift_right(labels, start_id, pad_id): start_id, then labels (B, S) without the last, pad_id for -100."""

from dataclasses import dataclass, replace
from functools import partial

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.check import Candidate, Stretched, Violation, check, require, same, tensor
from graders.check_api.options import Options
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import ids, seeds, several, sizes
from graders.language import tr

IGNORED = -100
SPECIAL = 3  # ids from 0 that are no words, of which start_id and pad_id are two


@dataclass(frozen=True, eq=False)
class Labels(Drawn):
    """Labels (B, S), -100 where nothing is to be predicted, and two ids that are no labels."""

    labels: Tensor
    start_id: int
    pad_id: int


def words(batch: int, length: int, seed: int, start_id: int, pad_id: int) -> Labels:
    """Labels that end in -100 in all sequences but the first, if they are long enough."""
    labels = SPECIAL + ids(batch, length, vocabulary=40, seed=seed)
    ends = 2 + ids(batch, 1, vocabulary=max(length - 2, 1), seed=seed + 1)
    ends[0] = length
    return Labels(labels.masked_fill(torch.arange(length) >= ends, IGNORED), start_id, pad_id)


@st.composite
def labelled(draw: st.DrawFn, least: int = 2, length: int | None = None) -> Labels:
    """Labels of a batch; start_id and pad_id are two of the ids below SPECIAL."""
    length = length or draw(sizes(least, 7))
    start_id, pad_id = draw(st.permutations(range(SPECIAL)))[:2]
    return words(draw(several(4)), length, draw(seeds()), start_id, pad_id)


def given_ids(shift_right: Candidate, draw: Labels) -> Tensor:
    """The ids of a call as far as there are labels: another check is about the shape and the dtype."""
    answer = tensor(shift_right(*draw.arguments), tr("the answer")).detach()
    batch, length = draw.labels.shape
    if answer.dim() != 2 or answer.shape[0] != batch or not answer.shape[1]:
        raise Violation(_wrong_shape(answer, draw), actual=answer)
    return answer[:, :length].long() if bool(answer.isfinite().all()) else answer[:, :length]


def _wrong_shape(answer: Tensor, draw: Labels) -> str:
    return tr(
        "the answer should have shape {due}, but has {shape}",
        due=tuple(draw.labels.shape),
        shape=tuple(answer.shape),
    )


@check(points=2, given=[labelled(), labelled(length=1)], shape_only=True)
def gives_as_many_ids_as_labels(shift_right: Candidate, draw: Labels) -> None:
    """the answer is int64 of shape (B, S), as the labels are

    fr: la réponse est int64 de forme (B, S), comme les labels
    """
    answer = tensor(shift_right(*draw.arguments), tr("the answer"))
    require(answer.shape == draw.labels.shape, _wrong_shape(answer, draw))
    message = tr("the answer should be of dtype int64, but is of {dtype}", dtype=answer.dtype)
    require(answer.dtype == torch.int64, message)


@check(points=3, given=labelled())
def begins_with_the_start(shift_right: Candidate, draw: Labels) -> None:
    """every sequence begins with start_id

    fr: chaque séquence commence par start_id
    """
    first = given_ids(shift_right, draw)[:, 0]
    for sequence in (first != draw.start_id).nonzero().flatten()[:1].tolist():
        message = tr(
            "sequence {sequence} begins with {found}, where start_id is {start}",
            sequence=sequence,
            found=first[sequence].item(),
            start=draw.start_id,
        )
        raise Violation(message)


@check(
    points=7,
    given=labelled(least=3),
    core=True,
    at_length=lambda n: labelled(length=n),
    fixed=[partial(words, 4, 4, start_id=1, pad_id=2)],
    stretched=[Stretched(lambda n, seed: words(n, 4, seed, 2, 0))],
)
def moves_each_label_one_position_on(shift_right: Candidate, draw: Labels) -> None:
    """each label stands one position later, and the last is gone

    fr: chaque label se trouve une position plus loin, et le dernier a disparu
    """
    given = given_ids(shift_right, draw)
    length = draw.labels.shape[1]
    require(given.shape[1] == length, _wrong_shape(given, draw))
    due = draw.labels[:, :-1]
    for sequence, place in ((given[:, 1:] != due) & (due != IGNORED)).nonzero()[:1].tolist():
        message = tr(
            "at position {position} of sequence {sequence} stands {found}, where the label before is {due}",
            position=place + 1,
            sequence=sequence,
            found=given[sequence, place + 1].item(),
            due=due[sequence, place].item(),
        )
        raise Violation(message, actual=given)


@check(points=3, given=labelled(least=5))
def puts_padding_for_what_is_ignored(shift_right: Candidate, draw: Labels) -> None:
    """where labels are -100, the decoder is given pad_id

    fr: là où des labels valent -100, le décodeur reçoit pad_id
    """
    ignored = replace(draw, labels=draw.labels.clone())
    ignored.labels[-1] = IGNORED  # wherever code puts it, there is one
    given = given_ids(shift_right, ignored)
    require(not bool((given == IGNORED).any()), tr("-100 is still there: it has no embedding"))
    inner = given[-1, 1:-1]  # between the ends, whichever way code shifts
    require(bool((inner == draw.pad_id).all()), _not_padding(inner, draw))
    words_given = given_ids(shift_right, draw)[0]
    require(not bool((words_given[1:-1] == draw.pad_id).any()), tr("labels have become padding"))


def _not_padding(ids: Tensor, draw: Labels) -> str:
    other = ids[ids != draw.pad_id]
    return tr(
        "{found} stands where a label is -100; pad_id is {pad}",
        found=other[0].item() if len(other) else tr("none"),
        pad=draw.pad_id,
    )


@check(points=3, given=labelled(least=5))
def keeps_labels_with_the_number_of_a_special_id(shift_right: Candidate, draw: Labels) -> None:
    """a label that has the number of start_id or of pad_id moves on as the others do

    fr: un label qui a le numéro de start_id ou de pad_id avance comme les autres
    """
    special = with_special_labels(draw)
    given = given_ids(shift_right, special)
    for place, due in enumerate(special.labels[0, :2].tolist(), start=1):
        found = given[0, place].item() if place < given.shape[1] else tr("none")
        message = tr(
            "at position {position} of sequence {sequence} stands {found}, where the label before is {due}",
            position=place,
            sequence=0,
            found=found,
            due=due,
        )
        require(found == due, message)


def with_special_labels(draw: Labels) -> Labels:
    """The labels; the first two of the first sequence are start_id and pad_id."""
    labels = draw.labels.clone()
    labels[0, :2] = torch.tensor([draw.start_id, draw.pad_id])
    return replace(draw, labels=labels)


@check(points=1, given=labelled(least=3))
def treats_sequences_apart(shift_right: Candidate, draw: Labels) -> None:
    """sequences in another order are given in that order, and each alone as in the batch

    fr: des séquences dans un autre ordre sont données dans cet ordre, et chacune seule comme dans le lot
    """
    given = given_ids(shift_right, draw)
    turned = given_ids(shift_right, replace(draw, labels=draw.labels.flip(0)))
    same(turned, given.flip(0), tr("the answer for sequences in another order"))
    alone = given_ids(shift_right, replace(draw, labels=draw.labels[:1]))
    same(alone, given[:1], tr("the answer for the first sequence alone"))
    _moves_them(shift_right, draw, given)


@check(points=1, given=labelled(least=5), on_its_word=True)
def leaves_the_labels_alone(shift_right: Candidate, draw: Labels) -> str | None:
    """the labels keep their values, and the second call answers as the first

    fr: les labels gardent leurs valeurs, et le deuxième appel répond comme le premier
    """
    given = given_ids(shift_right, draw)
    _moves_them(shift_right, draw, given)
    return properties.leaves_alone(shift_right, draw.arguments, *draw.argument_names)


def _moves_them(shift_right: Candidate, draw: Labels, given: Tensor) -> None:
    other = given_ids(shift_right, replace(draw, labels=draw.labels + 1))
    require(not torch.equal(other, given), tr("the answer does not depend on the labels"))
    require(not torch.equal(given, draw.labels), tr("the labels come back as they are"))


def diagnostic_draws(seed: int) -> list[Labels]:
    """Labels that tell the known mistakes apart."""
    return [
        words(3, 5, seed, 1, 2),
        words(3, 5, seed + 1, 2, 1),
        words(3, 5, seed + 2, 0, 1),
        words(2, 7, seed + 3, 2, 0),
        words(4, 3, seed + 4, 1, 2),
        words(1, 4, seed + 5, 1, 2),
        with_special_labels(words(2, 6, seed + 6, 2, 1)),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
